"""The journal of running matches in Redis: written before anything is sent, fenced by epochs.

One Redis stream holds one attempt of a match. Its entries are numbered from 1 without gaps, so that no entry is written
twice and a missing one is noticed. The script refuses any epoch but the current one, so a node that lost its match
without noticing can do no harm. Keys contain the database, the match and the attempt: an attempt never reads what
another one wrote.

All tables that have entries at the same moment share one call of the script.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from time import monotonic
from types import TracebackType
from typing import Any, Protocol

import structlog
from redis.asyncio import Redis
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import NoScriptError, RedisError
from redis.exceptions import TimeoutError as RedisTimeoutError

from farfalia_server.net import redis_keys
from farfalia_server.net.backoff import backoff
from farfalia_server.net.measures import Measures
from farfalia_server.net.redis_connection import is_worth_a_new_connection
from farfalia_server.net.redis_pipe import RedisPipe
from farfalia_server.net.service import Service
from farfalia_server.play.redis_scripts import (
    APPEND,
    CLAIM,
    CLAIM_LOST,
    END,
    ENTRY_HEAD,
    GAP,
    OTHER_OWNER,
    UNKNOWN,
    WRITTEN,
)

log = structlog.get_logger(__name__)

#: Seconds before the first retry while Redis is unreachable, and most seconds between later ones.
_BACKOFF = (0.05, 2.0)
#: Seconds between two checks whether this node counts as alive again.
_HOLD_SECONDS = 0.05
#: Keys that one step of the sweep reads.
_SWEEP_KEYS = 500
#: Seconds for which all nodes know that an attempt has ended: longer than a replica of the database lags behind.
_ENDED_SECONDS = 3600


def log_name(database: str, match: int, attempt: int) -> str:
    """Return the key of the stream that holds an attempt of a match."""
    return redis_keys.JOURNAL(database=database, match=match, attempt=attempt)


def _claim_field(epoch: int, node: str) -> str:
    return f"{epoch}/{node}"


class JournalCorrupt(Exception):
    """Raised when a match cannot be recovered from its journal and has to be replayed."""


class JournalLost(Exception):
    """Raised when Redis has lost a match in play, or its claim; its table still has every entry."""


@dataclass(frozen=True, slots=True)
class EarlierPlay:
    """What Redis knew of a match before a claim: the epoch in force, and the newest attempt that has ended; 0 for
    none.
    """

    epoch: int = 0
    ended: int = 0


class Author(Protocol):
    """The author of entries: one attempt of a match at one epoch."""

    match: int
    attempt: int
    epoch: int

    def payloads(self, count: int) -> Sequence[bytes]:
        """Return its first `count` entries again, for a stream that has lost some."""

    def written(self, number: int, ok: bool) -> None:
        """Note that this entry is written, or with False that its epoch is old; entries in the order of their calls."""

    def fail(self, error: Exception) -> None:
        """Note that its entry failed; it writes no more."""


class Owner(Protocol):
    """A node, which owns its matches until it is taken for dead."""

    @property
    def holds(self) -> bool:
        """Whether nobody can have taken it for dead yet."""

    @property
    def instance(self) -> str:
        """Which instance of the node it is; another one once it was taken for dead."""


#: An entry that waits: its author, its number, its bytes. A tuple, since every decision makes one.
_Entry = tuple[Author, int, bytes]


class Journal(Service):
    """The journals of all matches, written in order, many entries in one call; `async with` starts and stops it.

    `database` separates this database's matches from those of others on the same Redis. Entries go through `pipe`; by
    default that is a new one to the same Redis. For `owner`, a node of a cluster, it writes only while the node is
    known to be alive, and refuses entries of an earlier instance of it: a Redis that has lost the newer claims would
    accept them.
    """

    def __init__(
        self,
        redis: Redis,
        database: str,
        pipe: RedisPipe | None = None,
        measures: Measures | None = None,
        *,
        owner: Owner | None = None,
    ) -> None:
        super().__init__("journal")
        self._redis = redis
        self._database = database
        self._prefix = redis_keys.JOURNAL.before("match", database=database)
        #: For entries only: the client's own work around a command costs more than the command.
        self._pipe = pipe or RedisPipe(redis)
        self._measures = measures or Measures()
        self._owner = owner
        self._append_sha = ""
        self._claim = redis.register_script(CLAIM)
        self._end = redis.register_script(END)
        self._queue: list[_Entry] = []
        #: The instance of the node that wrote what waits, and what an earlier one wrote that is still to be refused.
        self._instance = ""
        self._disowned: list[_Entry] = []
        #: What to do once all authors of a call know its outcome; None while no call is reported to them.
        self._after_flush: list[Callable[[], None]] | None = None
        #: Calls that go on even if nobody waits for them any more.
        self._calls: set[asyncio.Future[Any]] = set()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await super().__aexit__(kind, error, trace)
        if self._calls:
            await asyncio.wait(self._calls)
        await self._pipe.aclose()

    def append(self, author: Author, number: int, payload: bytes) -> None:
        """Queue an entry for the next call, numbered from 1; its author is told what has become of it.

        Entries of one match stay in order.
        """
        if self._owner is not None and self._owner.instance != self._instance:
            self._disowned += self._queue
            self._queue, self._instance = [], self._owner.instance
        self._queue.append((author, number, payload))
        self._woken.set()

    def after_flush(self, callback: Callable[[], None]) -> None:
        """Call back once all authors of a call know its outcome, so that their questions share messages; else soon."""
        if self._after_flush is None:
            asyncio.get_running_loop().call_soon(callback)
        else:
            self._after_flush.append(callback)

    async def claim(self, match: int, epoch: int, node: str) -> EarlierPlay:
        """Make `epoch` the one that may write, unless there is a higher one, and store who claimed it.

        Without a `node` the claim is not stored: its entries are still to be written again, and until then the match
        must not be taken for one of which nothing has been played.
        """
        keys = [self._own(match), self._ended(match)]
        arguments: list[int | str] = [epoch, _claim_field(epoch, node) if node else ""]
        return EarlierPlay(*await self._shielded("claim", lambda: self._claim(keys=keys, args=arguments), match))

    async def knows(self, match: int, epoch: int, node: str) -> bool:
        """Return whether this Redis has seen this claim: False if it has lost its data since."""
        field = _claim_field(epoch, node)
        return bool(await self._shielded("knows", lambda: self._redis.hexists(self._own(match), field), match))

    async def read(self, match: int, attempt: int) -> list[bytes]:
        """Return all entries of an attempt, oldest first; empty if there are none.

        Raises JournalCorrupt, naming the gap, if one before the last is missing.
        """
        rows: Any = await self._shielded("read", lambda: self._redis.xrange(self._log(match, attempt)), match)
        for number, (id, _) in enumerate(rows, start=1):
            if id != b"%d-0" % number:
                raise JournalCorrupt(f"entry {number} of the journal is missing; entry {id.decode()} stands there")
        return [fields[b"e"] for _, fields in rows]

    async def forget(self, match: int, attempt: int) -> None:
        """Delete the entries of this attempt and of earlier ones, which are void. The match's epochs stay."""
        if attempt:
            await self._delete_ended(match, attempt, self._logs(match, attempt))

    async def drop(self, match: int, attempt: int) -> None:
        """Delete everything of a match that ended at this attempt."""
        await self._delete_ended(match, attempt, [self._own(match), *self._logs(match, attempt)])

    async def _delete_ended(self, match: int, attempt: int, names: Sequence[str]) -> None:
        """Delete keys of attempts that have ended, this one and earlier ones, and let the next claims know that they
        have: the database may forget it in a failover, and nobody but Redis knows then that bots have seen the cards.
        """
        keys, arguments = [self._ended(match), self._own(match), *names], [attempt, _ENDED_SECONDS]
        await self._shielded("delete", lambda: self._end(keys=keys, args=arguments), match)

    async def sweep(self, open_matches: Callable[[Sequence[int]], Awaitable[Mapping[int, int]]]) -> int:
        """Delete what is left of finished matches and of void attempts; return how many keys.

        `open_matches` returns the unfinished ones of the given matches, each with its current attempt.
        """
        kept: defaultdict[int, list[tuple[int, str]]] = defaultdict(list)
        cursor = 0
        while True:
            scan = partial(self._redis.scan, cursor, match=f"{self._prefix}*", count=_SWEEP_KEYS)
            cursor, names = await self._shielded("scan", scan)
            for name in names:
                match, _, rest = name.decode().removeprefix(self._prefix).partition(":")
                attempt = rest.partition(":")[0]
                kept[int(match)].append((int(attempt) if attempt.isdecimal() else 0, name.decode()))
            if not cursor:
                break
        matches, deleted = sorted(kept), 0
        for first in range(0, len(matches), _SWEEP_KEYS):
            # Ask after reading the keys: matches that have begun since are at a later attempt than the keys.
            attempts = await open_matches(matches[first : first + _SWEEP_KEYS])
            for match in matches[first : first + _SWEEP_KEYS]:
                now = attempts.get(match)
                old = [(attempt, name) for attempt, name in kept[match] if now is None or 0 < attempt < now]
                if old:
                    await self._delete_ended(match, max(old)[0], [name for _, name in old])
                    deleted += len(old)
        if deleted:
            log.info("journal_swept", keys=deleted)
        return deleted

    def _own(self, match: int) -> str:
        return redis_keys.OWNER(database=self._database, match=match)

    def _ended(self, match: int) -> str:
        return redis_keys.FINISHED(database=self._database, match=match)

    def _log(self, match: int, attempt: int) -> str:
        return log_name(self._database, match, attempt)

    def _logs(self, match: int, attempt: int) -> list[str]:
        return [self._log(match, number) for number in range(1, attempt + 1)]

    async def _run(self) -> None:
        while True:
            await self._woken.wait()
            self._woken.clear()
            disowned, self._disowned = self._disowned, []
            for entry in disowned:
                _report(entry, OTHER_OWNER)
            batch, self._queue = self._queue, []
            if batch:
                try:
                    replies = await self._append_with_repair(batch, self._instance)
                except (RedisError, OSError) as error:  # while closing only
                    log.warning("journal_closed_unwritten", error=str(error))
                    return
                self._tell(batch, replies)
            elif self._stopping:
                return

    def _tell(self, batch: Sequence[_Entry], replies: Sequence[int]) -> None:
        """Tell all authors of a call its outcome, then do what waits for that."""
        self._after_flush = after_flush = list[Callable[[], None]]()
        for entry, reply in zip(batch, replies, strict=True):
            _report(entry, reply)
        self._after_flush = None
        for callback in after_flush:
            try:
                callback()
            except Exception:
                log.exception("after_flush_failed")

    async def _append_with_repair(self, batch: Sequence[_Entry], instance: str) -> list[int]:
        replies = await self._append_once(batch, instance)
        lacking = [entry for entry, reply in zip(batch, replies, strict=True) if reply == GAP] if GAP in replies else []
        if not lacking:
            return replies
        # After a failover to a replica Redis lacks its newest entries; their tables still have them.
        log.warning("journal_repaired", matches=[author.match for author, *_ in lacking])
        first = {id(author): (author, number) for author, number, _ in reversed(lacking)}
        again: list[_Entry] = []
        for author, number in first.values():
            with suppress(Exception):  # then the gap stays and is reported
                earlier = author.payloads(number - 1)
                again += [(author, place, payload) for place, payload in enumerate(earlier, 1)]
        replied = (await self._append_once([*again, *lacking], instance))[len(again) :]
        repaired = {id(entry): reply for entry, reply in zip(lacking, replied, strict=True)}
        return [repaired.get(id(entry), reply) for entry, reply in zip(batch, replies, strict=True)]

    async def _append_once(self, batch: Sequence[_Entry], instance: str) -> list[int]:
        parts: list[bytes] = []
        for author, number, payload in batch:
            parts += (ENTRY_HEAD.pack(author.match, author.attempt, author.epoch, number, len(payload)), payload)
        call = partial(self._append, b"".join(parts), len(batch), instance)
        replies: list[int] = await self._retrying("append", call)
        return replies

    async def _append(self, entries: bytes, count: int, instance: str) -> Any:
        if self._owner is not None:
            while not self._owner.holds:
                if self._stopping:
                    raise RedisConnectionError("this node may have been taken for dead")
                await asyncio.sleep(_HOLD_SECONDS)
            if instance != self._owner.instance:
                return [OTHER_OWNER] * count
        began = monotonic()
        try:
            try:
                replies = await self._call(entries)
            except NoScriptError:  # the first call, or Redis was restarted
                self._append_sha = (await self._pipe.call("SCRIPT", "LOAD", APPEND)).decode()
                replies = await self._call(entries)
        except (RedisError, OSError) as error:
            if is_worth_a_new_connection(error):
                self._pipe.drop()
            raise
        if not isinstance(replies, list) or len(replies) != count:
            self._pipe.drop()  # it could be the reply to another call
            raise RedisError(f"expected {count} answers to as many entries, got {replies!r:.100}")
        self._measures.journal.append(monotonic() - began)
        return replies

    async def _call(self, entries: bytes) -> Any:
        return await self._pipe.call("EVALSHA", self._append_sha, 1, self._prefix, entries)

    async def _shielded(self, what: str, call: Callable[[], Any], match: int = 0) -> Any:
        """Shield a call whose caller may be cancelled: otherwise the next call could receive its reply."""
        task = asyncio.ensure_future(self._retrying(what, call, match))
        self._calls.add(task)
        task.add_done_callback(self._calls.discard)
        return await asyncio.shield(task)

    async def _retrying(self, what: str, call: Callable[[], Any], match: int = 0) -> Any:
        """Repeat a call until Redis answers; every call here may be repeated safely."""
        about = {"match": match} if match else {}
        for pause in backoff(*_BACKOFF):
            try:
                return await call()
            except (RedisConnectionError, RedisTimeoutError, OSError) as error:
                if self._stopping:
                    raise
                log.warning("redis_unreachable", what=what, error=str(error), retry_seconds=pause, **about)
            except RedisError as error:
                if self._stopping:
                    raise
                log.error("redis_refused", what=what, error=str(error), retry_seconds=pause, **about)
                if is_worth_a_new_connection(error):
                    await self._redis.connection_pool.disconnect(inuse_connections=False)
            await asyncio.sleep(pause)
        raise AssertionError("unreachable")


def _report(entry: _Entry, reply: int) -> None:
    """Tell the author the outcome of its entry. An error there ends only that table."""
    author, number, _ = entry
    try:
        if reply == WRITTEN:
            author.written(number, True)
        elif reply == OTHER_OWNER:
            author.written(number, False)
        elif reply == UNKNOWN:
            author.fail(JournalLost(f"entry {number} cannot be written: redis does not know the match"))
        elif reply == CLAIM_LOST:
            text = f"entry {number} cannot be written: redis does not know this claim of the match"
            author.fail(JournalLost(text))
        else:
            what = "lacks entries before this one" if reply == GAP else "has another entry in its place"
            author.fail(JournalCorrupt(f"entry {number} cannot be written: the journal {what}"))
    except Exception as error:
        log.exception("entry_report_failed", match=author.match, entry=number)
        with suppress(Exception):
            author.fail(error)
