"""What equal cards say about skill: blocks, boards at several tables, matches of house bots."""

import random
from fractions import Fraction
from statistics import pstdev

import pytest
from tests.tournaments.fields import finished

from farfalia_tournaments import MatchResult, standings, units
from farfalia_tournaments.statistics.units import DATUM_SHRINKAGE_WITHOUT_LUCK


def test_a_match_with_cards_of_its_own_is_a_unit_and_its_scores_are_relative() -> None:
    (unit,) = units([finished("abc", (10, 4, 1))])
    assert unit.scores == {"a": 5, "b": -1, "c": -4}
    assert not unit.whole


def test_matches_without_a_board_are_never_a_block() -> None:
    assert len(units([finished("ab", (3, 1)), finished("ab", (3, 1))])) == 2


def test_the_same_table_with_the_same_board_is_one_unit_whatever_the_seats() -> None:
    turns = [finished("abc", (9, 0, 0), "x"), finished("bca", (9, 0, 0), "x"), finished("cab", (9, 0, 0), "x")]
    (unit,) = units(turns)
    assert unit.whole
    assert unit.scores == dict.fromkeys("abc", 0)  # everybody won with the good seat


def test_two_boards_of_one_table_are_two_units() -> None:
    assert len(units([finished("ab", (3, 1), "x"), finished("ba", (3, 1), "y")])) == 2


def test_a_board_at_two_tables_takes_off_what_the_other_table_made_with_the_seat() -> None:
    first, second = units([finished("ab", (10, 0), "x"), finished("cd", (8, 0), "x")])
    weight = 1 / (1 + Fraction(53, 50))
    assert first.scores == {"a": 5 - weight * 4, "b": -5 + weight * 4}
    assert second.scores == {"c": 4 - weight * 5, "d": -4 + weight * 5}


def test_the_more_tables_there_are_the_less_a_hands_effect_is_shrunk() -> None:
    factors = []
    for tables in (2, 5, 10):
        names = [f"{number:02}" for number in range(2 * tables)]
        results = [
            MatchResult((names[2 * table], names[2 * table + 1]), (10, 0), (1, 2), board="x") for table in range(tables)
        ]
        factors.append(1 - float(units(results)[0].scores["00"]) / 5)
    assert factors == pytest.approx([0.47, 0.79, 0.90], abs=0.02)


def test_a_match_of_house_bots_with_the_board_takes_three_quarters_of_its_luck_off() -> None:
    (unit,) = units([finished("ab", (10, 0), "x")], {"x": (6, 2)})
    assert unit.scores == {"a": 5 - Fraction(3, 4) * 2, "b": -5 + Fraction(3, 4) * 2}


def test_what_the_cards_gave_is_no_merit() -> None:
    lucky = MatchResult(("a", "b"), (10, 4), (1, 2), luck=(Fraction(5), Fraction(-2)))
    (unit,) = units([lucky])
    assert unit.scores == {"a": Fraction(-1, 2), "b": Fraction(1, 2)}
    assert standings([lucky])[0].relative == -3  # b leads by `adjusted`; what was made stays as it was


def test_other_tables_are_compared_without_their_luck() -> None:
    mine = MatchResult(("a", "b"), (10, 0), (1, 2), board="x", luck=(Fraction(4), Fraction(-4)))
    theirs = MatchResult(("c", "d"), (9, 1), (1, 2), board="x", luck=(Fraction(4), Fraction(-4)))
    first, second = units([mine, theirs])
    # Without luck a made 1 more than the table's mean, and the same seat 0 at the other table.
    assert first.scores["a"] == 1
    assert second.scores["c"] == -Fraction(1) / (1 + DATUM_SHRINKAGE_WITHOUT_LUCK)


def test_good_cards_are_no_reason_to_give_up_a_seat() -> None:
    def score(forfeits: tuple[int, ...]) -> Fraction:
        places = (2, 1) if forfeits else (1, 2)
        (unit,) = units([MatchResult(("a", "b"), (1, 0), places, forfeits=forfeits, luck=(Fraction(9), Fraction(0)))])
        return unit.scores["a"]

    assert score(forfeits=(0,)) < score(forfeits=())


def test_a_lost_seat_has_no_points_and_the_others_keep_theirs() -> None:
    (unit,) = units([MatchResult(("a", "b", "c"), (9, 3, 0), (3, 1, 2), forfeits=(0,))])
    assert unit.scores == {"a": -4, "b": -1, "c": -4}


@pytest.mark.slow
@pytest.mark.parametrize("boards", [100, pytest.param(400, marks=pytest.mark.prove)])
def test_rotations_take_most_of_the_luck_of_strong_seats_out_of_the_table(boards: int) -> None:
    rng = random.Random(8)
    fresh: list[float] = []
    block: list[float] = []
    for number in range(boards):
        for kind, scores in (("", fresh), (f"board-{number}", block)):
            results = []
            hands = [rng.gauss(0, 12) for _ in range(5)]
            for turn in range(5):
                cards = hands if kind else [rng.gauss(0, 12) for _ in range(5)]
                seated = [(seat + turn) % 5 for seat in range(5)]
                points = tuple(round(50 + cards[seat] + rng.gauss(0, 6)) for seat in range(5))
                results.append(finished("".join("abcde"[entrant] for entrant in seated), points, kind))
            row = next(row for row in standings(results, ratings={}) if row.entrant == "a")
            scores.append(row.adjusted)
    assert pstdev(block) < 0.6 * pstdev(fresh)


# Intervals are right on average over fields of all kinds; for a single field they may be a little too wide.
@pytest.mark.parametrize(("tournaments", "off"), [(50, 0.04), pytest.param(200, 0.03, marks=pytest.mark.prove)])
def test_the_intervals_of_blocks_cover_the_truth_nineteen_times_in_twenty(tournaments: int, off: float) -> None:
    rng = random.Random(9)
    skills = (8, 3, 0, -4, -7)
    covered = shown = 0
    for _ in range(tournaments):
        results = []
        for block in range(8):
            hands = [rng.gauss(0, 12) for _ in range(5)]
            for turn in range(5):
                seated = [(seat + turn) % 5 for seat in range(5)]
                points = tuple(
                    round(50 + skills[bot] + hands[seat] + rng.gauss(0, 6)) for seat, bot in enumerate(seated)
                )
                results.append(finished("".join("abcde"[bot] for bot in seated), points, f"board-{block}"))
        for row in standings(results, ratings={}):
            shown += 1
            covered += row.interval[0] <= skills["abcde".index(row.entrant)] <= row.interval[1]
    assert covered / shown == pytest.approx(0.95, abs=off)


def test_the_table_is_in_the_order_of_the_adjusted_scores() -> None:
    # b is ahead by points; but with b's hand d made still more at the other table.
    rows = standings([finished("ab", (4, 8), "x"), finished("cd", (0, 20), "x")], ratings={})
    assert [row.entrant for row in rows][:2] == ["d", "a"]
    assert all(row.units == 1 for row in rows)
