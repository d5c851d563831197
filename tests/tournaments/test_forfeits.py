"""Losing one's seat never raises any figure of one's own."""

import math
from functools import cache
from statistics import fmean

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.examples import few

from farfalia import bots
from farfalia_engine import Deals, board_key, places, ruleset
from farfalia_tournaments import (
    SYSTEMS,
    MatchResult,
    Rating,
    TrueSkill,
    crosstable,
    fit_strengths,
    fit_whole_history,
    rate,
    rate_units,
    rating_system,
    standings,
    units,
)
from farfalia_tournaments.stages.stage_results import mean_scores

TEAMS = {4: ((0, 2), (1, 3))}
EACH = pytest.mark.parametrize("name", SYSTEMS)


def ended(
    entrants: tuple[int, ...], points: tuple[int, ...], forfeits: tuple[int, ...], board: str, *, teams: bool = False
) -> MatchResult[int]:
    """A match as the server has it: the places are the engine's."""
    together = TEAMS.get(len(entrants)) if teams else None
    side_of = {seat: side for side, team in enumerate(together or ()) for seat in team}
    sides = tuple(side_of.get(seat, seat) for seat in range(len(entrants)))
    return MatchResult(entrants, points, places(points, forfeits, together), (), forfeits, (), sides, board)


Twice = tuple[list[MatchResult[int]], list[MatchResult[int]], int]


@st.composite
def tournaments(draw: st.DrawFn, same: bool | None = None) -> Twice:
    """The same results twice: in one of them somebody plays to the end, in the other it loses its seat.

    Several tables have one board only where the house bot makes the same points: nobody sits at two of those.
    """
    shared = draw(st.booleans()) if same is None else same
    seats = draw(st.sampled_from((2, 3, 4, 5)))
    teams = seats == 4 and draw(st.booleans())
    field = seats if draw(st.booleans()) else seats + 2
    boards = st.sampled_from(("1", "2", "3"))
    forfeits = st.lists(st.integers(0, seats - 1), unique=True, max_size=seats - 1).map(tuple)
    played = []
    for _ in range(draw(st.integers(1, 6))):
        # In blocks of partners the partners stay, so that seats are only turned.
        turn = draw(st.integers(0, seats - 1))
        order = draw(st.permutations(range(field))) if not teams else [(seat + turn) % seats for seat in range(seats)]
        points = tuple(draw(st.lists(st.integers(0, 90), min_size=seats, max_size=seats)))
        board = draw(boards) if shared else f"{draw(boards)} {sorted(order[:seats])}"
        played.append(ended(tuple(order[:seats]), points, draw(forfeits), board, teams=teams))
    which = draw(st.integers(0, len(played) - 1))
    one = played[which]
    seat = draw(st.sampled_from([seat for seat in range(seats) if seat not in one.forfeits]))
    at = draw(st.integers(0, len(one.forfeits)))
    lost = (*one.forfeits[:at], seat, *one.forfeits[at:])
    made = list(one.points)
    if not shared:
        made[seat] = draw(st.integers(0, 90))  # what a house bot makes of it
    crashed = list(played)
    crashed[which] = ended(one.entrants, tuple(made), lost, one.board, teams=teams)
    return played, crashed, one.entrants[seat]


@given(tournaments())
def test_it_never_raises_a_figure_of_the_table(
    found: Twice,
) -> None:
    kept, lost, who = found
    before, after = ({row.entrant: row for row in standings(one, ratings={})} for one in (kept, lost))
    assert after[who].place >= before[who].place
    assert after[who].points <= before[who].points
    assert after[who].relative <= before[who].relative
    assert after[who].adjusted <= before[who].adjusted
    # Never more often among the first `most` places.
    for most in range(1, len(before[who].places) + 1):
        assert sum(after[who].places[:most]) <= sum(before[who].places[:most])
    better = {pair: row.better for pair, row in crosstable(kept).items()}
    assert all(row.better <= better[pair] for pair, row in crosstable(lost).items() if pair[0] == who)
    # The score by which a Swiss pairs and a knock-out goes on.
    assert mean_scores(lost)[who] <= mean_scores(kept)[who]


@given(tournaments(same=True))
def test_it_moves_no_score_of_another(found: Twice) -> None:
    kept, lost, who = found
    before, after = mean_scores(kept), mean_scores(lost)
    assert {one: after[one] for one in after if one != who} == {one: before[one] for one in before if one != who}


@EACH
@few
@given(found=tournaments(), skills=st.lists(st.floats(5, 45), min_size=7, max_size=7))
def test_it_never_raises_a_rating(name: str, found: Twice, skills: list[float]) -> None:
    kept, lost, who = found
    (one, other), system = next((a, b) for a, b in zip(kept, lost, strict=True) if a != b), rating_system(name)
    old = {entrant: Rating(mu, 4.0) for entrant, mu in enumerate(skills)}
    before, after = rate(old, one, system)[who], rate(old, other, system)[who]
    assert after.mu <= before.mu + 1e-9
    assert after.mu <= skills[who]


