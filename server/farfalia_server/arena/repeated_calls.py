"""Calls that are made again with the same key have the answer of the first: a lost connection, a second click."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Awaitable, Callable
from typing import Final, Protocol

from farfalia_server.contract.errors import FarfaliaServerError, InvalidArgument, NotReady
from farfalia_server.contract.said import said
from farfalia_server.store import Store

#: Most characters of a key.
LONGEST: Final = 200
_FIELD: Final = "Idempotency-Key"


class _Cipher(Protocol):
    def encrypt(self, data: bytes, /) -> bytes: ...

    def decrypt(self, token: bytes, /) -> bytes: ...


class RepeatedCalls:
    """Makes calls once for each key that a caller chooses."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def answer(
        self, key: str, token: str, name: str, request: bytes, make: Callable[[], Awaitable[bytes]]
    ) -> bytes:
        """Return what `make` answers, or what it answered when this caller made the same call with this key before.

        InvalidArgument if that asked for something else, or if the key is too long; NotReady while the first one goes
        on. A call that is refused may be made again.
        """
        if not key.isprintable() or len(key) > LONGEST:
            text = said(
                "%(field)s has %(length)s characters; expected up to %(most)s printable ones",
                field=_FIELD,
                length=len(key),
                most=LONGEST,
            )
            raise InvalidArgument(_FIELD, text)
        of_caller = f"{name}\0{token}\0{key}".encode()
        kept_as, asked = hashlib.sha256(b"key\0" + of_caller).digest(), hashlib.sha256(request).digest()
        cipher = _cipher(hashlib.sha256(b"answer\0" + of_caller).digest())
        known = await self._store.answers.begin(kept_as, asked)
        if known is None:
            return await self._first(kept_as, cipher, make)
        if known.request != asked:
            raise InvalidArgument(
                _FIELD, said("%(field)s was used for another request; expected a new one", field=_FIELD), "KEY_REUSED"
            )
        if known.answer is None:
            raise NotReady(said("the first call with this key goes on; make it again in a moment"))
        return cipher.decrypt(known.answer)

    async def _first(self, kept_as: bytes, cipher: _Cipher, make: Callable[[], Awaitable[bytes]]) -> bytes:
        try:
            answer = await make()
        except FarfaliaServerError:
            await self._store.answers.forget(kept_as)
            raise
        await self._store.answers.keep(kept_as, cipher.encrypt(answer))
        return answer


def _cipher(key: bytes) -> _Cipher:
    """Return what encrypts with a key of 32 bytes."""
    from cryptography.fernet import Fernet  # a server to which nobody names a key need not load it

    return Fernet(base64.urlsafe_b64encode(key))
