"""What stands where in the tensor of a game: named fields, one after the other, fixed for a ruleset."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache, singledispatch
from types import MappingProxyType
from typing import Final

from farfalia_engine import CARDS, FAMILIES, WILD, DealType, Kind, Ruleset, RulesetError, Trumps
from farfalia_engine.actions import (
    CARDS_END,
    COLLECT_NONE,
    DECLARE_NONE,
    DISCARD_CARD,
    DISCARD_PAIR,
    DOUBLE_YES,
    PAIRS,
    SHOW_CARD,
)
from farfalia_engine.farfalia.game import Farfalia
from farfalia_engine.farfalia.layout import Layout
from farfalia_engine.games.farrago import Farrago
from farfalia_engine.interfaces import Game

#: Points are in the tensor divided by this, numbers of deals by the next one.
POINTS_UNIT: Final = 100
DEALS_UNIT: Final = 10
#: The points of every deal stand in the tensor if a match has no more deals than these; otherwise the totals alone.
MOST_LISTED: Final = 12

#: What a field's comment says once, here: the seat that looks is always the first.
_PLACES = "by position, clockwise from the seat's own"
_SEATS = "by seat, from the own one on"


@dataclass(frozen=True, slots=True)
class TensorField:
    """Some numbers of a tensor: `shape` is how many rows there are and how wide each is."""

    name: str
    start: int
    shape: tuple[int, int]
    meaning: str

    @property
    def slice(self) -> slice:
        """Where in the tensor they stand."""
        return slice(self.start, self.start + self.shape[0] * self.shape[1])


#: Name, rows, width, meaning of a field.
Description = tuple[str, int, int, str]


@dataclass(frozen=True, slots=True)
class Sizes:
    """What the shapes of fields are made of: the most that any deal of the match has of each."""

    seats: int
    positions: int
    tricks: int
    #: Cards that can be played, wild ones included.
    cards: int
    #: Deals whose points are listed; 0 if they are not.
    listed: int
    dummies: int = 0
    #: Cards that a dealer discards.
    spare: int = 0
    kinds: frozenset[Kind] = field(default_factory=frozenset)


class TensorLayout:
    """The fields of a ruleset's tensor, and how many actions it has; `tensor_layout` makes one."""

    def __init__(self, rules: Ruleset) -> None:
        self.rules: Final = rules
        game = rules.game
        self.sizes: Final = sizes_of(game, game.deals if game.deals <= MOST_LISTED else 0)
        fields: dict[str, TensorField] = {}
        self.size = 0
        for name, rows, width, meaning in fields_of(game, self.sizes):
            fields[name] = TensorField(name, self.size, (rows, width), meaning)
            self.size += rows * width
        #: By name, in the order in which they stand in the tensor.
        self.fields: Final[Mapping[str, TensorField]] = MappingProxyType(fields)

    @cached_property
    def actions(self) -> int:
        """Actions of this ruleset are below this; those that no decision offers leave gaps between them."""
        ends = {
            Kind.PLAY: CARDS_END,
            Kind.COLLECT: COLLECT_NONE + 1,
            Kind.DECLARE: DECLARE_NONE + 1,
            Kind.DOUBLE: DOUBLE_YES + 1,
            Kind.SHOW: SHOW_CARD + self.sizes.cards,
            Kind.DISCARD: DISCARD_PAIR + len(PAIRS) if self.sizes.spare == 2 else DISCARD_CARD + CARDS,
        }
        return max(ends.get(kind, 0) for kind in self.sizes.kinds)


@lru_cache(maxsize=256)
def tensor_layout(rules: Ruleset) -> TensorLayout:
    """Return the layout of a ruleset's tensors."""
    return TensorLayout(rules)


@singledispatch
def sizes_of(game: Game, listed: int) -> Sizes:
    """Return the sizes of a game's tensors; RulesetError if its family has registered none."""
    del listed
    raise RulesetError("%(game)s has no tensors", game=game.name)


@singledispatch
def fields_of(game: Game, sizes: Sizes) -> Iterator[Description]:
    """Yield the fields of a game's tensors; RulesetError if its family has registered none."""
    del sizes
    raise RulesetError("%(game)s has no tensors", game=game.name)


