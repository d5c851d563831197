import random
from itertools import combinations
from statistics import mean

import pytest

from farfalia_tournaments import (
    MatchResult,
    Pair,
    Rating,
    TrueSkill,
    Unit,
    booked,
    crosstable,
    rate_all,
    round_robin,
    standings,
    without_luck,
)

RESULTS = [
    MatchResult(("a", "b", "c"), (10, 4, 1), (1, 2, 3)),
    MatchResult(("b", "c", "d"), (6, 6, 0), (1, 1, 3), strikes=(0, 2, 1)),
    MatchResult(("c", "d", "a"), (5, 8, 8), (3, 1, 1)),
]


def test_rows_are_sorted_by_the_mean_of_points_less_the_mean_of_the_table() -> None:
    rows = standings(RESULTS)
    assert [(row.place, row.entrant, row.matches, row.points) for row in rows] == [
        (1, "a", 2, 18),
        (2, "b", 2, 10),
        (3, "c", 3, 12),
        (4, "d", 2, 8),
    ]
    assert [row.relative for row in rows] == pytest.approx([(5 + 1) / 2, (-1 + 2) / 2, (-4 + 2 - 2) / 3, (-4 + 1) / 2])
    assert [row.places for row in rows] == [(2, 0, 0), (1, 1, 0), (1, 0, 2), (1, 0, 1)]
    assert [row.strikes for row in rows] == [0, 0, 2, 1]


def test_equal_rows_share_a_place_and_are_in_the_order_of_their_names() -> None:
    turns = [("c", "a", "b"), ("b", "c", "a"), ("a", "b", "c")]
    rows = standings([MatchResult(turn, (7, 4, 2), (1, 2, 3)) for turn in turns])
    assert [(row.place, row.entrant, row.relative) for row in rows] == [(1, "a", 0), (1, "b", 0), (1, "c", 0)]


def test_the_place_after_a_shared_one_is_left_out() -> None:
    rows = standings([MatchResult(("a", "b", "c"), (5, 5, 1), (1, 1, 3))])
    assert [row.place for row in rows] == [1, 1, 3]


def test_one_match_leaves_wide_intervals_and_everything_open() -> None:
    once, often = (standings(RESULTS[:1] * times) for times in (1, 40))
    assert {(row.ranks, row.brackets) for row in once} == {((1, 3), "a")}
    assert all(row.interval[0] < 0 < row.interval[1] for row in once)
    assert [(row.ranks, row.brackets) for row in often] == [((1, 1), "a"), ((2, 2), "b"), ((3, 3), "c")]


def test_strengths_are_shrunk_towards_the_middle_less_and_less() -> None:
    few, many = (standings(RESULTS * times)[0].adjusted for times in (1, 30))
    assert 0 < few < many


def test_a_lost_seat_has_no_points() -> None:
    rows = standings([MatchResult(("a", "b", "c"), (9, 6, 3), (3, 1, 2), forfeits=(0,))])
    assert [(row.entrant, row.relative, row.points, row.forfeits) for row in rows] == [
        ("b", 0, 6, 0),
        ("c", -3, 3, 0),
        ("a", -6, 0, 1),
    ]


def test_the_mean_of_relative_scores_is_exact_until_it_is_rounded() -> None:
    rng = random.Random(3)
    results = []
    for _ in range(60):
        entrants = tuple(rng.sample("abcdefg", rng.choice((3, 4, 5))))
        points = tuple(rng.randrange(200) for _ in entrants)
        lost = rng.choice(((), (), (0,)))
        ahead = [number for number in range(len(points)) if number not in lost]
        places = [
            1 + (len(ahead) if seat in lost else sum(points[other] > points[seat] for other in ahead))
            for seat in range(len(points))
        ]
        results.append(MatchResult(entrants, points, tuple(places), forfeits=lost))
    for row in standings(results):
        scores = [
            without_luck(result, [booked(result, seat) for seat in range(len(result.points))])[
                result.entrants.index(row.entrant)
            ]
            for result in results
            if row.entrant in result.entrants
        ]
        assert row.relative == float(mean(scores))


def test_rows_and_ratings_need_no_score_of_a_unit(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = standings(RESULTS)

    def scores(unit: Unit[str]) -> None:
        raise AssertionError("the scores cost more than all the rest")

    monkeypatch.setattr(Unit, "scores", property(scores))
    assert standings(RESULTS) == expected


def test_ratings_are_those_of_these_results_alone_or_those_given() -> None:
    assert {row.entrant: row.rating for row in standings(RESULTS)} == rate_all(RESULTS, TrueSkill())
    given = {"a": Rating(31, 2)}
    assert [row.rating for row in standings(RESULTS, given)] == [Rating(31, 2), None, None, None]


def test_a_filler_has_a_row_and_no_rating() -> None:
    rows = standings([MatchResult(("a", "house"), (3, 5), (2, 1), rated=(True, False))])
    assert [(row.entrant, row.rating is None) for row in rows] == [("house", True), ("a", False)]


def test_everything_but_the_rating_is_free_of_the_order_of_results() -> None:
    rng = random.Random(2)
    results = [
        MatchResult(table, tuple(rng.sample(range(40), 5)), (1, 2, 3, 4, 5))
        for round_ in round_robin(11, 5, 3, rng=rng).rounds
        for table in round_.tables
    ]
    expected = standings(results, ratings={})
    for _ in range(3):
        rng.shuffle(results)
        assert standings(results, ratings={}) == expected
        assert list(crosstable(results).items()) == list(crosstable(results[::-1]).items())


def test_no_results_make_an_empty_table() -> None:
    assert standings([]) == []
    assert crosstable([]) == {}


def test_the_crosstable_counts_every_pair_both_ways() -> None:
    table = crosstable(RESULTS)
    assert table["a", "b"] == Pair(meetings=1, better=1, equal=0)
    assert table["b", "a"] == Pair(meetings=1, better=0, equal=0)
    assert table["b", "c"] == Pair(meetings=2, better=1, equal=1)
    assert table["c", "b"] == Pair(meetings=2, better=0, equal=1)
    assert table["a", "d"] == table["d", "a"] == Pair(meetings=1, better=0, equal=1)
    assert len(table) == 2 * 6
    for one, other in combinations("abcd", 2):
        there, back = table[one, other], table[other, one]
        assert there.meetings == back.meetings == there.better + there.equal + back.better


def test_partners_do_not_meet_in_the_crosstable() -> None:
    table = crosstable([MatchResult(("a", "b", "c", "d"), (9, 4, 9, 4), (1, 2, 1, 2), sides=(0, 1, 0, 1))])
    assert ("a", "c") not in table
    assert table["a", "b"] == Pair(1, 1, 0)
    assert len(table) == 8
