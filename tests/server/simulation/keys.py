"""The keys of a Redis that the nodes of a cluster share, in memory, and clients of it that can be cut off.

It has the commands that nodes use, and their scripts as functions: `scripts.py`. It loses its newest writes when a
replica takes over, or everything. What each kind of command costs is counted.
"""

from __future__ import annotations

import asyncio
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from farfalia_tools.testing.memory_redis import Through, directly

#: Writes that can be lost.
_REMEMBERED = 64

Value = str | bytes | int | float
#: What a script does with the keys, their names and the arguments.
Script = Callable[["Keys", list[str], list[str]], Any]


def encoded(value: Value) -> bytes:
    """Return what Redis keeps of a value."""
    return value if isinstance(value, bytes) else str(value).encode()


@dataclass
class Stream:
    """Entries with their numbers, oldest first."""

    entries: deque[tuple[tuple[int, int], dict[bytes, bytes]]] = field(default_factory=deque)
    last: tuple[int, int] = (0, 0)


class Keys:
    """Hashes, sorted sets, strings and streams by name; `now` returns seconds, `scripts` has functions by text."""

    def __init__(self, now: Callable[[], float], scripts: Mapping[str, Script]) -> None:
        self._now = now
        self.scripts = scripts
        self.values: dict[str, Any] = {}
        #: How often each command was given; a script has the name of its function.
        self.commands: Counter[str] = Counter()
        #: How many entries nodes have read, by stream.
        self.delivered: Counter[str] = Counter()
        #: By command or script, which a replica gets in one piece, what undoes its writes.
        self._undo: deque[list[Callable[[], object]]] = deque(maxlen=_REMEMBERED)
        #: Who waits for news of a stream, in order: a set would be in another one each time.
        self._readers: defaultdict[str, dict[asyncio.Future[None], None]] = defaultdict(dict)

    def client(self, through: Through = directly) -> Any:
        """Return what stands for a client of redis-py; its commands go this way."""
        return _Client(self, through)

    def fail_over(self, writes: int) -> None:
        """Lose the newest writes, as a replica lacks them that takes over."""
        for _ in range(min(writes, len(self._undo))):
            for undo in reversed(self._undo.pop()):
                undo()

    def flush_all(self) -> None:
        """Lose everything."""
        self.values.clear()
        self._undo.clear()

    def together(self, call: Callable[[], Any]) -> Any:
        """Make a call whose writes are lost together."""
        self._undo.append([])
        result = call()
        if not self._undo[-1]:
            self._undo.pop()
        return result

    def _written(self, undo: Callable[[], object]) -> None:
        if not self._undo:
            self._undo.append([])
        self._undo[-1].append(undo)

    def milliseconds(self) -> int:
        """Return the time as Redis' TIME tells it."""
        return int(self._now() * 1000)

    # -- commands --------------------------------------------------------------------------

    def get(self, key: str) -> bytes | None:
        value: bytes | None = self.values.get(key)
        return value

    def set(self, key: str, value: Value | None) -> None:
        """Set a string, or delete any key."""
        before = self.values.get(key)

        def undo() -> None:
            if before is None:
                self.values.pop(key, None)
            else:
                self.values[key] = before

        self._written(undo)
        if value is None:
            self.values.pop(key, None)
        else:
            self.values[key] = encoded(value)

    def hget(self, key: str, name: str) -> Any:
        return self.values.get(key, {}).get(name)

    def hset(self, key: str, name: str, value: Any) -> None:
        """Set a field of a hash or, with a number, a member of a sorted set; None deletes it."""
        fields: dict[str, Any] = self.values.setdefault(key, {})
        before = fields.get(name)
        if value is None:
            fields.pop(name, None)
        else:
            fields[name] = value if isinstance(value, float) else encoded(value)

        def undo() -> None:
            there = self.values.setdefault(key, {})
            if before is None:
                there.pop(name, None)
            else:
                there[name] = before

        self._written(undo)
        if not fields:
            del self.values[key]

    def hgetall(self, key: str) -> dict[str, Any]:
        return dict(self.values.get(key, {}))

    def hincrby(self, key: str, name: str, by: int) -> int:
        value = int(self.hget(key, name) or 0) + by
        self.hset(key, name, value)
        return value

    def xadd(self, key: str, fields: Mapping[str, Value], most: int) -> bytes:
        stream: Stream = self.values.setdefault(key, Stream())
        now = self.milliseconds()
        stream.last = (now, 0) if now > stream.last[0] else (stream.last[0], stream.last[1] + 1)
        entry = stream.last, {encoded(name): encoded(value) for name, value in fields.items()}
        stream.entries.append(entry)
        while len(stream.entries) > most:
            stream.entries.popleft()

        def undo() -> None:
            if stream.entries and stream.entries[-1] is entry:
                stream.entries.pop()

        self._written(undo)
        for reader in self._readers.pop(key, ()):
            if not reader.done():
                reader.set_result(None)
        return _id(entry[0])

    def newest(self, key: str) -> list[tuple[bytes, dict[bytes, bytes]]]:
        stream: Stream = self.values.get(key, Stream())
        return [(_id(number), fields) for number, fields in list(stream.entries)[-1:]]

    def xread(self, streams: Mapping[Any, Any], count: int) -> list[tuple[bytes, list[Any]]]:
        found = []
        for key, last in streams.items():
            milliseconds, _, number = _text(last).partition("-")
            after = int(milliseconds), int(number)
            entries: deque[Any] = self.values.get(_text(key), Stream()).entries
            if entries and entries[-1][0] > after:
                newer = []
                for entry in reversed(entries):
                    if entry[0] <= after:
                        break
                    newer.append((_id(entry[0]), entry[1]))
                found.append((encoded(_text(key)), newer[::-1][:count]))
        return found

    async def news(self, keys: Sequence[str], seconds: float) -> None:
        """Wait until something is added to one of these streams, at most these seconds."""
        reader = asyncio.get_running_loop().create_future()
        for key in keys:
            self._readers[key][reader] = None
        try:
            await asyncio.wait({reader}, timeout=seconds)
        finally:
            for key in keys:
                self._readers[key].pop(reader, None)


