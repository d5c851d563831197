"""An HTTP connection that nobody can hold open idly: one time limit for the request, one for reading the response.

uvicorn closes a connection that is idle after a request, but waits forever for the first one, for the rest of a
request, and for a client that does not read what it asked for. Each such connection holds a file descriptor, and bots
connect through the same descriptors.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from uvicorn.protocols.http.h11_impl import H11Protocol

from farfalia_server.net.client_address import counted_as, plain

#: Seconds within which the head of a request must have come, and within which a client must read some of an answer.
PATIENCE = 10.0
#: Connections that one address may have in any case: a browser opens six.
_LEAST_OF_ADDRESS = 12


class HttpConnection(H11Protocol):
    """uvicorn's protocol, bounded; `bounded` makes a class with limits of its own."""

    #: Connections at a time.
    most: int
    #: Seconds between two looks at what a connection does.
    patience: float

    #: Connections at a time from an address that counts.
    most_of_address: int
    #: Whether connections from a host are counted.
    counts: Callable[[str], bool]

    _source = ""
    _check: asyncio.TimerHandle | None = None
    _seen: object = None
    _waited = False
    _unsent = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Accept a connection, or close it at once if there are as many as there may be, in all or of its address."""
        super().connection_made(transport)
        host, port = (transport.get_extra_info("peername") or ("", 0))[:2]
        host = plain(str(host))
        if host:  # the application and uvicorn's list of proxies see IPv4 addresses as such
            self.client = (host, port)
        self._source = counted_as(host) if host and self.counts(host) else ""
        if len(self.connections) > self.most or (self._source and self._of_its_address() > self.most_of_address):
            transport.abort()
            return
        self._watch()

    def _of_its_address(self) -> int:
        return sum(isinstance(other, HttpConnection) and other._source == self._source for other in self.connections)

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        if self._check is not None:
            self._check.cancel()
        super().connection_lost(exc)

    def _watch(self) -> None:
        """Note how far the connection is, for the next check."""
        self._seen, self._waited, self._unsent = self.cycle, self._waits, self.transport.get_write_buffer_size()
        self._check = self.loop.call_later(self.patience, self._judge)

    @property
    def _waits(self) -> bool:
        """Whether the server waits for (the rest of) a request, for which uvicorn has no time limit."""
        answering = self.cycle is not None and not self.cycle.response_complete
        return not answering and self.timeout_keep_alive_task is None

    def _judge(self) -> None:
        """Close the connection if since the last check the client has neither made a request nor read its response."""
        if self.transport.is_closing():
            return
        idle = self._waits and self._waited and self.cycle is self._seen
        unsent = self.transport.get_write_buffer_size()
        if (idle and not unsent) or (unsent and unsent >= self._unsent > 0):
            self.transport.abort()
        else:
            self._watch()


def bounded(most: int, patience: float, counts: Callable[[str], bool]) -> type[HttpConnection]:
    """Return the protocol for a server with at most `most` connections, a quarter of them from one address."""
    values = {
        "most": most,
        "most_of_address": max(_LEAST_OF_ADDRESS, most // 4),
        "patience": patience,
        "counts": staticmethod(counts),
    }
    return type("BoundedHttpConnection", (HttpConnection,), values)
