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

    def __init__(self, rules: Ruleset, terms: FarfaliaTerms, observation: Observation) -> None:
        # Once the match is over, the points of this deal are among the scores; they did not decide who sits where.
        layout = terms.layout(observation.deal, observation.scores[: terms.seats * (observation.deal - 1)])
        own = layout.positions[observation.seat]
        dealt = bool(any(observation.held) or observation.plays)
        #: Everything that the seat knows, and nothing else.
        self._known = _known(rules, terms, observation, layout)
        #: Positions whose hands are not known.
        self._others = [position for position in layout.players if position != own]
        #: The positions of them that still hold a wild card, and the wild cards that it may be.
        self._holders, self._wilds = _wilds(terms, observation, layout, own) if dealt else ([], [])
        #: Where a card lies face down: the dummy's position and the card on top.
        self._above = [
            (dummy, card) for index, dummy in enumerate(layout.dummies) for card in _above(observation, index, dummy)
        ]
        #: Where the unseen cards may lie: in a hand, one under each of those cards, or discarded by another dealer.
        self._sharing = self._unseen(observation, own) if dealt else None
        #: Whether the proposal is still to be turned up.
        self._turns = bool(dealt and not observation.subjects)
        #: What asks for the next decision, if that takes a hand that is not known.
        self._ask: Callable[[FarfaliaState], None] | None = None
        ask, position = _asking(self._known, observation, layout)
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

    def _unseen(self, observation: Observation, own: int) -> Sharing:
        voids = observation.voids
        sizes = [observation.held[position] - (position in self._holders) for position in self._others]
        barred: list[Collection[int]] = [voids[position] for position in self._others]
        sizes.append(len(self._above))
        barred.append(())
        unseen = observation.unseen
        if own != 0:
            sizes.append(len(unseen) - sum(sizes))
            barred.append(())
        return Sharing([BIT[card] for card in unseen], [SUIT[card] for card in unseen], sizes, barred)


def _known(rules: Ruleset, terms: FarfaliaTerms, observation: Observation, layout: Layout) -> FarfaliaState:
    """Return the match with the hands of others empty, and nobody asked."""
    state = object.__new__(FarfaliaState)
    state.rules = rules
    state._terms = terms
    state._deals = Deals(_NO_KEY)
    state._stops = False
    state._layout = layout
    state.deal = observation.deal
    state.scores = observation.scores
    state.totals = observation.totals
    state.trumps = observation.trumps
    state.subjects = observation.subjects
    state.plays = bytearray(observation.plays)
    state.leaders = bytearray(observation.leaders)
    state.winners = bytearray(observation.winners)
    state.collected = bytearray(observation.collected)
    state.wilds = observation.wilds
    state.doubled = observation.doubled
    state._choices = {observation.seat: observation.choice} if observation.choice else {}
    state._proposal = observation.subjects
    state._missing = _missing(observation) if observation.subjects else []
    state._led_shift = -1
    state._leader = state._winning = layout.plays[1]
    state._strengths, state._best = (), 0
    state._covered = []
    state._discarded = mask_of(observation.discarded)
    state._hands = [0] * len(layout.seats)
    state._hands[layout.positions[observation.seat]] = mask_of(observation.hand)
    for dummy, face_up in zip(layout.dummies, observation.face_up, strict=True):
        state._hands[dummy] = mask_of(face_up)
    state.pending, state._legal = None, ()
    return state


def _missing(observation: Observation) -> list[MissingFamilies]:
    sides = observation.sides
    missing = [proposed(observation.subjects)] * len(set(sides))
    for winner, card in zip(observation.winners, observation.collected, strict=False):
        if card < CARDS:
            missing[sides[winner]] = missing[sides[winner]].after[card]
    return missing


def _wilds(terms: FarfaliaTerms, observation: Observation, layout: Layout, own: int) -> tuple[list[int], list[int]]:
    """Return the others who still hold their wild card, by position, and the wild cards that are left, each once."""
    if not terms.burnin:
        return [], []
    played = {}
    for index, card in enumerate(observation.plays):
        if card >= WILD:
            trick, place = divmod(index, len(layout.seats))
            played[(observation.leaders[trick] + place) % len(layout.seats)] = card
    left = [WILD + family for family in range(len(FAMILIES)) for _ in range(2)]
    for card in (*played.values(), *(card for card in observation.hand if card >= WILD)):
        left.remove(card)
    return [position for position in layout.players if position != own and position not in played], left


def _above(observation: Observation, index: int, dummy: int) -> bytes:
    """Return the cards above those that lie face down; the last one played is no longer there,
    but what it covered is.
    """
    covering = observation.covering[index]
    if observation.held[dummy] - len(observation.face_up[index]) == len(covering):
        return covering
    trick = observation.trick
    return covering + trick[(dummy - observation.leaders[-1]) % len(observation.seats) :][:1]


def _asking(
    state: FarfaliaState, observation: Observation, layout: Layout
) -> tuple[Callable[[FarfaliaState], None], int | None]:
    """Return what asks for the next decision, which follows from what everyone can see, and whose hand that takes,
    if any.
    """
    if len(observation.scores) == state._terms.seats * observation.deal:
        return _nothing, None
    if not observation.plays and not any(observation.held):
        waiting = tuple(seat for seat in state._may_double() if seat not in state._choices)
        return lambda state: state._ask_doubling(waiting), None
    if not observation.subjects:
        opening = _opening(observation, layout)
        return lambda state: state._open(opening), 0
    trick = observation.trick
    if observation.deciding:
        taker = layout.plays[observation.winners[-1]].taker
        return lambda state: _ask_to_collect(state, taker, trick), None
    if trick:
        leader = layout.plays[observation.leaders[-1]]
        return lambda state: state._resume(leader, trick), (leader.position + len(trick)) % len(layout.seats)
    lead = layout.plays[observation.winners[-1]] if observation.winners else state._leader
    return lambda state: state._next_trick(lead), lead.position


def _nothing(state: FarfaliaState) -> None:
    """Ask for nothing: the match is over."""
    del state


def _ask_to_collect(state: FarfaliaState, taker: Pending, trick: bytes) -> None:
    state.pending = taker
    state._legal = state._collectable(taker.side, trick)


def _opening(observation: Observation, layout: Layout) -> Pending:
    """Return the first of the dealer's decisions that is still open."""
    pending = layout.first
    discarded = observation.held[0] == observation.held[1]
    while (pending.kind is Kind.DECLARE and observation.trumps) or (pending.kind is Kind.DISCARD and discarded):
        pending = pending.following
    return pending
