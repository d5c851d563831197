"""Viewers of a live table, in a process of their own: `python -m farfalia_server.bench.web.viewers ADDRESS VIEWERS`.

It is told the number of a match on a line of its standard input, and lets all viewers watch it; told 0, they leave. For
each match it prints on one line, as JSON, when an event had come to the middle and to the slowest of 95 % of them.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections import defaultdict
from urllib.parse import urlsplit

from farfalia_server.bench.processes import standard_input
from farfalia_server.net.measures import percentile

_LIMIT = 1 << 20


async def _watch(host: str, port: int, match: int, seen: dict[str, list[float]]) -> None:
    """Read the events of a match until they end; note when each has come."""
    reader, writer = await asyncio.open_connection(host, port, limit=_LIMIT)
    try:
        writer.write(f"GET /api/matches/{match}/events HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
        while line := await reader.readline():
            if line.startswith(b"id: "):
                seen[line[4:].strip().decode()].append(time.time())
            elif line.startswith(b'data: {"type":"end"}'):
                return
    finally:
        writer.close()


async def _main(address: str, viewers: int) -> None:
    place = urlsplit(address)
    told = await standard_input()
    watching: list[asyncio.Task[None]] = []
    seen: dict[str, list[float]] = defaultdict(list)
    while line := await told.readline():
        for task in watching:
            task.cancel()
        await asyncio.gather(*watching, return_exceptions=True)
        came = {event: [percentile(times, 0.5), percentile(times, 0.95)] for event, times in seen.items()}
        print(json.dumps(came), flush=True)
        seen = defaultdict(list)
        match = int(line)
        count = viewers if match else 0
        watching = [
            asyncio.create_task(_watch(place.hostname or "", place.port or 80, match, seen)) for _ in range(count)
        ]


if __name__ == "__main__":
    asyncio.run(_main(sys.argv[1], int(sys.argv[2])))
