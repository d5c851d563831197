"""The figures that stand in for what cannot be run here; each row that has one says so.

All were taken on one machine, with the versions that are named: medians of five runs, with the least and the greatest.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from farfalia_tools.bench.intervals import Spread

#: The machine, and the rest that was the same for all.
MACHINE: Final = "2 cores of an AMD EPYC (KVM), Debian 12, Python 3.11.7, Node 20.20.2"


@dataclass(frozen=True, slots=True)
class LastMeasured:
    """Decisions a second, and milliseconds of CPU for a decision of everything that is not a bot."""

    version: str
    decisions_per_second: Spread
    cpu_ms: float


def _figures(version: str, median: float, least: float, greatest: float, cpu_ms: float) -> LastMeasured:
    return LastMeasured(version, Spread(median, least, greatest), cpu_ms)


#: By the names of loops, and of what is run by hand.
LAST: Final = {
    "jass": _figures("19e3ef8 of 2017", 3_150, 2_845, 3_523, 0.207),
    "jass-4": _figures("19e3ef8 of 2017", 3_757, 3_628, 4_252, 0.171),
    "battlesnake": _figures("87e094e of 2025", 3_312, 3_121, 3_646, 0.171),
    "pokerbots": _figures("6e4d119 of 2025", 4_370, 3_327, 5_270, 0.112),
    "acpc": _figures("8090860 of 2019", 10_872, 8_168, 11_895, 0.049),
    "acpc-4": _figures("8090860 of 2019", 31_630, 26_198, 32_023, 0.032),
    "kaggle-http": _figures("1.33.2", 99, 95, 108, 6.94),
    "kaggle": _figures("1.33.2", 217, 186, 224, 4.57),
    "openspiel-hearts": _figures("2.0.1", 194_200, 128_777, 199_452, 0.0051),
    "openspiel-oh-hell": _figures("2.0.1", 125_890, 104_447, 141_973, 0.0079),
    "openspiel-rl": _figures("2.0.1", 2_134, 1_708, 2_275, 0.469),
    "rlcard-holdem": _figures("1.2.0", 21_733, 21_733, 21_733, 0.046),
    "rlcard-bridge": _figures("1.2.0", 12_967, 12_967, 12_967, 0.077),
    "pettingzoo": _figures("1.27.0", 4_659, 4_258, 5_348, 0.215),
}
