"""A tournament from beginning to end: entrants registered, programs started and connected, matches played."""

import asyncio
import time
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing, suppress
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from farfalia.arena import Arena, ArenaError
from farfalia.v1 import bots_pb2, matches_pb2, record_pb2, tournaments_pb2
from farfalia_engine import replay
from farfalia_server.contract.errors import ProgramError
from farfalia_server.contract.states import TOURNAMENT_OVER
from farfalia_server.contract.untrusted import clean
from farfalia_server.local.bot_specs import BotSpec
from farfalia_server.local.opened_records import OpenedRecords
from farfalia_server.local.process_per_match import ProcessPerMatch
from farfalia_server.local.programs import Program, Programs
from farfalia_server.local.trouble import Trouble
from farfalia_server.organising.board_kinds import BOARDS
from farfalia_server.organising.stage_messages import stage_message
from farfalia_server.records import codec
from farfalia_tournaments import Stage
from farfalia_tournaments.schedules import Boards

if TYPE_CHECKING:  # part of the server, which is imported when it starts
    from farfalia_server.local.process_lobby import ProcessLobby

#: Seconds between two looks at who has connected.
POLL = 0.05
#: Characters of a line of a program that are repeated.
_LINE = 400


@dataclass(frozen=True)
class Terms:
    """What is played, and how: one round robin of `rounds`, or `stages`."""

    name: str
    game: str = "chinkway"
    options: dict[str, str] = field(default_factory=dict)
    rounds: int = 0
    boards: Boards = Boards.DATUM
    time_control: record_pb2.TimeControl | None = None
    stages: Sequence[Stage] = ()


@dataclass(frozen=True)
class FailedProgram:
    """A program that ended before the tournament did, or before its match where each match has a process."""

    name: str
    ending: str
    tail: list[str]


@dataclass(frozen=True)
class IncidentReport:
    """What a server measured against a bot, and where."""

    match: int
    deal: int
    action: int
    cause: str
    strikes: int
    lost_seat: bool
    text: str


@dataclass(frozen=True)
class RunReport:
    """A tournament that is over; incidents by entrant, in the order in which the matches were planned."""

    tournament: tournaments_pb2.Tournament
    incidents: dict[str, list[IncidentReport]]
    programs: dict[str, Program]
    died: list[FailedProgram]

    @property
    def void(self) -> int:
        """Matches that could not be played, through a fault of the server; none if the tournament was cut short."""
        played_out = self.tournament.state == tournaments_pb2.TOURNAMENT_STATE_FINISHED
        return self.tournament.matches - self.tournament.finished if played_out else 0


