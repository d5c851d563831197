"""Stages that end once it is known who the first ones are."""

import random
from collections.abc import Callable, Sequence
from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.tournaments.fields import finished

from farfalia_tournaments import (
    AwaitedResults,
    DrawnMatch,
    Entry,
    Match,
    NextRound,
    ScheduleError,
    TournamentOver,
    check_stages,
    final_standings,
    fit_strengths,
    next_round,
    parse_stages,
)
from farfalia_tournaments.stages import Until, contest_of, parse_until


def played(match: Match, strengths: Sequence[float]) -> DrawnMatch:
    """A match with luck of its own between entrants of these strengths, in points."""
    luck = random.Random(f"{match.stage} {match.round} {match.table} {match.board}")
    entrants = tuple(number for number in match.entrants if number is not None)
    points = [100 + strengths[number] + luck.gauss(0, 13) for number in entrants]
    return DrawnMatch(match, finished(entrants, points, match.board))


def rounds_of(stages: str, strengths: Sequence[float], seats: int = 5) -> tuple[int, list[DrawnMatch]]:
    """How many rounds are drawn until it is over, and all matches."""
    matches: list[DrawnMatch] = []
    entries = [Entry(entrant) for entrant in range(len(strengths))]
    for rounds in count():
        following = next_round(parse_stages(stages), entries, matches, seats=seats, seed="one")
        if isinstance(following, TournamentOver):
            return rounds, matches
        assert isinstance(following, NextRound)
        matches += [played(match, strengths) for match in following.matches]
    raise AssertionError


LOPSIDED = (30.0, 28.0, 2.0, 1.0, 0.0, 0.0, -1.0, -1.0, -2.0, -3.0)


@pytest.mark.parametrize("kind", ["round-robin", "swiss"])
def test_a_stage_is_over_as_soon_as_the_first_are_known(kind: str) -> None:
    rounds, matches = rounds_of(f"{kind}:rounds=30,until-first=2", LOPSIDED)
    assert 1 < rounds < 20
    stages = parse_stages(f"{kind}:rounds=30,until-first=2")
    final = final_standings(stages, [Entry(entrant) for entrant in range(10)], matches, seats=5)
    assert {row.entrant for row in final[:2]} == {0, 1}
    surer, _ = rounds_of(f"{kind}:rounds=30,until-first=2,until-percent=99", LOPSIDED)
    assert surer >= rounds


def test_a_stage_whose_first_are_level_is_played_to_its_end() -> None:
    assert rounds_of("round-robin:rounds=8,until-first=1", (5.0,) * 5)[0] == 8


def test_the_next_stage_begins_when_the_first_are_known() -> None:
    rounds, matches = rounds_of("round-robin:rounds=40,until-first=2,qualifiers=5 round-robin:rounds=1", LOPSIDED)
    assert rounds < 20
    assert {one.match.stage for one in matches} == {1, 2}


def test_a_round_waits_for_the_results_of_the_one_before() -> None:
    stages = parse_stages("round-robin:rounds=9,until-first=1")
    entries = [Entry(entrant) for entrant in range(10)]
    first = next_round(stages, entries, [], seats=5, seed="one")
    assert isinstance(first, NextRound)
    half = [played(first.matches[0], LOPSIDED), DrawnMatch(first.matches[1])]
    assert next_round(stages, entries, half, seats=5, seed="one") == AwaitedResults(1)


def test_an_entrant_without_a_result_is_not_known() -> None:
    table = Match(1, 1, 1, "board", 1, (0, 1))
    results = [played(table, (90.0, 0.0)).result] * 9
    seen = [result for result in results if result is not None]
    fit = fit_strengths(seen)
    contest = contest_of(Until(1), seen, fit, {0, 1}, rounds=9, planned=9)
    assert contest is not None
    assert contest.known
    assert contest_of(Until(1), seen, fit, {0, 1, 2}, rounds=9, planned=9) is None
    assert contest_of(Until(1), [], fit_strengths([]), set(), rounds=0, planned=9) is None


@given(st.builds(Until, st.integers(1, 10**9 - 1), st.integers(50, 99)))
def test_a_rule_is_read_as_it_is_written(until: Until) -> None:
    assert parse_until(str(until)) == until
    assert parse_until(f" first  {until.first} ") == Until(until.first, 95)


@pytest.mark.parametrize(
    ("read", "text", "sentence"),
    [
        (parse_until, "the best", "'the best' is not a rule: expected something like \"first 3 at 95 %\""),
        (parse_until, "first 0 at 95 %", "until the first 0: expected at least the first 1"),
        (parse_until, "first 3 at 100 %", "until 100 %: expected 50 to 99"),
        (parse_until, "first ٣", "is not a rule"),
        (
            parse_stages,
            "swiss:rounds=3,until-percent=90",
            "stage 1: until-percent 90: expected until-first=N",
        ),
        (parse_stages, "swiss:rounds=3,until-first=2,until-percent=9", "stage 1: until 9 %: expected 50 to 99"),
    ],
)
def test_a_rule_that_cannot_be_read_is_refused(read: Callable[[str], object], text: str, sentence: str) -> None:
    with pytest.raises(ScheduleError, match=sentence.replace("?", r"\?")):
        read(text)


@pytest.mark.parametrize(
    ("stages", "sentence"),
    [
        ("knockout:until-first=1", "stage 1, knockout: until the first 1 at 95 %: expected none"),
        (
            "round-robin:until-first=10",
            "until the first 10 at 95 %: expected at most the first 9",
        ),
    ],
)
def test_a_rule_that_nothing_can_meet_is_refused(stages: str, sentence: str) -> None:
    with pytest.raises(ScheduleError, match=sentence):
        check_stages(parse_stages(stages), 10, 5)
