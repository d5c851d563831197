"""The cooling schedule of simulated annealing, the same to the last bit on every machine."""

from collections.abc import Iterator
from typing import Final

#: Moves tried at one temperature.
SWEEP: Final = 500
#: The highest rise of the cost that may be accepted.
_RISES: Final = 64
#: exp(-x) is computed as (1 + x / 2^n)^(-2^n) with this n.
_SQUARINGS: Final = 10


def acceptances(moves: int, hot: float, cold: float) -> Iterator[list[float]]:
    """Yield for each sweep the probabilities with which a move that costs 0, 1, 2 … more is accepted.

    That is the Metropolis criterion, exp(-rise / temperature). Costs are whole numbers, so a short list is enough; a
    rise beyond its end is never accepted. The temperature falls linearly from hot to cold.
    """
    sweeps = max(1, moves // SWEEP)
    for sweep in range(sweeps):
        yield _acceptance(hot + (cold - hot) * sweep / sweeps)


def _acceptance(temperature: float) -> list[float]:
    # exp(-1 / temperature) from divisions and products alone: the C library's exp may differ in the last bit
    # from machine to machine, and one decision taken otherwise makes another schedule.
    unit = 1.0 / (1.0 + 1.0 / (temperature * (1 << _SQUARINGS)))
    for _ in range(_SQUARINGS):
        unit *= unit
    acceptance = [1.0]
    for _ in range(_RISES):
        acceptance.append(acceptance[-1] * unit)
    return acceptance
