"""The connection between a worker and the process that has started it: one JSON object a line in either direction."""

from __future__ import annotations

import asyncio
import json
import socket
from contextlib import suppress
from enum import StrEnum
from typing import Any, Self

#: Bytes of a line; the longest has all settings.
_LONGEST = 1 << 20


class WorkerCommand(StrEnum):
    """A command to a worker."""

    BEGIN = "begin"
    INTRODUCE = "introduce"
    DRAIN = "drain"
    STOP = "stop"
    #: To say what it counts: the `number` of the question, and whether those of the `arena` are wanted.
    MEASURE = "measure"
    #: The `metrics` of all workers, by name, that it has asked for.
    METRICS = "metrics"


class WorkerReport(StrEnum):
    """What a worker reports to the process that started it."""

    UP = "up"
    INTRODUCED = "introduced"
    IDLE = "idle"
    FAILED = "failed"
    #: Its metrics, as the question of this `number` wants them.
    MEASURED = "measured"
    #: It wants to know the metrics of all workers.
    ASKS = "asks"


class Control:
    """One end of the connection; made by `open`."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    @classmethod
    async def open(cls, connection: socket.socket) -> Self:
        """Return this end as the event loop reads it."""
        return cls(*await asyncio.open_unix_connection(sock=connection, limit=_LONGEST))

    def send(self, what: WorkerCommand | WorkerReport, **more: object) -> None:
        """Send a line; nothing if the other end is gone."""
        if not self._writer.is_closing():
            self._writer.write(json.dumps({"what": what, **more}).encode() + b"\n")

    async def receive(self) -> dict[str, Any] | None:
        """Return the next line; None once the other end is gone."""
        with suppress(OSError):
            if line := await self._reader.readline():
                received: dict[str, Any] = json.loads(line)
                return received
        return None

    async def close(self) -> None:
        """Send what is waiting, and close."""
        self._writer.close()
        with suppress(OSError):
            await self._writer.wait_closed()
