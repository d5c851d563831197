"""Seats those who are connected on ladders that never end.

Every second or so it looks at who could begin a match on each open ladder, and plans matches for them as
`farfalia_tournaments.next_table` draws them: the dispatcher plays these as it plays all others. Nothing is kept that
could be lost: what was planned is in the store, and after a restart it looks again.
"""

import asyncio
import contextlib
import math
import random
import secrets
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from time import monotonic
from typing import Protocol

import structlog

from farfalia.v1 import play_pb2
from farfalia_engine import commitment, ruleset
from farfalia_server.arena.registering import HOUSE_PREFIX
from farfalia_server.errors import StoreUnavailable
from farfalia_server.store import Bot, Ladder, NewMatch, Seat, Store
from farfalia_tournaments import Candidate, TrueSkill, Waiting, next_table, why_waiting
from farfalia_tournaments.ladder import in_line

log = structlog.get_logger(__name__)

#: Seconds between two looks, and after which a bot that still waits is told so again.
_LOOK_SECONDS, _REMIND_SECONDS = 1.0, 60.0
#: How much a new figure counts in the mean seconds between tables and of a match.
_FRESH = 0.2
#: A newcomer's rating.
_PRIOR = TrueSkill().prior


class Line(Protocol):
    """The line to a bot."""

    bot: int
    rulesets: frozenset[str]

    @property
    def offered(self) -> int:
        """How many matches it can play at once; none if it is leaving."""

    def tell(self, frame: play_pb2.PlayResponse, /) -> None:
        """Sends it something."""


