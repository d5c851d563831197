"""An HTTP connection that cannot be held open for nothing: a time limit for a request, another for reading the answer.

uvicorn closes a connection that is idle after a request, but waits forever for the first one, for the rest of a
request, and for a client that does not read what it asked for. Each such connection holds a file descriptor, and bots
connect through the same descriptors.
"""

from __future__ import annotations

import asyncio

from uvicorn.protocols.http.h11_impl import H11Protocol

#: Seconds within which the head of a request must have come, and within which a client must read some of an answer.
PATIENCE = 10.0


class HttpConnection(H11Protocol):
    """uvicorn's protocol, bounded; `bounded` makes a class with limits of its own."""

    #: Connections at once.
    most: int
    #: Seconds between two looks at what a connection does.
    patience: float

    _check: asyncio.TimerHandle | None = None
    _seen: object = None
    _waited = False
    _unsent = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Accept a connection, or close it at once if there are as many as there may be."""
        super().connection_made(transport)
        if len(self.connections) > self.most:
            transport.abort()
            return
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        if self._check is not None:
            self._check.cancel()
        super().connection_lost(exc)

    def _watch(self) -> None:
        """Note how far the connection is, to be compared with at the next look."""
        self._seen, self._waited, self._unsent = self.cycle, self._waits, self.transport.get_write_buffer_size()
        self._check = self.loop.call_later(self.patience, self._judge)

    @property
    def _waits(self) -> bool:
        """The server waits for a request, or the rest of one, and uvicorn has no time limit for it."""
        answering = self.cycle is not None and not self.cycle.response_complete
        return not answering and self.timeout_keep_alive_task is None

    def _judge(self) -> None:
        """Close the connection if, since the last look, it neither made a request nor read what it was sent."""
        if self.transport.is_closing():
            return
        idle = self._waits and self._waited and self.cycle is self._seen
        unsent = self.transport.get_write_buffer_size()
        if (idle and not unsent) or (unsent and unsent >= self._unsent > 0):
            self.transport.abort()
        else:
            self._watch()


def bounded(most: int, patience: float) -> type[HttpConnection]:
    """Return the protocol for a server with at most `most` connections."""
    return type("BoundedHttpConnection", (HttpConnection,), {"most": most, "patience": patience})
