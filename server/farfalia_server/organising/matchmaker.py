"""Seats those who are connected on ladders that never end.

Every second or so it looks at who could begin a match on each open ladder, and plans matches for them as a
`farfalia_tournaments.WaitingPool` draws them: the seater takes these as it takes all others. The store knows what
was planned; the pools are made again from it and from the connections after a restart.

A look at thousands of bots is cut into slices: between two of them the event loop reads what bots have answered.
"""

import asyncio
import math
import random
import secrets
from collections import Counter
from collections.abc import AsyncIterator, Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import cycle, islice
from time import monotonic
from typing import Self

from farfalia.v1 import play_pb2
from farfalia_engine import Ruleset, commitment, ruleset
from farfalia_server.net.service import PeriodicService
from farfalia_server.organising.resting import Resting, why_resting
from farfalia_server.organising.start_times import why_no_ladder_match
from farfalia_server.play.lobby import PresentBot
from farfalia_server.records.house_names import filler_name
from farfalia_server.store import ARENA, Change, Ladder, LadderRating, NewLadderMatch, NewMatch, Seat, Store, Topic
from farfalia_tournaments import Candidate, TrueSkill, WaitingPool, WaitStatus, why_waiting

#: Seconds between two looks, and after which a bot that still waits is told so again.
_LOOK_SECONDS, _REMIND_SECONDS = 1.0, 60.0
#: How much a new figure counts in the mean seconds between tables and of a match.
_FRESH = 0.2
#: Bots, or tables, that are looked at without a break: some milliseconds.
_SLICE, _TABLES = 200, 10
#: Ratings that each look reads again, in turn: a rebuild changes them without telling anybody.
_REFRESH = 50
#: Why a bot waits that nobody owns.
_WITHOUT_ACCOUNT = (
    "Ladders seat bots of accounts. Register an account, then a bot with its token: farfalia account register NAME, "
    "farfalia bot register BOT."
)
#: A newcomer's rating.
_PRIOR = TrueSkill().prior


