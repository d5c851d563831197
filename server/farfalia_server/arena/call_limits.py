"""Limits on the calls of one address and of one token: each call costs database time."""

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
    """Limits on calls and watches per address and per token; those from this machine are not counted."""

    def __init__(
        self,
        proxies: Proxies | None = None,
        *,
        burst: float = limits.CALLS_BURST,
        rate: float = limits.CALLS_RATE,
        watches: int = limits.WATCHES,
    ) -> None:
        self._proxies = proxies or Proxies()
        #: The calls of each address and token.
        self.calls = TokenBuckets(burst, rate)
        self._burst, self._rate = burst, rate
        self._most = watches
        self._watches: Counter[str] = Counter()

    def host_of(self, context: Context) -> str:
        """Return where a call comes from: the peer, or, if that is a trusted proxy, the client that it names."""
        forwarded = [value for key, value in context.invocation_metadata() or () if key == "x-forwarded-for"]
        return self._proxies.client(peer_host(context.peer()), ",".join(map(_text, forwarded)))

    def address_of(self, context: Context) -> str:
        """Return the key under which a call's address is counted."""
        return counted_as(self.host_of(context))

    def count(self, context: Context) -> None:
        """Count a call; ResourceExhausted (CALLS_TOO_FAST), with the time to wait, if there were too many."""
        for key in self._keys(context):
            wait = self.calls.take(key, monotonic())
            if wait:
                raise ResourceExhausted(
                    f"more than {self._burst:.0f} calls came from {_shown(key)}; expected {self._rate:.0f} a second",
                    "CALLS_TOO_FAST",
                    retry=wait,
                )

    @contextmanager
    def watching(self, context: Context) -> Iterator[None]:
        """Count a watch while it lasts; ResourceExhausted (WATCHES_TOO_MANY) if there are too many."""
        self.count(context)
        keys = self._keys(context)
        for key in keys:
            if self._watches[key] >= self._most:
                raise ResourceExhausted(
                    f"{_shown(key)} already has {self._most} watches open, the most allowed; end some of them",
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
        addresses = [] if host in self._proxies else [f"address {counted_as(host)}"]  # of a call without a token
        return [*addresses, *([f"token {token_hash(token).hex()}"] if token else [])]


def _text(value: str | bytes) -> str:
    return value.decode("ascii", "replace") if isinstance(value, bytes) else value


def _shown(key: str) -> str:
    return "this token" if key.startswith("token ") else f"the {key}"
