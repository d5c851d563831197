"""The check of a program: unpacked, built, started, connected, a few situations of each game, and two matches."""

from __future__ import annotations

import asyncio
import secrets
import shutil
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import Final, TypeVar

import structlog

from farfalia.arena import Arena, ArenaError
from farfalia.v1 import play_pb2, programs_pb2
from farfalia_engine import GAMES, ruleset
from farfalia_server.contract.errors import ProgramError
from farfalia_server.hosting.examination import Examination
from farfalia_server.hosting.installed import Installed, InstalledPrograms, Launch
from farfalia_server.hosting.match_process import CONNECTS_WITHIN
from farfalia_server.hosting.relay import Relay
from farfalia_server.hosting.situations import Situation, situations

log = structlog.get_logger(__name__)

_T = TypeVar("_T")

#: Matches that a program plays, and lines that are kept of what it writes.
_MATCHES: Final = 2
_LINES: Final = 40
#: Seconds after which a check is given up, and between reports that it goes on.
_LONGEST: Final = 300.0
_FIRST_GAME = "chinkway"


class Checking:
    """One check, which begins at once and reports each of its steps."""

    def __init__(
        self,
        arena: Arena,
        check: programs_pb2.ProgramToCheck,
        installed: InstalledPrograms,
        *,
        launch: Launch,
        sockets: Path,
    ) -> None:
        self.lease = programs_pb2.HostedCheck(bot=check.bot, number=check.number, lease=check.lease)
        self._arena = arena
        self._check = check
        self._installed = installed
        self._launch = launch
        self._sockets = sockets
        self._steps: list[programs_pb2.ProgramStep] = []
        self._lines: list[str] = []
        self._task = asyncio.create_task(self._run(), name=f"check-{check.bot}-{check.number}")

    @property
    def over(self) -> bool:
        """Whether it has ended."""
        return self._task.done()

    async def end(self) -> None:
        """Give it up; another host checks the program."""
        self._task.cancel()
        with suppress(asyncio.CancelledError):
            await self._task

    async def _run(self) -> None:
        try:
            try:
                await self._take_steps()
            except ArenaError:
                raise
            except Exception:  # without an end, one host after the other would try it again
                log.exception("check_failed", bot=self._check.bot, program=self._check.number)
                self._failed("matches", "the host failed, not the program: tell who runs the arena", 0)
            await self._report(over=True)
        except ArenaError as error:
            log.info("check_lost", bot=self._check.bot, program=self._check.number, text=str(error))

    async def _take_steps(self) -> None:
        """Take all steps up to the first that fails."""
        hash, installed = self._check.hash, None
        try:
            async with asyncio.timeout(_LONGEST):
                installed = await self._step("unpacked", self._installed.unpacked(hash), _shown)
                await self._step("built", self._installed.build(installed, self._note), _built)
                await self._examine(installed)
            await self._installed.keep(installed, hash)
        except TimeoutError:
            self._failed("matches", f"the check had not ended within {_LONGEST:g} seconds", 0)
        except ProgramError:
            pass  # it is the last step
        finally:
            if installed is not None:
                await asyncio.to_thread(shutil.rmtree, installed.folder, ignore_errors=True)

    async def _examine(self, installed: Installed) -> None:
        token, socket = secrets.token_hex(16), self._sockets / f"{secrets.token_hex(8)}.sock"
        examination = Examination()
        relay = Relay(self._check.bot, token, take=examination.take, seats=examination.seats, again=examination.again)
        examination.relay = relay
        await relay.open(socket)
        try:
            began = monotonic()
            running = self._launch(installed, socket, token, self._note)
            self._passed("started", f"as {' '.join(installed.manifest.command)}", began)
            examination.process = running
            try:
                await self._step("connected", _connected(relay, examination), _client)
                games = _games(installed, relay.hello)
                found = [one for game in games for one in situations(ruleset(game))]
                await self._step("situations", examination.answer_all(found), _counted(found))
                await self._step("matches", self._play(examination, games), str)
            finally:
                await running.end()
        except ProgramError as error:
            if not self._steps or self._steps[-1].passed:
                self._failed("started", str(error), 0)
            raise
        finally:
            await relay.close()
            socket.unlink(missing_ok=True)

    async def _play(self, examination: Examination, games: Sequence[str]) -> str:
        game = _FIRST_GAME if _FIRST_GAME in games else games[0]
        points = [await examination.play(ruleset(game), seat) for seat in range(_MATCHES)]
        return f"{_MATCHES} of {game} without a strike, {' and '.join(map(str, points))} points"

    async def _step(self, name: str, work: Awaitable[_T], shown: Callable[[_T], str]) -> _T:
        began = monotonic()
        try:
            result = await work
        except ProgramError as error:
            self._failed(name, str(error), round((monotonic() - began) * 1000))
            raise
        self._passed(name, shown(result), began)
        await self._report(over=False)
        return result

    def _passed(self, name: str, text: str, began: float) -> None:
        took = round((monotonic() - began) * 1000)
        self._steps.append(programs_pb2.ProgramStep(name=name, passed=True, text=text, took_ms=took))

    def _failed(self, name: str, text: str, took: int) -> None:
        self._steps.append(programs_pb2.ProgramStep(name=name, passed=False, text=text, took_ms=took))

    async def _report(self, *, over: bool) -> None:
        failed = bool(self._steps) and not self._steps[-1].passed
        request = programs_pb2.ReportProgramCheckRequest(
            bot=self._check.bot,
            number=self._check.number,
            lease=self._check.lease,
            steps=self._steps,
            output=self._lines if failed else [],
            over=over,
        )
        await self._arena.ask("ReportProgramCheck", request)

    def _note(self, line: str) -> None:
        self._lines = [*self._lines, line][-_LINES:]


async def _connected(relay: Relay, examination: Examination) -> play_pb2.Hello:
    if not await examination.either(relay.connected.wait(), CONNECTS_WITHIN):
        raise ProgramError(f"it had not connected within {CONNECTS_WITHIN:g} seconds")
    return relay.hello


def _games(installed: Installed, hello: play_pb2.Hello) -> list[str]:
    """Return the games that a program plays, by its manifest or its hello; all if neither says."""
    games = list(installed.manifest.games) or [game for game in hello.rulesets if game in GAMES]
    return games or list(GAMES)


def _shown(installed: Installed) -> str:
    return f"{installed.manifest.runtime}: {' '.join(installed.manifest.command)}"


def _built(built: bool) -> str:
    return "" if built else "nothing to build"


def _client(hello: play_pb2.Hello) -> str:
    return f"{hello.client} {hello.client_version}".strip()[:80]


def _counted(found: Sequence[Situation]) -> Callable[[object], str]:
    return lambda _: f"{len(found)} answered"