class Matchmaker(PeriodicService):
    """The service that makes the matches of open ladders for connected bots. `async with` starts and stops it.

    `connections` returns the connected bots, `rungs` names the house bots that fill ladders which name none.
    """

    def __init__(
        self,
        store: Store,
        connections: Callable[[], Iterable[PresentBot]],
        *,
        rungs: Sequence[str],
        rng: random.Random,
    ) -> None:
        super().__init__("matchmaker", every=_LOOK_SECONDS, pause=0.0)
        self._store = store
        self._connections = connections
        self._rungs = rungs
        self._random = rng
        self._paused = False
        self._queues: dict[str, _Queue] = {}
        self._owners: dict[int, str | None] = {}
        self._accounts: dict[int, int | None] = {}
        #: No ladder seats them: persons, and bots of strangers without an account, since nothing limits their number.
        self._unowned: set[int] = set()
        self._house: dict[str, Seat] = {}
        #: Bots of whom a match is played or waits to be, and how many.
        self._taken: Counter[int] = Counter()
        self._since: dict[int, float] = {}
        self._told: dict[int, float] = {}
        self._refused: dict[int, float] = {}
        #: Bots that have been rated since the last look.
        self._rated: set[int] = set()
        store.changes.on((Topic.BOT,), self._forget_owner)

    async def __aenter__(self) -> Self:
        self._queues.clear()  # of an earlier time: others have begun matches since
        return await super().__aenter__()

    def rated(self, bots: Iterable[int]) -> None:
        """Note that these bots have new ratings."""
        self._rated.update(bots)

    def _forget_owner(self, change: Change) -> None:
        self._owners.pop(change.id, None)  # it may have another name

    def pause(self) -> None:
        """Begin no other match from now on."""
        self._paused = True

    def waiting(self, bot: int) -> dict[str, WaitStatus]:
        """Return why a connected bot has no table, by ladder; empty if it has one, or is wanted by a tournament."""
        return {ladder: queue.why(bot) for ladder, queue in self._queues.items() if queue.has_none(bot)}

    async def _tick(self) -> None:
        ladders = [] if self._paused else await self._store.ladders.all()
        kept, rungs = {ladder.name: self._queues.get(ladder.name) for ladder in ladders}, self._rungs
        self._queues = {
            ladder.name: queue if (queue := kept[ladder.name]) and queue.ladder == ladder else _Queue(ladder, rungs)
            for ladder in ladders
        }
        if not ladders:
            return
        seated = await self._store.ladders.seated()
        wanted = await self._store.ladders.wanted()
        connections = {connection.bot: connection for connection in self._connections() if connection.bot not in wanted}
        await self._learn(connections)
        self._refuse({bot: connections.pop(bot) for bot in self._unowned & connections.keys()})
        self._note(
            connections, Counter(bot for tables in seated.values() for table in tables.values() for bot in table)
        )
        rated, self._rated = self._rated, set()
        # The ladder that has waited longest comes first: of two ladders that share bots, both begin matches.
        members = await self._members()
        events = {event: await self._store.events.get(event) for event in members}
        for queue in sorted(self._queues.values(), key=lambda queue: queue.begun):
            allowed = members[queue.ladder.event]
            here = connections if allowed is None else _of(connections, self._accounts, allowed)
            queue.hourly = events[queue.ladder.event].caps.matches
            queue.closed = why_no_ladder_match(events[queue.ladder.event])
            await self._update(queue, here, rated)
            begun = await self._seat(queue, len(seated.get(queue.ladder.name, {})))
            self._note(connections, self._taken + Counter(begun))
        await self._remind(connections)

    def _refuse(self, unowned: Mapping[int, PresentBot]) -> None:
        """Tell bots of strangers without an account why no ladder seats them, at once and then from time to time."""
        moment = monotonic()
        self._refused = {bot: since for bot, since in self._refused.items() if bot in unowned}
        for bot, connection in unowned.items():
            if moment - self._refused.get(bot, -math.inf) >= _REMIND_SECONDS:
                self._refused[bot] = moment
                notice = play_pb2.Notice(reason="LADDER_WAITS", text=_WITHOUT_ACCOUNT)
                connection.send(play_pb2.PlayResponse(notices=[notice]))

    async def _members(self) -> dict[str, Collection[int] | None]:
        """Return the accounts whose bots each event seats; None for the public arena, which seats all."""
        events = {queue.ladder.event for queue in self._queues.values()}
        return {
            event: None if event == ARENA else {member.account_id for member in await self._store.members.of(event)}
            for event in events
        }

    async def _learn(self, connections: Iterable[int]) -> None:
        """Read whose the bots are that came since the last look."""
        for some in _batches([bot for bot in connections if bot not in self._owners]):
            for bot in (await self._store.bots.by_ids(some)).values():
                self._owners[bot.id], self._accounts[bot.id] = bot.siblings, bot.account_id
                if bot.person or (bot.account_id is None and bot.source):
                    self._unowned.add(bot.id)

    def _note(self, connections: Iterable[int], taken: Counter[int]) -> None:
        """Note that a bot waits since it came, or since its last match began or ended."""
        now = monotonic()
        self._since = {
            bot: self._since[bot] if bot in self._since and self._taken[bot] == taken[bot] else now
            for bot in connections
        }
        self._taken = taken

    async def _update(self, queue: "_Queue", connections: Mapping[int, PresentBot], rated: Collection[int]) -> None:
        """Bring a queue to what is known of its bots now."""
        rules = queue.ladder.ruleset
        here = {
            bot: connection
            for bot, connection in connections.items()
            if not connection.rulesets or rules in connection.rulesets
        }
        for bot in queue.taken.keys() - here.keys():
            queue.forget(bot)
        unknown = [bot for bot in here if bot not in queue.ratings or bot in rated]
        again = islice(here, self._random.randrange(max(1, len(here))), None)
        for some in _batches(list({*unknown, *islice(again, _REFRESH)})):
            ratings = await self._store.ratings.of(queue.ladder.name, some)
            queue.ratings.update((bot, ratings.get(bot)) for bot in some)
        async for some in _slices(here):
            for bot in some:
                self._put(queue, here[bot])

    def _put(self, queue: "_Queue", connection: PresentBot) -> None:
        bot, rating, taken = connection.bot, queue.ratings[connection.bot], self._taken[connection.bot]
        queue.taken[bot] = taken
        mu, sigma, matches = (rating.mu, rating.sigma, rating.matches) if rating else (_PRIOR.mu, _PRIOR.sigma, 0)
        queue.put(
            Candidate(
                entrant=bot,
                mu=mu,
                sigma=sigma,
                matches=matches + taken,
                since=self._since[bot],
                owner=self._owners.get(bot),
                capacity=0 if queue.rests(bot, sigma) else max(0, connection.offered - taken),
            )
        )

    async def _seat(self, queue: "_Queue", playing: int) -> list[int]:
        """Plan as many matches as the ladder may have at a time; returns the bots that got a seat, once for each."""
        tables: list[tuple[int, ...]] = []
        if queue.closed is not None:
            return []
        while len(tables) < queue.ladder.tables - playing and (table := queue.next_table(self._random)):
            tables.append(table)
            if len(tables) % _TABLES == 0:
                await asyncio.sleep(0)
        if not tables:
            return []
        names = await self._store.bots.by_ids(bot for table in tables for bot in table)
        planned = [await self._match(queue, [Seat(bot, names[bot].name) for bot in table]) for table in tables]
        ladder = queue.ladder
        await self._store.matches.plan(
            planned,
            ruleset=ladder.ruleset,
            options=queue.rules.options,
            time_control=ladder.time_control,
            ladder=ladder.name,
        )
        queue.count(len(tables))
        return [bot for table in tables for bot in table]

    async def _match(self, queue: "_Queue", seats: Sequence[Seat]) -> NewLadderMatch:
        rungs = list(islice(queue.rungs, queue.rules.seats - len(seats)))
        house = [await self._house_seat(rung, rungs[:at].count(rung) + 1) for at, rung in enumerate(rungs)]
        secret = secrets.token_bytes(32)
        return NewLadderMatch(NewMatch(0, "board-1", (*seats, *house)), secret, commitment(secret))

    async def _house_seat(self, rung: str, copy: int) -> Seat:
        if (name := filler_name(rung, copy)) not in self._house:
            self._house[name] = Seat((await self._store.bots.ensure_house(name, rung)).id, name)
        return self._house[name]

    async def _remind(self, connections: Mapping[int, PresentBot]) -> None:
        """Tell those who wait why, at once and then from time to time."""
        now = monotonic()
        idle = {bot for bot in connections if any(queue.has_none(bot) for queue in self._queues.values())}
        self._told = {bot: since for bot, since in self._told.items() if bot in idle}
        due = [bot for bot in idle if now - self._told.get(bot, -math.inf) >= _REMIND_SECONDS]
        if not due:
            return
        for queue in self._queues.values():
            places = queue.pool.places()
            async for some in _slices(due):
                for bot in some:
                    if queue.has_none(bot):
                        self._told[bot] = now
                        text = f"{queue.ladder.name}: {sentence(queue.why(bot, places))}"
                        connections[bot].send(
                            play_pb2.PlayResponse(notices=[play_pb2.Notice(reason="LADDER_WAITS", text=text)])
                        )


