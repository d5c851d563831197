"""A match as it stands: what may be done, and doing it, whatever the game."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from operator import add
from random import Random
from typing import TYPE_CHECKING, Self

from farfalia_engine.deals import Deals
from farfalia_engine.errors import BadAction, IllegalAction
from farfalia_engine.farfalia.layout import Pending
from farfalia_engine.outcome import Outcome

if TYPE_CHECKING:
    from farfalia_engine.game import Game
    from farfalia_engine.observation import Observation
    from farfalia_engine.rulesets import Ruleset


class State(ABC):
    """The whole truth of a match, hidden cards included; `Ruleset.new_match` makes the first one.

    Bots get an `Observation` instead. `apply` changes the state, `clone` keeps a copy.

    >>> state = ruleset("four").new_match(Deals(bytes(32)))
    >>> copy = state.clone()
    >>> copy.apply(copy.legal_actions()[0])
    >>> len(copy.plays), len(state.plays)
    (1, 0)
    """

    __slots__ = (
        "_deals",
        "_hands",
        "_legal",
        "_stops",
        "deal",
        "leaders",
        "pending",
        "plays",
        "rules",
        "scores",
        "subjects",
        "totals",
        "trumps",
        "winners",
    )
    _deals: Deals
    # Whether the match is to end with this deal, as a playout does.
    _stops: bool
    # Cards held in the hand, by position.
    _hands: list[int]
    _legal: tuple[int, ...]
    #: What the match is played by.
    rules: "Ruleset"
    #: The decision to be made next, None when the match is over.
    pending: Pending | None
    #: Number of the deal, from 1.
    deal: int
    #: Points of every finished deal, by seat, deal after deal.
    scores: tuple[int, ...]
    #: Points by seat in all finished deals.
    totals: tuple[int, ...]
    #: Trumps as in `Trumps`; a suit's number plus one.
    trumps: int
    #: The proposal, empty before it is turned up; Farrago has none.
    subjects: bytes
    #: Cards played in this deal, in order.
    plays: bytearray
    #: Position that led, by trick begun.
    leaders: bytearray
    #: Position that won, by trick completed.
    winners: bytearray

    def legal_actions(self, seat: int | None = None) -> tuple[int, ...]:
        """Return what may be done now, ascending; empty when the match is over, or for a seat that is not asked.

        Where several seats decide at once, and none is named, it is what the first of them may do.
        """
        if seat is not None and (self.pending is None or seat not in self.pending.seats):
            return ()
        return self._legal

    @abstractmethod
    def apply(self, action: int, seat: int | None = None) -> None:
        """Do it; IllegalAction, and the state is as before, if the rules or `seat`'s turn forbid it.

        Where several seats decide at once, and none is named, the first of them does it.
        """

    @property
    @abstractmethod
    def mid_trick(self) -> bool:
        """Whether a trick is begun, or won and not yet collected from."""

    @abstractmethod
    def clone(self) -> Self:
        """Return an independent copy."""

    def with_deals(self, deals: Deals) -> Self:
        """Return an independent copy, whose deals to come are these; the order of Farrago's types stays."""
        other = self.clone()
        other._deals = deals
        return other

    def end_with_deal(self) -> None:
        """Let the match be over when this deal is; the outcome counts what was played until then."""
        self._stops = True

    @abstractmethod
    def observation(self, seat: int) -> "Observation":
        """Return what this seat may know now, and nothing more (docs/rules.md, What each seat may know)."""

    @property
    def outcome(self) -> Outcome | None:
        """Points and places, once the match is over."""
        if self.pending is not None:
            return None
        n = self.rules.seats
        deals = tuple(self.scores[first : first + n] for first in range(0, len(self.scores), n))
        return Outcome(self.totals, self.rules.places(self.totals), deals)

    def playout(self, random: Random) -> tuple[int, ...]:
        """Return the points of this deal by seat if it is played to its end at random; the state stays as it is.

        Every legal action is as likely as the others. Raises ValueError if the match is over.
        """
        if self.pending is None:
            raise ValueError("the match is over, there is nothing to play out")
        return self._play_out(random.random)

    def heuristic_playout(self, random: Random) -> tuple[int, ...]:
        """As `playout`, but players win and collect what they can use, and Farrago is played at random.

        A measure that is closer to good play, for searches. Raises ValueError if the match is over.
        """
        if self.pending is None:
            raise ValueError("the match is over, there is nothing to play out")
        return self._play_heuristically(random.random)

    def _play_heuristically(self, random: Callable[[], float]) -> tuple[int, ...]:
        return self._play_out(random)

    @abstractmethod
    def _play_out(self, random: Callable[[], float]) -> tuple[int, ...]:
        """Return the points of this deal by seat after decisions that are drawn from `random`."""

    @abstractmethod
    def _begin_deal(self) -> None:
        """Go on to the next deal."""

    def _score(self, points: tuple[int, ...], game: "Game") -> None:
        """End the deal with these points by seat."""
        self.scores += points
        self.totals = tuple(map(add, self.totals, points))
        if self._stops or game.over(self.deal, self.totals):
            self.pending = None
            self._legal = ()
        else:
            self._begin_deal()

    def _objection(self, action: int, seat: int | None) -> IllegalAction:
        text = self.rules.text
        try:
            name = text(action)
        except BadAction as error:
            return IllegalAction(str(action), str(error))
        if self.pending is None:
            return IllegalAction(name, "the match is over")
        asked = self.pending.seats
        if seat is not None and seat not in asked:
            are = f"seat {asked[0]} is" if len(asked) == 1 else f"seats {', '.join(map(str, asked))} are"
            return IllegalAction(name, f"{are} to act")
        asking = asked[0] if seat is None else seat
        return IllegalAction(name, f"seat {asking} may choose among {' '.join(map(text, self.legal_actions(asking)))}")
