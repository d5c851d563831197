"""What a torment stands on: bots of its own, streams, and matches that are cancelled if it does not end them."""

from __future__ import annotations

import asyncio
import re
import ssl
import time
import urllib.request
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from secrets import randbelow, token_hex
from types import TracebackType
from typing import Any, Self

from farfalia import settings
from farfalia.arena import TIMEOUT, Arena, ArenaError
from farfalia.v1 import accounts_pb2, bots_pb2, matches_pb2, record_pb2, stages_pb2, tournaments_pb2
from farfalia_server.records import codec
from farfalia_server.records.verifying import verify
from farfalia_tools.torment.browser import HostileBrowser
from farfalia_tools.torment.stream import DidNotHold, TormentStream, first_legal

#: The shortest match that there is: a deal, mostly, with some ten questions for each of four seats.
GAME, OPTIONS = "four", {"target": "1"}
#: Milliseconds for a decision where time must not decide anything, and strikes that a seat survives.
LONG_MS, GRACE = 60_000, 2
#: Seconds between two looks at a tournament.
_LOOK = 0.2
#: Lines of `/metrics`: a name with its labels, and a value.
_METRIC = re.compile(r"^(\w+(?:\{[^}]*\})?) (\S+)$", re.MULTILINE)


@dataclass(frozen=True)
class TormentBot:
    """A bot that was registered for a torment."""

    name: str
    token: str = field(repr=False)


@dataclass(frozen=True)
class TormentAccount:
    """An account that was made for a torment."""

    name: str
    password: str = field(repr=False)

    @property
    def signing_in(self) -> dict[str, str]:
        """The fields of the form, and of the call, that sign somebody in."""
        return {"name": self.name, "password": self.password}


@dataclass(frozen=True)
class TormentMatch:
    """A match that is over, as its record has it for one bot."""

    record: record_pb2.Record
    seat: int

    @property
    def actions(self) -> list[record_pb2.RecordAction]:
        """The bot's actions, without forced ones: one for each question, in order."""
        forced = record_pb2.CAUSE_FORCED
        return [action for action in self.record.actions if action.seat == self.seat and action.cause != forced]

    def number(self, cause: record_pb2.Cause) -> int:
        """Return how many of its actions have this cause."""
        return sum(action.cause == cause for action in self.actions)


