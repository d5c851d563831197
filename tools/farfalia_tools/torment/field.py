"""A tournament of honest bots, and the same with a quarter of all bots hostile."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

from farfalia.v1 import matches_pb2
from farfalia_tools.torment.catalogue import torment
from farfalia_tools.torment.harness import Harness, TormentBot
from farfalia_tools.torment.honest_process import HonestProcess, honest_bots
from farfalia_tools.torment.hostile_bots import TRICKS, be_hostile
from farfalia_tools.torment.pace import MEMORY, RESIDENT, mib, no_strikes
from farfalia_tools.torment.stream import DidNotHold

#: Milliseconds for a decision; an honest bot needs a few, and a silent one loses its seat after one of these.
_LIMIT_MS = 5000
#: Honest bots to each hostile one.
_HONEST = 3
#: How often the server's measures are read, seconds.
_LOOK = 1.0
#: By how many times the p99 of the overhead may grow, below how many milliseconds nothing is compared, and how many
#: answers it is computed from.
_GROWS, _TOO_SHORT_MS, _WINDOW = 2.0, 1.0, 8192

_P99 = 'farfalia_overhead_seconds{quantile="0.99",stage="ready"}'
_QUESTIONS = "farfalia_questions_total"


@dataclass(frozen=True)
class _Measurement:
    """What the server measured while a tournament was played; NaN for what it does not show."""

    p99_ms: float
    resident: float
    questions: float


@torment
async def field(harness: Harness) -> str:
    """Play a tournament of honest bots, then one with a quarter of all bots hostile.

    Every match ends, no honest bot has a strike or loses its seat, the p99 of the server's overhead at most doubles,
    and its memory grows by less than 128 MiB.
    """
    honest = [await harness.bot() for _ in range(harness.bots)]
    hostile = [await harness.bot() for _ in range(math.ceil(harness.bots / _HONEST))]
    tricks = [TRICKS[at % len(TRICKS)] for at in range(len(hostile))]
    async with honest_bots(harness.address, honest) as process:
        alone, _ = await _tournament(harness, honest, honest, process)
        hostile_bots = [
            asyncio.create_task(be_hostile(harness, bot, trick)) for bot, trick in zip(hostile, tricks, strict=True)
        ]
        try:
            together, matches = await _tournament(harness, [*honest, *hostile], honest, process)
        finally:
            for task in hostile_bots:
                task.cancel()
            with suppress(asyncio.CancelledError):
                await asyncio.gather(*hostile_bots, return_exceptions=True)
    _check(harness, alone, together)
    return (
        f"{matches} matches with {len(hostile)} of {len(honest) + len(hostile)} bots hostile ended without a strike of "
        f"an honest one; p99 of the overhead {alone.p99_ms:.1f} ms without them and {together.p99_ms:.1f} ms with "
        f"them, after {alone.questions:.0f} and {together.questions:.0f} questions; memory {mib(alone.resident)} and "
        f"at most {mib(together.resident)}"
    )


async def _tournament(
    harness: Harness, bots: Sequence[TormentBot], honest: Sequence[TormentBot], process: HonestProcess
) -> tuple[_Measurement, int]:
    """Play a tournament and check its matches; return what was measured, and how many matches there were."""
    rounds = max(1, math.ceil(harness.tables / max(1, len(bots) // 4)))
    before = await harness.metrics()
    number = await harness.match(*bots, limit_ms=_LIMIT_MS, grace=0, rounds=rounds)
    over = asyncio.create_task(harness.over(number))
    resident = before.get(RESIDENT, math.nan)
    try:
        while not (await asyncio.wait({over}, timeout=_LOOK))[0]:
            await process.check()
            resident = max(resident, (await harness.metrics()).get(RESIDENT, math.nan))
        await over
    finally:
        over.cancel()
    after = await harness.metrics()
    questions = after.get(_QUESTIONS, math.nan) - before.get(_QUESTIONS, math.nan)
    matches = await _check_matches(harness, number, {bot.name for bot in honest})
    return _Measurement(after.get(_P99, math.nan) * 1000, resident, questions), matches


async def _check_matches(harness: Harness, number: int, honest: set[str]) -> int:
    """Check that all matches were finished, and that no honest bot had a strike; return how many there were."""
    matches = [match async for match in harness.arena.all_matches(tournament=number)]
    for match in matches:
        if match.state != matches_pb2.MATCH_STATE_FINISHED:
            raise DidNotHold(f"match {match.id} is {matches_pb2.MatchState.Name(match.state)}")
        await no_strikes(harness, match.id, honest)
    return len(matches)


def _check(harness: Harness, alone: _Measurement, together: _Measurement) -> None:
    grown = together.resident - alone.resident
    if grown > MEMORY:
        raise DidNotHold(f"the server's memory grew by {grown / 2**20:.0f} MiB")
    enough = min(alone.questions, together.questions) >= _WINDOW
    allowed = max(alone.p99_ms, _TOO_SHORT_MS) * _GROWS
    if harness.judge_times and enough and together.p99_ms > allowed:
        raise DidNotHold(f"the p99 of the overhead grew from {alone.p99_ms:.1f} to {together.p99_ms:.1f} ms")
