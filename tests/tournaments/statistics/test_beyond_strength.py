"""Whom an entrant beats by more than strengths say."""

import random

from farfalia_tournaments import BeyondStrength, MatchResult, beyond_strength, stand_out


def tournament(seed: int, *, gain: float = 0.0, rounds: int = 40) -> list[MatchResult[int]]:
    """Ten entrants of different strengths at tables of five; the first makes `gain` more where the last sits, too, who
    makes as much less.
    """
    rng, results = random.Random(seed), []
    for number in range(rounds):
        order = rng.sample(range(10), 10)
        for table in (tuple(order[:5]), tuple(order[5:])):
            own = {0: gain, 9: -gain} if {0, 9} <= set(table) else {}
            points = tuple(round(100 + entrant + own.get(entrant, 0) + rng.gauss(0, 9)) for entrant in table)
            places = tuple(1 + sum(other > one for other in points) for one in points)
            results.append(MatchResult(table, points, places, board=f"{number}-{table[0]}"))
    return results


def between(found: list[BeyondStrength[int]], one: int, other: int) -> BeyondStrength[int]:
    return next(pair for pair in found if {pair.entrant, pair.other} == {one, other})


def test_luck_and_strengths_alone_let_hardly_any_pair_stand_out() -> None:
    fields = [beyond_strength(tournament(seed)) for seed in range(60)]
    assert min(map(len, fields)) > 40
    assert sum(any(pair.stands_out for pair in field) for field in fields) <= 6


def test_the_errors_of_what_remains_are_as_large_as_they_are_said_to_be() -> None:
    pairs = [pair for seed in range(30) for pair in beyond_strength(tournament(seed))]
    assert 0.9 < sum((pair.points / pair.error) ** 2 for pair in pairs) / len(pairs) < 1.1


def test_who_gains_on_one_opponent_alone_stands_out_with_it() -> None:
    found = beyond_strength(tournament(1, gain=8.0))
    assert [{pair.entrant, pair.other} for pair in found if pair.stands_out] == [{0, 9}]
    pair = between(found, 0, 9)
    assert 8 < pair.points < 18  # 16, less what the strengths of both have taken of it
    assert pair.units == sum({0, 9} <= set(result.entrants) for result in tournament(1))


def test_where_a_table_seats_nearly_everybody_nothing_is_known() -> None:
    def among_five(result: MatchResult[int]) -> MatchResult[int]:
        return MatchResult(tuple(range(5)), result.points, result.places)

    assert beyond_strength(map(among_five, tournament(1))) == []


def test_two_who_have_hardly_met_are_not_compared() -> None:
    assert beyond_strength(tournament(1, rounds=3)) == []
    assert beyond_strength([]) == []


def test_partners_for_the_whole_match_are_not_compared() -> None:
    def with_partners(result: MatchResult[int]) -> MatchResult[int]:
        return MatchResult(result.entrants, result.points, (1, 1, 1, 1, 1), sides=(0, 0, 1, 1, 2))

    assert beyond_strength(map(with_partners, tournament(1))) == []


def test_of_many_hypotheses_those_stand_out_that_are_clear_for_their_number() -> None:
    assert stand_out([0.04]) == [True]
    assert stand_out([0.04] + [0.5] * 9) == [False] * 10
    assert stand_out([0.004, 0.009, 0.2, 0.9, 0.5]) == [True, True, False, False, False]
    assert stand_out([]) == []
