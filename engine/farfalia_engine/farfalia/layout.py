"""Who sits where in one deal, who collects with whom, and the decisions that follow each other there."""

from functools import cache
from typing import Final

from farfalia_engine.actions import Kind
from farfalia_engine.pending import Pending

#: What a dealer decides before the play, where its own cards decide it.
DISCARD_THEN_DECLARE: Final = (Kind.DISCARD, Kind.DECLARE)
DECLARE_THEN_DISCARD: Final = (Kind.DECLARE, Kind.DISCARD)
DECLARE_ONLY: Final = (Kind.DECLARE,)
#: The first subject makes trumps, nobody decides.
FIRST_SUBJECT: Final = ()


class Layout:
    """One way to sit: `seats` and `sides` by position, which positions are dummies, and what opens the play."""

    __slots__ = (
        "declared",
        "dummies",
        "first",
        "players",
        "plays",
        "positions",
        "seats",
        "side_count",
        "sides",
        "spare",
        "tricks",
    )

    def __init__(self, seats: bytes, sides: bytes, opening: tuple[Kind, ...], dummies: bytes) -> None:
        n = len(seats)
        self.seats: Final = seats
        self.sides: Final = sides
        #: How many sides there are.
        self.side_count: Final = len(set(sides))
        self.dummies: Final = dummies
        #: The position of each seat, its dummy's not counted: a dummy sits behind its partner.
        self.positions: Final = bytes(seats.index(seat) for seat in range(max(seats) + 1))
        #: Positions of those who hold a hand of their own, in the order in which they are dealt one.
        self.players: Final = bytes(place % n for place in range(1, n + 1) if place % n not in dummies)
        #: How many tricks are played, which is how many cards everyone has for them.
        self.tricks: Final = 52 // n
        #: How many cards the dealer has too many.
        self.spare: Final = 52 % n
        #: Playing a card, by position.
        self.plays: Final = self._everywhere(Kind.PLAY)
        collects = self._everywhere(Kind.COLLECT)
        for position, (play, collect) in enumerate(zip(self.plays, collects, strict=True)):
            play.following = self.plays[(position + 1) % n]
            play.taker = collect
            collect.lead = play
        #: Whether the dealer says what is trumps; otherwise the first subject does.
        self.declared: Final = Kind.DECLARE in opening
        #: The first decision once the cards are dealt.
        self.first: Pending = self.plays[1]
        for kind in reversed(opening):
            pending = Pending(kind, (seats[0],), 0, sides[0])
            pending.following = self.first
            self.first = pending

    def _everywhere(self, kind: Kind) -> tuple[Pending, ...]:
        places = zip(self.seats, range(len(self.seats)), self.sides, strict=True)
        return tuple(Pending(kind, (seat,), position, side) for seat, position, side in places)


@cache
def layout(
    seats: bytes, sides: bytes, opening: tuple[Kind, ...] = DISCARD_THEN_DECLARE, dummies: bytes = b""
) -> Layout:
    """Return the one Layout object for these seats and sides."""
    return Layout(seats, sides, opening, dummies)


@cache
def clockwise(dealer: int, sides: bytes, opening: tuple[Kind, ...] = DISCARD_THEN_DECLARE) -> Layout:
    """Return the layout in which the seats sit in their order, beginning with the dealer."""
    n = len(sides)
    return layout(bytes((dealer + position) % n for position in range(n)), sides, opening)
