"""A relay between a bot and the server that can freeze: both ends stay connected, and nothing comes through."""

from __future__ import annotations

import asyncio
from types import TracebackType
from typing import Self


class Relay:
    """A listener on this machine that passes on what comes, to and from a `target`, until it is frozen.

    It listens at `port`, or at a free one.
    """

    def __init__(self, target: str, port: int = 0) -> None:
        self._host, _, self._port = target.rpartition(":")
        self._wanted = port
        self._thawed = asyncio.Event()
        self._thawed.set()
        self._writers: list[asyncio.StreamWriter] = []
        self._tasks: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> Self:
        """Listen."""
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", self._wanted)
        self.address = f"127.0.0.1:{self._server.sockets[0].getsockname()[1]}"
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close all connections."""
        self._server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for writer in self._writers:
            writer.transport.abort()
        await asyncio.gather(*(writer.wait_closed() for writer in self._writers), return_exceptions=True)

    def freeze(self) -> None:
        """Read nothing and pass on nothing from now on; the connections stay open."""
        self._thawed.clear()

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there, back = await asyncio.open_connection(self._host.strip("[]"), int(self._port))
        self._writers += [writer, back]
        for source, sink in ((reader, back), (there, writer)):
            task = asyncio.create_task(self._pass_on(source, sink))
            self._tasks.add(task)

    async def _pass_on(self, source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
        try:
            while data := await source.read(1 << 16):
                await self._thawed.wait()
                sink.write(data)
                await sink.drain()
        except ConnectionError:
            pass
        await self._thawed.wait()
        sink.close()
