"""A provider that says what is not so: its ID tokens are refused, and what cannot be read is one sentence."""

from __future__ import annotations

import asyncio
import contextlib
import json
import time
from base64 import urlsafe_b64encode
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from typing import Any

import pytest
import uvicorn
from joserfc import jwt
from joserfc.jwk import OctKey, RSAKey
from joserfc.jws import JWSRegistry
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from farfalia_server.arena import oidc_provider
from farfalia_server.arena.identifying import suggested_name
from farfalia_server.arena.oidc_provider import OidcClient, OidcProvider, Way
from farfalia_server.contract.errors import ProviderUnavailable, RequestRefused, Unauthenticated

CLIENT, NONCE = "arena", "a nonce"
BACK = "http://arena.example/account/oidc/callback"
WAY = Way("", "a state", NONCE, "a verifier")
KEY = RSAKey.generate_key(2048, {"kid": "1", "use": "sig"})
FOREIGN = RSAKey.generate_key(2048, {"kid": "1", "use": "sig"})
OTHER_ID = RSAKey.generate_key(2048, {"kid": "2", "use": "sig"})


@dataclass
class Liar:
    """A provider that answers as a test wants."""

    issuer: str = ""
    token: Callable[[], Any] = dict
    metadata: dict[str, Any] = field(default_factory=dict)
    keys: list[Any] = field(default_factory=lambda: [KEY])
    asked: list[str] = field(default_factory=list)

    def claims(self, **changed: Any) -> dict[str, Any]:
        moment = int(time.time())
        known = {"iss": self.issuer, "sub": "ada", "aud": CLIENT, "iat": moment, "exp": moment + 60, "nonce": NONCE}
        return {name: value for name, value in (known | {"name": "Ada"} | changed).items() if value is not None}

    def signed(self, key: Any = KEY, alg: str = "RS256", **changed: Any) -> dict[str, Any]:
        """The answer of its token endpoint."""
        registry = JWSRegistry(algorithms=[alg])
        return answer(jwt.encode({"alg": alg, "kid": "1"}, self.claims(**changed), key, registry=registry))

    def unsigned(self) -> dict[str, Any]:
        """The same, with nothing that proves it."""
        parts = (urlsafe_b64encode(json.dumps(part).encode()).rstrip(b"=") for part in ({"alg": "none"}, self.claims()))
        return answer(".".join([*(part.decode() for part in parts), ""]))

    async def answer(self, request: Request) -> Response:
        path = request.url.path
        self.asked.append(path)
        if path == "/.well-known/openid-configuration":
            pages = {f"{name}": f"{self.issuer}/{name}" for name in ("authorization_endpoint", "token_endpoint")}
            return JSONResponse({"issuer": self.issuer, "jwks_uri": f"{self.issuer}/jwks", **pages, **self.metadata})
        if path == "/jwks":
            return JSONResponse({"keys": [key.as_dict(private=False) for key in self.keys]})
        made = self.token()
        return made if isinstance(made, Response) else JSONResponse(made)


def answer(id_token: str) -> dict[str, Any]:
    return {"access_token": "x", "token_type": "Bearer", "id_token": id_token}


@pytest.fixture
async def liar() -> AsyncIterator[Liar]:
    liar = Liar()
    app = Starlette(routes=[Route("/{rest:path}", liar.answer, methods=["GET", "POST"])])
    server = uvicorn.Server(uvicorn.Config(app, port=0, lifespan="off", ws="none", log_level="warning"))
    task = asyncio.create_task(server.serve())
    while not server.started:
        await asyncio.sleep(0.01)
    liar.issuer = f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    liar.token = liar.signed
    yield liar
    server.should_exit = True
    with contextlib.suppress(asyncio.CancelledError):
        await task


def asking(liar: Liar) -> OidcProvider:
    return OidcProvider(OidcClient(liar.issuer, CLIENT, "secret", "University"))


async def refused(liar: Liar, kind: type[RequestRefused]) -> str:
    with pytest.raises(kind) as refusal:
        await asking(liar).person("code", WAY, BACK, "")
    return refusal.value.reason


async def test_what_is_so_is_believed(liar: Liar) -> None:
    assert (await asking(liar).person("code", WAY, BACK, "")).subject == "ada"


@pytest.mark.parametrize(
    "changed",
    [
        {"iss": "https://elsewhere.example"},
        {"aud": "another client"},
        {"aud": "another client", "azp": CLIENT},
        {"aud": [CLIENT, "another"], "azp": "another"},
        {"exp": 1},
        {"nonce": "another"},
        {"nonce": None},
        {"sub": None},
        {"iat": None},
        {"at_hash": "of another token"},
    ],
)
async def test_an_id_token_for_something_else_is_refused(liar: Liar, changed: dict[str, Any]) -> None:
    liar.token = lambda: liar.signed(**changed)
    assert await refused(liar, Unauthenticated) == "OIDC_INVALID"


