"""Matches without a database: claimed, finished, rated and void by the rules of the real one."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from time import monotonic
from types import SimpleNamespace
from typing import Any

from farfalia.v1 import record_pb2
from farfalia_server.contract.errors import NotFound, RoleLost
from farfalia_server.contract.said import in_english
from farfalia_server.store import (
    Bot,
    ClaimedMatch,
    LadderRating,
    Match,
    MatchStanding,
    MatchState,
    OpenMatch,
    RatedMatch,
    RunningMatch,
    Source,
    Topic,
    VoidReason,
)
from farfalia_server.store.changes import Changes
from farfalia_server.store.matches.archive import result_of
from farfalia_server.store.matches.giving_up import MOST_ATTEMPTS
from farfalia_server.store.matches.rows import board_name
from farfalia_server.store.ratings.ratings import UnratedMatches
from farfalia_server.store.sql.fences import Fence, acting
from farfalia_tools.testing.memory_ratings import MemoryRatings
from farfalia_tools.testing.memory_redis import Through, directly

#: The newest commits that a failover can lose.
_COMMITS = 1000


@dataclass(frozen=True)
class _KeptMatch:
    """A match, and what its rows say beyond it."""

    match: Match
    board: str
    bots: tuple[Bot, ...]
    source: Source
    claimed: bool = False


class MemoryStore:
    """The matches of a database that outlives its clients, and their records; a contract test compares the real one.

    `now` returns the time in seconds, which commits remember.
    """

    def __init__(self, now: Callable[[], float] = monotonic) -> None:
        self._now = now
        self._kept: dict[int, _KeptMatch] = {}
        #: The records of finished matches, in the order in which these finished.
        self.records: dict[int, record_pb2.Record] = {}
        #: Attempts that were void, with the reasons.
        self.void_attempts: list[tuple[int, int, VoidReason]] = []
        #: What the database says of itself, and the newest token of each role.
        self.meta: dict[str, str] = {}
        self.tokens: dict[str, int] = {}
        self.ratings = MemoryRatings(
            lambda: [self.get(match) for match in self.records], self._check_own_fence, self._commit, self.meta
        )
        #: When each of the newest commits was made, and what there was before it.
        self._commits: deque[tuple[float, list[Any]]] = deque(maxlen=_COMMITS)

    def fail_over(self, seconds: float) -> set[int]:
        """Lose the commits of the last seconds, as a replica lacks them that takes over; return matches that differ."""
        lost, before = dict(self._kept), list[Any]()
        while self._commits and self._commits[-1][0] > self._now() - seconds:
            _, before = self._commits.pop()
        for table, rows in zip(self._tables, before, strict=bool(before)):
            table.clear()
            (table.extend if isinstance(table, list) else table.update)(rows)
        return {match for match, kept in lost.items() if self._kept.get(match) != kept}

    @property
    def _tables(self) -> list[Any]:
        return [self._kept, self.records, self.void_attempts, self.meta, self.tokens, *self.ratings.tables]

    def _commit(self) -> None:
        """Remember what there is before it changes."""
        self._commits.append((self._now(), list(map(copy, self._tables))))

    def add(self, match: Match, bots: Sequence[Bot], source: Source) -> None:
        """Add a match that waits to be played, with its bots by seat."""
        self._commit()
        self._kept[match.id] = _KeptMatch(match, match.board, tuple(bots), source)

    def client(self, through: Through = directly) -> Any:
        """Return what stands for a `Store` in a runner of matches; its calls go this way."""
        return _Client(self, through)

    def get(self, match: int) -> Match:
        """Return a match as it is now; NotFound."""
        if match not in self._kept:
            raise NotFound(in_english(f"there is no match {match}"), "MATCH_UNKNOWN")
        return self._kept[match].match

    def standing(self, match: int) -> MatchStanding:
        """Return how far a match is, and whose it is; NotFound."""
        found = self.get(match)
        return MatchStanding(found.state, found.epoch, found.node)

    def all(self) -> list[Match]:
        """Return all matches as they are now, oldest first."""
        return [kept.match for _, kept in sorted(self._kept.items())]

    def bots(self, match: int) -> tuple[int, ...]:
        """Return the bots of a match but for house bots."""
        return tuple(bot.id for bot in self._kept[match].bots if not bot.house)

    def house_bots(self, match: int) -> frozenset[str]:
        """Return which house bots play in a match."""
        return frozenset(bot.house for bot in self._kept[match].bots if bot.house)

    def bots_by_ids(self, wanted: Collection[int]) -> dict[int, Bot]:
        """Return bots by number."""
        return {bot.id: bot for kept in self._kept.values() for bot in kept.bots if bot.id in wanted}

    def open(
        self,
        state: MatchState,
        limit: int,
        *,
        after: int = 0,
        tournament_id: int | None = None,
        counted: bool | None = None,
    ) -> list[OpenMatch]:
        """Return matches in this state with a number greater than `after`, oldest first; they are in no tournament."""
        found = [
            one
            for one in self.of_state(state)
            if one.id > after and not tournament_id and counted in (None, bool(one.ladder))
        ]
        return [
            OpenMatch(
                one.id,
                one.epoch,
                one.attempt,
                one.bot_ids,
                one.tournament_id or 0,
                fillers=frozenset(seat.bot_id for seat in one.seats if seat.filler),
                walked_out=frozenset(seat.bot_id for seat in one.seats if seat.walked_out),
            )
            for one in found[:limit]
        ]

    def of_state(self, state: MatchState) -> list[Match]:
        """Return the matches in this state, oldest first."""
        return [match for match in self.all() if match.state is state]

    def claim(self, match_id: int, node: str, epoch: int | None = None) -> ClaimedMatch | None:
        """Make `node` the owner of a match that is not over."""
        kept = self._kept.get(match_id)
        if kept is None or not kept.match.state.active or epoch not in (None, kept.match.epoch):
            return None
        self._commit()
        claimed = replace(kept.match, epoch=kept.match.epoch + 1, state=MatchState.RUNNING, node=node)
        self._kept[match_id] = replace(kept, match=claimed, claimed=True)
        return ClaimedMatch(claimed, kept.bots, kept.source, not kept.claimed)

    def finish(
        self, match_id: int, epoch: int, record: record_pb2.Record, trumps: Sequence[Sequence[int | None]] = ()
    ) -> bool:
        """Write the result down, once, under the epoch that owns the match; NotFound."""
        del trumps  # of the statistics of seats nothing is kept here
        if self.get(match_id).epoch != epoch:
            return False
        kept = self._kept[match_id]
        if kept.match.state is MatchState.RUNNING:
            self._commit()
            seats = tuple(
                replace(seat, version=bot.version) for seat, bot in zip(kept.match.seats, kept.bots, strict=True)
            )
            result = result_of(record)
            finished = replace(kept.match, state=MatchState.FINISHED, seats=seats, result=result)
            self._kept[match_id] = replace(kept, match=finished)
            assert match_id not in self.records, "a match is finished twice"
            self.records[match_id] = record
        return self.get(match_id).state is MatchState.FINISHED

    def void(
        self, match_id: int, epoch: int, reason: VoidReason, text: str, walked_out: Collection[int] = ()
    ) -> MatchState | None:
        """Queue a match again, on another board, or give it up."""
        kept = self._kept.get(match_id)
        if kept is None or kept.match.epoch != epoch or kept.match.state is not MatchState.RUNNING:
            return None
        match = kept.match
        self._commit()
        self.void_attempts.append((match_id, match.attempt, reason))
        match = replace(match, epoch=epoch + 1, note=text)
        faults = [one for one, _, why in self.void_attempts if one == match_id and why is not VoidReason.ABANDONED]
        if reason is VoidReason.ABANDONED or len(faults) < MOST_ATTEMPTS:
            seats = tuple(
                replace(one, walkouts=one.walkouts + (at in walked_out)) for at, one in enumerate(match.seats)
            )
            match = replace(match, seats=seats)
            attempt = match.attempt + 1
            board = board_name(kept.board, match.number, attempt)
            match = replace(match, state=MatchState.QUEUED, attempt=attempt, board=board, node="")
            self._kept[match_id] = replace(kept, match=match, claimed=False)
        else:
            match = replace(match, state=MatchState.VOID)
            self._kept[match_id] = replace(kept, match=match)
        return match.state

    def settle_match(self, match_id: int, epoch: int, given: Mapping[int, bytes]) -> bool:
        """Keep what bots have added to the secret of a match, once."""
        kept = self._kept.get(match_id)
        if (
            kept is None
            or kept.source.settled
            or kept.match.epoch != epoch
            or kept.match.state is not MatchState.RUNNING
        ):
            return False
        self._commit()
        source = replace(kept.source, nonces=tuple(sorted(given.values())), given=dict(given), settled=True)
        self._kept[match_id] = replace(kept, source=source)
        return True

    def raise_to(self, role: str, token: int) -> int:
        """Refuse older tokens of a role from now on; return the newest before."""
        before = self.tokens.get(role, 0)
        self._commit()
        self.tokens[role] = max(before, token)
        return before

    def check_fence(self) -> Fence:
        """Return with what the current context acts; RoleLost if somebody has a newer token. A token that was lost is
        raised again.
        """
        fence = acting.get()
        assert fence is not None, "nobody acts for a role"
        if self.tokens.get(fence.role, 0) < fence.token:
            self.raise_to(fence.role, fence.token)
        if self.tokens[fence.role] > fence.token:
            raise RoleLost(f"another node acts as the {fence.role} by now")
        return fence

    def _check_own_fence(self) -> None:
        """Check the fence of the current context, if it acts for a role."""
        if acting.get() is not None:
            self.check_fence()

    def replace_meta(self, key: str, old: str, new: str) -> bool:
        """Set a value that is still the old one; empty for none."""
        if self.meta.get(key, "") != old:
            return False
        self._commit()
        self.meta[key] = new
        return True


class _Client:
    """The calls of a `Store` that a runner of matches makes, and its seater; `changes` tells what was done."""

    def __init__(self, store: MemoryStore, through: Through) -> None:
        self._through = through
        self._store = store
        self.changes = Changes()
        claims = self._calls(claim=store.claim, finish=store.finish, void=store.void)
        self.claims = SimpleNamespace(
            claim=self._telling(claims.claim, lambda _: MatchState.RUNNING),
            finish=self._telling(claims.finish, lambda _: MatchState.FINISHED),
            void=self._telling(claims.void, lambda state: state),
        )
        self.tournaments = self._calls(playing=list)
        self.entrants = self._calls(gone=dict)
        self.bots = self._calls(by_ids=store.bots_by_ids)
        self.nonces = self._calls(settle_match=store.settle_match, asked_of=lambda bot: [])
        self.fencing = self._calls(raise_to=store.raise_to)
        self.fencing.act = lambda role, token: acting.set(Fence(role, token))
        self.roles = self._calls(act=store.check_fence)
        self.meta = self._calls(
            get=store.meta.get,
            put_new=lambda key, new: store.replace_meta(key, "", new),
            replace=store.replace_meta,
            remove=lambda key, old: store.replace_meta(key, old, ""),
        )
        self.address = "memory"
        self.records = self._calls(get=store.records.__getitem__)
        self.ratings = self._calls(unrated=store.ratings.unrated, versions=store.ratings.versions, uncounted=list)
        self.rating_chain = self._calls(
            count=store.ratings.count, matches=store.ratings.matches, of_matches=lambda wanted: dict[int, str]()
        )
        self.ladders = self._calls(find=lambda name: None)
        self.ratings.apply = self._rating(self._made_through("rate", store.ratings.apply))
        self.matches = self._calls(
            get=store.get,
            standing=store.standing,
            open=store.open,
            running=lambda: [
                RunningMatch(one.id, one.epoch, one.attempt, one.node) for one in store.of_state(MatchState.RUNNING)
            ],
            bots_of_running=lambda: {one.id: store.bots(one.id) for one in store.of_state(MatchState.RUNNING)},
            queued=lambda wanted: [one for one in store.of_state(MatchState.QUEUED) if one.id in wanted],
            house_bots=lambda wanted: {one: house for one in wanted if (house := store.house_bots(one))},
            attempts=lambda wanted: {
                one.id: one.attempt for one in store.all() if one.id in wanted and not one.state.over
            },
        )

    def _telling(self, call: Any, state_of: Callable[[Any], MatchState]) -> Any:
        async def call_and_tell(match_id: int, *arguments: Any) -> Any:
            result = await call(match_id, *arguments)
            if result:
                self.changes.tell(Topic.MATCH, match_id, None, state_of(result))
            return result

        return call_and_tell

    def _rating(self, call: Any) -> Any:
        async def apply_and_tell(
            unrated: UnratedMatches, rated: Sequence[RatedMatch], ratings: Sequence[LadderRating], system: str
        ) -> bool:
            done: bool = await call(unrated, rated, ratings, system)
            for one in rated if done else ():
                self.changes.tell(Topic.RATING, one.match.id, one.match.tournament_id)
            return done

        return apply_and_tell

    def _calls(self, **calls: Any) -> SimpleNamespace:
        return SimpleNamespace(**{name: self._made_through(name, call) for name, call in calls.items()})

    def _made_through(self, name: str, call: Any) -> Any:
        async def call_through(*arguments: Any, **named: Any) -> Any:
            return await self._through(name, lambda: call(*arguments, **named))

        return call_through
