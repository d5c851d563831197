"""Authentication of bots by token. Unknown tokens cost the database little, and never keep a known one out."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from time import monotonic
from typing import Protocol

from farfalia_server.net.client_address import counted_as, peer_host
from farfalia_server.play import limits
from farfalia_server.play.token_bucket import TokenBucket
from farfalia_server.store.tokens import token_hash

#: Seconds between two readings of all tokens.
_BETWEEN = 1.0
#: Addresses and tokens that are remembered, the newest.
_REMEMBERED = 4096


class KnownBot(Protocol):
    """A bot as the store knows it."""

    @property
    def id(self) -> int:
        """Number of the bot."""

    @property
    def name(self) -> str:
        """Name of the bot."""

    @property
    def house(self) -> str:
        """Name of the house bot that plays for it; empty for a bot that connects."""


class Authenticator:
    """A look-up of tokens; a peer that sends many wrong ones is answered from memory.

    The memory is the hashes of all tokens, read once per second at most. A valid token is accepted all the same, from
    the same address too, since many bots may come through one proxy: an unknown one waits for the next reading.
    """

    def __init__(
        self,
        by_token: Callable[[str], Awaitable[KnownBot | None]],
        hashes: Callable[[], Awaitable[frozenset[bytes]]],
        is_persons: Callable[[str], Awaitable[bool]],
    ) -> None:
        self._by_token = by_token
        self._is_persons = is_persons
        self._hashes = hashes
        self._buckets: OrderedDict[str, TokenBucket] = OrderedDict()
        self._known: frozenset[bytes] = frozenset()
        self._read_at = -_BETWEEN
        self._reading = asyncio.Lock()
        self._bots: OrderedDict[bytes, int] = OrderedDict()

    async def bot(self, token: str, peer: str) -> KnownBot | None:
        """Return the bot whose token this is; `peer` is the address that sends it."""
        key = token_hash(token)
        bucket = self._bucket(peer)
        taken = bucket.take(1, monotonic())
        if not taken and key not in self._known and key not in await self._all_hashes():
            return None
        found = await self._by_token(token)
        if found is not None:
            bucket.put_back(taken)
            self._bots[key] = found.id
            _forget_old(self._bots)
        return found

    async def is_persons(self, token: str, peer: str) -> bool:
        """Return whether this is a person's token: the admin's or an account's.

        A peer that shows wrong tokens fast is not told.
        """
        return self._bucket(peer).take(1, monotonic()) and await self._is_persons(token)

    def recall(self, token: str) -> int | None:
        """Return the number of the bot that this token belonged to when it was last sent."""
        return self._bots.get(token_hash(token))

    def _bucket(self, peer: str) -> TokenBucket:
        host = counted_as(peer_host(peer))
        bucket = self._buckets.get(host)
        if bucket is None:
            bucket = TokenBucket(limits.WRONG_TOKENS_BURST, limits.WRONG_TOKENS_RATE, monotonic())
            self._buckets[host] = bucket
            _forget_old(self._buckets)
        return bucket

    async def _all_hashes(self) -> frozenset[bytes]:
        """Return the hashes of all tokens that existed when this was called."""
        called_at = monotonic()
        async with self._reading:
            if self._read_at <= called_at:
                await asyncio.sleep(max(0.0, self._read_at + _BETWEEN - monotonic()))
                read_at = monotonic()
                self._known = await self._hashes()
                self._read_at = read_at
        return self._known


def _forget_old(memory: OrderedDict[bytes, int] | OrderedDict[str, TokenBucket]) -> None:
    if len(memory) > _REMEMBERED:
        memory.popitem(last=False)