@pytest.mark.parametrize("stated", [["RS256"], ["none", "HS256", "RS256"], ["none", "HS256"]])
@pytest.mark.parametrize("alg", ["none", "HS256", "another key"])
async def test_an_id_token_that_no_published_key_has_signed_is_refused(liar: Liar, stated: list[str], alg: str) -> None:
    liar.metadata = {"id_token_signing_alg_values_supported": stated}
    public = OctKey.import_key(KEY.as_pem(private=False).replace(b"-----", b"").replace(b"\n", b""))
    liar.token = {
        "none": liar.unsigned,
        "HS256": lambda: liar.signed(public, "HS256"),
        "another key": lambda: liar.signed(FOREIGN),
    }[alg]
    assert await refused(liar, Unauthenticated) == "OIDC_INVALID"


async def test_a_new_key_is_asked_for_at_once(liar: Liar) -> None:
    provider = asking(liar)
    await provider.person("code", WAY, BACK, "")
    liar.keys = [OTHER_ID]
    liar.token = lambda: answer(jwt.encode({"alg": "RS256", "kid": "2"}, liar.claims(), OTHER_ID))
    assert (await provider.person("code", WAY, BACK, "")).subject == "ada"
    assert liar.asked.count("/jwks") == 2
    assert liar.asked.count("/.well-known/openid-configuration") == 1


@pytest.mark.parametrize(
    "token",
    [
        lambda: Response(status_code=500),
        lambda: Response("no JSON"),
        list,
        lambda: {"access_token": "x", "token_type": "Bearer"},
        lambda: {"error": "invalid_client"},
        lambda: {"error": "server_error", "error_description": "\x1b[31m"},
    ],
)
async def test_an_answer_that_is_none_is_one_sentence(liar: Liar, token: Callable[[], Any]) -> None:
    liar.token = token
    assert await refused(liar, ProviderUnavailable) == "OIDC_UNAVAILABLE"


@pytest.mark.parametrize("token", ["", "x", "a.b.c", "e30.e30.", 7, None, ["x"]])
async def test_an_id_token_that_is_none_is_refused(liar: Liar, token: Any) -> None:
    liar.token = lambda: answer(token)
    await refused(liar, RequestRefused)


@pytest.mark.parametrize("subject", ["", "x" * 256, "a\0b", 7])
async def test_a_subject_that_cannot_be_kept_is_refused(liar: Liar, subject: Any) -> None:
    liar.token = lambda: liar.signed(sub=subject)
    await refused(liar, RequestRefused)


@pytest.mark.parametrize(
    "metadata",
    [
        {"issuer": "https://elsewhere.example"},
        {"authorization_endpoint": "javascript:alert(1)"},
        {"authorization_endpoint": None},
        {"authorization_endpoint": "https://éxample/"},
        {"authorization_endpoint": 7},
        {"scopes_supported": 7},
    ],
)
async def test_a_discovery_document_that_cannot_be_used_is_one_sentence(liar: Liar, metadata: dict[str, Any]) -> None:
    liar.metadata = metadata
    with pytest.raises(ProviderUnavailable):
        await asking(liar).way(BACK)


async def test_a_provider_that_says_nothing_is_waited_for_a_moment_only(
    liar: Liar, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(oidc_provider, "_PATIENCE", 0.2)

    async def listen(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()
        writer.close()

    silent = await asyncio.start_server(listen, "127.0.0.1", 0)
    liar.issuer = f"http://127.0.0.1:{silent.sockets[0].getsockname()[1]}"
    provider = asking(liar)
    async with silent:
        with pytest.raises(ProviderUnavailable):
            await provider.way(BACK)


@pytest.mark.parametrize("said", [{"sub": "ada", "name": "Ada"}, {"sub": "another", "name": "Ada"}, "no JSON", None])
async def test_a_name_that_the_id_token_has_not_is_a_help_only(liar: Liar, said: Any) -> None:
    provider = asking(liar)
    liar.metadata = {"userinfo_endpoint": f"{liar.issuer}/userinfo"} if said is not None else {}
    liar.token = lambda: liar.signed(name=None)
    person = await provider.person("code", WAY, BACK, "")
    liar.token = lambda: said
    found = await provider.names(person)
    assert found.get("name") == ("Ada" if said == {"sub": "ada", "name": "Ada"} else None)


async def test_it_is_asked_for_what_it_has(liar: Liar) -> None:
    liar.metadata = {"scopes_supported": ["openid", "email"]}
    assert "scope=openid+email&" in (await asking(liar).way(BACK)).url


@pytest.mark.parametrize(
    ("claims", "name"),
    [
        ({"preferred_username": "ada"}, "ada"),
        ({"preferred_username": "ada@id.example", "name": "Countess"}, "ada"),
        ({"name": "Zoë  O'Brien"}, "Zoe-O-Brien"),
        ({"preferred_username": "李", "email": "li@id.example"}, "li"),
        ({"preferred_username": "removed-7", "name": "Seven"}, "Seven"),
        ({"name": "-" * 5 + "x" * 60}, "x" * 40),
        ({"name": ["a", "list"]}, "a-list"),
        ({"name": "李"}, ""),
        ({}, ""),
    ],
)
def test_a_name_is_suggested_that_an_account_can_have(claims: dict[str, Any], name: str) -> None:
    assert suggested_name(claims) == name
