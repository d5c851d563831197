"""From determinizations of what a seat sees to tables that are played on in lock step: from now on, or from the start.

The worlds are what `Observation.sample` has drawn, or states that follow from them by decisions before the play.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from farfalia.learning import lockstep_rules as rules
from farfalia.learning.card_sets import Bytes, Places, Sets
from farfalia.learning.lockstep_cautious import CautiousTable
from farfalia.learning.lockstep_farrago import FarragoTable
from farfalia.learning.lockstep_policy import PolicyTable
from farfalia_engine import DealType, Observation, State
from farfalia_engine.farfalia.game import Farfalia
from farfalia_engine.farfalia.layout import Layout
from farfalia_engine.farfalia.state import FarfaliaState
from farfalia_engine.farrago.state import FarragoState
from farfalia_engine.farrago.terms import FarragoTerms

_T = TypeVar("_T", bound=np.generic)


def table_now(view: Observation, worlds: Sequence[State]) -> PolicyTable:
    """Return worlds that are to be played on from the trick on the table, which may be empty.

    Where the view's trick is complete, and its winner is asked what to collect, that winner is to lead to the next one.
    """
    positions = len(view.seats)
    done = positions * len(view.winners)
    hands = _hands(worlds)
    _give_back(hands, view, view.plays[done:], len(view.winners))
    voids = _rows(_voids(view), len(worlds))
    played = np.full(len(worlds), set_of(view.plays[:done]), np.uint64)
    before = view.winners[-1] if view.winners else 1
    leader = np.full(len(worlds), view.leaders[-1] if len(view.plays) > done else before, np.intp)
    table: PolicyTable
    if view.rules.game.collecting:
        states = cast(Sequence[FarfaliaState], worlds)
        sides = range(max(view.sides) + 1)
        # Before the proposal is turned up each world has its own.
        missing = (
            _rows(np.array([number_of(view.missing(side)) for side in sides], np.uint16), len(worlds))
            if view.subjects
            else np.array([[number_of(state.subjects)] * len(sides) for state in states], np.uint16).T.copy()
        )
        table = _farfalia(view, states, hands, missing, played, voids, leader, len(view.winners))
        table.uncovers(
            [dummy for dummy, _, _ in states[0].covered],
            _columns([[1 << above for _, above, _ in state.covered] for state in states]),
            _columns([[1 << below for _, _, below in state.covered] for state in states]),
        )
    else:
        won = np.array([view.winners.count(position) for position in range(positions)], np.intp)
        trumps = np.array([trumps_before_trick(view, state.trumps) for state in worlds], np.uint8)
        table = _farrago(worlds[0], hands, trumps, played, voids, leader, _rows(won, len(worlds)), len(view.winners))
    for card in view.plays[done:]:
        table.play(np.full(len(worlds), card, np.uint8))
    return table


def table_from_start(view: Observation, worlds: Sequence[State]) -> PolicyTable:
    """Return worlds as they were before the first card was played; dummies show all cards that they have played since.

    The dummies' other cards that lay face down at first count as shown, too: which they were is not part of a view.
    """
    positions, count = len(view.seats), len(worlds)
    hands = _hands(worlds)
    _give_back(hands, view, view.plays, 0)
    nothing, voids = np.zeros(count, np.uint64), np.zeros((positions, count), np.uint8)
    leader = np.full(count, view.leaders[0] if view.leaders else 1, np.intp)
    if view.rules.game.collecting:
        sides = max(view.sides) + 1
        missing = np.full((sides, count), number_of(view.subjects), np.uint16)
        return _farfalia(view, cast(Sequence[FarfaliaState], worlds), hands, missing, nothing, voids, leader, 0)
    source = DealType(view.types[-1])
    trumps = np.full(count, 0 if source is DealType.SURPRISE else view.trumps, np.uint8)
    return _farrago(worlds[0], hands, trumps, nothing, voids, leader, np.zeros((positions, count), np.intp), 0)


def cards_of(world: State) -> tuple[int, ...]:
    """Return what tables take from a world of which the play has begun: two of a view that have it equal are one."""
    if not isinstance(world, FarfaliaState):
        return world.hands
    return (*world.hands, world.discarded, *(below for _, _, below in world.covered))


def layout_of(view: Observation) -> Layout:
    """Return who sits where in a deal of Farfalia."""
    game = cast(Farfalia, view.rules.game)
    return game.layout(view.deal, view.scores[: game.seats * (view.deal - 1)])


def number_of(families: Iterable[int]) -> int:
    """Return the number that says how many cards of each family are missing; see `lockstep_rules`."""
    return sum(1 << rules.FAMILY_BITS * family for family in families)


def _farfalia(
    view: Observation,
    states: Sequence[FarfaliaState],
    hands: Sets,
    missing: NDArray[np.uint16],
    played: Sets,
    voids: Bytes,
    leader: Places,
    tricks: int,
) -> CautiousTable:
    layout, game = layout_of(view), cast(Farfalia, view.rules.game)
    return CautiousTable(
        layout,
        game.barren,
        hands=hands,
        missing=missing,
        trumps=np.array([state.trumps for state in states], np.uint8),
        played=played,
        discarded=np.array([state.discarded for state in states], np.uint64),
        voids=voids,
        leader=leader,
        left=layout.tricks - tricks,
    )


def _farrago(
    world: State,
    hands: Sets,
    trumps: Bytes,
    played: Sets,
    voids: Bytes,
    leader: Places,
    won: NDArray[np.intp],
    tricks: int,
) -> FarragoTable:
    terms = cast(FarragoTerms, world.rules.game)
    kind = DealType(cast(FarragoState, world).types[-1])
    left = terms.pack.size // terms.seats - tricks
    return FarragoTable(
        terms, kind, hands=hands, trumps=trumps, played=played, voids=voids, leader=leader, won=won, left=left
    )


def trumps_before_trick(view: Observation, trumps: int) -> int:
    """Return what was trumps before the trick on the table, in which a suit may have become it (G6)."""
    if not view.types or view.types[-1] != DealType.SURPRISE or not view.trick:
        return trumps
    suit, n = cast(FarragoTerms, view.rules.game).pack.suit, len(view.seats)
    before = view.plays[: n * len(view.winners)]
    found = any(suit[card] != suit[before[index // n * n]] for index, card in enumerate(before))
    return trumps if found else 0


def _hands(worlds: Sequence[State]) -> Sets:
    return _columns([world.hands for world in worlds])


def _columns(sets: Sequence[Sequence[int]]) -> Sets:
    return np.array(sets, np.uint64).T.copy()


def _give_back(hands: Sets, view: Observation, cards: bytes, tricks: int) -> None:
    """Put cards back into the hands from which they were played, beginning with this trick."""
    positions = len(view.seats)
    for index, card in enumerate(cards):
        trick, place = divmod(index, positions)
        hands[(view.leaders[tricks + trick] + place) % positions] |= np.uint64(1 << card)


def _voids(view: Observation) -> Bytes:
    return np.array([sum(1 << suit for suit in suits) for suits in view.voids], np.uint8)


def _rows(values: NDArray[_T], count: int) -> NDArray[_T]:
    """Return the values, one after the other, for each row."""
    return np.repeat(values[:, np.newaxis], count, axis=1)


def set_of(cards: bytes) -> int:
    """Return the set of these cards."""
    return sum(1 << card for card in cards)
