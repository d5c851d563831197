"""The process of a handed-in program for one match: it is there when the bot is seated, until the match is over."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterable
from pathlib import Path
from typing import Final

import structlog

from farfalia.v1 import play_pb2
from farfalia_server.contract.errors import ProgramError
from farfalia_server.hosting.host_outbox import HostOutbox
from farfalia_server.hosting.installed import Installed, Launch
from farfalia_server.hosting.program_process import ProgramProcess, RestingProcesses
from farfalia_server.sandbox import Ending

log = structlog.get_logger(__name__)

#: Seconds that a process may take to connect, and how often it is started in one match.
CONNECTS_WITHIN: Final = 20.0
MOST_STARTS: Final = 3
#: Lines that are told of the end of a process.
_LAST_LINES = 5


class MatchProcess:
    """One process after the other for one seat; what it is asked and answers goes through its relay."""

    def __init__(
        self,
        bot: str,
        seated: play_pb2.Seated,
        installed: Installed,
        *,
        launch: Launch,
        sockets: Path,
        starting: asyncio.Semaphore,
        outbox: HostOutbox,
        resting: RestingProcesses,
    ) -> None:
        self.match = seated.match
        self.seated = seated
        self._bot = bot
        self._installed = installed
        self._launch = launch
        self._sockets = sockets
        self._starting = starting
        self._outbox = outbox
        self._resting = resting
        self._over = asyncio.Event()
        #: Why no process will answer any more; empty while one may.
        self._broken = ""
        #: The match has had a process, or will have none.
        self._ready = False
        self._questions: dict[int, play_pb2.Question] = {}
        self._answered: play_pb2.Action | None = None
        self._process: ProgramProcess | None = None
        self._task = asyncio.create_task(self._run(), name=f"match-{self.match}")

    def ask(self, question: play_pb2.Question) -> None:
        """Ask the process a question, or answer again what it has answered."""
        last = self._answered
        if last is not None and last.number == question.number and last.action in question.legal:
            self._outbox.add([last])
        elif self._broken:
            self._fail(question.number, self._broken)
        else:
            self._questions[question.number] = question
            self.tell(play_pb2.PlayResponse(questions=[question]))

    def tell(self, message: play_pb2.PlayResponse) -> None:
        """Pass a message on to the process; while there is none, it is lost."""
        if self._process is not None:
            self._process.relay.send(message)

    def is_told_again(self) -> None:
        """Tell a server that asks anew that the process is there, if it is."""
        if self._ready:
            self._outbox.note_ready(self.match)

    def drop(self, number: int) -> None:
        """Forget a question whose time is over."""
        self._questions.pop(number, None)

    def finish(self) -> None:
        """End the process: its match is over for it."""
        self._over.set()

    async def ended(self) -> None:
        """Wait until the process has ended."""
        await asyncio.shield(self._task)

    async def _run(self) -> None:
        try:
            await self._start_again_and_again()
        except Exception:  # of one match; without a word its questions would run out of time
            log.exception("match_process_failed", bot=self._bot, match=self.match)
            self._broken = "could not be run: the host failed"
            for number in list(self._questions):
                self._fail(number, self._broken)
        if not self._over.is_set():
            self._is_ready()
            await self._over.wait()

    async def _start_again_and_again(self) -> None:
        starts = 0
        while not self._over.is_set() and not self._broken:
            starts += 1
            why = await self._once()
            if self._over.is_set():
                return
            self.log(f"the program {why}")
            for number in list(self._questions):
                self._fail(number, why)
            if starts == MOST_STARTS:
                self._broken = f"{why}; it was started {starts} times"

    async def _once(self) -> str:
        """Have a process until its end, or that of the match; return how it ended, as the end of a sentence."""
        process = self._resting.take(self.seated.tournament, self._installed) if self.seated.lasting_process else None
        if process is not None:
            process.serve(self)
        else:
            process = ProgramProcess(self._bot, self._installed, self._sockets)
        try:
            self._process = process
            if process.running is None and (why := await self._started(process)):
                return why
            return await self._follow(process)
        finally:
            self._process = None
            if self._over.is_set() and self.seated.lasting_process and process.may_serve:
                self._resting.add(self.seated.tournament, process)
            else:
                await process.end()

    async def _started(self, process: ProgramProcess) -> str:
        """Start a process and wait until it has connected; return why it could not be started, empty if it was.

        One that ends or never connects is not waited for, nor any after the match.
        """
        async with self._starting:
            if self._over.is_set():
                return "was not started"
            try:
                running = await process.start(self, self._launch)
            except ProgramError as error:
                return f"could not be started: {error}"
            waited = process.relay.connected.wait(), running.wait(), self._over.wait()
            await _first(*waited, within=CONNECTS_WITHIN)
        return ""

    async def _follow(self, process: ProgramProcess) -> str:
        running, relay = process.running, process.relay
        assert running is not None
        late = not relay.connected.is_set() and running.ending is None and not self._over.is_set()
        if relay.connected.is_set():
            self._is_ready()
            await _first(running.wait(), self._over.wait())
        if self._over.is_set():
            return ""
        ending = await running.end()
        return f"had not connected within {CONNECTS_WITHIN:g} seconds{_last(ending)}" if late else _told(ending)

    def _is_ready(self) -> None:
        self._ready = True
        self._outbox.note_ready(self.match)

    def take(self, message: play_pb2.PlayRequest) -> None:
        """Pass on what the process says, as far as it is about its match."""
        for action in message.actions:
            if action.match == self.match and self._questions.pop(action.number, None) is not None:
                self._answered = action
                self._outbox.add([action])
        for line in message.logs:
            self.log(line.text)

    def log(self, line: str) -> None:
        """Pass a line on to the bot's log."""
        self._outbox.log(self.match, line)

    def unanswered(self) -> Iterable[play_pb2.Question]:
        """Return the questions that the process has not answered."""
        return self._questions.values()

    def _fail(self, number: int, why: str) -> None:
        self._questions.pop(number, None)
        self._outbox.add([play_pb2.Action(match=self.match, number=number, failure=f"the program {why}"[:300])])


async def _first(*waited: Coroutine[None, None, object], within: float | None = None) -> None:
    """Wait until the first of these is done, `within` seconds at most."""
    tasks = [asyncio.create_task(one) for one in waited]
    try:
        await asyncio.wait(tasks, timeout=within, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()


def _told(ending: Ending) -> str:
    """Return how a process ended and what it used, as the end of a sentence."""
    used = f"{ending.cpu_seconds:.1f} s of CPU, {ending.peak_memory >> 20} MB of memory"
    return f"{ending} (it had used {used}){_last(ending)}"


def _last(ending: Ending) -> str:
    lines = [line for line in ending.tail if line.strip()][-_LAST_LINES:]
    return f"; its last lines: {' | '.join(lines)}" if lines else ""
