"""Honest bots that play on whatever else happens, and the pace that they keep."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from farfalia.v1 import matches_pb2
from farfalia_tools.torment.harness import Harness, TormentBot
from farfalia_tools.torment.honest_process import HonestProcess, honest_bots
from farfalia_tools.torment.stream import DidNotHold

#: Seconds for which the pace is measured, each time, and before that until it is steady; and the share of both that
#: is enough where times are not judged.
_WINDOW, _STEADY, _UNJUDGED = 6.0, 3.0, 0.3
#: What the honest bots must keep of their pace.
_KEPT = 0.5
#: Matches of a tournament that is not over meanwhile, and its options: matches of some hundred decisions.
_MATCHES, _OPTIONS = 320, {"hands": "8"}
#: How many of them a bot plays at a time.
_AT_A_TIME = 8
#: Milliseconds for a decision, of which an honest bot needs a few, so that a strike means that it was kept from it.
_LIMIT_MS = 5000
#: Seconds between two looks at the matches.
_LOOK = 1.0
#: Bytes by which the server's memory may grow under what is hostile.
MEMORY = 128 << 20
#: What the server calls it.
RESIDENT = "process_resident_memory_bytes"


class HonestPlay:
    """A tournament of honest bots that is under way."""

    def __init__(self, harness: Harness, bots: Sequence[TormentBot], number: int, process: HonestProcess) -> None:
        self.bots, self.number = bots, number
        self._ground, self._process = harness, process
        self._share = 1.0 if harness.judge_times else _UNJUDGED

    async def pace(self) -> float:
        """Return how many decisions a second the bots make, when what has just begun or ended shows."""
        await asyncio.sleep(_STEADY * self._share)
        began, first = time.monotonic(), await self._process.decisions()
        await asyncio.sleep(_WINDOW * self._share)
        last = await self._process.decisions()
        return (last - first) / (time.monotonic() - began)

    async def decisions(self) -> int:
        """Return how many decisions the bots have made so far."""
        return await self._process.decisions()

    async def begun(self) -> None:
        """Wait until the bots play; DidNotHold if they do not begin."""
        deadline = time.monotonic() + self._ground.patience
        while not await self._process.decisions():
            if time.monotonic() > deadline:
                raise DidNotHold(f"after {self._ground.patience:g} s the honest bots have not decided anything")
            await asyncio.sleep(0.1)

    async def check(self) -> int:
        """Wait for the end of the matches that are in play now, and return how many have ended.

        DidNotHold if a match was void, or an honest bot had a strike.
        """
        matches = await self._matches()
        playing = {number for number, state in matches.items() if state == matches_pb2.MATCH_STATE_RUNNING}
        decisions, deadline = 0, 0.0
        while any(matches[number] == matches_pb2.MATCH_STATE_RUNNING for number in playing):
            if (now := await self._process.decisions()) > decisions:
                decisions, deadline = now, time.monotonic() + self._ground.patience
            if time.monotonic() > deadline:
                raise DidNotHold(f"for {self._ground.patience:g} s the honest bots have not decided anything")
            await asyncio.sleep(_LOOK)
            matches = await self._matches()
        for number, state in matches.items():
            if state == matches_pb2.MATCH_STATE_VOID:
                raise DidNotHold(f"match {number} is void")
        ended = [number for number, state in matches.items() if state == matches_pb2.MATCH_STATE_FINISHED]
        for number in ended:
            await no_strikes(self._ground, number, {bot.name for bot in self.bots})
        return len(ended)

    async def _matches(self) -> dict[int, matches_pb2.MatchState]:
        """Return the matches of the tournament with their states."""
        return {match.id: match.state async for match in self._ground.arena.all_matches(tournament=self.number)}


@asynccontextmanager
async def honest_play(harness: Harness, address: str, matches: int = _MATCHES) -> AsyncIterator[HonestPlay]:
    """Have honest bots play that reach the server at an address, that many matches at most."""
    bots = [await harness.bot() for _ in range(harness.bots)]
    async with honest_bots(address, bots, _AT_A_TIME) as process:
        number = await harness.match(
            *bots, limit_ms=_LIMIT_MS, rounds=math.ceil(matches / max(1, len(bots) // 4)), options=_OPTIONS
        )
        play = HonestPlay(harness, bots, number, process)
        await play.begun()
        yield play


async def no_strikes(harness: Harness, match: int, honest: set[str]) -> None:
    """Raise DidNotHold if one of these bots had a strike in a match that is over."""
    record = (await harness.arena.get_record(match=match)).record
    for incident in record.incidents:
        name = record.seats[incident.seat].name
        if name in honest:
            raise DidNotHold(f"{name}, an honest bot, had a strike in match {match}: {incident.text}")


async def resident(harness: Harness) -> float:
    """Return the bytes of memory that the server has; NaN if it does not say."""
    return (await harness.metrics()).get(RESIDENT, math.nan)


def mib(size: float) -> str:
    """Return a size in bytes as text."""
    return "unknown" if math.isnan(size) else f"{size / 2**20:.0f} MiB"


def is_kept(harness: Harness, before: float, during: float, after: float) -> bool:
    """Return whether the bots kept their pace; where times are not judged, whether they played at all."""
    return during > 0 and (not harness.judge_times or during >= _KEPT * (before + after) / 2)
