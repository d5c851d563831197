"""Whose decision it is: what a state waits for, in every family of games."""

from functools import cache
from typing import Final

from farfalia_engine.actions import Kind


class Pending:
    """A decision that is to be made: of which kind, by which seats, for which position.

    There is one object for each, and the objects know what follows: a match steps from one to the next.
    Where several seats decide at once, the position is that of the first of them.

    >>> ruleset("chinkway").new_match(Deals(bytes(32))).pending
    <DISCARD by seat 0 for position 0>
    """

    __slots__ = ("following", "kind", "lead", "position", "seats", "side", "taker")

    def __init__(self, kind: Kind, seats: tuple[int, ...], position: int, side: int = 0) -> None:
        self.kind: Final = kind
        self.seats: Final = seats
        self.position: Final = position
        #: The side of the position.
        self.side: Final = side
        #: The same at the next position, clockwise; for the dealer's decisions the next of them, then the first lead.
        self.following: Pending = self
        #: Playing a card at this position.
        self.lead: Pending = self
        #: Collecting at this position.
        self.taker: Pending = self

    def __repr__(self) -> str:
        seats = ", ".join(map(str, self.seats))
        return f"<{self.kind.name} by seat {seats} for position {self.position}>"


@cache
def together(kind: Kind, seats: tuple[int, ...], position: int) -> Pending:
    """Return the one object for a decision that these seats make at once, the first of them at this position."""
    return Pending(kind, seats, position)
