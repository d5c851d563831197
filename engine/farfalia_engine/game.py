"""What every game says of itself, whatever its rules are like."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from farfalia_engine.deals import Deals
from farfalia_engine.errors import Unsolvable
from farfalia_engine.notation import Notation
from farfalia_engine.observation import Observation
from farfalia_engine.options import Option, values_of
from farfalia_engine.outcome import Teams, places
from farfalia_engine.wording import Wording

if TYPE_CHECKING:
    from random import Random

    from farfalia_engine.rulesets import Ruleset
    from farfalia_engine.search.endgame import EndgameModel, Objective
    from farfalia_engine.state import State


class Game(ABC):
    """A game with its options chosen; `ruleset` makes one."""

    #: Name of the ruleset.
    name: ClassVar[str]
    #: What a seat sees.
    observation_type: ClassVar[type[Observation]]
    #: What may be chosen.
    options: ClassVar[Mapping[str, Option]] = {}
    #: How many play.
    seats: int
    #: How many deals a match has; 0 if that is not known beforehand.
    deals: int
    #: The match ends with this deal at the latest where `deals` is 0.
    most_deals: int = 0
    #: Whether cards of a trick are collected; otherwise tricks are counted.
    collecting: bool = False
    #: From this number of tricks at the start of a deal nothing may be collected.
    barren: int = 0
    #: Seats that are one side all match; None if there are no such sides.
    teams: Teams | None = None

    def __init__(self, given: Mapping[str, str]) -> None:
        """Take the options that were given; BadOption for one that is wrong, or for two that do not go together."""
        #: A value for each option that has one, in the order of their names.
        self.chosen = values_of(self.name, self.options, given)

    @abstractmethod
    def new_match(self, rules: "Ruleset", deals: Deals, deal: int) -> "State":
        """This deal, with its first decision pending; nobody made points in those before it."""

    @abstractmethod
    def determinizations(self, rules: "Ruleset", seen: Observation) -> "Callable[[Random], State]":
        """Return what draws a match that looks like this to the seat that looks; see `Observation.sample`."""

    @property
    @abstractmethod
    def notation(self) -> Notation:
        """How cards and actions are written."""

    def endgame(self, state: "State", objective: "Objective") -> "EndgameModel[Any]":
        """Return the end of this deal as the solver sees it; Unsolvable if the game has no endgame model."""
        del state, objective
        raise Unsolvable(f"{self.name} has no endgame model")

    @property
    @abstractmethod
    def wording(self) -> Wording:
        """How cards, trumps and deals are put into words."""

    def face_down(self, deals: Deals, seen: Observation) -> Sequence[tuple[int, int]]:
        """Return what lies face down in this deal before anything is played: a dummy's position, and a card of it."""
        del deals, seen
        return ()

    def over(self, deal: int, totals: Sequence[int]) -> bool:
        """Return whether the match ends with this deal, given the totals after it."""
        del totals
        return deal == self.deals

    def places(self, points: Sequence[int], forfeits: Sequence[int] = ()) -> tuple[int, ...]:
        """Places by seat; see `outcome.places`."""
        return places(points, forfeits, self.teams)

    def winners(self, points: Sequence[int]) -> tuple[int, ...]:
        """Return the seats that win with these points: all that share the best total (F18)."""
        return tuple(seat for seat, place in enumerate(self.places(points)) if place == 1)
