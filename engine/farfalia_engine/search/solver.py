"""The end of a deal with open cards: what every action is worth if everyone plays his best from here."""

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any, Final

from farfalia_engine.actions import Kind
from farfalia_engine.errors import Unsolvable
from farfalia_engine.farfalia.endgame import FarfaliaEnding
from farfalia_engine.farfalia.state import FarfaliaState
from farfalia_engine.farrago.endgame import FarragoEnding
from farfalia_engine.farrago.state import FarragoState
from farfalia_engine.search.endgame import OBJECTIVES, Ending, Objective
from farfalia_engine.state import State

#: So many nodes are searched before `solve` gives up, unless it is told otherwise.
NODES: Final = 5_000_000
# Further than any worth.
_FAR = 1 << 30


@dataclass(frozen=True, slots=True)
class Solution:
    """What every legal action is worth, in points, to the side that is to decide."""

    #: The seats of that side, ascending.
    seats: tuple[int, ...]
    #: What the side is sure of after each legal action, actions ascending.
    values: dict[int, float]
    #: All actions that achieve the most, ascending.
    best: tuple[int, ...]
    #: Best actions of both parties to the end of the deal; of equally good ones always the lowest.
    line: tuple[int, ...]
    #: How many nodes were searched; a card that has to be played to a trick is none.
    nodes: int

    @property
    def value(self) -> float:
        """What the side is sure of."""
        return self.values[self.best[0]]


def solve(state: State, objective: Objective = "margin", limit: int = NODES) -> Solution:
    """Solve the deal from here, where a card is to be played or collected; all cards are open, and the state stays.

    With `margin` the side that is to decide plays for how far its players are ahead in this deal's points, their
    mean less the mean of all other players; with `points` for their own mean alone. Points count as they are
    scored, doubled ones too. All others play together to make that small. So a margin between two sides is
    exact; everything else is what the side can be sure of, whatever the others do, and more if they quarrel.

    Raises Unsolvable before the play, after the match, and if more than `limit` nodes would have to be
    searched; ValueError for another objective. The same state gives the same solution everywhere.
    """
    if objective not in OBJECTIVES:
        raise ValueError(f"there is no objective {objective!r}, expected one of: {', '.join(OBJECTIVES)}")
    if state.pending is None:
        raise Unsolvable("the match is over, there is nothing to solve")
    if state.pending.kind not in (Kind.PLAY, Kind.COLLECT):
        kind = state.pending.kind.name
        raise Unsolvable(f"the decision is {kind}, expected PLAY or COLLECT")
    ending = _ending(state, objective)
    search = _Search(ending, limit)
    start = state.clone()
    start.end_with_deal()
    worths = {action: search.worth(_after(start, action), -_FAR, _FAR) for action in start._legal}
    most = max(worths.values())
    return Solution(
        ending.seats,
        {action: worth / ending.scale for action, worth in worths.items()},
        tuple(action for action, worth in worths.items() if worth == most),
        search.line(start, most),
        search.nodes,
    )


def _ending(state: State, objective: Objective) -> Ending[Any]:
    if isinstance(state, FarfaliaState):
        return FarfaliaEnding(state, objective)
    assert isinstance(state, FarragoState)
    return FarragoEnding(state, objective)


def _after(state: State, action: int) -> State:
    other = state.clone()
    other.apply(action)
    return other


class _Search:
    """Alpha-beta, with a table of what is known between tricks."""

    def __init__(self, ending: Ending[Any], limit: int) -> None:
        self._ending = ending
        self._limit = limit
        self.nodes = 0
        # By key, the least and the most that it can be worth, as far as is known, and the move to try first.
        self._table: dict[Hashable, tuple[int, int, int]] = {}

    def worth(self, state: State, alpha: int, beta: int) -> int:
        """The worth of the state, which is used up: exact between alpha and beta, beyond them a bound (fail-soft)."""
        self.nodes += 1
        if self.nodes > self._limit:
            raise Unsolvable(f"the deal is too far from its end to be solved within {self._limit} nodes")
        while state._led >= 0 and len(state._legal) == 1:
            state.apply(state._legal[0])
        if state._led >= 0 and state.pending is not None:
            return self._try(state, alpha, beta, -1)[0]
        low, high, past = self._ending.bounds(state)
        if low == high or low >= beta:
            return low
        if high <= alpha:
            return high
        key = self._ending.key(state, past)
        known = self._table.get(key)
        move = -1
        if known is not None:
            low, high, move = known
            if low == high or low >= beta:
                return low
            if high <= alpha:
                return high
        alpha, beta = max(alpha, low), min(beta, high)
        worth, move = self._try(state, alpha, beta, move)
        self._table[key] = (low if worth <= alpha else worth, high if worth >= beta else worth, move)
        return worth

    def _try(self, state: State, alpha: int, beta: int, first: int) -> tuple[int, int]:
        """The worth, and a move that achieves it; `first` is tried before all others if it is a move."""
        assert state.pending is not None
        moves = self._ending.moves(state)
        if first in moves:
            moves = [first, *(move for move in moves if move != first)]
        ours = self._ending.ours[state.pending.position]
        best, best_move = -_FAR if ours else _FAR, -1
        last = moves[-1]
        for move in moves:
            # The last one needs no copy: this state is used up then.
            other = state if move == last else state.clone()
            other.apply(move)
            worth = self.worth(other, alpha, beta)
            if ours and worth > best:
                best, best_move = worth, move
                alpha = max(alpha, worth)
            elif not ours and worth < best:
                best, best_move = worth, move
                beta = min(beta, worth)
            if alpha >= beta:
                break
        return best, best_move

    def line(self, state: State, worth: int) -> tuple[int, ...]:
        """The lowest actions that keep to this worth, which is the state's, to the end of the deal."""
        line: list[int] = []
        while state.pending is not None:
            ours = self._ending.ours[state.pending.position]
            for action in state._legal:
                after = _after(state, action)
                if ours:
                    kept = self.worth(after.clone(), worth - 1, worth) >= worth
                else:
                    kept = self.worth(after.clone(), worth, worth + 1) <= worth
                if kept:
                    break
            line.append(action)
            state = after
        return tuple(line)
