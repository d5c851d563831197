"""Viewers of a live table, in a process of their own: `python -m farfalia_server.bench.web.viewers ADDRESS VIEWERS`.

It is told the number of a match on a line of its standard input: all viewers come to watch it, and when each has seen
something, it prints how many there are. A server lets only so many in at once; whom it refuses comes again, as pages
do. Told 0, they leave, and it prints as JSON when each event had come to the middle and to the slowest of 95 % of all
viewers: infinite if to fewer.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections import defaultdict
from collections.abc import Iterable
from contextlib import suppress
from math import inf
from urllib.parse import urlsplit

from farfalia_server.bench.processes import standard_input
from farfalia_server.net.measures import percentile

_LIMIT = 1 << 20
#: Seconds after which a viewer that was refused comes again, as in the script of the page.
_AGAIN = 5.0


class Crowd:
    """Viewers of the server at an address, who watch one match after another."""

    def __init__(self, address: str, viewers: int) -> None:
        place = urlsplit(address)
        self._host, self._port = place.hostname or "", place.port or 80
        self._viewers = viewers
        self._watching: list[asyncio.Task[None]] = []
        self._seen: dict[str, list[float]] = defaultdict(list)

    async def come(self, match: int) -> None:
        """Begin to watch a match; return when all have seen its first event."""
        came = [asyncio.Event() for _ in range(self._viewers)]
        self._watching = [asyncio.create_task(self._watch(match, one)) for one in came]
        for one in came:
            await one.wait()

    async def leave(self) -> dict[str, tuple[float, float]]:
        """Watch no longer; return of each event when it had come to the middle and to 95 % of all viewers."""
        for task in self._watching:
            task.cancel()
        await asyncio.gather(*self._watching, return_exceptions=True)
        seen, self._seen = self._seen, defaultdict(list)
        return {event: middle_and_slowest(times, self._viewers) for event, times in seen.items()}

    async def _watch(self, match: int, came: asyncio.Event) -> None:
        """Watch a match to its end."""
        while not came.is_set():
            with suppress(OSError):
                await self._read(match, came)
            if not came.is_set():
                await asyncio.sleep(_AGAIN)

    async def _read(self, match: int, came: asyncio.Event) -> None:
        """Note when each event has come, until they end or the server refuses to tell them."""
        reader, writer = await asyncio.open_connection(self._host, self._port, limit=_LIMIT)
        try:
            writer.write(f"GET /api/matches/{match}/events HTTP/1.1\r\nHost: {self._host}\r\n\r\n".encode())
            if b" 200 " not in await reader.readline():
                return
            while line := await reader.readline():
                if line.startswith(b"id: "):
                    self._seen[line[4:].strip().decode()].append(time.time())
                    came.set()
                elif line.startswith(b'data: {"type":"end"}'):
                    came.set()
                    return
        finally:
            writer.close()


def middle_and_slowest(times: Iterable[float], viewers: int) -> tuple[float, float]:
    """Return when something had come to half and to 95 % of so many viewers; those without a time never saw it."""
    came = list(times)
    came += [inf] * (viewers - len(came))
    return percentile(came, 0.5), percentile(came, 0.95)


async def _main(address: str, viewers: int) -> None:
    told, crowd = await standard_input(), Crowd(address, viewers)
    while line := await told.readline():
        if match := int(line):
            await crowd.come(match)
            print(viewers, flush=True)
        else:
            print(json.dumps(await crowd.leave()), flush=True)


if __name__ == "__main__":
    asyncio.run(_main(sys.argv[1], int(sys.argv[2])))
