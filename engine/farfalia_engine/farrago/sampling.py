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

    def __init__(self, rules: Ruleset, terms: FarragoTerms, observation: Observation) -> None:
        own = observation.position
        #: Everything that the seat knows, and nothing else.
        self._known = _known(rules, terms, observation)
        #: How the order of the types comes about, and those that were played.
        self._order = terms.order
        self._types = observation.types
        #: Positions whose hands are not known.
        self._others = [position for position in range(len(observation.seats)) if position != own]
        #: Where the unseen cards may lie.
        self._sharing = self._unseen(observation, terms.pack.suit)
        #: What asks for the next decision, if that takes a hand that is not known.
        self._ask: Callable[[FarragoState], None] | None = None
        ask, position = _asking(self._known, observation)
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

    def _unseen(self, observation: Observation, suit: bytes) -> Sharing:
        """Return what lies where no card is known to be: those that were shown are in the hands already."""
        shown = [hand.bit_count() for hand in self._known._hands]
        known = sum(self._known._hands)
        cards = [card for card in observation.unseen if not known & BIT[card]]
        voids = observation.voids
        return Sharing(
            [BIT[card] for card in cards],
            [suit[card] for card in cards],
            [observation.held[position] - shown[position] for position in self._others],
            [voids[position] for position in self._others],
        )


def _known(rules: Ruleset, terms: FarragoTerms, observation: Observation) -> FarragoState:
    """Return the match with nothing in the hands of others but cards that were shown, and nobody asked."""
    state = object.__new__(FarragoState)
    state.rules = rules
    state._terms = terms
    state._deals = Deals(_NO_KEY)
    state._stops = False
    state._order = ()
    state._choices = {observation.seat: observation.choice} if observation.choice else {}
    state._led_suit = -1
    state.deal = observation.deal
    state.scores = observation.scores
    state.totals = observation.totals
    state.seats = observation.seats
    state.types = observation.types
    state.bars = observation.bars
    state.shown = observation.shown
    state.trumps = observation.trumps
    state.subjects = b""
    state.plays = bytearray(observation.plays)
    state.leaders = bytearray(observation.leaders)
    state.winners = bytearray(observation.winners)
    state._hands = [0] * len(observation.seats)
    for position, card in enumerate(observation.shown):
        if card not in observation.plays:
            state._hands[position] = BIT[card]
    state._hands[observation.position] = mask_of(observation.hand)
    state.pending, state._legal = None, ()
    return state


def _order(order: tuple[DealType, ...], played: bytes) -> tuple[DealType, ...]:
    """Return the types as they were played so far, and those that are left in their own order."""
    known = [DealType(kind) for kind in played if kind in order]
    return (*known, *(kind for kind in order if kind not in known))


def _asking(state: FarragoState, observation: Observation) -> tuple[Callable[[FarragoState], None], int | None]:
    """Return what asks for the next decision, which follows from what everyone can see, and whose hand that takes,
    if any.
    """
    n, trick = len(observation.seats), observation.trick
    if len(observation.scores) == n * observation.deal:
        return _nothing, None
    if len(observation.types) < observation.deal:
        return lambda state: state._find_type(), None
    if trick:
        position = (observation.leaders[-1] + len(trick)) % n
        return lambda state: _resume(state, trick[0], position), position
    source = DealType(observation.types[-1]).rules.trumps
    if not observation.winners and source is TrumpsSource.SHOWN and not observation.shown:
        waiting = tuple(seat for seat in range(n) if seat not in state._choices)
        return lambda state: state._ask_to_show(waiting), observation.seats.index(waiting[0])
    if not observation.winners and source in (TrumpsSource.NAMED, TrumpsSource.BARRED) and not observation.trumps:
        return lambda state: state._find_trumps(), None
    leader = observation.winners[-1] if observation.winners else 1
    return lambda state: state._next_trick(leader), leader


def _nothing(state: FarragoState) -> None:
    """Ask for nothing: the match is over."""
    del state


def _resume(state: FarragoState, led: int, position: int) -> None:
    """Go on with a trick that has been begun."""
    state._led_suit = state._terms.pack.suit[led]
    state._ask_following(position)
