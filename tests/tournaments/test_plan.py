"""What is promised before the first card, and whether it comes true."""

import random
from collections import Counter
from itertools import chain
from statistics import fmean

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.examples import fewest

from farfalia_tournaments import (
    Boards,
    DrawnMatch,
    Entry,
    NextRound,
    Noise,
    Pace,
    ScheduleError,
    Span,
    next_round,
    parse_stages,
    plan,
)


def drawn(text: str, entrants: int, seats: int, seed: str) -> list[NextRound]:
    """All rounds of stages without results, which are all void."""
    rounds: list[NextRound] = []
    played: list[DrawnMatch] = []
    field = [Entry(entrant) for entrant in range(entrants)]
    while isinstance(answer := next_round(parse_stages(text), field, played, seats=seats, seed=seed), NextRound):
        rounds.append(answer)
        played += [DrawnMatch(match, void=True) for match in answer.matches]
    return rounds


@fewest
@given(
    st.sampled_from(
        [
            "round-robin:rounds=3,qualifiers=8 knockout",
            "swiss:rounds=4,boards=datum,matches=2",
            "knockout:boards=rotations,qualifiers=5 round-robin:rounds=2",
            "swiss:rounds=2,qualifiers=6 round-robin:boards=rotations,rounds=2,carry=yes",
        ]
    ),
    st.integers(8, 40),
    st.sampled_from([2, 3, 4, 5]),
    st.integers(0, 9),
)
def test_a_plan_comes_true(text: str, entrants: int, seats: int, seed: int) -> None:
    planned = plan(parse_stages(text), entrants, seats, seed=str(seed))
    rounds = drawn(text, entrants, seats, str(seed))
    assert planned.matches == sum(len(round_.matches) for round_ in rounds)
    for number, stage in enumerate(planned.stages, start=1):
        own = [round_ for round_ in rounds if round_.stage == number]
        matches = list(chain.from_iterable(round_.matches for round_ in own))
        assert (stage.rounds, stage.matches) == (len(own), len(matches))
        each = Counter(entrant for match in matches for entrant in match.entrants if entrant is not None)
        assert stage.matches_each.least <= min(each.values())
        assert max(each.values()) <= stage.matches_each.most
        if stage.byes is not None:
            byes = Counter(chain.from_iterable(round_.byes for round_ in own))
            assert stage.byes == Span.of([byes[entrant] for entrant in each])
        if number == 1 and stage.stage.kind == "round-robin":
            held = Counter((entrant, seat) for match in matches for seat, entrant in enumerate(match.entrants))
            assert stage.seats == Span.of(held[entrant, seat] for entrant in each for seat in range(seats))


def test_a_round_robin_is_told_in_numbers() -> None:
    (stage,) = plan(parse_stages("round-robin:boards=rotations"), 25, 5).stages
    assert (stage.rounds, stage.matches, stage.matches_each) == (6, 150, Span(30, 30))
    assert (stage.meetings, stage.seats, stage.byes) == (Span(1, 1), Span(6, 6), Span(0, 0))
    assert stage.balance.sentence == "Everybody meets everybody else exactly 1 time: a balanced design."
    assert stage.standard_error == pytest.approx(8.2 / 30**0.5)


def test_a_plan_says_where_fewer_tables_let_everybody_meet_everybody() -> None:
    (even,) = plan(parse_stages("round-robin"), 11, 5).stages
    assert even.balance.sentence.endswith("For everybody to meet everybody, 11 tables are enough: design=short.")
    (short,) = plan(parse_stages("round-robin:design=short"), 11, 5).stages
    assert (even.matches, short.matches) == (22, 11)
    assert short.balance.sentence == "Everybody meets everybody else exactly 2 times: a balanced design."


def test_a_swiss_is_told_by_a_trial() -> None:
    (stage,) = plan(parse_stages("swiss:rounds=5"), 103, 5).stages
    assert (stage.matches, stage.matches_each, stage.byes) == (100, Span(4, 5), Span(0, 1))
    assert stage.meetings == Span(0, 1)
    assert stage.balance.sentence == "Paired by score; in a trial, any two met 0 or 1 times."


def test_a_knockout_is_told_round_by_round() -> None:
    (stage,) = plan(parse_stages("knockout:matches=10,boards=rotations"), 23, 5).stages
    first, second, final = stage.balance.sentence.split("; then ")
    assert first == "23 at 4 tables, 3 byes"
    assert (second, final) == ("11 at 2 tables, 1 bye", "5 at 1 table.")
    assert (stage.rounds, stage.matches, stage.matches_each) == (3, 70, Span(10, 30))
    assert (stage.meetings, stage.seats, stage.byes) == (None, None, None)
    assert stage.standard_error == pytest.approx(8.2 / 10**0.5)
    (other,) = plan(parse_stages("knockout"), 10, 5).stages
    assert other.balance.sentence == "10 at 2 tables, 1 bye, 1 house bot; then 5 at 1 table."


