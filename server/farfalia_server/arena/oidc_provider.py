"""The provider of OpenID Connect, and what is said to it: discovery, the way there, and the code that comes back."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from time import monotonic
from typing import Any, Final

import httpx2
import structlog
from authlib.integrations.starlette_client import OAuth, OAuthError
from joserfc.errors import JoseError

from farfalia_server.contract.errors import ProviderUnavailable, RequestRefused, Unauthenticated
from farfalia_server.contract.said import said
from farfalia_server.contract.untrusted import clean

log = structlog.get_logger(__name__)

#: Seconds for one request to the provider, and for all that a call asks of it.
_REQUEST, _PATIENCE = 5.0, 12.0
#: Calls that ask the provider at a time; others wait.
_FEW = 8
#: Seconds after which the provider's addresses and keys are asked for anew; an unknown key is asked for at once.
_KEPT = 3600.0
#: Seconds by which the clocks may differ.
_LEEWAY = 60
#: What may sign an ID token: keys of which the provider publishes one half, and never none at all.
_ALGORITHMS: Final = (
    "RS256",
    "RS384",
    "RS512",
    "PS256",
    "PS384",
    "PS512",
    "ES256",
    "ES384",
    "ES512",
    "EdDSA",
    "Ed25519",
)
_SCOPES: Final = ("openid", "profile", "email")
#: Claims from which a name can be suggested.
_NAMES: Final = ("preferred_username", "nickname", "name", "email")
#: Most characters of an error that the provider names, and of a subject.
_ERROR, LONGEST_SUBJECT = 80, 255


@dataclass(frozen=True, slots=True)
class OidcClient:
    """What this server is to a provider, which people call `name`."""

    issuer: str
    client_id: str
    client_secret: str = field(repr=False)
    name: str


@dataclass(frozen=True, slots=True)
class Way:
    """The way to the provider: an address, and what has to be known when somebody comes back from there."""

    url: str
    state: str
    nonce: str
    code_verifier: str


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody who has come back: what the provider calls them for good, what else it says, and how to ask for more."""

    subject: str
    claims: Mapping[str, Any]
    token: Mapping[str, Any] = field(repr=False)


class OidcProvider:
    """One provider, whose addresses and keys are kept for an hour.

    Everything raises ProviderUnavailable if it does not answer, or not as it should; the log says why.
    """

    def __init__(self, client: OidcClient) -> None:
        self._client = client
        self._few = asyncio.Semaphore(_FEW)
        self._tls: ssl.SSLContext | None = None
        self._app: Any = None
        self._made = 0.0

    @property
    def issuer(self) -> str:
        """The URL that names it."""
        return self._client.issuer

    async def way(self, back: str) -> Way:
        """Return the way there, from which people come back to this address."""
        async with self._asking() as app:
            supported = app.server_metadata.get("scopes_supported") or _SCOPES
            scope = " ".join(one for one in _SCOPES if one in supported or one == "openid")
            made = await app.create_authorization_url(back, scope=scope)
            url = str(made["url"])
            if not url.startswith(("https://", "http://")) or not url.isascii() or not url.isprintable():
                raise ValueError(f"its authorization endpoint is {url!r}")
            return Way(url, made["state"], made["nonce"], made["code_verifier"])

    async def person(self, code: str, way: Way, back: str, issuer: str) -> Person:
        """Return who has come back with a code; `issuer` is who they say has sent them.

        Unauthenticated: OIDC_FOREIGN if that is another, OIDC_REFUSED if the code is not one of the provider, was used
        or is for another verifier, OIDC_INVALID if the ID token does not verify.
        """
        async with self._asking() as app:
            named = app.server_metadata.get("authorization_response_iss_parameter_supported")
            if issuer != self.issuer and (issuer or named):
                raise Unauthenticated(
                    said("the answer is not from the provider of this server; begin again"), "OIDC_FOREIGN"
                )
            token = await app.fetch_access_token(back, code=code, code_verifier=way.code_verifier)
            expected = {
                "iss": {"essential": True, "value": self.issuer},
                "aud": {"essential": True, "value": self._client.client_id},
            }
            found = await app.parse_id_token(token, way.nonce, claims_options=expected, leeway=_LEEWAY)
            if found is None:
                raise ValueError("its answer has no ID token")
            subject = found["sub"]
            if not isinstance(subject, str) or not 0 < len(subject) <= LONGEST_SUBJECT or not subject.isprintable():
                raise ValueError("its ID token has no usable subject")
            return Person(subject, found, token)

    async def names(self, person: Person) -> Mapping[str, Any]:
        """Return what the provider calls somebody, which it may say apart from the ID token; it is a help only, and
        empty if it does not.
        """
        if any(person.claims.get(name) for name in _NAMES):
            return person.claims
        try:
            async with self._asking() as app:
                found: Mapping[str, Any] = await app.userinfo(token=person.token)
                return found if found.get("sub") == person.subject else {}
        except RequestRefused:
            return {}

    @asynccontextmanager
    async def _asking(self) -> AsyncIterator[Any]:
        """Give what asks the provider, which has been discovered; turn its errors into ours."""
        try:
            async with asyncio.timeout(_PATIENCE), self._few:
                yield await self._discovered()
        except OAuthError as error:
            if error.error == "invalid_grant":
                raise Unauthenticated(
                    said(
                        "%(client)s did not accept the code, which is good once, for a short time; begin again",
                        client=self._client.name,
                    ),
                    "OIDC_REFUSED",
                ) from None
            raise self._unavailable(error) from None
        except JoseError as error:
            log.warning("oidc_token_invalid", issuer=self.issuer, error=clean(str(error), _ERROR))
            raise Unauthenticated(
                said("what %(client)s says of you does not verify; begin again", client=self._client.name),
                "OIDC_INVALID",
            ) from None
        except (
            httpx2.HTTPError,
            httpx2.InvalidURL,
            OSError,
            ValueError,
            TypeError,
            AttributeError,
            LookupError,
            RuntimeError,
        ) as error:
            raise self._unavailable(error) from None

    async def _discovered(self) -> Any:
        if self._app is None or monotonic() - self._made > _KEPT:
            if self._tls is None:  # which takes some 20 ms, for each request without this
                self._tls = await asyncio.to_thread(httpx2.create_ssl_context)
            app = self._registered(self._tls)
            found = await app.load_server_metadata()
            if found.get("issuer") != self.issuer:
                raise ValueError(f"its discovery document names another issuer, {found.get('issuer')!r}")
            signing = found.get("id_token_signing_alg_values_supported") or ["RS256"]
            found["id_token_signing_alg_values_supported"] = [one for one in signing if one in _ALGORITHMS]
            self._app, self._made = app, monotonic()
        return self._app

    def _registered(self, tls: ssl.SSLContext) -> Any:
        client = self._client
        return OAuth().register(
            "provider",
            client_id=client.client_id,
            client_secret=client.client_secret or None,
            server_metadata_url=f"{client.issuer.rstrip('/')}/.well-known/openid-configuration",
            client_kwargs={"scope": "openid", "code_challenge_method": "S256", "timeout": _REQUEST, "verify": tls},
        )

    def _unavailable(self, error: Exception) -> ProviderUnavailable:
        shown = clean(str(error) or type(error).__name__, 4 * _ERROR)
        log.warning("oidc_unavailable", issuer=self.issuer, error=shown)
        return ProviderUnavailable(
            said(
                "%(client)s does not answer, or not as it should; try again in a moment, or ask who runs "
                "this server, whose log says more",
                client=self._client.name,
            )
        )
