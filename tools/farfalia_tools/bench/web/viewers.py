"""Viewers of a live table, in a process of their own: `python -m farfalia_tools.bench.web.viewers ADDRESS VIEWERS`.

Each line of its standard input is the number of a match. All viewers connect to watch that match, and once each has
seen something, the process prints how many there are. A server refuses some of those who connect at the same moment;
they try again, as pages do. After a 0 all viewers leave, and the process prints, as JSON, when half and when 95 % of
them had seen each event: infinite if fewer did.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from contextlib import suppress
from math import inf
from typing import Final, cast
from urllib.parse import urlsplit

from farfalia_server.net import event_loop
from farfalia_server.net.measures import percentile
from farfalia_tools.bench.processes import standard_input

#: Seconds after which a viewer that was refused comes again, as in the script of the page.
_AGAIN = 5.0
_ID: Final = b"\nid: "
#: Bytes that are kept of what came before: more than an id and its line.
_KEPT: Final = 64


class _Viewer(asyncio.Protocol):
    """A viewer of a match. It notes what was the newest event of each part that came, and reads nothing else.

    Real viewers have machines of their own. These share one with the server, and would take more of it than the server
    does if they read every line.
    """

    def __init__(self, request: bytes) -> None:
        self._request = request
        self._rest = b""
        self._is_let_in = False
        #: The newest events so far, by attempt and number, and when they came.
        self.newest: list[tuple[int, int]] = []
        self.times: list[float] = []
        #: Set once it has seen something, and once it watches no longer.
        self.came, self.left = asyncio.Event(), asyncio.Event()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Ask for the events."""
        self._transport = cast(asyncio.Transport, transport)
        self._transport.write(self._request)

    def data_received(self, data: bytes) -> None:
        """Note the newest event, until they end or the server refuses to tell them."""
        text = self._rest + data
        if not self._is_let_in:
            status, line_end, _ = text.partition(b"\r\n")
            self._is_let_in = b" 200 " in status
            if line_end and not self._is_let_in:
                self._transport.abort()
        if (newest := _newest(text)) is not None and newest not in self.newest[-1:]:
            self.newest.append(newest)
            self.times.append(time.time())
            self.came.set()
        if b'data: {"type":"end"}' in text:
            self.came.set()
            self._transport.abort()
        self._rest = text[-_KEPT:] if self._is_let_in else text

    def connection_lost(self, error: Exception | None) -> None:
        """Let who waits for it go on."""
        self.left.set()

    def leave(self) -> None:
        """Watch no longer."""
        self._transport.abort()

    def seen(self, event: tuple[int, int]) -> Iterator[float]:
        """Yield when an event came, if it did."""
        place = bisect_left(self.newest, event)
        if place < len(self.newest) and self.newest[place][0] == event[0]:
            yield self.times[place]


class Crowd:
    """Viewers of the server at an address, who watch one match after another."""

    def __init__(self, address: str, viewers: int) -> None:
        place = urlsplit(address)
        self._host, self._port = place.hostname or "", place.port or 80
        self._viewers = viewers
        self._watching: list[_Viewer] = []

    async def come(self, match: int) -> None:
        """Begin to watch a match; return when all have seen its first event."""
        self._watching = list(await asyncio.gather(*(self._come(match) for _ in range(self._viewers))))

    async def leave(self) -> dict[str, tuple[float, float]]:
        """Watch no longer; return when half and when 95 % of all viewers had seen each event."""
        crowd, self._watching = self._watching, []
        for viewer in crowd:
            viewer.leave()
        for viewer in crowd:
            await viewer.left.wait()
        last: dict[int, int] = {}
        for attempt, number in (event for viewer in crowd for event in viewer.newest):
            last[attempt] = max(number, last.get(attempt, 0))
        events = [(attempt, number) for attempt, most in last.items() for number in range(1, most + 1)]
        return {
            f"{attempt}.{number}": middle_and_slowest(
                (at for viewer in crowd for at in viewer.seen((attempt, number))), self._viewers
            )
            for attempt, number in events
        }

    async def _come(self, match: int) -> _Viewer:
        """Return a viewer that was let in and has seen something."""
        request = f"GET /api/matches/{match}/events HTTP/1.1\r\nHost: {self._host}\r\n\r\n".encode()
        loop = asyncio.get_running_loop()
        while True:
            with suppress(OSError):
                _, viewer = await loop.create_connection(lambda: _Viewer(request), self._host, self._port)
                waits = [asyncio.create_task(viewer.came.wait()), asyncio.create_task(viewer.left.wait())]
                await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
                for wait in waits:
                    wait.cancel()
                if viewer.came.is_set():
                    return viewer
            await asyncio.sleep(_AGAIN)


def _newest(text: bytes) -> tuple[int, int] | None:
    """Return attempt and number of the last event whose id is in the text as a whole line."""
    end = len(text)
    while (start := text.rfind(_ID, 0, end)) >= 0:
        id, line_end, _ = text[start + len(_ID) :].partition(b"\n")
        if line_end:
            attempt, _, number = id.partition(b".")
            return int(attempt), int(number)
        end = start
    return None


def middle_and_slowest(times: Iterable[float], viewers: int) -> tuple[float, float]:
    """Return when half and when 95 % of the viewers had seen something; viewers without a time never saw it."""
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
    event_loop.run(_main(sys.argv[1], int(sys.argv[2])))
