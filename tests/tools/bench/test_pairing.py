"""`farfalia bench pairing`: ladders of bots of known strength, by who is seated next."""

from farfalia_tools.bench import pairing


def test_each_policy_is_a_row_that_the_seed_decides() -> None:
    rows = pairing.run(entrants=12, matches=200, repetitions=1)
    assert [row.policy for row in rows] == list(pairing.POLICIES)
    assert rows == pairing.run(entrants=12, matches=200, repetitions=1)
    for row in rows:
        assert row.played == 200
        assert -1 <= row.tau <= 1
        assert 0 <= row.fewest <= 200 * 5 / 12 <= row.most
        assert 20 < row.mean_mu < 30
        assert abs(row.farthest - 25) >= abs(row.mean_mu - 25)
        assert 0 < row.scale < 2
        assert 0 < row.z < 3
    lines = pairing.table(rows).splitlines()
    assert len({len(line) for line in lines}) == 1


def test_some_policies_alone_play_the_same() -> None:
    both = pairing.run(entrants=12, matches=80, repetitions=1, policies=(pairing.LADDER, pairing.LOT))
    assert pairing.run(entrants=12, matches=80, repetitions=1, policies=(pairing.LOT,)) == both[1:]
