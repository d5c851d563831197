"""A question of the contract as the view that a bot is asked about."""

from __future__ import annotations

from dataclasses import fields
from math import inf
from time import monotonic
from typing import Any, ClassVar

from farfalia.v1 import play_pb2 as pb
from farfalia_engine import GAMES, Kind, Observation, ruleset

_FIELDS = tuple(field.name for field in fields(Observation))
_KINDS: dict[int, Kind] = {kind.value: kind for kind in Kind}


class View(Observation):
    """An observation that came as a message; it also knows its match and how much time is left.

    What the message says about the deal is unpacked when it is first looked at: a bot that needs no more
    than the legal actions pays for no more.
    """

    __slots__ = ("_question", "_received")
    # What it is besides a view.
    _observation_type: ClassVar[type[Observation]] = Observation

    def __init__(self, question: pb.Question, received: float) -> None:
        self._question = question
        self._received = received
        self.kind = _KINDS.get(question.kind)
        self.legal = tuple(question.legal)

    @classmethod
    def of(cls, observation: Observation, match: int = 1, number: int = 1, *, takes_back: bool = False) -> View:
        """Return the view of a question that no server asks: no clock runs."""
        question = pb.Question(match=match, number=number, takes_back=takes_back)
        view = _view_type(observation.rules.game.observation_type)(question, monotonic())
        for name in _FIELDS:
            setattr(view, name, getattr(observation, name))
        return view

    def __getattr__(self, name: str) -> Any:
        # Called for what is not set: once for a field of the observation, which sets them all but the rules,
        # for a client may be asked by a server that knows more games.
        if name not in _FIELDS:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        if name == "rules":
            view = self._question.view
            self.rules = ruleset(view.ruleset, view.options)
        else:
            self._unpack()
        return object.__getattribute__(self, name)

    def __reduce__(self) -> tuple[Any, ...]:
        return _made_again, (self._observation_type, self._question, self._received), self.__getstate__()

    def observation(self) -> Observation:
        """Return what the seat sees and is asked, without match, number and clock."""
        return self._observation_type(**{name: getattr(self, name) for name in _FIELDS})

    @property
    def match(self) -> int:
        """Number of the match."""
        return self._question.match

    @property
    def number(self) -> int:
        """Number of the question within the match, from 1."""
        return self._question.number

    @property
    def takes_back(self) -> bool:
        """Whether the seat's decision before may be taken back instead, by raising `TakeBack`."""
        return self._question.takes_back

    @property
    def clock(self) -> pb.Clock:
        """The clock as the server saw it when it asked."""
        return self._question.clock

    @property
    def time_left(self) -> float:
        """Seconds that are left before the bank pays, negative once it does; infinite if nobody measures.

        The time that the question waited on this side is counted, the way back to the server is not.
        """
        clock = self._question.clock
        if not clock.limit_ms:
            return inf
        return (clock.limit_ms - clock.spent_ms) / 1000 - (monotonic() - self._received)

    def _unpack(self) -> None:
        view = self._question.view
        self.seat = view.seat
        self.deal = view.deal
        self.deals = view.deals
        self.seats = view.seats
        self.sides = view.sides
        self.scores = tuple(view.scores)
        self.totals = tuple(view.totals)
        self.trumps = view.trumps
        self.subjects = view.subjects
        self.hand = view.hand
        self.discarded = view.discarded
        self.plays = view.plays
        self.leaders = view.leaders
        self.winners = view.winners
        self.collected = view.collected
        self.held = view.held
        self.acting = view.acting
        self.dummies = view.dummies
        self.face_up = tuple(view.face_up)
        self.covering = tuple(view.covering)
        self.wilds = view.wilds
        self.doubled = view.doubled
        self.choice = view.choice
        self.types = view.types
        self.bars = view.bars
        self.shown = view.shown


_TYPES: dict[type[Observation], type[View]] = {Observation: View}


def _view_type(observation_type: type[Observation]) -> type[View]:
    """Return a view that is also this observation: what is computed from the fields follows the game."""
    found = _TYPES.get(observation_type)
    if found is None:
        members = {"__slots__": (), "__module__": __name__, "_observation_type": observation_type}
        found = _TYPES[observation_type] = type(
            observation_type.__name__.replace("Observation", "View"), (View, observation_type), members
        )
    return found


def _made_again(observation_type: type[Observation], question: pb.Question, received: float) -> View:
    """Make a view that was pickled: its type has no name of its own to be found by."""
    return _view_type(observation_type)(question, received)


def from_message(question: pb.Question, received: float | None = None) -> View:
    """Return the view of a question that was received at this moment of the monotonic clock, now if None."""
    game = GAMES.get(question.view.ruleset)
    kind = _view_type(game.observation_type if game else Observation)
    return kind(question, monotonic() if received is None else received)
