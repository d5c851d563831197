"""From what one seat of a match of Farfalia may know to a whole match that looks the same to it."""

from collections.abc import Collection
from random import Random
from typing import TYPE_CHECKING

from .actions import Kind
from .cards import BIT, CARDS, FAMILIES, SUIT, WILD, mask_of
from .collecting import Wanted, proposed
from .dealing import PROPOSED, SUBJECTS
from .deals import Deals
from .farfalia_state import FarfaliaState
from .layout import Layout, Pending
from .observation import Observation
from .sampling import share

if TYPE_CHECKING:
    from .farfalia import Farfalia
    from .rulesets import Ruleset


def sample(rules: "Ruleset", game: "Farfalia", seen: Observation, random: Random) -> FarfaliaState:
    """A match in which this seat's observation is this one; see `Observation.sample`."""
    # Once the match is over, the points of this deal are among the scores; they did not decide who sits where.
    layout = game.layout(seen.deal, seen.scores[: game.seats * (seen.deal - 1)])
    state = object.__new__(FarfaliaState)
    state.rules = rules
    state._game = game
    state._deals = Deals(random.randbytes(32))
    state._stops = False
    state._layout = layout
    state.deal = seen.deal
    state.scores = seen.scores
    state.totals = seen.totals
    state.trumps = seen.trumps
    state.subjects = seen.subjects
    state.plays = bytearray(seen.plays)
    state.leaders = bytearray(seen.leaders)
    state.winners = bytearray(seen.winners)
    state.collected = bytearray(seen.collected)
    state.wilds = seen.wilds
    state.doubled = seen.doubled
    state._choices = {seen.seat: seen.choice} if seen.choice else {}
    state._proposal = seen.subjects
    state._wanted = _wanted(seen) if seen.subjects else []
    state._led = -1
    state._leader = state._winning = layout.plays[1]
    state._strengths, state._best = (), 0
    state._covered = []
    state._set_aside = mask_of(seen.set_aside)
    state._hands = [0] * len(layout.seats)
    dealt = any(seen.held) or seen.plays
    if dealt:
        _share(state, seen, layout, random)
    if dealt and not seen.subjects:
        state._proposal = bytes(random.sample(SUBJECTS, PROPOSED))
    _ask(state, seen, layout)
    return state


def _wanted(seen: Observation) -> list[Wanted]:
    sides = seen.sides
    missing = [proposed(seen.subjects)] * len(set(sides))
    for winner, card in zip(seen.winners, seen.collected, strict=False):
        if card < CARDS:
            missing[sides[winner]] = missing[sides[winner]].after[card]
    return missing


def _share(state: FarfaliaState, seen: Observation, layout: Layout, random: Random) -> None:
    """Who holds what: own cards and open ones as they are, the rest at random."""
    hands, own = state._hands, layout.positions[seen.seat]
    hands[own] = mask_of(seen.hand)
    wilds = _wilds(state, seen, layout, own, random)
    voids = seen.voids
    sizes: list[int] = []
    barred: list[Collection[int]] = []
    others = [position for position in layout.players if position != own]
    for position in others:
        sizes.append(seen.held[position] - (position in wilds))
        barred.append(voids[position])
    for dummy, face_up in zip(layout.dummies, seen.face_up, strict=True):
        hands[dummy] = mask_of(face_up)
        sizes.append(seen.held[dummy] - len(face_up))
        barred.append(())
    unseen = list(seen.unseen)
    if own != 0:
        sizes.append(len(unseen) - sum(sizes))
        barred.append(())
    places = share(unseen, sizes, barred, SUIT, random)
    for position, cards in zip(others, places, strict=False):
        hands[position] = mask_of(cards)
    for position, wild in wilds.items():
        hands[position] |= BIT[wild]
    for index, dummy in enumerate(layout.dummies):
        above = _above(seen, index, dummy)
        state._covered += [(dummy, *pair) for pair in zip(above, places[len(others) + index], strict=True)]
    if own != 0:
        state._set_aside = mask_of(places[-1])


def _wilds(state: FarfaliaState, seen: Observation, layout: Layout, own: int, random: Random) -> dict[int, int]:
    """The wild cards that the others still hold, by position."""
    if not state._game.burnin:
        return {}
    played = {}
    for index, card in enumerate(seen.plays):
        if card >= WILD:
            trick, place = divmod(index, len(layout.seats))
            played[(seen.leaders[trick] + place) % len(layout.seats)] = card
    holders = [position for position in layout.players if position != own and position not in played]
    left = [WILD + family for family in range(len(FAMILIES)) for _ in range(2)]
    for card in (*played.values(), *(card for card in seen.hand if card >= WILD)):
        left.remove(card)
    return dict(zip(holders, random.sample(left, len(holders)), strict=True))


def _above(seen: Observation, index: int, dummy: int) -> bytes:
    """The cards above those that lie face down; the last one played is no longer there, but what it covered is."""
    covering = seen.covering[index]
    if seen.held[dummy] - len(seen.face_up[index]) == len(covering):
        return covering
    trick = seen.trick
    return covering + trick[(dummy - seen.leaders[-1]) % len(seen.seats) :][:1]


def _ask(state: FarfaliaState, seen: Observation, layout: Layout) -> None:
    """Whose decision it is follows from what everyone can see."""
    state.pending, state._legal = None, ()
    if len(seen.scores) == state._game.seats * seen.deal:
        return
    if not seen.plays and not any(seen.held):
        state._ask_doubling(tuple(seat for seat in state._may_double() if seat not in state._choices))
    elif not seen.subjects:
        state._open(_opening(seen, layout))
    elif seen.deciding:
        state.pending = layout.plays[seen.winners[-1]].taker
        state._legal = state._collectable(state.pending.side, seen.trick)
    elif seen.trick:
        state._resume(layout.plays[seen.leaders[-1]], seen.trick)
    else:
        state._next_trick(layout.plays[seen.winners[-1]] if seen.winners else state._leader)


def _opening(seen: Observation, layout: Layout) -> Pending:
    """The first of the dealer's decisions that is still open."""
    pending = layout.first
    set_aside = seen.held[0] == seen.held[1]
    while (pending.kind is Kind.DECLARE and seen.trumps) or (pending.kind is Kind.SET_ASIDE and set_aside):
        pending = pending.following
    return pending
