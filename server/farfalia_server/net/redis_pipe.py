"""A connection to Redis for one call at a time, each of which costs little.

redis-py packs, times and awaits the steps of a command one by one, in some 70 µs; this takes 25. redis-py still makes
the connection, with everything in the address (TLS, passwords, databases). Then our protocol replaces its own.
"""

from __future__ import annotations

import asyncio
from typing import Any

import hiredis
from redis.asyncio import Redis
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import TimeoutError as RedisTimeoutError


class RedisPipe:
    """Sends a command and returns its reply; connects for the first one, and again after the connection was lost.

    A command has the time limit of the client. If it takes longer or is cancelled, its connection is closed, so that
    the next command cannot receive its reply.
    """

    def __init__(self, redis: Redis) -> None:
        self._pool = redis.connection_pool
        self._connection: Any = None
        self._link: _Link | None = None

    async def call(self, *arguments: str | int | bytes) -> Any:
        """Return the reply to a command; RedisError, also for a reply that is an error."""
        link = self._link
        if link is None or link.is_lost:
            link = self._link = await self._connect()
            if link.is_lost:
                raise RedisConnectionError("the connection was lost as soon as it was made")
        loop = asyncio.get_running_loop()
        seconds = self._connection.socket_timeout
        reply = link.reply = loop.create_future()
        limit = loop.call_later(seconds, link.lose, RedisTimeoutError(f"no reply within {seconds:g} s"))
        link.transport.write(hiredis.pack_command(arguments))  # type: ignore[arg-type]  # the stub forgets "..."
        try:
            return await reply
        finally:
            limit.cancel()
            if link.reply is not None:  # cancelled
                self.drop()

    def drop(self) -> None:
        """Close the connection; the next call opens another one."""
        if self._link is not None:
            self._link.lose(RedisConnectionError("the connection was closed"))

    async def aclose(self) -> None:
        """Close the connection for good."""
        self.drop()
        if self._connection is not None:
            await self._connection.disconnect(nowait=True)
            await self._pool.release(self._connection)
            self._connection = None

    async def _connect(self) -> _Link:
        if self._connection is None:
            self._connection = await self._pool.get_connection()  # type: ignore[no-untyped-call]
        else:
            await self._connection.disconnect(nowait=True)
            await self._connection.connect()
        return _Link(self._connection._writer.transport, self._connection._parser.parse_error)


class _Link(asyncio.Protocol):
    """One connection; `reply` is awaited, if any is."""

    def __init__(self, transport: asyncio.Transport, error: Any) -> None:
        self.transport = transport
        self.reply: asyncio.Future[Any] | None = None
        self._lost = False
        self._reader = hiredis.Reader(replyError=error)
        #: redis-py's protocol, which must learn when the connection is closed.
        self._before = transport.get_protocol()
        transport.set_protocol(self)

    @property
    def is_lost(self) -> bool:
        """Whether nothing can be sent any more; the transport may know it before the loop calls `connection_lost`."""
        return self._lost or self.transport.is_closing()

    def data_received(self, data: bytes) -> None:
        """Hand on the reply once it is whole."""
        self._reader.feed(data)
        found: Any = self._reader.gets()
        while isinstance(found, hiredis.PushNotification):  # unsolicited
            found = self._reader.gets()
        if found is False:
            return
        reply, self.reply = self.reply, None
        if reply is None or reply.done():
            self.lose(RedisConnectionError("a reply belongs to no command"))
        elif isinstance(found, Exception):
            reply.set_exception(found)
        else:
            reply.set_result(found)

    def connection_lost(self, error: Exception | None) -> None:
        """Let the call that waits fail."""
        self._before.connection_lost(error)
        self.lose(RedisConnectionError("the connection was lost"))

    def lose(self, error: Exception) -> None:
        """Close the connection, and let the call that waits fail."""
        self._lost = True
        self.transport.abort()
        reply, self.reply = self.reply, None
        if reply is not None and not reply.done():
            reply.set_exception(error)
