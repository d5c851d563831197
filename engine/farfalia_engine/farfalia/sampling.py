"""From what one seat of a match of Farfalia may know to a whole match that looks the same to it."""

from collections.abc import Callable, Collection
from random import Random

from farfalia_engine.actions import Kind
from farfalia_engine.deals import Deals
from farfalia_engine.farfalia.cards import BIT, CARDS, FAMILIES, SUIT, WILD, mask_of
from farfalia_engine.farfalia.collecting import MissingFamilies, proposed
from farfalia_engine.farfalia.dealing import PROPOSAL_SIZE, SUBJECTS
from farfalia_engine.farfalia.layout import Layout
from farfalia_engine.farfalia.state import FarfaliaState
from farfalia_engine.farfalia.terms import FarfaliaTerms
from farfalia_engine.interfaces import Observation, Ruleset
from farfalia_engine.pending import Pending
from farfalia_engine.search.sampling import Sharing

#: The key of a match of which nothing is dealt.
_NO_KEY = bytes(32)


class FarfaliaDeterminizations:
    """The matches in which a seat's observation is this one; see `Observation.sample`."""

    __slots__ = ("_above", "_ask", "_holders", "_known", "_others", "_sharing", "_turns", "_wilds")

    def __init__(self, rules: Ruleset, terms: FarfaliaTerms, seen: Observation) -> None:
        # Once the match is over, the points of this deal are among the scores; they did not decide who sits where.
        layout = terms.layout(seen.deal, seen.scores[: terms.seats * (seen.deal - 1)])
        own = layout.positions[seen.seat]
        dealt = bool(any(seen.held) or seen.plays)
        #: Everything that the seat knows, and nothing else.
        self._known = _known(rules, terms, seen, layout)
        #: Positions whose hands are not known.
        self._others = [position for position in layout.players if position != own]
        #: The positions of them that still hold a wild card, and the wild cards that it may be.
        self._holders, self._wilds = _wilds(terms, seen, layout, own) if dealt else ([], [])
        #: Where a card lies face down: the dummy's position and the card on top.
        self._above = [
            (dummy, card) for index, dummy in enumerate(layout.dummies) for card in _above(seen, index, dummy)
        ]
        #: Where the unseen cards may lie: in a hand, one under each of those cards, or discarded by another dealer.
        self._sharing = self._unseen(seen, own) if dealt else None
        #: Whether the proposal is still to be turned up.
        self._turns = bool(dealt and not seen.subjects)
        #: What asks for the next decision, if that takes a hand that is not known.
        self._ask: Callable[[FarfaliaState], None] | None = None
        ask, position = _asking(self._known, seen, layout)
        if position in self._others:
            self._ask = ask
        else:
            ask(self._known)

    def draw(self, random: Random) -> FarfaliaState:
        """Return one of them."""
        state = self._known.with_deals(Deals(random.randbytes(32)))
        if self._sharing is not None:
            hands, places = state._hands, self._sharing.draw(random)
            for position, bits in zip(self._others, places, strict=False):
                hands[position] = sum(bits)
            if self._holders:
                for position, wild in zip(self._holders, random.sample(self._wilds, len(self._holders)), strict=True):
                    hands[position] |= BIT[wild]
            if self._above:
                below = places[len(self._others)]
                state._covered = [(*top, bit.bit_length() - 1) for top, bit in zip(self._above, below, strict=True)]
            if len(places) == len(self._others) + 2:
                state._discarded = sum(places[-1])
        if self._turns:
            state._proposal = bytes(random.sample(SUBJECTS, PROPOSAL_SIZE))
        if self._ask is not None:
            self._ask(state)
        return state

    def _unseen(self, seen: Observation, own: int) -> Sharing:
        voids = seen.voids
        sizes = [seen.held[position] - (position in self._holders) for position in self._others]
        barred: list[Collection[int]] = [voids[position] for position in self._others]
        sizes.append(len(self._above))
        barred.append(())
        unseen = seen.unseen
        if own != 0:
            sizes.append(len(unseen) - sum(sizes))
            barred.append(())
        return Sharing([BIT[card] for card in unseen], [SUIT[card] for card in unseen], sizes, barred)