@pytest.mark.parametrize("text", ["round-robin:rounds=1", "swiss:rounds=1"])
def test_a_single_round_in_which_somebody_has_a_bye_is_as_certain_as_one_match(text: str) -> None:
    (odd,) = plan(parse_stages(text), 11, 5).stages
    (even,) = plan(parse_stages(text), 10, 5).stages
    assert odd.matches_each == Span(0, 1)
    assert odd.standard_error == even.standard_error


def test_luck_falls_with_the_root_of_the_matches_and_with_rotations() -> None:
    # 100 matches: 1.36 points of error without, and 3630 matches tell a gap of one point in four of five tournaments.
    (fresh,) = plan(parse_stages("round-robin:rounds=100"), 5, 5).stages
    assert fresh.standard_error == pytest.approx(1.36)
    (long,) = plan(parse_stages("round-robin:rounds=3630"), 5, 5).stages
    assert long.minimum_detectable_difference == pytest.approx(1, abs=0.01)
    (replayed,) = plan(parse_stages("round-robin:rounds=20,boards=rotations"), 5, 5).stages
    assert replayed.standard_error == pytest.approx(0.82)
    assert replayed.minimum_detectable_difference == pytest.approx(2.80 * 2.5**0.5 * 0.82, abs=0.01)


def test_a_difference_of_the_minimum_is_found_in_four_of_five_tournaments() -> None:
    (stage,) = plan(parse_stages("round-robin:rounds=30"), 10, 5).stages
    rng = random.Random(5)
    found = 0
    for _ in range(2000):
        luck = [rng.gauss(0, stage.standard_error / 0.9**0.5) for _ in range(10)]  # less its mean: scores of a field
        scores = [one - fmean(luck) for one in luck]
        error = stage.standard_error * (2 * 10 / 9) ** 0.5
        found += scores[0] + stage.minimum_detectable_difference - scores[1] > 1.96 * error
    assert 0.77 < found / 2000 < 0.83


def test_more_tables_with_the_same_board_leave_less_luck() -> None:
    noise = Noise()
    ratios = [(noise.of(Boards.DATUM, tables) / noise.of(Boards.FRESH, tables)) ** 2 for tables in (1, 2, 5, 10)]
    assert ratios == pytest.approx([1, 0.75, 0.585, 0.518], abs=0.01)


def test_scores_that_are_carried_over_are_more_certain() -> None:
    alone, carried = (
        plan(parse_stages(f"swiss:rounds=4 swiss:rounds=4{carry}"), 20, 5) for carry in ("", ",carry=yes")
    )
    assert alone.stages[1].standard_error == pytest.approx(13.6 / 2)
    assert carried.stages[1].standard_error == pytest.approx(13.6 / 8**0.5)


def test_rounds_that_wait_for_each_other_take_longer() -> None:
    pace = Pace(seconds_per_decision=0.01, decisions_per_match=500, parallel_tables=8)
    robin, swiss = (plan(parse_stages(f"{kind}:rounds=6"), 25, 5, pace=pace) for kind in ("round-robin", "swiss"))
    assert robin.seconds == 4 * 5.0  # 30 matches, 8 at once
    assert swiss.seconds == 6 * 5.0  # 6 times 5 matches
    both = plan(parse_stages("round-robin:rounds=6 swiss:rounds=6"), 25, 5, pace=pace)
    assert both.seconds == 50.0
    assert [stage.seconds for stage in both.stages] == [20.0, 30.0]
    assert plan(parse_stages("swiss:rounds=6"), 25, 5).seconds is None


def test_other_games_bring_their_own_noise() -> None:
    (stage,) = plan(parse_stages("round-robin:rounds=4"), 4, 4, noise=Noise(fresh=6.0)).stages
    assert stage.standard_error == pytest.approx(3.0)


def test_what_cannot_be_played_has_no_plan() -> None:
    with pytest.raises(ScheduleError, match="stage 1, knockout: 3 entrants"):
        plan(parse_stages("knockout"), 3, 4)


@pytest.mark.prove
def test_two_hundred_and_fifty_entrants_are_planned() -> None:
    stages = parse_stages(
        "swiss:rounds=7,boards=datum,qualifiers=25 round-robin:rounds=12,boards=rotations,qualifiers=10 knockout"
    )
    planned = plan(stages, 250, 5)
    assert [stage.entrants for stage in planned.stages] == [250, 25, 10]
    assert planned.matches == 7 * 50 + 12 * 5 * 5 + 3
    assert planned.stages[0].meetings == Span(0, 1)


def test_finals_say_what_holds_in_whole_rounds_alone() -> None:
    whole, finals = (
        plan(parse_stages(text, Boards.FRESH), 11, 5).stages[0].balance.sentence
        for text in ("round-robin:rounds=11", "round-robin:rounds=11,until-first=1")
    )
    assert finals == f"{whole} That is so in whole rounds: later tables go to those who can still be among the first."
