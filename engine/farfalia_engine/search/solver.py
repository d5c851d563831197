"""The double-dummy solver: the value of every action if all play their best to the end of the deal."""

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any, Final

from farfalia_engine.actions import Kind
from farfalia_engine.errors import Unsolvable
from farfalia_engine.integers import whole
from farfalia_engine.interfaces import State
from farfalia_engine.search.endgame import OBJECTIVES, EndgameModel, Objective

#: `solve` gives up after this number of nodes by default.
NODE_LIMIT: Final = 5_000_000
#: Beyond any value.
_INFINITY = 1 << 30


@dataclass(frozen=True, slots=True)
class Solution:
    """The value of every legal action, in points, to the side that is to decide.

    >>> Solution((0, 2), {3: 1.0, 9: -2.0}, best=(3,), pv=(3,), nodes=5).value
    1.0
    """

    #: The seats of that side, ascending.
    seats: tuple[int, ...]
    #: What the side is sure of after each legal action, actions ascending.
    values: dict[int, float]
    #: All actions that achieve the most, ascending.
    best: tuple[int, ...]
    #: The principal variation: best actions of both sides to the end of the deal, of equally good ones the lowest.
    pv: tuple[int, ...]
    #: How many nodes were searched; a card that has to be played to a trick is none.
    nodes: int

    @property
    def value(self) -> float:
        """What the side is sure of."""
        return self.values[self.best[0]]


def solve(state: State, objective: Objective = "margin", node_limit: int = NODE_LIMIT) -> Solution:
    """Solve the deal from here, where a card is to be played or collected; all cards are open, and the state stays.

    With `margin` the side that is to decide plays for how far its players are ahead in this deal's points, their
    mean less the mean of all other players; with `points` for their own mean alone. Points count as they are
    scored, doubled ones too. All others play together to make that small. So a margin between two sides is
    exact; everything else is what the side can be sure of, whatever the others do, and more if they quarrel.

    Raises Unsolvable before the play, after the match, and if more than `node_limit` nodes would have to be
    searched; ValueError for another objective, TypeError if the limit is no integer. The same state gives the same
    solution everywhere.

    >>> state = ruleset("four").new_match(Deals(bytes(32)))
    >>> while len(state.plays) < 48:
    ...     state.apply(state.legal_actions()[0])
    >>> solution = solve(state)
    >>> solution.best == tuple(a for a, v in solution.values.items() if v == solution.value)
    True
    """
    if objective not in OBJECTIVES:
        raise ValueError(f"there is no objective {objective!r}, expected one of: {', '.join(OBJECTIVES)}")
    node_limit = whole("node_limit", node_limit)
    if state.pending is None:
        raise Unsolvable("the match is over, there is nothing to solve")
    if state.pending.kind not in (Kind.PLAY, Kind.COLLECT):
        kind = state.pending.kind.name
        raise Unsolvable(f"the decision is {kind}, expected PLAY or COLLECT")
    model: EndgameModel[Any] = state.rules.game.endgame(state, objective)
    search = _Search(model, node_limit)
    start = state.clone()
    start.end_with_deal()
    values = {action: search.value(_after(start, action), -_INFINITY, _INFINITY) for action in start._legal}
    most = max(values.values())
    return Solution(
        model.seats,
        {action: value / model.scale for action, value in values.items()},
        tuple(action for action, value in values.items() if value == most),
        search.pv(start, most),
        search.nodes,
    )


def _after(state: State, action: int) -> State:
    other = state.clone()
    other.apply(action)
    return other


class _Search:
    """Alpha-beta with a transposition table, which holds positions between tricks."""

    def __init__(self, model: EndgameModel[Any], node_limit: int) -> None:
        self._model = model
        self._node_limit = node_limit
        self.nodes = 0
        # By key, a lower and an upper bound of the value, and the hash move.
        self._transpositions: dict[Hashable, tuple[int, int, int]] = {}

    def value(self, state: State, alpha: int, beta: int) -> int:
        """Return the value of the state, which is used up: exact within alpha and beta, else a bound (fail-soft)."""
        self.nodes += 1
        if self.nodes > self._node_limit:
            raise Unsolvable(f"the deal is too far from its end to be solved within {self._node_limit} nodes")
        while state.mid_trick and len(state._legal) == 1:
            state.apply(state._legal[0])
        if state.mid_trick and state.pending is not None:
            return self._try(state, alpha, beta, -1)[0]
        low, high, past = self._model.bounds(state)
        if low == high or low >= beta:
            return low
        if high <= alpha:
            return high
        key = self._model.key(state, past)
        known = self._transpositions.get(key)
        move = -1
        if known is not None:
            low, high, move = known
            if low == high or low >= beta:
                return low
            if high <= alpha:
                return high
        alpha, beta = max(alpha, low), min(beta, high)
        value, move = self._try(state, alpha, beta, move)
        self._transpositions[key] = (low if value <= alpha else value, high if value >= beta else value, move)
        return value

    def _try(self, state: State, alpha: int, beta: int, hash_move: int) -> tuple[int, int]:
        """Return the value, and a move that achieves it; the hash move is tried first if it is a move."""
        assert state.pending is not None
        moves = self._model.moves(state)
        if hash_move in moves:
            moves = [hash_move, *(move for move in moves if move != hash_move)]
        ours = self._model.ours[state.pending.position]
        best, best_move = -_INFINITY if ours else _INFINITY, -1
        last = moves[-1]
        for move in moves:
            # The last one needs no copy: this state is used up then.
            other = state if move == last else state.clone()
            other.apply(move)
            value = self.value(other, alpha, beta)
            if ours and value > best:
                best, best_move = value, move
                alpha = max(alpha, value)
            elif not ours and value < best:
                best, best_move = value, move
                beta = min(beta, value)
            if alpha >= beta:
                break
        return best, best_move

    def pv(self, state: State, value: int) -> tuple[int, ...]:
        """Return the lowest actions that keep to this value, which is the state's, to the end of the deal."""
        pv: list[int] = []
        while state.pending is not None:
            ours = self._model.ours[state.pending.position]
            for action in state._legal:
                after = _after(state, action)
                if ours:
                    kept = self.value(after.clone(), value - 1, value) >= value
                else:
                    kept = self.value(after.clone(), value, value + 1) <= value
                if kept:
                    break
            pv.append(action)
            state = after
        return tuple(pv)