@sizes_of.register
def _farrago_sizes(game: Farrago, listed: int) -> Sizes:
    cards = game.pack.size
    return Sizes(game.seats, game.seats, cards // game.seats, cards, listed, kinds=frozenset((Kind.PLAY, Kind.SHOW)))


@sizes_of.register
def _farfalia_sizes(game: Farfalia, listed: int) -> Sizes:
    # Where the last deal of a match is another one than the first, the match is short.
    layouts = [game.layout(deal, (0,) * game.seats * (deal - 1)) for deal in {1, listed or 1}]
    kinds = {Kind.PLAY, Kind.COLLECT}.union(*map(_opening, layouts), [Kind.DOUBLE] if game.wilds else [])
    return Sizes(
        game.seats,
        positions=max(len(layout.seats) for layout in layouts),
        tricks=max(layout.tricks for layout in layouts),
        cards=WILD + len(FAMILIES) if game.burnin else CARDS,
        listed=listed,
        dummies=max(len(layout.dummies) for layout in layouts),
        spare=max(layout.spare for layout in layouts) if Kind.DISCARD in kinds else 0,
        kinds=frozenset(kinds),
    )


def _opening(layout: Layout) -> Iterator[Kind]:
    """Yield what is decided before the first lead."""
    pending = layout.first
    while pending.kind is not Kind.PLAY:
        yield pending.kind
        pending = pending.following


def play_fields(sizes: Sizes) -> Iterator[Description]:
    """Yield what every game has."""
    n, cards = sizes.positions, sizes.cards
    yield "hand", 1, cards, "cards that this seat holds"
    yield "played_by", n, cards, f"cards played in this deal, {_PLACES}"
    yield "played_in", sizes.tricks, cards, "the same cards, by trick"
    yield "trick", n, cards, f"the trick that is played or collected from, {_PLACES}"
    yield "won", n, sizes.tricks, f"tricks won, {_PLACES}"
    yield "leader", 1, n, f"who led to the trick on the table, {_PLACES}"
    yield "trumps", 1, len(Trumps), "trumps, as in `Trumps`; the first stands for not declared yet"
    yield "kind", 1, len(Kind), "the decision that this seat is asked for, as in `Kind`; none if it is not asked"


def match_fields(sizes: Sizes) -> Iterator[Description]:
    """Yield how the deal lies in the match."""
    n = sizes.positions
    yield "place", 1, n, "this seat's position, clockwise from the dealer"
    yield "deal", 1, 1, f"number of this deal, divided by {DEALS_UNIT}"
    yield "totals", 1, sizes.seats, f"points in all finished deals, divided by {POINTS_UNIT}, {_SEATS}"
    if sizes.listed:
        yield "scores", sizes.seats, sizes.listed, f"points of each finished deal, divided by {POINTS_UNIT}, {_SEATS}"


@fields_of.register
def _farfalia_fields(game: Farfalia, sizes: Sizes) -> Iterator[Description]:
    del game
    n, families = sizes.positions, len(FAMILIES)
    yield from play_fields(sizes)
    if sizes.spare:
        yield "discarded", 1, CARDS, "cards that this seat discarded"
    yield "collected", n, CARDS, f"cards collected, {_PLACES}"
    yield (
        "fate",
        3,
        sizes.tricks,
        "tricks from which a card was collected, was declined, could not be collected",
    )
    yield "subjects", 5, families, "the proposal, in the order in which it was turned up"
    if sizes.dummies:
        yield "face_up", sizes.dummies, CARDS, "cards that a dummy may play, by dummy, clockwise from this seat"
        yield "covering", sizes.dummies, CARDS, "those of them that lie on another one"
        yield "dummies", 1, n, f"which positions are dummies, {_PLACES}"
        yield "acting", 1, n, f"the position to act if this seat is asked, {_PLACES}"
    if Kind.DOUBLE in sizes.kinds:
        yield "wilds", sizes.seats, 3, f"0, 1 or 2 wild cards left to spend, {_SEATS}"
        yield "doubled", 1, sizes.seats, f"who doubles in this deal, {_SEATS}"
        yield "choice", 1, 2, "what this seat has chosen while others still think: keep, spend"
    yield from match_fields(sizes)
    yield "seats", n, sizes.seats, f"who plays there, {_PLACES}; each a row with the seats, from the own one on"
    yield "sides", n, n, f"who collects with whom, {_PLACES}"


@fields_of.register
def _farrago_fields(game: Farrago, sizes: Sizes) -> Iterator[Description]:
    del game
    types = len(DealType)
    yield from play_fields(sizes)
    yield "type", 1, types, "the type of this deal, once it is known, as in `DealType`"
    yield "types", 1, types, "the types of the deals before it"
    yield "bars", 3, 4, "suits barred from being trumps, in order"
    yield "shown", sizes.positions, sizes.cards, f"the card shown in a deal of majority, once all have, {_PLACES}"
    yield "choice", 1, sizes.cards, "the card that this seat shows while others still choose"
    yield from match_fields(sizes)
