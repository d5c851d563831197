"""From what one seat of a match of Farrago may know to a whole match that looks the same to it."""

from random import Random
from typing import TYPE_CHECKING

from .cards import mask_of
from .deal_types import DealType
from .deals import Deals
from .farrago_state import FarragoState
from .observation import Observation
from .sampling import share

if TYPE_CHECKING:
    from .games.farrago import Farrago
    from .rulesets import Ruleset


def sample(rules: "Ruleset", game: "Farrago", seen: Observation, random: Random) -> FarragoState:
    """A match in which this seat's observation is this one; see `Observation.sample`."""
    state = object.__new__(FarragoState)
    state.rules = rules
    state._game = game
    state._deals = Deals(random.randbytes(32))
    state._stops = False
    state._order = _order(state._deals, game, seen.types)
    state._choices = {seen.seat: seen.choice} if seen.choice else {}
    state._led = -1
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
    _share(state, seen, random)
    _ask(state, seen)
    return state


def _order(deals: Deals, game: "Farrago", played: bytes) -> tuple[DealType, ...]:
    """The types as they were played so far, and those that are left in their own order."""
    order = game.order(deals)
    known = [DealType(kind) for kind in played if kind in order]
    return (*known, *(kind for kind in order if kind not in known))


def _share(state: FarragoState, seen: Observation, random: Random) -> None:
    """Who holds what: own cards, those that were shown and are not played yet, and the rest at random."""
    own, suit = seen.position, state._game.pack.suit
    shown = {position: card for position, card in enumerate(seen.shown) if card not in seen.plays and position != own}
    others = [position for position in range(len(seen.seats)) if position != own]
    known = bytes(shown.values())
    voids = seen.voids
    places = share(
        list(seen.unseen.translate(None, known)),
        [seen.held[position] - (position in shown) for position in others],
        [voids[position] for position in others],
        suit,
        random,
    )
    state._hands[own] = mask_of(seen.hand)
    for position, cards in zip(others, places, strict=True):
        state._hands[position] = mask_of([*cards, shown[position]] if position in shown else cards)


def _ask(state: FarragoState, seen: Observation) -> None:
    """Whose decision it is follows from what everyone can see."""
    state.pending, state._legal = None, ()
    n = len(seen.seats)
    if len(seen.scores) == n * seen.deal:
        return
    trick = seen.trick
    if len(seen.types) < seen.deal:
        state._find_type()
    elif trick:
        state._led = state._game.pack.suit[trick[0]]
        state._ask_following((seen.leaders[-1] + len(trick)) % n)
    elif seen.winners:
        state._next_trick(seen.winners[-1])
    elif seen.shown or (seen.trumps and seen.types[-1] in (DealType.SKINT, DealType.BARRED)):
        state._next_trick(1)
    elif state._choices:
        state._ask_to_show(tuple(seat for seat in range(n) if seat not in state._choices))
    else:
        state._find_trumps()
