"""`farfalia bench collusion`: honest and colluding pairs in fields of several kinds, and who is flagged."""

from farfalia_server.bench import collusion


def test_every_field_is_reported_with_false_alarms_and_what_was_found() -> None:
    rows = collusion.run(reports=1, joint=30, processes=1)
    assert [row.field for row in rows] == list(collusion.FIELDS)
    for row in rows:
        assert row.reports == 3
        assert 0 <= row.false_alarms <= 1
        assert {row.feeding_found, row.helping_found} <= {0.0, 1.0}
    lines = collusion.table(rows).splitlines()
    assert len(lines) == 1 + len(rows)
    assert all(line.startswith(row.field) for line, row in zip(lines[1:], rows, strict=True))
    assert len({len(line) for line in lines}) == 1