class Harness:
    """A running server, and what a torment may ask of it. At the end all its tournaments are cancelled.

    `patience` is how many seconds a torment waits for what must come. A storm has `streams`, the field `bots` honest
    bots and some `tables`, one match each, without hostile bots and with them. `judge_times` says whether times decide
    what holds. `proxy` is the address of a proxy in front of the server, for torments that need one. `is_proxy` says
    that the server has this machine among its proxies, so that browsers have the addresses that they name. `log` is the
    server's log, if it is on this machine. `hostile_core` is a CPU core for hostile people
    alone, from which the server is kept. `witness` is a bot without fault: what it may do, it must still be able to
    do in the middle of a torment.
    """

    def __init__(
        self,
        address: str,
        admin_token: str,
        *,
        patience: float = 60.0,
        streams: int = 500,
        bots: int = 12,
        tables: int = 200,
        judge_times: bool = True,
        proxy: str = "",
        is_proxy: bool = False,
        log: Path | None = None,
        hostile_core: int | None = None,
    ) -> None:
        self.address = address
        self.arena = Arena(address, admin_token, timeout=max(patience, TIMEOUT))
        self.server = settings.server(address, admin_token or "none")
        self.proxy = proxy or address
        self.front = settings.server(self.proxy, "none")
        self.admin_token = admin_token
        self.patience, self.judge_times = patience, judge_times
        self.streams, self.bots, self.tables = streams, bots, tables
        self.is_proxy, self.log, self.hostile_core = is_proxy, log, hostile_core
        #: Begins the names of all bots of this run.
        self.prefix = f"torment-{token_hex(3)}"
        self._pages = ""
        self._asking = asyncio.Lock()
        self._network, self._hosts = randbelow(256), count(1)
        self._numbers = count(1)
        self._tournaments: set[int] = set()
        self._creating: set[asyncio.Task[int]] = set()

    async def __aenter__(self) -> Self:
        """Register the witness; ArenaError if the server cannot be reached or declines the admin token."""
        async with AsyncExitStack() as stack:
            await stack.enter_async_context(self.arena)
            self.witness = await self.bot()
            self._stack = stack.pop_all()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Cancel what is still played."""
        await self.clear()
        await self._stack.aclose()

    async def clear(self) -> None:
        """Cancel the tournaments that are not over."""
        await asyncio.gather(*self._creating, return_exceptions=True)
        while self._tournaments:
            number = self._tournaments.pop()
            request = tournaments_pb2.CancelTournamentRequest(id=number, reason="the torment is over")
            with suppress(ArenaError):  # it may have ended by itself, and the server may be gone
                await self.arena.ask("CancelTournament", request)

    async def bot(self) -> TormentBot:
        """Register a bot."""
        name = f"{self.prefix}-{next(self._numbers)}"
        answer = await self.arena.ask("RegisterBot", bots_pb2.RegisterBotRequest(name=name, owner=self.prefix))
        return TormentBot(name, answer.token)

    def stream(self, bot: TormentBot | str, **options: Any) -> TormentStream:
        """Return a stream of a bot, or with a token; `async with` opens it. See `TormentStream` for the options."""
        token = bot if isinstance(bot, str) else bot.token
        return TormentStream(self.server, token, patience=self.patience, **options)

    @asynccontextmanager
    async def witness_playing(self) -> AsyncIterator[None]:
        """Have the witness play a match meanwhile; DidNotHold unless it ends with its own answers."""
        # With the same instance it may come back before the server has noticed that it was gone.
        async with self.stream(self.witness, instance=b"witness", play=first_legal) as stream:
            await stream.welcome()
            number = await self.match(self.witness)
            yield
            played = await self.played(number, self.witness)
        others = len(played.actions) - played.number(record_pb2.CAUSE_BOT)
        if others:
            raise DidNotHold(f"another bot, which did nothing wrong, had {others} strikes meanwhile")

    async def account(self) -> TormentAccount:
        """Make an account with a password."""
        name, password = f"{self.prefix}-{next(self._numbers)}", token_hex(8)
        await self.arena.ask("CreateAccount", accounts_pb2.CreateAccountRequest(name=name, password=password))
        return TormentAccount(name, password)

    async def pages(self) -> str:
        """Return the address of the pages, as the server tells it to bots."""
        async with self._asking:
            if not self._pages:
                async with self.stream(self.witness, instance=b"witness") as stream:
                    self._pages = (await stream.welcome()).pages
        if not self._pages:
            raise DidNotHold("the welcome names no address of pages")
        return self._pages

    async def page(self, path: str) -> str:
        """Return the text at a path of the HTTP port; DidNotHold if there is none."""
        return await asyncio.to_thread(
            _read, await self.pages() + path, self.patience, self.server.trust.root_certificates
        )

    async def browser(self) -> HostileBrowser:
        """Return a browser without cookies, at an address that no other one of this run has."""
        host = f"198.18.{self._network}.{next(self._hosts) % 256}"
        return HostileBrowser(await self.pages(), self.server.trust.root_certificates, self.patience, host)

    async def metrics(self) -> dict[str, float]:
        """Return what the server measures, by name and labels; nothing if it does not show it."""
        try:
            return {name: float(value) for name, value in _METRIC.findall(await self.page("/metrics"))}
        except DidNotHold:
            return {}

    async def match(
        self,
        *bots: TormentBot,
        limit_ms: int = LONG_MS,
        grace: int = GRACE,
        bank_ms: int = 0,
        rounds: int = 1,
        options: Mapping[str, str] = OPTIONS,
    ) -> int:
        """Start a tournament of one round, in which house bots fill the table; return its number."""
        number = await self.plan(*bots, limit_ms=limit_ms, grace=grace, bank_ms=bank_ms, rounds=rounds, options=options)
        await self.arena.ask("StartTournament", tournaments_pb2.StartTournamentRequest(id=number))
        return number

    async def plan(
        self,
        *bots: TormentBot,
        limit_ms: int = LONG_MS,
        grace: int = GRACE,
        bank_ms: int = 0,
        rounds: int = 1,
        options: Mapping[str, str] = OPTIONS,
    ) -> int:
        """Create a tournament that does not begin; return its number."""
        request = tournaments_pb2.CreateTournamentRequest(
            name=self.prefix,
            ruleset=GAME,
            options=options,
            bots=[bot.name for bot in bots],
            rounds=rounds,
            boards=stages_pb2.BOARDS_FRESH,
            time_control=record_pb2.TimeControl(limit_ms=limit_ms, bank_ms=bank_ms, grace=grace),
        )
        # Shielded: what is stopped while the server creates a tournament must know its number, to cancel it.
        creating = asyncio.create_task(self._create(request))
        self._creating.add(creating)
        creating.add_done_callback(self._creating.discard)
        return await asyncio.shield(creating)

    async def _create(self, request: tournaments_pb2.CreateTournamentRequest) -> int:
        number: int = (await self.arena.ask("CreateTournament", request)).tournament.id
        self._tournaments.add(number)
        return number

    async def over(self, number: int) -> tournaments_pb2.Tournament:
        """Wait until a tournament is over; DidNotHold if it stands still for too long, or a match was void."""
        request = tournaments_pb2.GetTournamentRequest(id=number)
        finished, deadline = -1, 0.0
        while True:
            shown: tournaments_pb2.Tournament = (await self.arena.ask("GetTournament", request)).tournament
            if shown.state != tournaments_pb2.TOURNAMENT_STATE_RUNNING:
                break
            if shown.finished > finished:
                finished, deadline = shown.finished, time.monotonic() + self.patience
            if time.monotonic() > deadline:
                left = f"{shown.matches - shown.finished} of {shown.matches} matches were not over"
                raise DidNotHold(f"{left} and none of them ended within {self.patience:g} s")
            await asyncio.sleep(_LOOK)
        if shown.void_attempts:
            raise DidNotHold(f"{shown.void_attempts} attempts of matches were void")
        self._tournaments.discard(number)
        return shown

    async def played(self, number: int, bot: TormentBot) -> TormentMatch:
        """Wait for the end of a bot's match in a tournament of one match; DidNotHold if its record does not hold."""
        await self.over(number)
        (match,) = (await self.arena.ask("ListMatches", matches_pb2.ListMatchesRequest(tournament=number))).matches
        record = (await self.arena.get_record(match=match.id)).record
        for violation in verify(codec.from_message(record)).violations:
            raise DidNotHold(f"the record of match {match.id} does not hold: {violation}")
        return TormentMatch(record, [seat.name for seat in record.seats].index(bot.name))


def _read(address: str, patience: float, authority: bytes | None) -> str:
    if not address.startswith(("http://", "https://")):
        raise DidNotHold("the welcome names no address of pages")
    trusting = ssl.create_default_context(cadata=authority.decode()) if authority else None
    try:
        with urllib.request.urlopen(address, timeout=patience, context=trusting) as answer:  # noqa: S310  (see above)
            text: str = answer.read().decode(errors="replace")
            return text
    except OSError as error:
        raise DidNotHold(f"{address} does not answer: {error}") from None
