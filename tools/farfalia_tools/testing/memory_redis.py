"""What the journal of matches needs of a Redis, in memory: it outlives its clients, and can lose what it keeps."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from fnmatch import fnmatchcase
from typing import Any, Protocol, TypeVar

from redis.exceptions import NoScriptError

from farfalia_server.play.redis_scripts import (
    CLAIM,
    CLAIM_LOST,
    DIFFERENT,
    END,
    ENTRY_HEAD,
    GAP,
    OTHER_OWNER,
    UNKNOWN,
    WRITTEN,
)

T = TypeVar("T")

_SHA = b"append"


class Through(Protocol):
    """The way of a call to where the data is: it may take time, and fail before or after the call has happened."""

    def __call__(self, what: str, call: Callable[[], T], /) -> Awaitable[T]:
        """Make the call and return its result."""


async def directly(what: str, call: Callable[[], T], /) -> T:
    """Make a call at once: the way on which nothing goes wrong."""
    return call()


class MemoryRedis:
    """The keys of journals: owners, `(epoch, claims)`, ended attempts, `(attempt, epoch)`, and logs, of payloads.

    `written` is called with key, number and payload of each entry.
    """

    def __init__(self, written: Callable[[str, int, bytes], None] = lambda key, number, payload: None) -> None:
        self.keys: dict[str, tuple[Any, ...]] = {}
        self._written = written
        #: What each write has changed: key, and its value before.
        self._history: list[tuple[str, tuple[Any, ...] | None]] = []

    @property
    def journals(self) -> set[str]:
        """The keys of matches that have not been dropped."""
        return {key for key in self.keys if ":match:" in key}

    def fail_over(self, writes: int) -> set[str]:
        """Lose the newest writes, as a replica lacks them that takes over; return the keys that have changed."""
        lost: set[str] = set()
        for _ in range(min(writes, len(self._history))):
            key, before = self._history.pop()
            if before is None:
                self.keys.pop(key, None)
            else:
                self.keys[key] = before
            lost.add(key)
        return lost

    def flush_all(self) -> set[str]:
        """Lose everything; return the keys there were."""
        lost = set(self.keys)
        self.keys.clear()
        self._history.clear()
        return lost

    def client(self, through: Through = directly) -> Any:
        """Return what stands for a client in a `Journal`, and for its pipe; the commands go this way."""
        return _Client(self, through)

    def set(self, key: str, value: tuple[Any, ...] | None) -> None:
        """Set a key, or delete it."""
        self._history.append((key, self.keys.get(key)))
        if value is None:
            self.keys.pop(key, None)
        else:
            self.keys[key] = value

    def claim(self, keys: Sequence[str], epoch: int, field: str) -> list[int]:
        """Do what the journal's script does to claim a match."""
        own, ended = keys
        before, claims = self.keys.get(own, (0, frozenset()))
        self.set(own, (max(before, epoch), claims | {field} if field else claims))
        attempt, last = self.keys.get(ended, (0, 0))
        return [max(before, last), attempt]

    def end(self, keys: Sequence[str], attempt: int, _: int) -> None:
        """Do what the journal's script does to delete attempts that have ended; it never forgets that they have."""
        ended, own, *old = keys
        before, last = self.keys.get(ended, (0, 0))
        epoch, _ = self.keys.get(own, (0, None))
        if attempt:
            self.set(ended, (max(attempt, before), max(epoch, last)))
        self.delete(old)

    def delete(self, keys: Sequence[str]) -> None:
        """Delete those of these keys that there are."""
        for key in keys:
            if key in self.keys:
                self.set(key, None)

    def append(self, prefix: str, entries: bytes) -> list[int]:
        """Do what the journal's script does to append entries."""
        answers, at = [], 0
        while at < len(entries):
            match, attempt, epoch, number, length = ENTRY_HEAD.unpack_from(entries, at)
            at += ENTRY_HEAD.size + length
            answers.append(self._append_one(f"{prefix}{match}", attempt, epoch, number, entries[at - length : at]))
        return answers

    def _append_one(self, name: str, attempt: int, epoch: int, number: int, payload: bytes) -> int:
        owner = self.keys.get(f"{name}:own")
        if owner is None:
            return UNKNOWN
        if owner[0] != epoch:
            return CLAIM_LOST if owner[0] < epoch else OTHER_OWNER
        key = f"{name}:{attempt}:log"
        log = self.keys.get(key, ())
        if len(log) < number - 1:
            return GAP
        if len(log) >= number:
            return WRITTEN if log[number - 1] == payload else DIFFERENT
        self.set(key, (*log, payload))
        self._written(key, number, payload)
        return WRITTEN


class _Client:
    """The part of `redis.asyncio.Redis` that a journal uses, with its pool, and the pipe for entries."""

    def __init__(self, redis: MemoryRedis, through: Through) -> None:
        self._redis = redis
        self._through = through
        self.connection_pool = self

    def register_script(self, script: str) -> Any:
        scripts: dict[str, tuple[str, Callable[..., Any]]] = {
            CLAIM: ("claim", self._redis.claim),
            END: ("delete", self._redis.end),
        }
        what, function = scripts[script]

        async def call(keys: Sequence[str], args: Sequence[Any]) -> Any:
            return await self._through(what, lambda: function(keys, *args))

        return call

    async def hexists(self, key: str, field: str) -> bool:
        return await self._through("knows", lambda: field in self._redis.keys.get(key, (0, frozenset()))[1])

    async def xrange(self, key: str) -> list[tuple[bytes, dict[bytes, bytes]]]:
        log = await self._through("read", lambda: self._redis.keys.get(key, ()))
        return [(b"%d-0" % number, {b"e": payload}) for number, payload in enumerate(log, 1)]

    async def delete(self, *keys: str) -> None:
        await self._through("delete", lambda: self._redis.delete(keys))

    async def scan(self, cursor: int, match: str, count: int) -> tuple[int, list[bytes]]:
        keys = await self._through("scan", lambda: sorted(self._redis.keys))
        return 0, [key.encode() for key in keys if fnmatchcase(key, match)]

    async def disconnect(self, inuse_connections: bool = True) -> None:
        pass

    async def call(self, name: str, *arguments: Any) -> Any:
        if name == "SCRIPT":
            return _SHA
        sha, _, prefix, entries = arguments
        if sha != _SHA.decode():
            raise NoScriptError("no such script")
        return await self._through("append", lambda: self._redis.append(prefix, entries))

    def drop(self) -> None:
        pass

    async def aclose(self) -> None:
        pass
