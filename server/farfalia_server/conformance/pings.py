"""Pings at regular intervals, and whether each is answered in time."""

from __future__ import annotations

import asyncio
from typing import Final

from farfalia.v1 import play_pb2
from farfalia_server.contract.clauses import PONG_IN_TIME, Finding
from farfalia_server.hosting.relay import Relay

#: Seconds between two pings, and after how many of these intervals an answer counts as missed.
INTERVAL: Final = 5.0
_INTERVALS: Final = 3


class Pings:
    """The pings that were sent on the newest stream, and what became of them."""

    interval_ms: Final = round(INTERVAL * 1000)

    def __init__(self) -> None:
        self._nonce = 0
        #: When each that waits for its pong was sent.
        self._waiting: dict[int, float] = {}
        self._answered = asyncio.Event()
        self.answered = 0
        self.late: list[Finding] = []

    async def send(self, relay: Relay) -> None:
        """Ping from now on, without end."""
        while True:
            await asyncio.sleep(INTERVAL)
            if relay.has_stream:
                relay.send(self.next())
                self._give_up()

    def next(self) -> play_pb2.PlayResponse:
        """Return a message with a ping, which has to be answered."""
        self._nonce += 1
        self._waiting[self._nonce] = asyncio.get_running_loop().time()
        self._answered.clear()
        return play_pb2.PlayResponse(ping=play_pb2.Ping(nonce=self._nonce))

    def note(self, nonce: int) -> None:
        """Note a pong: it answers all pings up to its own."""
        if nonce not in self._waiting:
            return
        self._give_up()
        self._waiting = {number: sent for number, sent in self._waiting.items() if number > nonce}
        self.answered += 1
        if not self._waiting:
            self._answered.set()

    def forget(self) -> None:
        """Expect no pong on a stream that is gone."""
        self._waiting.clear()

    async def all_answered(self) -> bool:
        """Wait until nothing waits for its pong, for as long as a pong may take; return whether that came."""
        try:
            async with asyncio.timeout(INTERVAL * _INTERVALS):
                await self._answered.wait()
        except TimeoutError:
            return False
        return True

    def _give_up(self) -> None:
        now, allowed = asyncio.get_running_loop().time(), INTERVAL * _INTERVALS
        for nonce, sent in list(self._waiting.items()):
            if now - sent > allowed:
                del self._waiting[nonce]
                self.late.append(Finding(f"it had not answered a ping within {allowed:g} seconds", PONG_IN_TIME))
