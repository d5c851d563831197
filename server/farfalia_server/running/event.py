"""A tournament from beginning to end: entrants registered, programs started and connected, matches played."""

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from farfalia.v1 import arena_pb2, record_pb2
from farfalia_engine import replay
from farfalia_server import records
from farfalia_server.arena.messages import BOARDS
from farfalia_server.running.arena import Arena
from farfalia_server.running.entrants import Entrant
from farfalia_server.running.programs import Program, ProgramError, Programs
from farfalia_tournaments.schedules import Boards

#: Seconds between two looks at who has connected.
POLL = 0.05


@dataclass(frozen=True)
class Terms:
    """What is played, and how."""

    name: str
    game: str = "chinkway"
    options: dict[str, str] = field(default_factory=dict)
    rounds: int = 0
    seed: str = ""
    boards: Boards = Boards.DATUM
    time_control: record_pb2.TimeControl | None = None


@dataclass(frozen=True)
class Died:
    """A program that ended before the tournament did."""

    name: str
    ending: str
    tail: list[str]


@dataclass(frozen=True)
class Incident:
    """What a server measured against a bot, and where."""

    match: int
    deal: int
    action: int
    cause: str
    strikes: int
    lost_seat: bool
    text: str


@dataclass(frozen=True)
class Outcome:
    """A tournament that is over; incidents by entrant, in the order in which the matches were planned."""

    tournament: arena_pb2.Tournament
    incidents: dict[str, list[Incident]]
    programs: dict[str, Program]
    died: list[Died]


class Event:
    """One tournament on a server, seen from outside: through the contract."""

    def __init__(self, arena: Arena, address: str, outputs: Path) -> None:
        self._arena = arena
        self._address = address
        self._outputs = outputs
        self._running: list[Program] = []

    async def enter(self, programs: Programs, entrants: Sequence[Entrant], patience: float) -> None:
        """Register all, start the programs and wait until they have connected; ProgramError if one does not."""
        known = {bot.name for bot in (await self._arena.ask("ListBots", arena_pb2.ListBotsRequest())).bots}
        for entrant in entrants:
            token = await self._token(entrant, entrant.name in known)
            if entrant.command:
                environment = {"FARFALIA_SERVER": self._address, "FARFALIA_TOKEN": token, "PYTHONUNBUFFERED": "1"}
                output = self._outputs / f"{entrant.name}.log"
                self._running.append(await programs.start(entrant.name, entrant.command, environment, output))
        await self._connected(patience)

    async def play(
        self,
        terms: Terms,
        entrants: Sequence[Entrant],
        watch: Callable[[arena_pb2.Tournament], None],
        take: Callable[[record_pb2.Record], None] | None,
    ) -> Outcome:
        """Play the tournament to its end; `watch` is shown every change of it, `take` every record."""
        request = arena_pb2.CreateTournamentRequest(
            name=terms.name,
            ruleset=terms.game,
            options=terms.options,
            bots=[entrant.name for entrant in entrants],
            rounds=terms.rounds,
            time_control=terms.time_control,
            seed=terms.seed,
            boards=BOARDS[terms.boards],
        )
        number = (await self._arena.ask("CreateTournament", request)).tournament.id
        await self._arena.ask("StartTournament", arena_pb2.StartTournamentRequest(id=number))
        latest = arena_pb2.Tournament(id=number)
        async for latest in self._arena.watch(number):
            watch(latest)
        died = [Died(one.name, one.ending, one.tail()) for one in self._running if one.exit_code is not None]
        return Outcome(latest, await self._incidents(latest, take), {one.name: one for one in self._running}, died)

    async def _incidents(
        self, tournament: arena_pb2.Tournament, take: Callable[[record_pb2.Record], None] | None
    ) -> dict[str, list[Incident]]:
        found: dict[str, list[Incident]] = {row.entrant: [] for row in tournament.standings}
        if take is None and not any(row.strikes or row.forfeits for row in tournament.standings):
            return found
        # One record at a time: thousands of them are more than a laptop should hold.
        for match in await self._arena.finished(tournament.id):
            record = await self._arena.record(match)
            for incident in record.incidents:
                found[record.seats[incident.seat].name].append(_incident(record, incident))
            if take is not None:
                take(record)
        return found

    async def _token(self, entrant: Entrant, known: bool) -> str:
        """The token of a bot, which may have played on this server before."""
        request = (
            arena_pb2.RotateTokenRequest(name=entrant.name)
            if known
            else arena_pb2.RegisterBotRequest(name=entrant.name, house=entrant.house)
        )
        token: str = (await self._arena.ask("RotateToken" if known else "RegisterBot", request)).token
        return token

    async def _connected(self, patience: float) -> None:
        deadline = time.monotonic() + patience
        while absent := await self._absent():
            for program in absent:
                if program.exit_code is not None:
                    raise ProgramError(_sentence(program, f"{program.ending} before it connected"))
            if time.monotonic() > deadline:
                raise ProgramError(_sentence(absent[0], f"has not connected within {patience:g} seconds"))
            await asyncio.sleep(POLL)

    async def _absent(self) -> list[Program]:
        bots = (await self._arena.ask("ListBots", arena_pb2.ListBotsRequest())).bots
        here = {bot.name for bot in bots if bot.connected}
        return [program for program in self._running if program.name not in here]


def _incident(record: record_pb2.Record, incident: record_pb2.Incident) -> Incident:
    # The state before the action that the incident came with knows the number of its deal.
    state = next(islice(replay(records.from_message(record)), incident.action_index, None))
    return Incident(
        match=record.match,
        deal=state.deal,
        action=incident.action_index,
        cause=record_pb2.Cause.Name(incident.cause).removeprefix("CAUSE_").lower(),
        strikes=incident.strikes,
        lost_seat=incident.taken_over,
        text=incident.text,
    )


def _sentence(program: Program, what: str) -> str:
    tail = program.tail()
    said = "its last output:\n  " + "\n  ".join(tail) if tail else "it printed nothing."
    return f"{program.name} ({program.command}) {what}; {said}"
