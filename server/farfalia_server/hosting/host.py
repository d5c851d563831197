"""A host: reports to the server, plays for the bots that it is given, and checks what is handed in."""

from __future__ import annotations

import asyncio
import os
import shutil
import tempfile
from collections.abc import Callable, Coroutine
from contextlib import suppress
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from secrets import token_bytes
from time import monotonic
from typing import Final

import structlog

from farfalia.arena import Arena, ArenaError
from farfalia.settings import Server
from farfalia.v1 import play_pb2, programs_pb2
from farfalia_server import __version__
from farfalia_server.contract.errors import ProgramError
from farfalia_server.hosting.checking import Checking
from farfalia_server.hosting.host_outbox import HostOutbox
from farfalia_server.hosting.hosted_bot import HostedBot
from farfalia_server.hosting.installed import Installed, InstalledPrograms, in_parts, launcher
from farfalia_server.hosting.manifest import MEMORY_MB
from farfalia_server.hosting.match_process import MatchProcess
from farfalia_server.hosting.program_process import RestingProcesses
from farfalia_server.net.cpu_cores import usable_cores
from farfalia_server.sandbox import Sandbox

log = structlog.get_logger(__name__)

#: Processes for each core, and most matches that a bot is offered at a time.
_SLOTS_PER_CORE: Final = 8
_MOST_MATCHES: Final = 8
#: Share of the machine's memory that programs may have.
_MEMORY_SHARE: Final = 0.75
#: Niceness of a host and its programs, below that of what else runs on the machine: the server, perhaps.
_NICENESS: Final = 5
#: Bytes of the path of a folder with sockets, whose own paths may have 107.
_LONGEST_SOCKET_FOLDER: Final = 80
#: Seconds between reports when the server does not answer.
_AGAIN = 1.0


@dataclass(frozen=True, slots=True)
class HostSettings:
    """What a host is called, where it keeps programs, and for how many processes it takes matches.

    It runs more of them only when it goes on with what another host has left.
    """

    name: str
    folder: Path
    slots: int
    memory: int

    @classmethod
    def of_machine(cls, name: str, folder: Path) -> HostSettings:
        """Return settings with as many processes as cores and memory of this machine allow."""
        cores, memory = usable_cores(), _memory()
        slots = max(1, min(cores * _SLOTS_PER_CORE, int(memory / (MEMORY_MB << 20))))
        return cls(name, folder, slots, memory)


