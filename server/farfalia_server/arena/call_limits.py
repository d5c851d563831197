"""Limits on the calls of one address and of one token: each call costs database time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import Any, TypeVar

import grpc
from google.protobuf.message import Message

from farfalia_server.arena.access import VIEWERS, Access
from farfalia_server.arena.call_budget import CallBudget, entrants_budget, strangers_budget
from farfalia_server.contract.errors import InvalidArgument, ResourceExhausted
from farfalia_server.contract.said import Said, said
from farfalia_server.net.client_address import Proxies, counted_as, is_counted, peer_host
from farfalia_server.net.cpu_time import CpuMeter, metered
from farfalia_server.play import limits
from farfalia_server.play.play_service import bearer_token
from farfalia_server.play.token_bucket import TokenBuckets
from farfalia_server.play.token_hashes import TokenHashes
from farfalia_server.store import token_hash

Context = grpc.aio.ServicerContext[Any, Any]
A = TypeVar("A", bound=Message)

#: Seconds for which it is known whose a token is, for the choice of a budget alone, and how many tokens are known.
_KNOWN_SECONDS, _KNOWN = 60.0, 4096


class CallLimits:
    """Limits on calls and watches per address and per token; those from this machine are not counted."""

    def __init__(
        self,
        proxies: Proxies | None = None,
        *,
        burst: float = limits.CALLS_BURST,
        rate: float = limits.CALLS_RATE,
        watches: int = limits.WATCHES,
        strangers: CallBudget | None = None,
        entrants: CallBudget | None = None,
    ) -> None:
        self._proxies = proxies or Proxies()
        #: The calls of each address and token.
        self.calls = TokenBuckets(burst, rate)
        self._burst, self._rate = burst, rate
        self._most = watches
        self._strangers = strangers or strangers_budget()
        self._entrants = entrants or entrants_budget()
        #: The budget of a token, which organisers have none of, and until when that is so.
        self._known: dict[bytes, tuple[CallBudget | None, float]] = {}
        self._hashes: TokenHashes | None = None
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
                    said(
                        "more than %(burst)s calls came from %(key)s; expected %(rate)s a second",
                        burst=f"{self._burst:.0f}",
                        key=_shown(key),
                        rate=f"{self._rate:.0f}",
                    ),
                    "CALLS_TOO_FAST",
                    retry=wait,
                )

    async def reading(
        self,
        context: Context,
        access: Access,
        request: Message,
        work: Callable[[], Coroutine[Any, Any, A]],
    ) -> A:
        """Return the answer of a reading call, paid from the budget of those who may make it.

        Raises ResourceExhausted (CALLS_TOO_FAST) if that is spent, and InvalidArgument if a caller without a token asks
        for too many rows.
        """
        budget = await self._budget(bearer_token(context), access)
        if budget is None:
            return await work()
        if budget is not self._strangers:
            return await budget.answer(work)
        rows = getattr(request, "limit", 0)
        if rows > limits.STRANGERS_ROWS:
            raise InvalidArgument(
                "limit",
                said(
                    "limit is %(rows)s; expected at most %(most)s without a token of this server: page on",
                    rows=rows,
                    most=limits.STRANGERS_ROWS,
                ),
            )
        return await budget.answer(work)

    async def changing(self, context: Context, access: Access, work: Callable[[], Coroutine[Any, Any, A]]) -> A:
        """Return the answer of a call that changes something; one with a wrong token is paid as a stranger's."""
        token = bearer_token(context)
        wrong = token and await self._budget(token, access) is self._strangers
        return await (self._strangers.answer(work) if wrong else work())

    async def _budget(self, token: str, access: Access) -> CallBudget | None:
        if not token:
            return self._strangers
        key, now = token_hash(token), monotonic()
        budget, until = self._known.get(key, (None, 0.0))
        if now < until:
            return budget
        if self._hashes is None:
            self._hashes = TokenHashes(access.hashes)
        if self._strangers.is_spent and not await self._hashes.has(key):
            return self._strangers
        meter = CpuMeter()
        caller = await metered(meter, access.caller(token))
        if not caller.known:
            self._strangers.spend(meter.seconds)
            return self._strangers
        budget = None if caller.role in VIEWERS else self._entrants
        if len(self._known) >= _KNOWN:
            self._known.clear()
        self._known[key] = budget, now + _KNOWN_SECONDS
        return budget

    @contextmanager
    def watching(self, context: Context) -> Iterator[None]:
        """Count a watch while it lasts; ResourceExhausted (WATCHES_TOO_MANY) if there are too many."""
        self.count(context)
        keys = self._keys(context)
        for key in keys:
            if self._watches[key] >= self._most:
                raise ResourceExhausted(
                    said(
                        "%(key)s already has %(most)s watches open, the most allowed; end some of them",
                        key=_shown(key),
                        most=self._most,
                    ),
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


def _shown(key: str) -> Said:
    if key.startswith("token "):
        return said("this token")
    return said("the address %(address)s", address=key.removeprefix("address "))