@few
@given(tournaments())
def test_it_never_raises_a_rating_from_a_block(found: Twice) -> None:
    kept, lost, who = found
    for one, other in zip(units(kept), units(lost), strict=True):
        if who in one.scores:
            before, after = (rate_units([unit], TrueSkill())[who] for unit in (one, other))
            assert after.mu <= before.mu + 1e-9


@few
@given(tournaments())
def test_it_never_raises_the_strength_that_a_whole_ladder_shows(
    found: Twice,
) -> None:
    kept, lost, who = found
    before, after = ({fit.entrant: fit.rating.mu for fit in fit_whole_history(one)}[who] for one in (kept, lost))
    assert after <= before + 0.02  # the fit ends when nothing moves by more than 0.01


def test_it_makes_nobody_more_likely_to_be_the_stronger_one() -> None:
    points = [(40, 30, 20, 12, 8), (20, 41, 22, 9, 3), (33, 28, 31, 2, 11), (25, 35, 12, 20, 7)]
    kept = [ended((0, 1, 2, 3, 4), made, (), "") for made in points]
    for who in range(5):
        for match in range(4):
            lost = list(kept)
            lost[match] = ended((0, 1, 2, 3, 4), points[match], (who,), "")
            before, after = fit_strengths(kept), fit_strengths(lost)
            others = [other for other in range(5) if other != who]
            assert all(after.probability(who, other) < before.probability(who, other) for other in others)
            assert all(after.probability(one, two) == before.probability(one, two) for one in others for two in others)


def test_the_partner_who_plays_on_is_rated_as_its_side_finished() -> None:
    won = ended((0, 1, 2, 3), (30, 12, 30, 12), (), "", teams=True)
    lost = ended((0, 1, 2, 3), (30, 12, 30, 12), (0,), "", teams=True)
    before, after = (rate({}, one, TrueSkill()) for one in (won, lost))
    assert {one: after[one] for one in (1, 2, 3)} == {one: before[one] for one in (1, 2, 3)}
    assert after[0].mu < 25 < after[2].mu


def test_in_a_block_too_the_partner_is_rated_as_its_side_finished() -> None:
    turns = [((0, 1, 2, 3), (30, 12, 30, 12)), ((1, 2, 3, 0), (12, 30, 12, 30))]
    kept = [ended(order, made, (), "x", teams=True) for order, made in turns]
    lost = [kept[0], ended(*turns[1], (3,), "x", teams=True)]
    before, after = (rate_units(units(one), TrueSkill()) for one in (kept, lost))
    assert {one: after[one] for one in (1, 2, 3)} == {one: before[one] for one in (1, 2, 3)}
    assert after[0].mu < 25


def test_what_house_bots_made_of_a_lost_seat_still_says_what_its_cards_were_worth() -> None:
    tables = [ended((0, 1), (10, 0), (), "x"), ended((2, 3), (8, 0), (), "x")]
    lost = [tables[0], ended((2, 3), (8, 0), (0,), "x")]
    assert units(tables)[0].scores == units(lost)[0].scores


@cache
def play(board: str, seat: int, gives_up_after: float) -> MatchResult[str]:
    """A real match of Chinkway with a random bot at a seat, whose cards a house bot plays from where it gives up."""
    rules = ruleset("chinkway")
    key = board_key(bytes(32), [], board)
    state = rules.new_match(Deals(key))
    kinds = ["greedy", "cautious", "greedy", "cautious"]
    kinds.insert(seat, "random")
    seated = [bots.create(kind, number) for number, kind in enumerate(kinds)]
    lost, taken = False, 0
    while (pending := state.pending) is not None:
        now = pending.seats[0]
        if now == seat and not lost and taken >= gives_up_after:
            lost, seated[seat] = True, bots.create("cautious", 9)
        legal = state.legal_actions(now)
        state.apply(legal[0] if len(legal) == 1 else seated[now].decide(state.observation(now)), now)
        taken += 1
    assert state.outcome is not None
    points, forfeits = state.outcome.points, (seat,) if lost else ()
    names = tuple(f"{kind}-{number}" if number != seat else "random" for number, kind in enumerate(kinds))
    return MatchResult(names, points, places(points, forfeits), forfeits=forfeits)


@pytest.mark.parametrize("after", [0, pytest.param(300, marks=pytest.mark.prove)])
def test_a_hopeless_bot_gains_nothing_by_giving_up_real_matches(after: int) -> None:
    def mean(gives_up_after: float) -> float:
        played = [play(f"board-{board}", board % 5, gives_up_after) for board in range(6)]
        return fmean(unit.scores["random"] for unit in units(played))

    assert mean(after) < mean(math.inf) < -20