def _id(number: tuple[int, int]) -> bytes:
    return b"%d-%d" % number


def _text(value: str | bytes) -> str:
    return value if isinstance(value, str) else value.decode()


class _Client:
    """The part of `redis.asyncio.Redis` that nodes use, with its pool."""

    def __init__(self, keys: Keys, through: Through) -> None:
        self._keys = keys
        self._through = through
        self.connection_pool = self

    async def _do(self, name: str, call: Callable[[], Any]) -> Any:
        self._keys.commands[name] += 1
        return await self._through(name, partial(self._keys.together, call))

    async def disconnect(self, inuse_connections: bool = True) -> None:
        pass

    async def get(self, key: str) -> Any:
        return await self._do("get", lambda: self._keys.get(key))

    async def time(self) -> Any:
        milliseconds = await self._do("time", self._keys.milliseconds)
        return milliseconds // 1000, milliseconds % 1000 * 1000

    async def zadd(self, key: str, members: Mapping[str, float]) -> None:
        def add() -> None:
            for name, score in members.items():
                self._keys.hset(key, name, float(score))

        await self._do("zadd", add)

    async def zrange(self, key: str, first: int, last: int) -> Any:
        return [name.encode() for name in await self._do("zrange", lambda: self._keys.hgetall(key))]

    async def delete(self, *names: str) -> None:
        def delete() -> None:
            for name in names:
                self._keys.set(name, None)

        await self._do("delete", delete)

    async def hget(self, key: str, name: str) -> Any:
        return await self._do("hget", lambda: self._keys.hget(key, name))

    async def hkeys(self, key: str) -> Any:
        return [name.encode() for name in await self._do("hkeys", lambda: self._keys.hgetall(key))]

    async def hgetall(self, key: str) -> Any:
        found = await self._do("hgetall", lambda: self._keys.hgetall(key))
        return {name.encode(): value for name, value in found.items()}

    async def xadd(self, key: str, fields: Mapping[str, Value], maxlen: int, approximate: bool) -> Any:
        return await self._do("xadd", lambda: self._keys.xadd(key, fields, maxlen))

    async def xrevrange(self, key: str | bytes, count: int) -> Any:
        return await self._do("xrevrange", lambda: self._keys.newest(_text(key)))

    async def xread(self, streams: Mapping[Any, Any], count: int, block: int) -> Any:
        found = await self._do("xread", lambda: self._keys.xread(streams, count))
        if not found:
            await self._keys.news([_text(key) for key in streams], block / 1000)
            found = await self._through("xread", lambda: self._keys.xread(streams, count))
        self._keys.delivered.update({_text(key): len(entries) for key, entries in found})
        return found

    def register_script(self, text: str) -> Any:
        function = self._keys.scripts[text]
        name = str(getattr(function, "__name__", "script"))

        async def run(keys: Sequence[str], args: Sequence[Value], client: _Pipeline | None = None) -> Any:
            def call() -> Any:
                return function(self._keys, list(keys), [_text(encoded(value)) for value in args])

            if client is not None:
                client.calls.append((name, call))
                return client
            return await self._do(name, call)

        return run

    def pipeline(self, transaction: bool) -> _Pipeline:
        return _Pipeline(self)


class _Pipeline:
    """Commands that travel together."""

    def __init__(self, client: _Client) -> None:
        self._client = client
        self.calls: list[tuple[str, Callable[[], Any]]] = []

    def xadd(self, key: str, fields: Mapping[str, Value], maxlen: int, approximate: bool) -> None:
        self.calls.append(("xadd", lambda: self._client._keys.xadd(key, fields, maxlen)))

    def pexpire(self, key: str, milliseconds: int) -> None:
        self.calls.append(("pexpire", lambda: 1))

    async def execute(self) -> list[Any]:
        keys = self._client._keys
        keys.commands.update(name for name, _ in self.calls)
        run = [partial(keys.together, call) for _, call in self.calls]
        answers: list[Any] = await self._client._through(self.calls[0][0], lambda: [each() for each in run])
        return answers
