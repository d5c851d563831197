"""The journal of running matches in Redis: written first, shown afterwards, fenced by epochs.

One Redis stream holds a match's entries. The id of an entry is the number of actions
before it plus one, so an entry cannot be written twice; the script refuses an epoch that is
not the current one, so a node that lost its match without noticing can do no harm.
All tables of a moment share one call of the script.
"""

from __future__ import annotations

import asyncio
import itertools
import struct
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import structlog
from redis.asyncio import Redis
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import NoScriptError, RedisError
from redis.exceptions import TimeoutError as RedisTimeoutError

log = structlog.get_logger(__name__)

#: Seconds between attempts while Redis cannot be reached; the last one repeats.
_BACK_OFF = (0.05, 0.2, 0.5, 1.0, 2.0)

# Redis' client packs every argument of a call by itself, which costs more than all else here. So a call has one:
# for each entry match, epoch, id and length as big-endian integers, and the payload. The names of the keys are made
# from the match, which a Redis Cluster would not allow; a match's keys belong to one Redis.
_HEAD = struct.Struct(">QIII")

# KEYS: the prefix of all keys. ARGV: the entries.
# Answers for each entry: 1 written (now, or by an earlier try: then the id is taken), -1 another epoch owns the match.
_APPEND = """
local answers, at, size = {}, 1, #ARGV[1]
while at <= size do
  local match, epoch, id, payload, next = struct.unpack('>I8I4I4I4c0', ARGV[1], at)
  at = next
  local name = KEYS[1] .. string.format('%.0f', match)
  if redis.call('GET', name .. ':own') ~= string.format('%.0f', epoch) then
    answers[#answers + 1] = -1
  else
    local reply = redis.pcall('XADD', name .. ':log', string.format('%.0f-0', id), 'e', payload)
    if type(reply) == 'table' and reply.err and not string.find(reply.err, 'equal or smaller') then
      return redis.error_reply(reply.err)
    end
    answers[#answers + 1] = 1
  end
end
return answers
"""

# KEYS: own. ARGV: epoch. Raises the epoch, never lowers it; answers the epoch that was in force, 0 for none.
_CLAIM = """
local now = tonumber(redis.call('GET', KEYS[1]) or '0')
if tonumber(ARGV[1]) > now then
  redis.call('SET', KEYS[1], ARGV[1])
end
return now
"""


@dataclass(slots=True)
class Entry:
    """Bytes to be written; `written` is called with True, or with False if the epoch is old."""

    match: int
    epoch: int
    index: int
    payload: bytes
    written: Callable[[bool], None]


_PREFIX = "farfalia:match:"


def _own(match: int) -> str:
    return f"{_PREFIX}{match}:own"


def _stream(match: int) -> str:
    return f"{_PREFIX}{match}:log"