class Matchmaker:
    """Makes the matches of open ladders for those who are here; `async with` starts and stops it.

    `lines` lists the connected bots, `filler` names the house bot that sits where a ladder is to be filled.
    """

    def __init__(self, store: Store, lines: Callable[[], Iterable[Line]], *, filler: str, rng: random.Random) -> None:
        self._store = store
        self._lines = lines
        self._filler = filler
        self._random = rng
        self._wake = asyncio.Event()
        self._stopping = False
        self._paused = False
        self._task: asyncio.Task[None] | None = None
        self._paces: dict[str, _Pace] = {}
        self._idle_since: dict[int, float] = {}
        self._told: dict[int, float] = {}
        self._waiting: dict[int, dict[str, Waiting]] = {}

    def wake(self) -> None:
        """A ladder was opened or closed."""
        self._wake.set()

    def pause(self) -> None:
        """Begins no other match from now on."""
        self._paused = True

    def waiting(self, bot: int) -> dict[str, Waiting]:
        """Why a connected bot has no table, by ladder; empty if it has all that it can take."""
        return self._waiting.get(bot, {})

    async def __aenter__(self) -> "Matchmaker":
        self._task = asyncio.create_task(self._run(), name="matchmaker")
        return self

    async def __aexit__(self, *_: object) -> None:
        self._stopping = True
        self._wake.set()
        if self._task is not None:
            await self._task

    async def _run(self) -> None:
        while not self._stopping:
            self._wake.clear()
            try:
                await self._look()
            except StoreUnavailable as error:
                log.warning("ladders wait", why=str(error))
            except Exception:
                log.exception("the matchmaker failed and tries again")
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._wake.wait(), _LOOK_SECONDS)

    async def _look(self) -> None:
        ladders = [] if self._paused else await self._store.ladders.all()
        waiting: dict[int, dict[str, Waiting]] = {}
        if ladders:
            seated = await self._store.ladders.seated()
            wanted = await self._store.ladders.wanted()
            lines = {line.bot: line for line in self._lines() if line.bot not in wanted}
            bots = await self._store.bots.by_ids(lines)
            taken = Counter(bot for tables in seated.values() for table in tables.values() for bot in table)
            self._note_idle(lines, taken)
            for ladder in ladders:
                here = [line for line in lines.values() if not line.rulesets or ladder.ruleset in line.rulesets]
                candidates = await self._candidates(ladder, here, bots, taken)
                begun = await self._seat(ladder, candidates, bots, len(seated.get(ladder.ruleset, {})))
                taken.update(begun)
                for candidate in candidates:
                    if not taken[candidate.entrant]:
                        why = self._why(ladder, candidate, candidates)
                        waiting.setdefault(candidate.entrant, {})[ladder.ruleset] = why
        self._waiting = waiting
        self._remind()

    def _note_idle(self, lines: Iterable[int], taken: Counter[int]) -> None:
        now = monotonic()
        self._idle_since = {bot: now if taken[bot] else self._idle_since.get(bot, now) for bot in lines}

    async def _candidates(
        self, ladder: Ladder, lines: Sequence[Line], bots: Mapping[int, Bot], taken: Counter[int]
    ) -> list[Candidate]:
        ratings = await self._store.ratings.of(ladder.ruleset, [line.bot for line in lines])
        now = monotonic()
        found = []
        for line in lines:
            rating = ratings.get(line.bot)
            mu, sigma, matches = (rating.mu, rating.sigma, rating.matches) if rating else (_PRIOR.mu, _PRIOR.sigma, 0)
            found.append(
                Candidate(
                    entrant=line.bot,
                    mu=mu,
                    sigma=sigma,
                    matches=matches + taken[line.bot],
                    idle=now - self._idle_since[line.bot],
                    owner=bots[line.bot].owner or None,
                    capacity=max(0, min(line.offered, ladder.tables) - taken[line.bot]),
                )
            )
        return found

    async def _seat(
        self, ladder: Ladder, candidates: list[Candidate], bots: Mapping[int, Bot], playing: int
    ) -> list[int]:
        """Plans as many matches as the ladder may have at once; answers the bots that got a seat, once for each."""
        rules = ruleset(ladder.ruleset, ladder.options)
        begun: list[int] = []
        for _ in range(ladder.tables - playing):
            left = [
                replace(one, capacity=one.capacity - count, matches=one.matches + count)
                for one in candidates
                for count in (begun.count(one.entrant),)
            ]
            table = next_table(left, rules.seats, rng=self._random, siblings=ladder.siblings)
            if table is None and ladder.fill:
                table = _company(left, rules.seats, ladder.siblings)
            if not table:
                break
            seats = [Seat(bot, bots[bot].name) for bot in table]
            seats += [await self._house_seat(number) for number in range(1, rules.seats - len(table) + 1)]
            await self._plan(ladder, rules.options, seats)
            begun += table
            self._paces.setdefault(ladder.ruleset, _Pace()).count()
        return begun

    async def _house_seat(self, number: int) -> Seat:
        bot = await self._store.bots.ensure_house(f"{HOUSE_PREFIX}{self._filler}-{number}", self._filler)
        return Seat(bot.id, bot.name, filler=True)

    async def _plan(self, ladder: Ladder, options: Mapping[str, str], seats: Sequence[Seat]) -> None:
        secret = secrets.token_bytes(32)
        await self._store.matches.plan(
            NewMatch(0, "board-1", tuple(seats)),
            ruleset=ladder.ruleset,
            options=options,
            time_control=ladder.time_control,
            secret=secret,
            commitment=commitment(secret),
        )

    def _why(self, ladder: Ladder, candidate: Candidate, candidates: Sequence[Candidate]) -> Waiting:
        pace = self._paces.get(ladder.ruleset)
        return why_waiting(
            candidate.entrant,
            candidates,
            ruleset(ladder.ruleset, ladder.options).seats,
            seconds_between_tables=pace.seconds if pace else None,
            siblings=ladder.siblings,
        )

    def _remind(self) -> None:
        """Tells those who wait why, at once and then from time to time."""
        now = monotonic()
        self._told = {bot: since for bot, since in self._told.items() if bot in self._waiting}
        for line in self._lines():
            reasons = self._waiting.get(line.bot)
            if reasons and now - self._told.get(line.bot, -math.inf) >= _REMIND_SECONDS:
                self._told[line.bot] = now
                for ladder, why in reasons.items():
                    notice = play_pb2.Notice(reason="LADDER_WAITS", text=f"{ladder}: {sentence(why)}")
                    line.tell(play_pb2.PlayResponse(notices=[notice]))


def sentence(why: Waiting) -> str:
    """Why a bot waits, and for about how long."""
    return why.sentence if why.seconds is None else f"{why.sentence} That takes about {max(1, round(why.seconds))} s."


def _company(candidates: Sequence[Candidate], seats: int, siblings: bool) -> tuple[int, ...]:
    """Those of a ladder that is to be filled who sit together, too few for a table: first in line first."""
    company: list[Candidate] = []
    for one in in_line(candidates):
        if siblings or one.owner is None or all(one.owner != other.owner for other in company):
            company.append(one)
    return tuple(one.entrant for one in company[:seats])


class _Pace:
    """The mean of the seconds between tables, newer ones counting more."""

    def __init__(self) -> None:
        self.seconds: float | None = None
        self._last: float | None = None

    def count(self) -> None:
        """A table begins now."""
        now = monotonic()
        if self._last is not None:
            passed = now - self._last
            self.seconds = passed if self.seconds is None else self.seconds + _FRESH * (passed - self.seconds)
        self._last = now
