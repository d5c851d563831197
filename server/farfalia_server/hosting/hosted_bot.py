"""A bot for which this host plays: its stream to the server, and a process for each of its matches."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from random import Random
from secrets import token_bytes

import structlog

from farfalia.backoff import Backoff
from farfalia.bot_stream import BotStream
from farfalia.settings import Server
from farfalia.v1 import play_pb2
from farfalia_server import __version__
from farfalia_server.hosting.host_outbox import HostCapacity, HostOutbox
from farfalia_server.hosting.installed import Installed
from farfalia_server.hosting.match_process import MatchProcess
from farfalia_server.hosting.program_process import RestingProcesses

log = structlog.get_logger(__name__)

#: Bytes of a nonce.
_NONCE = 16
#: The reason of the notice that a house bot plays a seat to its end.
_TAKEN_OVER = "SEAT_TAKEN_OVER"

Seat = Callable[[str, play_pb2.Seated, Installed, HostOutbox, RestingProcesses], MatchProcess]


class HostedBot:
    """Plays for a bot under one lease until it is released, or the server says that another host does.

    `seat` starts the process of a match. `program` is what plays in matches that begin from now on.
    """

    def __init__(self, name: str, lease: int, server: Server, program: Installed, seat: Seat) -> None:
        self.name = name
        self.lease = lease
        self.program = program
        self.capacity = HostCapacity()
        self._server = server
        self._seat = seat
        self._outbox = HostOutbox(self.capacity)
        self._processes: dict[int, MatchProcess] = {}
        self._resting = RestingProcesses()
        self._backoff = Backoff(Random())
        self._stream: BotStream | None = None
        self._hello = play_pb2.Hello(
            client="farfalia-host",
            client_version=__version__,
            instance=token_bytes(16),
            rulesets=program.manifest.games,
            features=["results"],
            take_over=True,
        )
        self._task = asyncio.create_task(self._play(), name=f"hosted-{name}")

    @property
    def seats(self) -> int:
        """How many matches it plays in."""
        return len(self._processes)

    def offer(self, matches: int) -> None:
        """From now on play up to this many matches at a time, at least one."""
        if self.capacity.matches != max(1, matches):
            self.capacity.matches = max(1, matches)
            self._outbox.filled.set()

    async def release(self) -> None:
        """End the stream and all processes: another host plays, or none."""
        self._task.cancel()
        if self._stream is not None:
            self._stream.abandon("another host plays for the bot")
        with suppress(asyncio.CancelledError):
            await self._task
        processes = list(self._processes.values())
        for process in processes:
            process.finish()
        await asyncio.gather(*(process.ended() for process in processes))
        await self._resting.end()

    async def _play(self) -> None:
        while True:
            stream = self._stream = BotStream(self._server, self._outbox, self._take)
            if await stream.open(self._hello):
                try:
                    await stream.serve_until_drained()
                except Exception:  # the next stream may do better
                    log.exception("hosted_stream_failed", bot=self.name)
            end = stream.end
            if end is not None and end.final:
                log.info("hosted_bot_refused", bot=self.name, reason=end.reason, text=str(end))
            await asyncio.sleep(self._backoff.wait(stream.lived))

    async def _take(self, message: play_pb2.PlayResponse) -> None:
        if message.HasField("welcome"):
            self._welcome(message.welcome)
        for seated in message.seated:
            self._sit_down(seated)
        for question in message.questions:
            if (process := self._processes.get(question.match)) is not None:
                process.ask(question)
        for result in message.results:
            if (process := self._processes.get(result.match)) is not None:
                if result.status == play_pb2.RESULT_STATUS_TOO_LATE:
                    process.drop(result.number)
                process.tell(play_pb2.PlayResponse(results=[result]))
        for finished in message.finished:
            self._stand_up(finished.match, finished)
        for notice in message.notices:
            if notice.reason == _TAKEN_OVER:
                self._stand_up(notice.match)
        for entered in message.entered:
            nonce = play_pb2.Nonce(tournament=entered.tournament, match=entered.match, nonce=token_bytes(_NONCE))
            self._outbox.give(nonce)

    def _welcome(self, welcome: play_pb2.Welcome) -> None:
        sitting = {seated.match for seated in welcome.open}
        for match in [match for match in self._processes if match not in sitting]:
            self._stand_up(match)
        for seated in welcome.open:
            if (process := self._processes.get(seated.match)) is not None:
                process.is_told_again()
            else:
                self._sit_down(seated)

    def _sit_down(self, seated: play_pb2.Seated) -> None:
        if (before := self._processes.pop(seated.match, None)) is not None:
            before.finish()  # the match was void, and is played again
        self._processes[seated.match] = self._seat(self.name, seated, self.program, self._outbox, self._resting)

    def _stand_up(self, match: int, finished: play_pb2.Finished | None = None) -> None:
        process = self._processes.pop(match, None)
        if process is not None:
            if finished is not None:
                process.tell(play_pb2.PlayResponse(finished=[finished]))
            process.finish()
