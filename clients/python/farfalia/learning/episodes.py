"""What an episode is and what it pays, for every learning interface alike."""

from collections.abc import Sequence
from typing import Final

from farfalia_engine import State

#: An episode is a whole match, or its first deal.
HORIZONS: Final = ("match", "deal")
#: A seat is paid its points less the mean of all seats' points, so that the sum is zero; or its points.
REWARDS: Final = ("centred", "points")


def one_of(what: str, given: str, expected: Sequence[str]) -> str:
    """The value that was given; ValueError, naming what is expected, if it is another one."""
    if given not in expected:
        raise ValueError(f"{what} is {given!r}, expected one of: {', '.join(expected)}")
    return given


def play_forced(state: State) -> None:
    """Make all decisions that offer one answer only, up to one that offers more or to the end (F19)."""
    while len(legal := state.legal_actions()) == 1:
        state.apply(legal[0])


def rewards(points: Sequence[int], reward: str) -> list[float]:
    """What seats are paid that made these points, by `reward`, one of REWARDS."""
    mean = sum(points) / len(points) if reward == "centred" else 0.0
    return [each - mean for each in points]
