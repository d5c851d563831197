"""A seat that was lost before its bot was asked anything tells nothing about the bot, and is no match for it."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.examples import few

from farfalia_engine import places
from farfalia_tournaments import (
    SYSTEMS,
    MatchResult,
    Rating,
    Reliability,
    TournamentError,
    TrueSkill,
    crosstable,
    fit_strengths,
    fit_whole_history,
    meetings,
    rate,
    rate_units,
    rating_system,
    shown,
    standings,
    units,
)
from farfalia_tournaments.stages.stage_results import mean_scores

TEAMS = ((0, 2), (1, 3))


def ended(
    entrants: tuple[int, ...],
    points: tuple[int, ...],
    missed: tuple[int, ...] = (),
    lost: tuple[int, ...] = (),
    board: str = "",
    *,
    teams: bool = False,
) -> MatchResult[int]:
    """A match as the server has it: the `missed` seats were lost first."""
    forfeits, sides = (*missed, *lost), (0, 1, 0, 1) if teams else ()
    where = places(points, forfeits, TEAMS if teams else None)
    return MatchResult(entrants, points, where, forfeits=forfeits, sides=sides, board=board, missed=missed)


def without(result: MatchResult[int]) -> MatchResult[int]:
    """The match with nobody at the missed seats."""
    kept = list(shown(result).values())
    return ended(
        tuple(result.entrants[seat] for seat in kept),
        tuple(result.points[seat] for seat in kept),
        lost=tuple(kept.index(seat) for seat in result.forfeits if seat in kept),
        board=result.board,
    )


@st.composite
def matches(draw: st.DrawFn, least: int = 0) -> MatchResult[int]:
    """A match in which everybody plays alone; `least` seats or more are not missed."""
    seats = draw(st.integers(max(2, least), 5))
    entrants = tuple(draw(st.permutations(range(7)))[:seats])
    points = tuple(draw(st.lists(st.integers(0, 90), min_size=seats, max_size=seats)))
    order = draw(st.permutations(range(seats)))
    missed = tuple(order[: draw(st.integers(0, seats - least))])
    lost = tuple(order[len(missed) :][: draw(st.integers(0, seats - len(missed)))])
    board = draw(st.sampled_from(("", f"1 of {seats}", f"2 of {seats}")))
    return ended(entrants, points, missed, lost, board)


TOURNAMENTS = st.lists(matches(), min_size=1, max_size=6)
#: Tournaments in which each match tells something about two at least, so that it can be had without the missed seats.
MET = st.lists(matches(least=2), min_size=1, max_size=6)


@pytest.mark.parametrize("name", SYSTEMS)
@few
@given(result=matches(least=2), skills=st.lists(st.floats(5, 45), min_size=7, max_size=7))
def test_a_match_is_rated_as_if_nobody_had_sat_there(name: str, result: MatchResult[int], skills: list[float]) -> None:
    old, system = {entrant: Rating(mu, 4.0) for entrant, mu in enumerate(skills)}, rating_system(name)
    assert rate(old, result, system) == rate(old, without(result), system)


@few
@given(MET)
def test_nothing_that_follows_from_places_knows_of_it(results: list[MatchResult[int]]) -> None:
    absent = [without(result) for result in results]
    assert crosstable(results) == crosstable(absent)
    assert fit_whole_history(results) == fit_whole_history(absent)
    predicted = Reliability(), Reliability()
    skills = {entrant: Rating(20.0 + entrant, 4.0) for entrant in range(7)}
    for found, some in zip(predicted, (results, absent), strict=True):
        for result in some:
            found.add(skills, result, 25.0)
    assert predicted[0].bins() == predicted[1].bins()


@few
@given(TOURNAMENTS)
def test_a_row_is_that_of_the_matches_which_were_not_missed(results: list[MatchResult[int]]) -> None:
    for row in standings(results):
        who = row.entrant
        own = [result for result in results if who in shown(result)]
        (alone,) = [one for one in standings(own) if one.entrant == who]
        for name in ("matches", "points", "relative", "places", "strikes"):
            found, expected = getattr(row, name), getattr(alone, name)
            assert found[: len(expected)] == expected if name == "places" else found == expected
        assert row.missed == sum(who in result.entrants for result in results) - len(own)
        assert row.forfeits == alone.forfeits - alone.missed + row.missed


@few
@given(TOURNAMENTS)
def test_who_has_missed_everything_is_nowhere(results: list[MatchResult[int]]) -> None:
    seen = {entrant for result in results for entrant in shown(result)}
    fit = fit_strengths(results).widened(1.5)
    assert set(fit.entrants) == seen
    assert {row.entrant for row in standings(results)} == seen
    assert {entrant for pair in crosstable(results) for entrant in pair} <= seen
    assert {entrant for met in meetings(results, fit) for entrant in met.pair} <= seen
    assert {one.entrant for one in fit_whole_history(results)} <= seen
    assert set(rate_units(units(results), TrueSkill())) == seen


@few
@given(MET)
def test_strengths_take_the_house_bot_for_one_that_fills_the_table(results: list[MatchResult[int]]) -> None:
    def filled(result: MatchResult[int]) -> MatchResult[int]:
        house = {seat: 100 + number for number, seat in enumerate(sorted(result.missed))}
        return replace(
            result,
            entrants=tuple(house.get(seat, entrant) for seat, entrant in enumerate(result.entrants)),
            rated=tuple(seat not in house for seat in range(len(result.entrants))),
            places=places(result.points, tuple(seat for seat in result.forfeits if seat not in house)),
            forfeits=tuple(seat for seat in result.forfeits if seat not in house),
            missed=(),
        )

    fit, known = fit_strengths(results), fit_strengths(list(map(filled, results)))
    for one in fit.entrants:
        for other in fit.entrants:
            assert fit.probability(one, other) == pytest.approx(known.probability(one, other), abs=1e-6)


@given(TOURNAMENTS)
def test_a_swiss_and_a_knockout_still_count_it_as_lost(results: list[MatchResult[int]]) -> None:
    assert mean_scores(results) == mean_scores([replace(result, missed=()) for result in results])


def test_a_partner_plays_on_beside_a_newcomer() -> None:
    table, points = (0, 1, 2, 3), (30, 12, 30, 12)
    missed = ended(table, points, missed=(0,), teams=True)
    strong, weak = ({0: Rating(mu, 1.0)} for mu in (50.0, 0.0))
    assert rate(strong, missed, TrueSkill()) == rate(weak, missed, TrueSkill())
    assert rate(strong, missed, TrueSkill())[2].mu > 25
    (partner,) = [one for one in fit_whole_history([missed]) if one.entrant == 2]
    assert partner.rating.mu > 25


def test_in_a_block_a_seat_is_missed_only_if_all_its_matches_are() -> None:
    turns = [((0, 1, 2), (30, 20, 10)), ((1, 2, 0), (30, 20, 10))]
    once = [ended(*turns[0], board="x"), ended(*turns[1], missed=(2,), board="x")]
    always = [ended(*turns[0], missed=(0,), board="x"), once[1]]
    assert rate_units(units(once), TrueSkill())[0].mu < 25
    assert set(rate_units(units(always), TrueSkill())) == {1, 2}


def test_only_a_forfeit_can_have_been_missed() -> None:
    with pytest.raises(TournamentError, match=r"missed \(1,\): expected different ones of the forfeits \(0,\)"):
        MatchResult((1, 2), (3, 4), (2, 1), forfeits=(0,), missed=(1,))
