"""Seals: what a browser keeps for a moment, which it cannot change and which any node can open."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any, Final

from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import OctKey
from joserfc.jwt import JWTClaimsRegistry

from farfalia_server.contract.errors import Unauthenticated
from farfalia_server.contract.said import said
from farfalia_server.store import Store

#: Seconds for which something sealed is good.
LASTS: Final = 600
_ALGORITHM: Final = "HS256"


class Seals:
    """Seals and opens values with the key of the store; what is sealed can be read by who has it."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._key: OctKey | None = None

    async def seal(self, kind: str, values: Mapping[str, str | int]) -> str:
        """Return values of a kind as one text, good for `LASTS` seconds."""
        claims = {**values, "aud": kind, "exp": int(time.time()) + LASTS}
        return jwt.encode({"alg": _ALGORITHM}, claims, await self._opened())

    async def open(self, kind: str, sealed: str) -> dict[str, Any]:
        """Return the values; Unauthenticated (OIDC_OVER) if the text is not of this kind, not ours, or too old."""
        try:
            claims = jwt.decode(sealed, await self._opened(), algorithms=[_ALGORITHM]).claims
            JWTClaimsRegistry(aud={"essential": True, "value": kind}, exp={"essential": True}).validate(claims)
        except (JoseError, ValueError):
            raise Unauthenticated(
                said(
                    "this sign-in began more than %(lasts)s minutes ago, in another browser, or not here; begin again",
                    lasts=LASTS // 60,
                ),
                "OIDC_OVER",
            ) from None
        return claims

    async def _opened(self) -> OctKey:
        if self._key is None:
            self._key = OctKey.import_key(await self._store.meta.sealing_key())
        return self._key
