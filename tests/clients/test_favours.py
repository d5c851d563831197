"""Whom cards favour: one opponent rather than the others, as far as the trick on the table goes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from farfalia.analysis.favours import decision_favours, favours
from farfalia.bots.farfalia_estimates import TrickEstimate
from farfalia_engine import (
    WILD,
    Cause,
    Deals,
    DealSource,
    FarfaliaObservation,
    Kind,
    Record,
    RecordedAction,
    State,
    TimeControl,
    UnreplayableRecord,
    ruleset,
)

GAMES = [("chinkway", {}), ("chinkway", {"burnin": "on"}), ("basic", {}), ("five-hand", {}), ("three-short", {})]


def walk(game: str, options: Mapping[str, str], seed: int) -> Iterator[tuple[State, int, int]]:
    """A match that chance plays: the state before each action, who takes it, and which."""
    chance, state = Random(seed), ruleset(game, options).new_match(Deals(bytes([seed]) * 32))
    while state.pending is not None:
        seat = state.pending.seats[0]
        action = chance.choice(state.legal_actions(seat))
        yield state, seat, action
        state.apply(action, seat)


def record(seed: int, actions: list[RecordedAction], game: str = "chinkway") -> Record:
    return Record(
        engine="1.0.0",
        match=1,
        ruleset=game,
        seats=(),
        source=DealSource(bytes(32), (), "board", bytes([seed]) * 32),
        time_control=TimeControl(limit_ms=1_000, bank_ms=0, grace=0),
        actions=tuple(actions),
        outcome=None,
        started_ms=1,
        finished_ms=2,
    )


@given(st.sampled_from(GAMES), st.integers(0, 255))
def test_what_a_card_favours_adds_up_to_nothing_over_the_other_sides(
    game: tuple[str, dict[str, str]], seed: int
) -> None:
    for state, seat, action in walk(*game, seed):
        if state.pending is None or state.pending.kind is not Kind.PLAY:
            continue
        view = state.observation(seat)
        found = decision_favours(state, seat, action)
        by_side = {view.sides[view.seats.index(other)]: points for other, points in found.items()}
        assert sum(by_side.values()) == pytest.approx(0, abs=1e-9)
        assert view.sides[view.acting] not in by_side
        assert not found or len(by_side) == max(view.sides)


@given(st.sampled_from(GAMES[:-1]), st.integers(0, 255))
def test_a_card_is_worth_what_it_gains_less_half_of_the_others_and_what_it_keeps(
    game: tuple[str, dict[str, str]], seed: int
) -> None:
    for state, seat, _ in walk(*game, seed):
        if state.pending is not None and state.pending.kind is Kind.PLAY:
            view = state.observation(seat)
            assert isinstance(view, FarfaliaObservation)
            trick = TrickEstimate(view)
            for card in (card for card in view.legal if card < WILD):
                gains = trick.gains(card)
                mine = gains[view.sides[view.acting]]
                assert min(gains) >= 0
                assert trick.value(card) == pytest.approx(mine - (sum(gains) - mine) / 2 - trick.kept(card))


def test_who_lets_another_have_a_trick_that_it_could_win_favours_that_one() -> None:
    seed = 7
    before: list[RecordedAction] = []
    for state, seat, action in walk("chinkway", {}, seed):
        view = state.observation(seat)
        if (
            state.pending is not None
            and state.pending.kind is Kind.PLAY
            and isinstance(view, FarfaliaObservation)
            and len(view.trick) == 4
            and view.best_position is not None
            and view.sides[view.best_position] != view.sides[view.acting]
            and any(TrickEstimate(view).gains(view.legal[0]))
            and 0 < sum(map(view.would_win, view.legal)) < len(view.legal)
        ):
            break
        before.append(RecordedAction(seat, action, 0, 0, Cause.HOUSE))
    low = next(card for card in view.legal if not view.would_win(card))
    winner = view.sides[view.best_position or 0]
    helped = {one for one, side in zip(view.seats, view.sides, strict=True) if side == winner}
    others = (
        set(view.seats)
        - helped
        - {one for one, side in zip(view.seats, view.sides, strict=True) if side == view.sides[view.acting]}
    )
    found = favours(record(seed, [*before, RecordedAction(seat, low, 0, 0, Cause.BOT)]))
    for other, points in enumerate(found.points[seat]):
        assert (points > 0) == (other in helped)
        assert (points < 0) == (other in others)
        assert found.decisions[seat][other] == (other in helped | others)
    # Nobody else has decided anything itself, and neither has this one if the house did.
    assert sum(any(row) for row in found.points) == 1
    assert not any(map(any, favours(record(seed, [*before, RecordedAction(seat, low, 0, 0, Cause.TIMEOUT)])).points))


@pytest.mark.parametrize("game", ["two", "three", "four", "farrago"])
def test_where_there_are_two_sides_or_no_estimate_nobody_is_favoured(game: str) -> None:
    played = [RecordedAction(seat, action, 0, 0, Cause.BOT) for _, seat, action in walk(game, {}, 3)]
    assert not any(map(any, favours(record(3, played, game)).decisions))


def test_a_record_that_cannot_be_played_again_is_refused() -> None:
    with pytest.raises(UnreplayableRecord):
        favours(record(3, [RecordedAction(0, 999, 0, 0, Cause.BOT)]))