class TournamentRun:
    """One tournament on a server, seen from outside: through the contract.

    `lobby`, which only a server in this process has, is for programs that are to be started afresh for each match.
    `tell` is given a sentence about the first trouble of each bot, while the others play on.
    """

    def __init__(
        self,
        arena: Arena,
        address: str,
        outputs: Path,
        lobby: "ProcessLobby | None" = None,
        tell: Callable[[str], None] | None = None,
    ) -> None:
        self._arena = arena
        self._address = address
        self._outputs = outputs
        self._lobby = lobby
        self._tell = tell
        self._trouble: Trouble | None = None
        self._running: list[Program] = []
        self._per_match: list[ProcessPerMatch] = []

    async def enter(self, programs: Programs, entrants: Sequence[BotSpec], patience: float) -> None:
        """Register all, start the programs and wait until they have connected; ProgramError if one does not."""
        for entrant in entrants:
            bot = await self._bot(entrant.name)
            if bot is None:
                request = bots_pb2.RegisterBotRequest(name=entrant.name, house=entrant.house)
                bot = (await self._arena.ask("RegisterBot", request)).bot
            if entrant.command:
                await self._start(programs, entrant, bot.id, patience)
        await self._connected(patience)

    async def _bot(self, name: str) -> bots_pb2.BotInfo | None:
        return await anext((bot async for bot in self._arena.all_bots(search=name) if bot.name == name), None)

    async def _start(self, programs: Programs, entrant: BotSpec, bot: int, patience: float) -> None:
        output = self._outputs / f"{entrant.name}.log"
        output.unlink(missing_ok=True)

        async def launch(token: str) -> Program:
            # What is printed is then what its author prints, and what went wrong.
            ours = {"FARFALIA_QUIET": "1", "PYTHONUNBUFFERED": "1"}
            environment = {"FARFALIA_SERVER": self._address, "FARFALIA_TOKEN": token, **ours}
            return await programs.start(entrant.name, entrant.command, environment, output)

        if self._lobby is None:
            request = bots_pb2.RotateTokenRequest(name=entrant.name)
            self._running.append(await launch((await self._arena.ask("RotateToken", request)).token))
            return
        processes = ProcessPerMatch(
            entrant.name,
            bot,
            arena=self._arena,
            lobby=self._lobby,
            programs=programs,
            launch=launch,
            patience=patience,
        )
        self._running.append(await processes.start())
        self._per_match.append(processes)

    async def play(
        self,
        terms: Terms,
        entrants: Sequence[BotSpec],
        watch: Callable[[tournaments_pb2.Tournament], None],
        take: Callable[[record_pb2.Record], None] | None,
    ) -> RunReport:
        """Play the tournament to its end; `watch` is shown every change of it, `take` every record as it opens, and
        at the end again, with the secret of its deals.
        """
        latest = tournaments_pb2.Tournament(id=await self.begin(terms, entrants))
        async with aclosing(self.follow(latest.id, take)) as changes:
            async for latest in changes:
                watch(latest)
        return await self.outcome(latest, take)

    async def begin(self, terms: Terms, entrants: Sequence[BotSpec]) -> int:
        """Create the tournament, start it, and return its number."""
        if self._tell is not None:
            newest = (await self._arena.ask("ListMatches", matches_pb2.ListMatchesRequest(limit=1))).matches
            self._trouble = Trouble(self._arena, newest[0].id if newest else 0, self._tell)
        request = tournaments_pb2.CreateTournamentRequest(
            name=terms.name,
            ruleset=terms.game,
            options=terms.options,
            bots=[entrant.name for entrant in entrants],
            rounds=terms.rounds,
            time_control=terms.time_control,
            boards=BOARDS[terms.boards],
            stages=map(stage_message, terms.stages),
        )
        number: int = (await self._arena.ask("CreateTournament", request)).tournament.id
        await self._arena.ask("StartTournament", tournaments_pb2.StartTournamentRequest(id=number))
        return number

    async def follow(
        self, number: int, take: Callable[[record_pb2.Record], None] | None
    ) -> AsyncGenerator[tournaments_pb2.Tournament]:
        """Yield the tournament now and after every change, until it is over;
        meanwhile programs are started as needed, and `take` is shown every record as it opens.
        """
        opened = None if take is None else OpenedRecords(self._arena, take)
        playing = [asyncio.create_task(processes.play(number)) for processes in self._per_match]
        try:
            async for answer in self._arena.watch_tournament(id=number):
                tournament = answer.tournament
                if self._trouble is not None:
                    await self._trouble.look(tournament)
                yield tournament
                if opened is not None and tournament.state not in TOURNAMENT_OVER:
                    await opened.look(tournament)
        finally:
            for task in playing:
                task.cancel()
            if playing:
                await asyncio.wait(playing)
        for task in playing:
            if not task.cancelled():
                task.result()

    async def outcome(
        self, tournament: tournaments_pb2.Tournament, take: Callable[[record_pb2.Record], None] | None
    ) -> RunReport:
        """Return what came of a tournament that is over; `take` is shown every record."""
        programs = {one.name: one for one in self._running} | {
            processes.name: processes.program for processes in self._per_match
        }
        if self._lobby is None:
            ended = [one for one in self._running if one.exit_code is not None]
            died = [
                FailedProgram(one.name, f"{one.ending} before the tournament was over", one.tail()) for one in ended
            ]
        else:
            died = [
                FailedProgram(processes.name, processes.fault, processes.program.tail())
                for processes in self._per_match
                if processes.fault
            ]
        return RunReport(tournament, await self._incidents(tournament, take), programs, died)

    async def so_far(self, number: int, take: Callable[[record_pb2.Record], None] | None) -> RunReport:
        """Cancel a tournament and return what came of it; `take` is shown the record of every finished match, again.

        Once it is cancelled no board is in play, so all records are open and the standings count every result.
        """
        with suppress(ArenaError):  # it may just have ended
            request = tournaments_pb2.CancelTournamentRequest(id=number, reason="the command was stopped")
            await self._arena.ask("CancelTournament", request)
        found = await self._arena.ask("GetTournament", tournaments_pb2.GetTournamentRequest(id=number))
        return await self.outcome(found.tournament, take)

    async def _incidents(
        self, tournament: tournaments_pb2.Tournament, take: Callable[[record_pb2.Record], None] | None
    ) -> dict[str, list[IncidentReport]]:
        found: dict[str, list[IncidentReport]] = {row.entrant: [] for row in tournament.standings}
        if take is None and not any(row.strikes or row.forfeits for row in tournament.standings):
            return found
        # One record at a time: thousands of them are more than a laptop should hold.
        over = tournament.state in TOURNAMENT_OVER
        asked = self._arena.all_matches(tournament=tournament.id, state=matches_pb2.MATCH_STATE_FINISHED)
        for number in sorted([match.id async for match in asked]):
            try:
                record = (await self._arena.get_record(match=number)).record
            except ArenaError:
                if over:
                    raise
                continue  # its board is still in play
            for incident in record.incidents:
                found[record.seats[incident.seat].name].append(_incident(record, incident))
            if take is not None:
                take(record)
        return found

    async def _connected(self, patience: float) -> None:
        deadline = time.monotonic() + patience
        absent = self._running
        while absent := [program for program in self._running if await self._is_absent(program, absent)]:
            for program in absent:
                if program.exit_code is not None:
                    advice = " (does it call farfalia.run(…)?)" if program.exit_code == 0 else ""
                    raise ProgramError(_sentence(program, f"{program.ending} before it connected{advice}"))
            if time.monotonic() > deadline:
                raise ProgramError(_sentence(absent[0], f"has not connected within {patience:g} seconds"))
            await asyncio.sleep(POLL)

    async def _is_absent(self, program: Program, before: Sequence[Program]) -> bool:
        """Return whether a program is not connected; one that was there is looked for again once it has ended."""
        if program not in before and program.exit_code is None:
            return False
        bot = await self._bot(program.name)
        return bot is None or not bot.connected


def _incident(record: record_pb2.Record, incident: record_pb2.Incident) -> IncidentReport:
    # The state before the action that the incident came with knows the number of its deal.
    state = next(islice(replay(codec.from_message(record)), incident.action_index, None))
    return IncidentReport(
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
    said = "its last output:\n  " + "\n  ".join(clean(line, _LINE) for line in tail) if tail else "it printed nothing."
    return f"{program.name} ({program.command}) {what}; {said}{_other_python(program, tail)}"


def _other_python(program: Program, tail: Sequence[str]) -> str:
    """Return advice for a program whose own Python has no SDK."""
    if not any("No module named 'farfalia'" in line for line in tail):
        return ""
    advice = "A file that ends in .py is run by this environment's Python, which has farfalia"
    return f"\n{advice}; {program.command} chose its own."
