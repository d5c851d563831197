"""A process of a handed-in program: what it says goes to the match that it serves, which may change."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Iterable
from pathlib import Path
from typing import Final, Protocol

from farfalia.v1 import play_pb2
from farfalia_server.hosting.installed import MATCH_CPU, Installed, Launch
from farfalia_server.hosting.relay import Relay
from farfalia_server.sandbox import Ending, RunningProgram

#: Seconds that a process without a match is kept.
RESTS_FOR: Final = 30.0
#: The share of the CPU time of a process after which no other match begins in it.
_TIRED: Final = 0.5


class Served(Protocol):
    """A match as its process serves it."""

    @property
    def seated(self) -> play_pb2.Seated:
        """The seat."""

    def take(self, message: play_pb2.PlayRequest) -> None:
        """Take what the process says."""

    def log(self, line: str) -> None:
        """Take a line that the process writes."""

    def unanswered(self) -> Iterable[play_pb2.Question]:
        """Return the questions that it has not answered."""


class ProgramProcess:
    """A process with the socket that it connects to, at first without a match."""

    def __init__(self, bot: str, installed: Installed, sockets: Path) -> None:
        self.installed = installed
        self._token = secrets.token_hex(16)
        self._socket = sockets / f"{secrets.token_hex(8)}.sock"
        self._match: Served | None = None
        self.relay = Relay(bot, self._token, take=self._take, seats=self._seats, again=self._again)
        self.running: RunningProgram | None = None

    async def start(self, match: Served, launch: Launch) -> RunningProgram:
        """Start it for a match; ProgramError if it cannot be started."""
        self._match = match
        await self.relay.open(self._socket)
        self.running = launch(self.installed, self._socket, self._token, self._log)
        return self.running

    def serve(self, match: Served) -> None:
        """Go on with another match."""
        self._match = match
        self.relay.send(play_pb2.PlayResponse(seated=[match.seated], questions=match.unanswered()))

    def rest(self) -> None:
        """Serve no match from now on."""
        self._match = None

    @property
    def may_serve(self) -> bool:
        """Whether another match may begin in it."""
        running = self.running
        if running is None or running.ending is not None or not self.relay.has_stream:
            return False
        return running.cpu_seconds < MATCH_CPU * _TIRED

    async def end(self) -> Ending | None:
        """End it with its socket; return how it ended, None if it was never started."""
        try:
            return None if self.running is None else await self.running.end()
        finally:
            await self.relay.close()
            self._socket.unlink(missing_ok=True)

    def _take(self, message: play_pb2.PlayRequest) -> None:
        if self._match is not None:
            self._match.take(message)

    def _log(self, line: str) -> None:
        if self._match is not None:
            self._match.log(line)

    def _seats(self) -> list[play_pb2.Seated]:
        return [] if self._match is None else [self._match.seated]

    def _again(self) -> Iterable[play_pb2.Question]:
        return () if self._match is None else self._match.unanswered()


class RestingProcesses:
    """Processes of one bot that wait for the next match of their tournament, where it lets them last.

    Whoever starts another process ends one of these first, so that together they are no more than the matches.
    """

    def __init__(self) -> None:
        #: In the order in which they came to rest, each with what ends it in time.
        self._waiting: dict[ProgramProcess, tuple[int, asyncio.TimerHandle]] = {}
        self._ending: set[asyncio.Task[Ending | None]] = set()

    def add(self, tournament: int, process: ProgramProcess) -> None:
        """Keep a process for the next match of a tournament, for a while."""
        process.rest()
        later = asyncio.get_running_loop().call_later(RESTS_FOR, self._end, process)
        self._waiting[process] = (tournament, later)

    def take(self, tournament: int, installed: Installed) -> ProgramProcess | None:
        """Return a process for a match of a tournament; None if there is none, with one that waits for others ended."""
        for process, (rests_for, later) in list(self._waiting.items()):
            if rests_for == tournament and process.installed == installed:
                if process.may_serve:
                    later.cancel()
                    del self._waiting[process]
                    return process
                self._end(process)
        if self._waiting:
            self._end(next(iter(self._waiting)))
        return None

    async def end(self) -> None:
        """End all of them."""
        for process in list(self._waiting):
            self._end(process)
        await asyncio.gather(*self._ending)

    def _end(self, process: ProgramProcess) -> None:
        _, later = self._waiting.pop(process)
        later.cancel()
        task = asyncio.create_task(process.end())
        self._ending.add(task)
        task.add_done_callback(self._ending.discard)
