"""The benchmarks behind the marked blocks, with the sizes and seeds that the documents name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from tests.figures import measured, noise_of_games
from tests.figures.measured import Blocks

from farfalia_engine import GAMES
from farfalia_tools.bench import analysis, collusion, pairing
from farfalia_tools.bench.calibration import benchmark as calibration
from farfalia_tools.bench.calibration import looks
from farfalia_tools.bench.calibration.tournaments import Format
from farfalia_tools.bench.fairness import benchmark as fairness
from farfalia_tools.bench.luck import benchmark as luck
from farfalia_tournaments.schedules import Boards

#: A short format, for a trial.
_SHORT: Final = (Format(5, 5, 3, Boards.FRESH),)
_BOTH: Final = (pairing.LADDER, pairing.LOT)
#: Bots, matches of a ladder that is watched for long, and who is seated; 3,000 bots take seven minutes each time.
_LONG: Final = (
    (30, 100_000, _BOTH),
    (300, 150_000, _BOTH),
    (3_000, 1_600_000, (pairing.LADDER,)),
)


def _fairness(quick: bool, processes: int | None) -> Blocks:
    sizes = {5: 30, 6: 30} if quick else fairness.MATCHES
    return measured.fairness(fairness.run(1 if quick else 4, 1, sizes, processes))


def _luck(quick: bool, processes: int | None) -> Blocks:
    scenes = [scene for scene in luck.SCENES if scene[0] == "even"] if quick else luck.SCENES
    return measured.luck(luck.run(60 if quick else 600, 1, scenes, processes=processes))


def _noise(quick: bool, processes: int | None) -> Blocks:
    return measured.noise(
        noise_of_games.run(["two"], 1, processes) if quick else noise_of_games.run(processes=processes)
    )


def _calibration(quick: bool, processes: int | None) -> Blocks:
    scale = calibration.Scale(1, 6, _SHORT, _SHORT) if quick else calibration.Scale(30, 80)
    return measured.calibration(calibration.run(scale, 1, processes=processes))


def _looks(quick: bool, processes: int | None) -> Blocks:
    formats = _SHORT if quick else looks.FORMATS
    return measured.looks(looks.run(1 if quick else 30, 1, formats=formats, processes=processes))


def _collusion(quick: bool, processes: int | None) -> Blocks:
    return measured.collusion(collusion.run(1 if quick else 20, 30 if quick else 400, 1, processes))


def _pairing(quick: bool, processes: int | None) -> Blocks:
    return measured.pairing(pairing.run(12, 200, 1) if quick else pairing.run())


def _long_pairing(quick: bool, processes: int | None) -> Blocks:
    sizes = ((12, 400, _BOTH),) if quick else _LONG
    return measured.long_pairing(
        [row for bots, matches, seating in sizes for row in pairing.run(bots, matches, 1, policies=seating)]
    )


def _analysis(quick: bool, processes: int | None) -> Blocks:
    del processes  # one after the other
    return measured.analysis(analysis.run(["two"], 4, 8, 8) if quick else analysis.run(sorted(GAMES), 60, 128, 1000))


@dataclass(frozen=True, slots=True)
class Bench:
    """A benchmark, and the names of the blocks that it measures.

    `measure` takes whether a quick trial is enough, and how many processes there are, None for one on each core.
    """

    names: tuple[str, ...]
    measure: Callable[[bool, int | None], Blocks]


BENCHES: Final[Mapping[str, Bench]] = {
    "fairness": Bench(("fairness",), _fairness),
    "luck": Bench(("luck",), _luck),
    "noise": Bench(("noise",), _noise),
    "calibration": Bench(("calibration-pairs", "calibration-intervals"), _calibration),
    "looks": Bench(("looks",), _looks),
    "pairing": Bench(("pairing",), _pairing),
    "long-pairing": Bench(("pairing-long",), _long_pairing),
    "collusion": Bench(("collusion",), _collusion),
    "analysis": Bench(("analysis",), _analysis),
}
