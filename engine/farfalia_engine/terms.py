"""What is agreed before a match: the options, how many play how many deals, and who wins in the end."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import ClassVar, NamedTuple

from farfalia_engine.notation import Notation
from farfalia_engine.options import Option, values_of
from farfalia_engine.outcome import Teams, places


class SeatRole(NamedTuple):
    """A seat's role in a deal: its position from the dealer, whether it has a dummy, and whether it has a partner.

    >>> from farfalia_engine import ruleset
    >>> sorted(ruleset("three").game.roles(deal=1, scores=[]))[0]
    SeatRole(position=0, dummy=True, partner=False)
    """

    position: int
    dummy: bool = False
    partner: bool = False


class GameTerms(ABC):
    """The terms of a game with its options chosen: all that a match in progress asks of its game."""

    #: Name of the ruleset.
    name: ClassVar[str]
    #: What may be chosen.
    options: ClassVar[Mapping[str, Option]] = {}
    #: How many play.
    seats: int
    #: How many deals a match has; 0 if that is not known in advance.
    deals: int
    #: The match ends with this deal at the latest where `deals` is 0.
    most_deals: int = 0
    #: Whether cards of a trick are collected; otherwise tricks are counted.
    collecting: bool = False
    #: From this number of tricks at the start of a deal nothing may be collected.
    barren: int = 0
    #: Seats that are one side all match; None if there are no such sides.
    teams: Teams | None = None
    #: How many of the best win together, ties apart: 2 in `basic` (F7).
    winning: int = 1

    def __init__(self, given: Mapping[str, str]) -> None:
        """Take the options that were given; BadOption for one that is wrong, or for two that do not go together."""
        #: A value for each option that has one, in the order of their names.
        self.chosen = values_of(self.name, self.options, given)

    @property
    @abstractmethod
    def notation(self) -> Notation:
        """How cards and actions are written."""

    def over(self, deal: int, totals: Sequence[int]) -> bool:
        """Return whether the match ends with this deal, given the totals after it."""
        del totals
        return deal == self.deals

    def weight(self, deal: int) -> int:
        """Return how often the points of this deal count."""
        del deal
        return 1

    def roles(self, deal: int, scores: Sequence[int]) -> Sequence[SeatRole]:
        """Return the role of each seat in this deal, given the points of all deals before it, by seat, deal after deal;
        empty in a game whose roles make no difference.
        """
        del deal, scores
        return ()

    def places(self, points: Sequence[int], forfeits: Sequence[int] = ()) -> tuple[int, ...]:
        """Return places by seat; see `outcome.places`."""
        return places(points, forfeits, self.teams, self.winning)

    def winners(self, points: Sequence[int]) -> tuple[int, ...]:
        """Return the seats that win with these points: all in first place (F7, F18)."""
        return tuple(seat for seat, place in enumerate(self.places(points)) if place == 1)