class _Queue:
    """One open ladder: who waits on it, and what was known of them at the last look."""

    def __init__(self, ladder: Ladder, rungs: Sequence[str]) -> None:
        self.ladder = ladder
        self.rungs = cycle(ladder.rungs or rungs)
        self.rules: Ruleset = ruleset(ladder.ruleset, ladder.options)
        self.pool = WaitingPool(self.rules.seats, siblings=ladder.siblings)
        #: Candidates as they were put into the pool.
        self.known: dict[int, Candidate] = {}
        self.ratings: dict[int, LadderRating | None] = {}
        self.taken: dict[int, int] = {}
        self._pace = _Pace()
        #: Why it begins no match now, even with enough bots.
        self.closed: WaitStatus | None = None
        #: When a table of it began last; 0 before the first.
        self.begun = 0.0
        #: Matches of a bot an hour, 0 for no limit; which bots rest, and for how many seconds more.
        self.hourly = 0
        self.resting: dict[int, float] = {}
        self._rest = Resting()

    def rests(self, bot: int, sigma: float) -> bool:
        """Return whether a bot has had its matches for now."""
        seconds = self._rest.seconds(bot, monotonic(), hourly=self.hourly, sigma=sigma)
        if seconds:
            self.resting[bot] = seconds
        else:
            self.resting.pop(bot, None)
        return seconds > 0

    def put(self, candidate: Candidate) -> None:
        """Note what is known of a bot now; most often nothing has changed."""
        if self.known.get(candidate.entrant) != candidate:
            self.known[candidate.entrant] = candidate
            self.pool.put(candidate)

    def forget(self, bot: int) -> None:
        """Forget a bot that is gone, or plays in a tournament."""
        for known in (self.known, self.ratings, self.taken, self.resting):
            known.pop(bot, None)
        self.pool.remove(bot)
        self._rest.forget([bot], monotonic())

    def next_table(self, rng: random.Random) -> tuple[int, ...]:
        """Return who plays next; nobody if there are too few."""
        now = monotonic()
        table = self.pool.next_table(now, rng)
        if table is None:
            table = self.pool.next_partial_table(now) if self._fills(now) else ()
        for bot in table:
            self.known.pop(bot, None)  # the pool knows more of it from now on
        self._rest.begin(table, now)
        return table

    def _fills(self, now: float) -> bool:
        """Return whether house bots sit at a table now; a settled bot that is alone plays with them now and then."""
        if not self.ladder.fill or len(self.pool) != 1:
            return self.ladder.fill
        (bot,) = self.pool.places()
        rating = self.ratings[bot]  # `known` no longer has a bot that begins its second match at once
        if rating is None or not rating.settled or not (seconds := self._rest.seconds_alone(bot, now)):
            return True
        self.resting[bot] = seconds
        return False

    def count(self, tables: int) -> None:
        """Note that `tables` tables begin now."""
        self._pace.count(tables)
        self.begun = monotonic()

    def has_none(self, bot: int) -> bool:
        """Return whether a bot of this ladder has no match."""
        return bot in self.taken and not self.taken[bot] and bot in self.known

    def why(self, bot: int, places: Mapping[int, int] | None = None) -> WaitStatus:
        """Return why a bot that has no match waits; `places` are those in line, where the caller has them."""
        if self.closed is not None:
            return self.closed
        if bot in self.resting:
            return why_resting(self.resting[bot])
        place = (self.pool.places() if places is None else places).get(bot)
        return why_waiting(self.pool, place, seconds_between_tables=self._pace.seconds)


