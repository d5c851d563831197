"""`farfalia bench collusion`: honest and colluding pairs in fields of several kinds, and who is flagged."""

from farfalia_tools.bench import collusion


def test_every_field_is_reported_with_false_alarms_and_what_was_found() -> None:
    rows = collusion.run(reports=1, joint=30, processes=1, played=2)
    assert [row.field for row in rows] == [*collusion.FIELDS, collusion.PLAYED]
    for row in rows:
        assert (row.false_alarms.of, row.feeding_found.of, row.helping_found.of) == (3, 1, 1)
    lines = collusion.table(rows).splitlines()[: 1 + len(rows)]
    assert all(line.startswith(row.field) for line, row in zip(lines[1:], rows, strict=True))
    assert len({len(line) for line in lines}) == 1
