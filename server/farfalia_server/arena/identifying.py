"""Who somebody is, as a provider of OpenID Connect says it: the way there and back, without a state on the server.

What has to be known on the way is sealed and kept by the browser, so any node of a cluster goes on with it.
"""

from __future__ import annotations

import hmac
import re
import unicodedata
from collections.abc import Callable, Mapping
from typing import Any, Final

from farfalia.v1 import accounts_pb2
from farfalia_server.arena.oidc_provider import OidcProvider, Way
from farfalia_server.arena.registering import check_name
from farfalia_server.arena.seals import Seals
from farfalia_server.contract.errors import InvalidArgument, Unauthenticated
from farfalia_server.contract.said import said
from farfalia_server.contract.untrusted import clean, quoted
from farfalia_server.net.addresses import Addresses
from farfalia_server.store import Store

#: The page to which the provider sends people back.
CALLBACK: Final = "account/oidc/callback"
_FLOW, _IDENTITY = "flow", "identity"
#: Most characters of an error that the provider gives, and of a name.
_ERROR, _NAME = 80, 40


class Identifying:
    """Sends people to the provider, and tells who has come back; `addresses` are the public ones."""

    def __init__(self, store: Store, provider: OidcProvider, addresses: Callable[[], Addresses]) -> None:
        self._store = store
        self._provider = provider
        self._addresses = addresses
        self._seals = Seals(store)

    @property
    def issuer(self) -> str:
        """The provider's URL."""
        return self._provider.issuer

    async def begin(self, account: int = 0) -> accounts_pb2.BeginOidcResponse:
        """Return the way to the provider; ProviderUnavailable. The identity is for this account, 0 to sign in."""
        back = f"{self._addresses().pages}{CALLBACK}"
        way = await self._provider.way(back)
        kept: dict[str, str | int] = {
            "state": way.state,
            "nonce": way.nonce,
            "verifier": way.code_verifier,
            "back": back,
            "for": account,
        }
        return accounts_pb2.BeginOidcResponse(url=way.url, flow=await self._seals.seal(_FLOW, kept))

    async def finish(self, request: accounts_pb2.FinishOidcRequest) -> accounts_pb2.FinishOidcResponse:
        """Return who has come back; Unauthenticated, ProviderUnavailable."""
        flow = await self._seals.open(_FLOW, request.flow)
        if not hmac.compare_digest(flow["state"].encode(), request.state.encode()):
            raise Unauthenticated(said("this answer belongs to another sign-in; begin again"), "OIDC_FOREIGN")
        if request.error or not request.code:
            text = said("the provider has not signed you in")
            if request.error:
                text = said("the provider has not signed you in: %(error)s", error=quoted(request.error, _ERROR))
            raise Unauthenticated(text, "OIDC_REFUSED")
        way = Way("", flow["state"], flow["nonce"], flow["verifier"])
        person = await self._provider.person(request.code, way, flow["back"], request.issuer)
        subject, connects = person.subject, flow["for"]
        account = await self._store.identities.account(self.issuer, subject)
        is_new = account is None and not connects
        return accounts_pb2.FinishOidcResponse(
            identity=await self._seals.seal(_IDENTITY, {"who": subject, "at": self.issuer, "for": connects}),
            account="" if account is None else account.name,
            suggested_name=suggested_name(await self._provider.names(person)) if is_new else "",
            connect=bool(connects),
        )

    async def identity(self, sealed: str, account: int = 0) -> tuple[str, str]:
        """Return issuer and subject of an identity that `finish` has sealed for this account, 0 for signing in.

        Unauthenticated (OIDC_OVER), also if it is for something else.
        """
        found = await self._seals.open(_IDENTITY, sealed)
        if found["for"] != account or found["at"] != self.issuer:
            raise Unauthenticated(said("this identity is for something else; begin again"), "OIDC_OVER")
        return found["at"], found["who"]


def suggested_name(claims: Mapping[str, Any]) -> str:
    """Return a name that an account can have, from what a provider says of somebody; empty if nothing fits."""
    for claim in ("preferred_username", "nickname", "name", "email"):
        text = clean(str(claims.get(claim) or ""), 200).partition("@")[0]
        plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
        name = re.sub(r"[^A-Za-z0-9._-]+", "-", plain).lstrip("._-")[:_NAME].rstrip("._-")
        try:
            check_name("name", name)
        except InvalidArgument:
            continue
        return name
    return ""
