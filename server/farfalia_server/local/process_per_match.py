"""A program that is started afresh for each match, so that no process has seen a board's cards before."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from farfalia.arena import Arena
from farfalia.v1 import bots_pb2
from farfalia_server.contract.errors import ProgramError
from farfalia_server.contract.states import MATCH_OVER
from farfalia_server.local.programs import Program, Programs

if TYPE_CHECKING:  # part of the server, which is imported when it starts
    from farfalia_server.local.process_lobby import ProcessLobby

#: Seconds between two looks at a process and its match.
POLL = 0.02


class ProcessPerMatch:
    """The processes of one bot, one after the other; each has a token of its own, which is good for one match.

    `launch` starts a process with a token. `patience` is in seconds: how long each may take to connect.
    """

    def __init__(
        self,
        name: str,
        bot: int,
        *,
        arena: Arena,
        lobby: "ProcessLobby",
        programs: Programs,
        launch: Callable[[str], Awaitable[Program]],
        patience: float,
    ) -> None:
        self.name = name
        self._faults: list[str] = []
        self._bot = bot
        self._arena = arena
        self._lobby = lobby
        self._programs = programs
        self._launch = launch
        self._patience = patience

    @property
    def fault(self) -> str:
        """What its processes did that ended too early or never came, as the end of a sentence; empty if none did."""
        if len(self._faults) < 2:
            return "".join(self._faults)
        return f"{self._faults[0]}, and failed {len(self._faults) - 1} more times"

    async def start(self) -> Program:
        """Start the next process; ProgramError if it cannot be."""
        token = (await self._arena.ask("RotateToken", bots_pb2.RotateTokenRequest(name=self.name))).token
        self._process = self._lobby.admit_process(self._bot, token)
        self.program = await self._launch(token)
        return self.program

    async def play(self, tournament: int) -> None:
        """Go on until the bot has no match left there, or one of its processes does not connect.

        A process that ends in the middle of a match loses that match only. If this is cancelled, nothing is lost: the
        matches wait until their tournament is cancelled, too.
        """
        left = await self._left(tournament)
        stopped = False
        try:
            while True:
                fault = await self._until_over()
                if fault:
                    self._faults.append(fault)
                await self._programs.end(self.program)
                if fault and not self._process.match:
                    return
                self._lobby.process_exited(self._bot, last=False)
                left -= 1
                # A match that the server had to begin again takes another process.
                if left < 1 and not (left := await self._left(tournament)):
                    return
                await self.start()
        except ProgramError as error:
            self._faults.append(f"could not be started again: {error}")
        except asyncio.CancelledError:
            stopped = True
            raise
        finally:
            if not stopped:
                self._lobby.process_exited(self._bot, last=True)

    async def _until_over(self) -> str:
        """Wait until the process's match is over for it; return what it did wrong, if anything."""
        process, deadline = self._process, time.monotonic() + self._patience
        while not process.finished.is_set():
            if self.program.exit_code is not None and not process.informed:
                where = f"in match {process.match}, before it was over" if process.match else "before it had a match"
                return f"{self.program.ending} {where}"
            if not process.connected and time.monotonic() > deadline:
                return f"had not connected within {self._patience:g} seconds"
            await asyncio.sleep(POLL)
        return ""

    async def _left(self, tournament: int) -> int:
        """Return how many matches the bot has still to play."""
        matches = self._arena.all_matches(tournament=tournament, bot=self.name)
        return sum([match.state not in MATCH_OVER async for match in matches])
