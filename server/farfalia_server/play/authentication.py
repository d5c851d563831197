"""Authentication of bots by token. Unknown tokens cost the database little and never lock out a valid one."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Awaitable, Callable
from time import monotonic
from typing import Protocol

from farfalia_server.net.client_address import counted_as, peer_host
from farfalia_server.play import limits
from farfalia_server.play.token_bucket import TokenBuckets
from farfalia_server.play.token_hashes import TokenHashes
from farfalia_server.store.people.tokens import token_hash

#: How many of the newest addresses and tokens are remembered.
_REMEMBERED = 4096


class KnownBot(Protocol):
    """A registered bot."""

    @property
    def id(self) -> int:
        """Number of the bot."""

    @property
    def name(self) -> str:
        """Name of the bot."""

    @property
    def house(self) -> str:
        """Name of the house bot that plays for it; empty for a bot that connects."""

    @property
    def barred(self) -> bool:
        """It, or the account that owns it, is suspended."""

    @property
    def hosted(self) -> bool:
        """A program plays for it that was handed in."""

    @property
    def by_host(self) -> bool:
        """The token is that of the host that plays for it."""


class Authenticator:
    """Looks tokens up; a peer that sends many wrong ones is answered from memory.

    A valid token is accepted even from such an
    address, since many bots may come through one proxy: an unknown token waits for the next read.
    """

    def __init__(
        self,
        by_token: Callable[[str], Awaitable[KnownBot | None]],
        hashes: Callable[[], Awaitable[frozenset[bytes]]],
        is_persons: Callable[[str], Awaitable[bool]],
    ) -> None:
        self._by_token = by_token
        self._is_persons = is_persons
        self._hashes = TokenHashes(hashes)
        #: The wrong tokens of each address.
        self.wrong_tokens = TokenBuckets(limits.WRONG_TOKENS_BURST, limits.WRONG_TOKENS_RATE, remembered=_REMEMBERED)
        self._bots: OrderedDict[bytes, int] = OrderedDict()

    async def bot(self, token: str, peer: str) -> KnownBot | None:
        """Return the bot whose token this is; `peer` is the address that sends it."""
        key = token_hash(token)
        address = counted_as(peer_host(peer))
        taken = not self.wrong_tokens.take(address, monotonic())
        if not taken and not await self._hashes.has(key):
            return None
        found = await self._by_token(token)
        if found is not None:
            if taken:
                self.wrong_tokens.put_back(address)
            self._bots[key] = found.id
            if len(self._bots) > _REMEMBERED:
                self._bots.popitem(last=False)
        return found

    async def is_persons(self, token: str, peer: str) -> bool:
        """Return whether this is a person's token: the admin's or an account's.

        False for a peer that sends wrong tokens too fast.
        """
        wait = self.wrong_tokens.take(counted_as(peer_host(peer)), monotonic())
        return not wait and await self._is_persons(token)

    def recall(self, token: str) -> int | None:
        """Return the number of the bot to which this token belonged when it was last sent."""
        return self._bots.get(token_hash(token))
