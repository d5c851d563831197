"""The endgame model: what the solver needs to know of a family of games."""

from abc import ABC, abstractmethod
from collections.abc import Collection, Hashable, Sequence
from typing import Generic, Literal, TypeVar, get_args

#: What a deal is played for: to be ahead of all others, or one's own points alone.
Objective = Literal["margin", "points"]
OBJECTIVES: tuple[Objective, ...] = get_args(Objective)

#: The state of the family that the model is of.
S = TypeVar("S")


class EndgameModel(ABC, Generic[S]):
    """The end of one deal, played for the points of one side against everyone else.

    Values are integers: points times `scale`.
    """

    def __init__(self, ours: Sequence[bool], own: Collection[int], seats: int, objective: Objective) -> None:
        #: By position, whether it plays for the side in question.
        self.ours = tuple(ours)
        #: The seats of that side, ascending.
        self.seats = tuple(sorted(own))
        others = seats - len(own)
        #: By seat, how much a point counts in the value.
        self.weights = [1 if seat in own else 0 for seat in range(seats)]
        self.scale = len(own)
        if objective == "margin":
            self.weights = [others if seat in own else -len(own) for seat in range(seats)]
            self.scale = len(own) * others

    @abstractmethod
    def moves(self, state: S) -> Sequence[int]:
        """Return legal actions one of which is best, those first that look best; at least one."""

    @abstractmethod
    def bounds(self, state: S) -> tuple[int, int, Hashable]:
        """Return, between two tricks, a lower and an upper bound of the value, and what of the past matters for it.

        At the end of the deal the two are the same.
        """

    @abstractmethod
    def key(self, state: S, past: Hashable) -> Hashable:
        """Return, between two tricks, what the value depends on: equal keys have equal values."""
