"""From what one seat of a match of Farrago may know to a whole match that looks the same to it."""

from collections.abc import Callable
from random import Random

from farfalia_engine.deals import Deals
from farfalia_engine.farfalia.cards import BIT, mask_of
from farfalia_engine.farrago.deal_types import DealType, TrumpsSource
from farfalia_engine.farrago.state import FarragoState
from farfalia_engine.farrago.terms import FarragoTerms
from farfalia_engine.interfaces import Observation, Ruleset
from farfalia_engine.search.sampling import Sharing

#: The key of a match of which nothing is dealt.
_NO_KEY = bytes(32)


class FarragoDeterminizations:
    """The matches in which a seat's observation is this one; see `Observation.sample`."""

    __slots__ = ("_ask", "_known", "_order", "_others", "_sharing", "_types")

    def __init__(self, rules: Ruleset, terms: FarragoTerms, seen: Observation) -> None:
        own = seen.position
        #: Everything that the seat knows, and nothing else.
        self._known = _known(rules, terms, seen)
        #: How the order of the types comes about, and those that were played.
        self._order = terms.order
        self._types = seen.types
        #: Positions whose hands are not known.
        self._others = [position for position in range(len(seen.seats)) if position != own]
        #: Where the unseen cards may lie.
        self._sharing = self._unseen(seen, terms.pack.suit)
        #: What asks for the next decision, if that takes a hand that is not known.
        self._ask: Callable[[FarragoState], None] | None = None
        ask, position = _asking(self._known, seen)
        if position in self._others:
            self._ask = ask
        else:
            ask(self._known)

    def draw(self, random: Random) -> FarragoState:
        """Return one of them."""
        deals = Deals(random.randbytes(32))
        state = self._known.with_deals(deals)
        state._order = _order(self._order(deals), self._types)
        hands = state._hands
        for position, bits in zip(self._others, self._sharing.draw(random), strict=True):
            hands[position] += sum(bits)
        if self._ask is not None:
            self._ask(state)
        return state

    def _unseen(self, seen: Observation, suit: bytes) -> Sharing:
        """Return what lies where no card is known to be: those that were shown are in the hands already."""
        shown = [hand.bit_count() for hand in self._known._hands]
        known = sum(self._known._hands)
        cards = [card for card in seen.unseen if not known & BIT[card]]
        voids = seen.voids
        return Sharing(
            [BIT[card] for card in cards],
            [suit[card] for card in cards],
            [seen.held[position] - shown[position] for position in self._others],
            [voids[position] for position in self._others],
        )


def _known(rules: Ruleset, terms: FarragoTerms, seen: Observation) -> FarragoState:
    """Return the match with nothing in the hands of others but cards that were shown, and nobody asked."""
    state = object.__new__(FarragoState)
    state.rules = rules
    state._terms = terms
    state._deals = Deals(_NO_KEY)
    state._stops = False
    state._order = ()
    state._choices = {seen.seat: seen.choice} if seen.choice else {}
    state._led_suit = -1
    state.deal = seen.deal
    state.scores = seen.scores
    state.totals = seen.totals
    state.seats = seen.seats
    state.types = seen.types
    state.bars = seen.bars
    state.shown = seen.shown
    state.trumps = seen.trumps
    state.subjects = b""
    state.plays = bytearray(seen.plays)
    state.leaders = bytearray(seen.leaders)
    state.winners = bytearray(seen.winners)
    state._hands = [0] * len(seen.seats)
    for position, card in enumerate(seen.shown):
        if card not in seen.plays:
            state._hands[position] = BIT[card]
    state._hands[seen.position] = mask_of(seen.hand)
    state.pending, state._legal = None, ()
    return state


def _order(order: tuple[DealType, ...], played: bytes) -> tuple[DealType, ...]:
    """Return the types as they were played so far, and those that are left in their own order."""
    known = [DealType(kind) for kind in played if kind in order]
    return (*known, *(kind for kind in order if kind not in known))


def _asking(state: FarragoState, seen: Observation) -> tuple[Callable[[FarragoState], None], int | None]:
    """Return what asks for the next decision, which follows from what everyone can see, and whose hand that takes,
    if any.
    """
    n, trick = len(seen.seats), seen.trick
    if len(seen.scores) == n * seen.deal:
        return _nothing, None
    if len(seen.types) < seen.deal:
        return lambda state: state._find_type(), None
    if trick:
        position = (seen.leaders[-1] + len(trick)) % n
        return lambda state: _resume(state, trick[0], position), position
    source = DealType(seen.types[-1]).rules.trumps
    if not seen.winners and source is TrumpsSource.SHOWN and not seen.shown:
        waiting = tuple(seat for seat in range(n) if seat not in state._choices)
        return lambda state: state._ask_to_show(waiting), seen.seats.index(waiting[0])
    if not seen.winners and source in (TrumpsSource.NAMED, TrumpsSource.BARRED) and not seen.trumps:
        return lambda state: state._find_trumps(), None
    leader = seen.winners[-1] if seen.winners else 1
    return lambda state: state._next_trick(leader), leader


def _nothing(state: FarragoState) -> None:
    """Ask for nothing: the match is over."""
    del state


def _resume(state: FarragoState, led: int, position: int) -> None:
    """Go on with a trick that has been begun."""
    state._led_suit = state._terms.pack.suit[led]
    state._ask_following(position)
