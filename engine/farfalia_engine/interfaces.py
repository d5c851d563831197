"""The parts of a match that every game has: its ruleset, its state, and what a seat observes of it.

A family of games implements `Game`, `State` and `Observation`. The four classes share a module because they refer to
each other: a ruleset creates states, a state creates observations, states are sampled from an observation, and both
name the ruleset. Independent parts have their own modules: the fields of an observation are in `knowledge`, the
options of a game and who wins it in `terms`.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from operator import add
from random import Random
from typing import Any, ClassVar, Self

from farfalia_engine.deals import Deals
from farfalia_engine.errors import BadAction, IllegalAction, RulesetError, Unsolvable
from farfalia_engine.integers import whole
from farfalia_engine.knowledge import SeatKnowledge
from farfalia_engine.outcome import Outcome, Teams
from farfalia_engine.pending import Pending
from farfalia_engine.public import PublicObservation, public_part
from farfalia_engine.search.endgame import EndgameModel, Objective
from farfalia_engine.terms import GameTerms
from farfalia_engine.wording import Wording


class _SampleCache(SeatKnowledge):
    """What an observation remembers of its determinizations: no field, and left behind by copies."""

    __slots__ = ("_draw",)
    _draw: Callable[[Random], "State"]

    def __getstate__(self) -> object:
        state = object.__getstate__(self)
        if isinstance(state, tuple):
            state[1].pop("_draw", None)
        return state


@dataclass(slots=True)
class Observation(_SampleCache):
    """Everything that one seat may know at this moment, complete: nothing has to be remembered.

    The fields are those of the contract's `View`, byte for byte, and after them what is asked of
    the seat. All other properties are computed from them when they are read.

    >>> state = ruleset("four").new_match(Deals(bytes(32)))
    >>> observation = state.observation(1)
    >>> observation.kind.name, observation.legal == tuple(observation.hand), observation.held
    ('PLAY', True, b'\\r\\r\\r\\r')
    """

    #: What the match is played by; in the contract `ruleset` and `options`.
    rules: "Ruleset"

    @property
    def ruleset(self) -> str:
        """Name of what is played."""
        return self.rules.name

    @property
    def options(self) -> dict[str, str]:
        """Options of what is played that differ from their defaults."""
        return self.rules.options

    def text(self, action: int) -> str:
        """Return the text of an action of this game; BadAction if no action has this number."""
        return self.rules.text(action)

    def sample(self, random: Random) -> "State":
        """Return a whole match that looks like this to the seat: a determinization, each equally likely.

        Drawn are all ways to lay the cards that the seat cannot see, one by one, where they may lie: in hands of the
        right size that hold nothing of a suit which their player has shown to be out of, under a dummy's cards, and
        among those that another dealer discarded. The wild cards of `burnin` are ten cards, of which two look the
        same; cards shown in a deal of majority stay where they were shown. All these ways are equally likely, whatever
        the players' choices suggest. The subjects, while they are not turned up, and the types of deals to come are
        equally likely too. Nobody else has chosen yet where seats choose at once, and the deals to come are new.

        The first call counts, and the observation remembers: do not change its fields afterwards.
        """
        try:
            draw = self._draw
        except AttributeError:
            draw = self._draw = self.rules.game.determinizations(self.rules, self)
        return draw(random)


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
    def hands(self) -> tuple[int, ...]:
        """The cards of each position as a set, an integer with one bit for each; what lies face down is left out."""
        return tuple(self._hands)

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
    def observation(self, seat: int) -> Observation:
        """Return what this seat may know now, and nothing more (docs/rules.md, What each seat may know)."""

    def public_observation(self) -> PublicObservation:
        """Return what everybody may know now: a spectator, too."""
        return public_part(self.observation(0), self.pending)

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
        return self.rules.game.play_out(self, random.random)

    def heuristic_playout(self, random: Random) -> tuple[int, ...]:
        """Return what `playout` does, but players win and collect what they can use, in Farrago they go for tricks or
        avoid them.

        A measure that is closer to good play, for searches. Raises ValueError if the match is over.
        """
        if self.pending is None:
            raise ValueError("the match is over, there is nothing to play out")
        return self.rules.game.play_out_by_heuristic(self, random.random)

    @abstractmethod
    def _begin_deal(self) -> None:
        """Go on to the next deal."""

    def _score(self, points: tuple[int, ...], terms: GameTerms) -> None:
        """End the deal with these points by seat."""
        self.scores += points
        self.totals = tuple(map(add, self.totals, points))
        if self._stops or terms.over(self.deal, self.totals):
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


class Game(GameTerms):
    """A game with its options chosen, and all that is particular to its family; `ruleset` makes one."""

    #: What a seat sees.
    observation_type: ClassVar[type[Observation]]

    @abstractmethod
    def new_match(self, rules: "Ruleset", deals: Deals, deal: int) -> State:
        """Return this deal with its first decision pending; nobody made points in those before it."""

    @abstractmethod
    def determinizations(self, rules: "Ruleset", observation: Observation) -> Callable[[Random], State]:
        """Return what draws a match that looks like this to the seat that looks; see `Observation.sample`."""

    def play_out(self, state: State, random: Callable[[], float]) -> tuple[int, ...]:
        """Return the points of this deal by seat after decisions that are drawn from `random`; see `State.playout`.

        This plays one decision after the other. A family has it in one loop, drawing the same numbers.
        """
        state = state.clone()
        state.end_with_deal()
        while state.pending is not None:
            state.apply(state._legal[int(random() * len(state._legal))])
        return state.scores[-self.seats :]

    def play_out_by_heuristic(self, state: State, random: Callable[[], float]) -> tuple[int, ...]:
        """Return the same after decisions of the heuristic rollout policy; where there is none, drawn like those."""
        return self.play_out(state, random)

    def endgame(self, state: State, objective: Objective) -> EndgameModel[Any]:
        """Return the end of this deal as the solver sees it; Unsolvable if the game has no endgame model."""
        del state, objective
        raise Unsolvable(f"{self.name} has no endgame model")

    @property
    @abstractmethod
    def wording(self) -> Wording:
        """How cards, trumps and deals are put into words."""

    @property
    def value_function(self) -> bytes:
        """SHA-256 of the function that says what hands are worth; empty if the game has none."""
        return b""

    def deal_luck(self, deals: Deals, deal: int, scores: Sequence[int]) -> tuple[Fraction, ...]:
        """Return how many points the hands of a deal are worth to each seat, by the value function, more than those of
        an average deal, given the points of all deals before it, by seat, deal after deal.

        Whatever those points are, the mean of this over all deals is 0. Only a game with a value function has it.
        """
        raise NotImplementedError  # nobody asks a game without a value function

    def face_down(self, deals: Deals, observation: SeatKnowledge) -> Sequence[tuple[int, int, int]]:
        """Return what lies face down in this deal before anything is played: a dummy's position, the card on top,
        and the card under it.
        """
        del deals, observation
        return ()


@dataclass(frozen=True, slots=True)
class Ruleset:
    """A game and its options; `ruleset` makes one.

    >>> rules = ruleset("four", {"target": "50"})
    >>> rules.seats, rules.options, rules.text(rules.parse("S10"))
    (4, {'target': '50'}, 'S10')
    """

    game: Game = field(repr=False, compare=False)
    name: str
    #: Options that differ from their defaults.
    options: dict[str, str] = field(hash=False)

    @property
    def seats(self) -> int:
        """How many play."""
        return self.game.seats

    @property
    def teams(self) -> Teams | None:
        """Seats that are one side all match, None if there are no such sides."""
        return self.game.teams

    @property
    def last_deal(self) -> int:
        """The number of the last deal that a match can have."""
        return self.game.deals or self.game.most_deals

    @property
    def value_function(self) -> bytes:
        """SHA-256 of the value function by which `match_luck` goes; empty if the game has none."""
        return self.game.value_function

    def deal_number(self, deal: int) -> int:
        """Return the number of a deal that a match can have; RulesetError for another value."""
        try:
            number = whole("deal", deal)
        except TypeError:
            number = 0
        if not 1 <= number <= self.last_deal:
            raise RulesetError(
                "%(game)s has no deal %(deal)r, expected 1 to %(last)s", game=self.name, deal=deal, last=self.last_deal
            )
        return number

    def new_match(self, deals: Deals, deal: int = 1) -> State:
        """Return the first deal, with its first decision pending; or deal number `deal`, nobody having points yet.

        Who sits where, and in Farrago which types are left, is as it would be then. RulesetError if there is none.
        """
        return self.game.new_match(self, deals, self.deal_number(deal))

    def places(self, points: Sequence[int], forfeits: Sequence[int] = ()) -> tuple[int, ...]:
        """Return places by seat; seats that a house bot took over are last, those that went first behind the others."""
        return self.game.places(points, forfeits)

    def winners(self, points: Sequence[int]) -> tuple[int, ...]:
        """Return the seats that win with these points at the end (F7, F18)."""
        return self.game.winners(points)

    def card_text(self, card: int) -> str:
        """Return the name of a card; BadCard if the number is none."""
        return self.game.notation.card_text(card)

    def text(self, action: int) -> str:
        """Return the text of an action; BadAction if no action has this number."""
        return self.game.notation.action_text(action)

    def parse(self, text: str) -> int:
        """Return the action of this text; BadAction if it is none. Whether it is legal is for the state to say."""
        return self.game.notation.parse_action(text)
