"""What a deal is worth from here if everyone plays at random: the measure of simple search bots."""

from operator import add
from random import Random

from farfalia_engine.integers import whole
from farfalia_engine.interfaces import State


def rollouts(state: State, n: int, seed: int) -> tuple[float, ...]:
    """Return the mean points of this deal by seat over `n` playouts; the same seed gives the same means.

    The state stays as it is. Raises ValueError if the match is over or `n` is not positive, TypeError if a number is no
    integer.

    >>> state = ruleset("four").new_match(Deals(bytes(32)))
    >>> rollouts(state, n=10, seed=1)
    (4.7, 5.3, 4.7, 5.3)
    """
    if whole("n", n) < 1:
        raise ValueError(f"{n} rollouts have no mean, expected at least 1")
    random = Random(whole("seed", seed))
    points = state.playout(random)
    for _ in range(n - 1):
        points = tuple(map(add, points, state.playout(random)))
    return tuple(total / n for total in points)
