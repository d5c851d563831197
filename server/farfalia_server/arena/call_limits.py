"""How many calls one address, and one token, may make: every one costs the database something."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic
from typing import Any

import grpc

from farfalia_server.errors import ResourceExhausted
from farfalia_server.net.client_address import Proxies, counted_as, is_counted, peer_host
from farfalia_server.play import limits
from farfalia_server.play.play_service import bearer_token
from farfalia_server.play.token_bucket import TokenBuckets
from farfalia_server.store import token_hash

Context = grpc.aio.ServicerContext[Any, Any]


class CallLimits:
    """Limits of the calls and the watches of an address, and of a token; this machine's own are not counted."""

    def __init__(
        self,
        proxies: Proxies | None = None,
        *,
        burst: float = limits.CALLS_BURST,
        rate: float = limits.CALLS_RATE,
        watches: int = limits.WATCHES,
    ) -> None:
        self._proxies = proxies or Proxies()
        self._buckets = TokenBuckets(burst, rate)
        self._burst, self._rate = burst, rate
        self._most = watches
        self._watches: Counter[str] = Counter()

    def host_of(self, context: Context) -> str:
        """Return from where a call comes: the peer, or behind a proxy that is believed whom it names."""
        forwarded = [value for key, value in context.invocation_metadata() or () if key == "x-forwarded-for"]
        return self._proxies.client(peer_host(context.peer()), ",".join(map(_text, forwarded)))

    def address_of(self, context: Context) -> str:
        """Return what a call's address is counted as."""
        return counted_as(self.host_of(context))

    def count(self, context: Context) -> None:
        """Note a call; ResourceExhausted (CALLS_TOO_FAST), with the time to wait, if there were too many."""
        for key in self._keys(context):
            wait = self._buckets.take(key, monotonic())
            if wait:
                raise ResourceExhausted(
                    f"more than {self._burst:.0f} calls came from {_shown(key)}; expected {self._rate:.0f} a second",
                    "CALLS_TOO_FAST",
                    retry=wait,
                )

    @contextmanager
    def watching(self, context: Context) -> Iterator[None]:
        """Count a call that goes on; ResourceExhausted (WATCHES_TOO_MANY) if there are as many as there may be."""
        self.count(context)
        keys = self._keys(context)
        for key in keys:
            if self._watches[key] >= self._most:
                raise ResourceExhausted(
                    f"{_shown(key)} watches {self._most} times already; expected at most that: end some of them",
                    "WATCHES_TOO_MANY",
                )
        self._watches.update(keys)
        try:
            yield
        finally:
            self._watches.subtract(keys)
            for key in keys:
                if not self._watches[key]:
                    del self._watches[key]

    def _keys(self, context: Context) -> list[str]:
        host = self.host_of(context)
        if not is_counted(host):
            return []
        token = bearer_token(context)
        addresses = [] if host in self._proxies else [f"address {counted_as(host)}"]  # of one that names nobody
        return [*addresses, *([f"token {token_hash(token).hex()}"] if token else [])]


def _text(value: str | bytes) -> str:
    return value.decode("ascii", "replace") if isinstance(value, bytes) else value


def _shown(key: str) -> str:
    return "this token" if key.startswith("token ") else f"the {key}"