class Host:
    """A host; `run` works until it is told to leave. `server` has the token of a host."""

    def __init__(self, settings: HostSettings, server: Server, arena: Arena, sandbox: Sandbox) -> None:
        self._settings = settings
        self._server = server
        self._arena = arena
        self._sandbox = sandbox
        self._instance = token_bytes(16)
        # Matches wait for all their processes: none may wait for another's end, so only starts are limited.
        self._starting = asyncio.Semaphore(2 * usable_cores())
        self._sockets = _socket_folder(settings.folder, settings.name)
        self._installed = InstalledPrograms(settings.folder / "programs", sandbox, in_parts(self._fetch))
        self._launch = launcher(sandbox)
        # Matches are timed: what is being checked slows them down as little as can be.
        self._launch_check = launcher(sandbox, gives_way=True)
        self._bots: dict[str, HostedBot] = {}
        #: Bots whose programs are being fetched.
        self._taking: dict[str, tuple[programs_pb2.HostedProgram, asyncio.Task[None]]] = {}
        #: Bots whose newer programs are being fetched, while the ones before play on.
        self._renewing: dict[str, asyncio.Task[None]] = {}
        self._checking: Checking | None = None
        self._leaving = asyncio.Event()
        self._ended: set[asyncio.Task[None]] = set()
        #: When the server answered last.
        self.heard = monotonic()

    def leave(self) -> None:
        """Give programs without a match away, let the others play on for a while, and end."""
        self._leaving.set()

    async def run(self, patience: float, tell: Callable[[str], None]) -> None:
        """Work until told to leave, and then until no match is left or `patience` seconds are over.

        `tell` is called with a sentence when the server answers for the first time, and when it does not answer.
        """
        os.nice(_NICENESS)
        await asyncio.to_thread(shutil.rmtree, self._sockets, ignore_errors=True)  # of one that was killed
        await asyncio.to_thread(self._installed.sweep)
        for directory in (self._settings.folder, self._sockets):
            directory.mkdir(parents=True, exist_ok=True)
            directory.chmod(0o755)
        left_at, trouble = None, "no answer yet"
        try:
            while True:
                if self._leaving.is_set():
                    left_at = left_at or monotonic()
                    if not self._seats or monotonic() - left_at > patience:
                        return
                wait = _AGAIN
                try:
                    wait = await self._report()
                    if trouble:
                        tell(f"{self._settings.name} runs programs for {self._server.target}")
                    trouble, self.heard = "", monotonic()
                except ArenaError as error:
                    if error.reason in ("NOT_ALLOWED", "TOKEN_UNKNOWN", "HOST_REPLACED", "FIELD_INVALID"):
                        raise
                    if str(error) != trouble:
                        trouble = str(error)
                        tell(f"{trouble}; trying again")
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._leaving.wait() if left_at is None else asyncio.Event().wait(), wait)
        finally:
            await self._end()

    @property
    def _seats(self) -> int:
        return sum(bot.seats for bot in self._bots.values())

    async def _report(self) -> float:
        """Report, do what the server says, and return after how many seconds to report again."""
        answer = await self._arena.ask("WorkAsHost", programs_pb2.WorkAsHostRequest(host=self._message()))
        told = {program.bot: program for program in answer.programs}
        for name in [name for name, bot in self._bots.items() if name not in told or told[name].lease != bot.lease]:
            self._end_later(self._bots.pop(name).release())
        for name, program in told.items():
            if name in self._bots:
                if program.number != self._bots[name].program.number and name not in self._renewing:
                    self._renewing[name] = asyncio.create_task(self._renew(self._bots[name], program))
            elif program.token and name not in self._taking:
                self._taking[name] = program, asyncio.create_task(self._take(program))
        share = self._settings.slots // max(1, len(self._bots))
        for bot in self._bots.values():
            bot.offer(min(_MOST_MATCHES, share))
        if answer.HasField("check") and self._checking is None:
            self._checking = Checking(
                self._arena, answer.check, self._installed, launch=self._launch_check, sockets=self._sockets
            )
        elif self._checking is not None and self._checking.over:
            self._checking = None
        return float(answer.again_ms) / 1000

    def _message(self) -> programs_pb2.HostReport:
        report = programs_pb2.HostReport(
            name=self._settings.name,
            instance=self._instance,
            version=__version__,
            slots=self._settings.slots,
            processes=self._seats,
            cores=usable_cores(),
            memory=self._settings.memory,
            sandbox=self._sandbox.name,
            draining=self._leaving.is_set(),
            takes_check=self._checking is None,
        )
        for bot in self._bots.values():
            report.bots.add(bot=bot.name, lease=bot.lease, seats=bot.seats)
        for program, _ in self._taking.values():
            report.bots.add(bot=program.bot, lease=program.lease, seats=0)
        if self._checking is not None and not self._checking.over:
            report.checks.append(self._checking.lease)
        return report

    async def _take(self, program: programs_pb2.HostedProgram) -> None:
        """Play for a bot from now on, once its program is here."""
        try:
            installed = replace(await self._installed.get(program.hash), number=program.number)
            server = replace(self._server, token=program.token)
            self._bots[program.bot] = HostedBot(program.bot, program.lease, server, installed, self._seat)
            log.info("hosted_bot_taken", bot=program.bot, program=program.number)
        except (ArenaError, ProgramError) as error:
            log.warning("hosted_bot_not_taken", bot=program.bot, text=str(error))
        finally:
            del self._taking[program.bot]

    async def _renew(self, bot: HostedBot, program: programs_pb2.HostedProgram) -> None:
        """Let matches that begin from now on be played by the newest program."""
        try:
            bot.program = replace(await self._installed.get(program.hash), number=program.number)
        except (ArenaError, ProgramError) as error:
            log.warning("program_not_installed", bot=bot.name, text=str(error))
        finally:
            del self._renewing[bot.name]

    def _seat(
        self, bot: str, seated: play_pb2.Seated, program: Installed, outbox: HostOutbox, resting: RestingProcesses
    ) -> MatchProcess:
        return MatchProcess(
            bot,
            seated,
            program,
            launch=self._launch,
            sockets=self._sockets,
            starting=self._starting,
            outbox=outbox,
            resting=resting,
        )

    async def _fetch(self, hash: bytes, offset: int) -> bytes:
        request = programs_pb2.FetchProgramRequest(hash=hash, offset=offset)
        return bytes((await self._arena.ask("FetchProgram", request)).part)

    def _end_later(self, ending: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(ending)
        self._ended.add(task)
        task.add_done_callback(self._ended.discard)

    async def _end(self) -> None:
        """End all that is left, and tell the server, so that other hosts go on at once."""
        if self._checking is not None:
            await self._checking.end()
        for task in (*(task for _, task in self._taking.values()), *self._renewing.values()):
            task.cancel()
        bots, self._bots = list(self._bots.values()), {}
        await asyncio.gather(*(bot.release() for bot in bots), *self._ended)
        await asyncio.to_thread(shutil.rmtree, self._sockets, ignore_errors=True)
        with suppress(ArenaError):
            report = self._message()
            report.draining, report.takes_check = True, False
            await self._arena.ask("WorkAsHost", programs_pb2.WorkAsHostRequest(host=report))


def _socket_folder(folder: Path, name: str) -> Path:
    """Return where the sockets of programs are: in the host's folder, or beside others where its path is too long."""
    own = folder / f"sockets-{name}"
    if len(os.fsencode(own)) <= _LONGEST_SOCKET_FOLDER:
        return own
    return Path(tempfile.gettempdir()) / f"farfalia-host-{sha256(os.fsencode(own)).hexdigest()[:12]}"


def _memory() -> int:
    """Return the bytes of memory that programs may have in all."""
    return int(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") * _MEMORY_SHARE)