class Journal:
    """Writes entries in order, many matches in one call; `async with` starts and ends the writing."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis
        self._append_sha = ""
        self._claim = redis.register_script(_CLAIM)
        self._queue: list[Entry] = []
        self._afterwards: list[Callable[[], None]] = []
        #: Calls that go on, even if nobody waits for them any more.
        self._calls: set[asyncio.Future[Any]] = set()
        self._wake = asyncio.Event()
        self._closing = False
        self._writer: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Journal:
        # A connection of its own: what the client does around every command (pool, retries, events) costs more
        # than the command, and there is one call at a time.
        self._connection = await self._redis.connection_pool.get_connection()  # type: ignore[no-untyped-call]
        self._writer = asyncio.create_task(self._write(), name="journal")
        return self

    async def __aexit__(self, *_: object) -> None:
        # The writer is asked, not cancelled: a cancelled Redis command can leave its reply to the next one.
        self._closing = True
        self._wake.set()
        if self._writer is not None:
            await self._writer
        if self._calls:
            await asyncio.wait(self._calls)
        await self._redis.connection_pool.release(self._connection)

    def append(self, entry: Entry) -> None:
        """Queues an entry for the next call; entries of one match stay in order."""
        self._queue.append(entry)
        self._wake.set()

    def soon(self, callback: Callable[[], None]) -> None:
        """Calls back when what waits to be written now is written, or at once if nothing waits.

        What a bot is sent gathers more questions this way while many tables are in play, and none when
        there is one table only: then nothing ever waits behind its own entry.
        """
        if self._queue:
            self._afterwards.append(callback)
        else:
            asyncio.get_running_loop().call_soon(callback)

    async def claim(self, match: int, epoch: int) -> int:
        """Makes `epoch` the one that may write, unless a higher one is; the epoch in force before, 0 for none."""
        return int(await self._unbroken("claim", lambda: self._claim(keys=[_own(match)], args=[epoch])))

    async def read(self, match: int) -> list[bytes]:
        """All entries of a match, oldest first; empty if there is none."""
        rows: Any = await self._unbroken("read", lambda: self._redis.xrange(_stream(match)))
        return [fields[b"e"] for _, fields in rows]

    async def clear(self, match: int) -> None:
        """Forgets the entries of a match that will be played again; its epochs go on."""
        await self._unbroken("clear", lambda: self._redis.delete(_stream(match)))

    async def drop(self, match: int) -> None:
        """Forgets a match whose record is safe."""
        await self._unbroken("drop", lambda: self._redis.delete(_stream(match), _own(match)))

    async def _write(self) -> None:
        while True:
            await self._wake.wait()
            self._wake.clear()
            batch, self._queue = self._queue, []
            afterwards, self._afterwards = self._afterwards, []
            if batch:
                try:
                    answers = await self._append_all(batch)
                except (RedisError, OSError) as error:  # while closing only
                    log.warning("redis is away; the matches go on where their journals end", error=str(error))
                    return
                for entry, answer in zip(batch, answers, strict=True):
                    entry.written(answer == 1)
                for callback in afterwards:
                    callback()
            elif self._closing:
                return

    async def _append_all(self, batch: Sequence[Entry]) -> list[int]:
        parts: list[bytes] = []
        for entry in batch:
            payload = entry.payload
            parts += (_HEAD.pack(entry.match, entry.epoch, entry.index + 1, len(payload)), payload)
        answers: list[int] = await self._patiently("append", partial(self._append, b"".join(parts)))
        return answers

    async def _append(self, entries: bytes) -> Any:
        connection = self._connection
        try:
            await connection.send_command("EVALSHA", self._append_sha, 1, _PREFIX, entries)
            return await connection.read_response()
        except NoScriptError:  # the first call, or a Redis that was started again
            await connection.send_command("SCRIPT", "LOAD", _APPEND)
            self._append_sha = (await connection.read_response()).decode()
            await connection.send_command("EVALSHA", self._append_sha, 1, _PREFIX, entries)
            return await connection.read_response()
        except (RedisConnectionError, RedisTimeoutError, OSError):
            await connection.disconnect()  # the next try makes a new one
            raise

    async def _unbroken(self, what: str, call: Callable[[], Any]) -> Any:
        """A call whose waiter may be cancelled: the command goes on, or its reply would be the next one's."""
        task = asyncio.ensure_future(self._patiently(what, call))
        self._calls.add(task)
        task.add_done_callback(self._calls.discard)
        return await asyncio.shield(task)

    async def _patiently(self, what: str, call: Callable[[], Any]) -> Any:
        """Repeats a call until Redis answers: every call here may be repeated without harm."""
        for pause in itertools.chain(_BACK_OFF, itertools.repeat(_BACK_OFF[-1])):
            try:
                return await call()
            except (RedisConnectionError, RedisTimeoutError, OSError) as error:
                if self._closing:
                    raise
                log.warning("redis cannot be reached, trying again", what=what, error=str(error), seconds=pause)
            except RedisError as error:
                if self._closing:
                    raise
                log.error("redis refuses, trying again", what=what, error=str(error), seconds=pause)
            await asyncio.sleep(pause)
        raise AssertionError("unreachable")
