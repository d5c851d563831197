"""The benchmarks behind the marked blocks, with the sizes and seeds that the documents name."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tests.figures import measured, noise_of_games
from tests.figures.measured import Blocks

from farfalia_engine import GAMES
from farfalia_server.records.house_bot import ITERATIONS
from farfalia_tools.bench import analysis, collusion, pairing, rungs
from farfalia_tools.bench.calibration import benchmark as calibration
from farfalia_tools.bench.calibration import looks
from farfalia_tools.bench.calibration.tournaments import Format
from farfalia_tools.bench.fairness import benchmark as fairness
from farfalia_tools.bench.luck import benchmark as luck
from farfalia_tools.bench.peers import benchmark as peers
from farfalia_tournaments.schedules import Boards

#: The benchmark that writes game by game.
RUNGS: Final = "rungs"
#: A short format, for a trial.
_SHORT: Final = (Format(5, 5, 3, Boards.FRESH),)
_BOTH: Final = (pairing.LADDER, pairing.LOT)
#: Bots, matches of a ladder that is watched for long, and who is seated; 3,000 bots take seven minutes each time.
_LONG: Final = (
    (30, 100_000, _BOTH),
    (300, 150_000, _BOTH),
    (3_000, 1_600_000, (pairing.LADDER,)),
)


@dataclass(frozen=True, slots=True)
class Asked:
    """What is to be measured."""

    #: Whether a trial of seconds is enough.
    quick: bool = False
    #: How many compute at once; None for one on each core.
    processes: int | None = None
    #: For benchmarks that write game by game: which games, all if there are none, and how many deals.
    games: Sequence[str] = ()
    deals: int | None = None


def _fairness(asked: Asked) -> Blocks:
    sizes = {5: 30, 6: 30} if asked.quick else fairness.MATCHES
    return measured.fairness(fairness.run(1 if asked.quick else 4, 1, sizes, asked.processes))


def _luck(asked: Asked) -> Blocks:
    scenes = [scene for scene in luck.SCENES if scene[0] == "even"] if asked.quick else luck.SCENES
    return measured.luck(luck.run(60 if asked.quick else 600, 1, scenes, processes=asked.processes))


def _noise(asked: Asked) -> Blocks:
    return measured.noise(
        noise_of_games.run(["two"], 1, asked.processes)
        if asked.quick
        else noise_of_games.run(processes=asked.processes)
    )


def _calibration(asked: Asked) -> Blocks:
    scale = calibration.Scale(1, 6, _SHORT, _SHORT) if asked.quick else calibration.Scale(30, 80)
    return measured.calibration(calibration.run(scale, 1, processes=asked.processes))


def _looks(asked: Asked) -> Blocks:
    formats = _SHORT if asked.quick else looks.FORMATS
    return measured.looks(looks.run(1 if asked.quick else 30, 1, formats=formats, processes=asked.processes))


def _collusion(asked: Asked) -> Blocks:
    drawn = collusion.run(
        1 if asked.quick else 20, 30 if asked.quick else 400, 1, asked.processes, fields=tuple(collusion.FIELDS)
    )
    (played,) = collusion.run(
        1 if asked.quick else 34,
        seed=1,
        processes=asked.processes,
        played=2 if asked.quick else 20,
        fields=(collusion.PLAYED,),
    )
    return measured.collusion(drawn, played)


def _pairing(asked: Asked) -> Blocks:
    return measured.pairing(pairing.run(12, 200, 1) if asked.quick else pairing.run())


def _long_pairing(asked: Asked) -> Blocks:
    sizes = ((12, 400, _BOTH),) if asked.quick else _LONG
    return measured.long_pairing(
        [row for bots, matches, seating in sizes for row in pairing.run(bots, matches, 1, policies=seating)]
    )


def _analysis(asked: Asked) -> Blocks:
    return measured.analysis(
        analysis.run(["two"], 4, 8, 8) if asked.quick else analysis.run(sorted(GAMES), 60, 128, 1000)
    )


def _rungs(asked: Asked) -> Iterator[Blocks]:
    games = asked.games or (["two"] if asked.quick else sorted(GAMES))
    deals, iterations = (asked.deals or 4, 4) if asked.quick else (asked.deals or 120, ITERATIONS)
    for rows in rungs.run(games, deals, iterations, processes=asked.processes):
        yield measured.rungs(rows)


def _peers(asked: Asked) -> Blocks:
    # A trial installs nothing: what this environment has not stays as it was measured last.
    measuring = peers.run(peers.QUICK, python=Path(sys.executable)) if asked.quick else peers.run()
    return measured.peers(asyncio.run(measuring))


@dataclass(frozen=True, slots=True)
class Bench:
    """A benchmark, and the names of the blocks that it measures.

    One that yields its blocks game by game has only the rows of that game in each: they take the place of those before.
    """

    names: tuple[str, ...]
    measure: Callable[[Asked], Blocks | Iterator[Blocks]]
    #: Whether its figures are those of a machine and an hour: then it runs only if it is asked for by name.
    by_name: bool = False


BENCHES: Final[Mapping[str, Bench]] = {
    "fairness": Bench(("fairness",), _fairness),
    "luck": Bench(("luck",), _luck),
    "noise": Bench(("noise",), _noise),
    "calibration": Bench(("calibration-pairs", "calibration-intervals"), _calibration),
    "looks": Bench(("looks",), _looks),
    "pairing": Bench(("pairing",), _pairing),
    "long-pairing": Bench(("pairing-long",), _long_pairing),
    "collusion": Bench(("collusion", "collusion-played"), _collusion),
    "analysis": Bench(("analysis",), _analysis),
    RUNGS: Bench((RUNGS,), _rungs),
    "peers": Bench(("peers",), _peers, by_name=True),
}