def _of(
    connections: Mapping[int, PresentBot], accounts: Mapping[int, int | None], allowed: Collection[int]
) -> Mapping[int, PresentBot]:
    """Return the connections of these accounts' bots."""
    return {bot: connection for bot, connection in connections.items() if accounts.get(bot) in allowed}


def _batches(bots: Sequence[int]) -> Iterator[Sequence[int]]:
    return (bots[start : start + _SLICE] for start in range(0, len(bots), _SLICE))


async def _slices(bots: Iterable[int]) -> AsyncIterator[Sequence[int]]:
    """Yield the bots, some at a time; between two slices the loop goes on with everything else."""
    for some in _batches(tuple(bots)):
        yield some
        await asyncio.sleep(0)


def sentence(why: WaitStatus) -> str:
    """Return why a bot waits, and for about how long."""
    return why.sentence if why.seconds is None else f"{why.sentence} That takes about {max(1, round(why.seconds))} s."


class _Pace:
    """The mean of the seconds between tables, newer ones counting more."""

    def __init__(self) -> None:
        self.seconds: float | None = None
        self._last: float | None = None

    def count(self, tables: int) -> None:
        """Note that `tables` tables begin now."""
        now = monotonic()
        if self._last is not None:
            passed = (now - self._last) / tables
            self.seconds = passed if self.seconds is None else self.seconds + _FRESH * (passed - self.seconds)
        self._last = now