def _known(rules: Ruleset, terms: FarfaliaTerms, seen: Observation, layout: Layout) -> FarfaliaState:
    """Return the match with the hands of others empty, and nobody asked."""
    state = object.__new__(FarfaliaState)
    state.rules = rules
    state._terms = terms
    state._deals = Deals(_NO_KEY)
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
    state._missing = _missing(seen) if seen.subjects else []
    state._led_shift = -1
    state._leader = state._winning = layout.plays[1]
    state._strengths, state._best = (), 0
    state._covered = []
    state._discarded = mask_of(seen.discarded)
    state._hands = [0] * len(layout.seats)
    state._hands[layout.positions[seen.seat]] = mask_of(seen.hand)
    for dummy, face_up in zip(layout.dummies, seen.face_up, strict=True):
        state._hands[dummy] = mask_of(face_up)
    state.pending, state._legal = None, ()
    return state


def _missing(seen: Observation) -> list[MissingFamilies]:
    sides = seen.sides
    missing = [proposed(seen.subjects)] * len(set(sides))
    for winner, card in zip(seen.winners, seen.collected, strict=False):
        if card < CARDS:
            missing[sides[winner]] = missing[sides[winner]].after[card]
    return missing


def _wilds(terms: FarfaliaTerms, seen: Observation, layout: Layout, own: int) -> tuple[list[int], list[int]]:
    """Return the others who still hold their wild card, by position, and the wild cards that are left, each once."""
    if not terms.burnin:
        return [], []
    played = {}
    for index, card in enumerate(seen.plays):
        if card >= WILD:
            trick, place = divmod(index, len(layout.seats))
            played[(seen.leaders[trick] + place) % len(layout.seats)] = card
    left = [WILD + family for family in range(len(FAMILIES)) for _ in range(2)]
    for card in (*played.values(), *(card for card in seen.hand if card >= WILD)):
        left.remove(card)
    return [position for position in layout.players if position != own and position not in played], left


def _above(seen: Observation, index: int, dummy: int) -> bytes:
    """Return the cards above those that lie face down; the last one played is no longer there,
    but what it covered is.
    """
    covering = seen.covering[index]
    if seen.held[dummy] - len(seen.face_up[index]) == len(covering):
        return covering
    trick = seen.trick
    return covering + trick[(dummy - seen.leaders[-1]) % len(seen.seats) :][:1]


def _asking(
    state: FarfaliaState, seen: Observation, layout: Layout
) -> tuple[Callable[[FarfaliaState], None], int | None]:
    """Return what asks for the next decision, which follows from what everyone can see, and whose hand that takes,
    if any.
    """
    if len(seen.scores) == state._terms.seats * seen.deal:
        return _nothing, None
    if not seen.plays and not any(seen.held):
        waiting = tuple(seat for seat in state._may_double() if seat not in state._choices)
        return lambda state: state._ask_doubling(waiting), None
    if not seen.subjects:
        opening = _opening(seen, layout)
        return lambda state: state._open(opening), 0
    trick = seen.trick
    if seen.deciding:
        taker = layout.plays[seen.winners[-1]].taker
        return lambda state: _ask_to_collect(state, taker, trick), None
    if trick:
        leader = layout.plays[seen.leaders[-1]]
        return lambda state: state._resume(leader, trick), (leader.position + len(trick)) % len(layout.seats)
    lead = layout.plays[seen.winners[-1]] if seen.winners else state._leader
    return lambda state: state._next_trick(lead), lead.position


def _nothing(state: FarfaliaState) -> None:
    """Ask for nothing: the match is over."""
    del state


def _ask_to_collect(state: FarfaliaState, taker: Pending, trick: bytes) -> None:
    state.pending = taker
    state._legal = state._collectable(taker.side, trick)


def _opening(seen: Observation, layout: Layout) -> Pending:
    """Return the first of the dealer's decisions that is still open."""
    pending = layout.first
    discarded = seen.held[0] == seen.held[1]
    while (pending.kind is Kind.DECLARE and seen.trumps) or (pending.kind is Kind.DISCARD and discarded):
        pending = pending.following
    return pending
