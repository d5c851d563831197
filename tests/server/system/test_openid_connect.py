"""People sign in at a real provider of OpenID Connect."""

from __future__ import annotations

import json
import re
import sqlite3
from base64 import urlsafe_b64decode
from collections.abc import Iterator
from contextlib import closing
from html import escape
from pathlib import Path
from time import time
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit, urlunsplit

import grpc
import httpx
import pytest
from joserfc import jwt
from joserfc.jwk import OctKey
from tests.server.live import PATIENCE, LiveServer, live_server
from tests.server.live_nodes import live_nodes
from tests.server.provider_process import CLIENT, Provider, sign_in_at
from tests.server.system.form_browser import PASSWORD, Browser, browser, heading, other

from farfalia.v1 import accounts_pb2

__all__ = ["browser", "other"]


@pytest.fixture(scope="module")
def provider() -> Iterator[Provider]:
    provider = Provider()
    yield provider
    provider.stop()


def served(folder: Path, provider: Provider, **settings: object) -> Any:
    named: dict[str, Any] = {"oidc_issuer": provider.issuer, "oidc_name": "University"}
    return live_server(folder, **(named | CLIENT | settings))


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, provider: Provider) -> Iterator[LiveServer]:
    with served(tmp_path_factory.mktemp("oidc"), provider, registration="open") as live:
        provider.start(f"http://{live.http_address}")
        yield live
    assert "Traceback" not in live.log()


def way(browser: Browser, form: str = "oidc/begin") -> str:
    """The address at the provider to which a form leads."""
    left = browser.send(form)
    assert left.status_code == 200, left.text
    address = left.headers["refresh"].removeprefix("0; url=")
    assert f'href="{escape(address)}"' in left.text
    return str(address)


def came_back(browser: Browser, login: str, form: str = "oidc/begin") -> httpx.Response:
    """What the server answers to somebody who has signed in at the provider."""
    return browser.client.get(sign_in_at(way(browser, form), login))


def joined(browser: Browser, login: str, name: str = "", **fields: str) -> httpx.Response:
    """What it answers when they then choose the name of a new account."""
    return browser.send(
        "oidc/create", identity=identity_in(came_back(browser, login).text), name=name or login, **fields
    )


def identity_in(page: str) -> str:
    found = re.search(r'name="identity" value="([^"]+)"', page)
    assert found, page
    return found[1]


def changed(address: str, **parameters: str | None) -> str:
    """An address with other parameters; those that are None are left out."""
    parts = urlsplit(address)
    query = {name: values[0] for name, values in parse_qs(parts.query).items()} | parameters
    return urlunsplit(parts._replace(query=urlencode({name: value for name, value in query.items() if value})))


def who(browser: Browser) -> str:
    return heading(browser.client.get("/account").text)


def accounts(server: LiveServer) -> list[str]:
    return [one.name for one in server.call("ListAccounts", accounts_pb2.ListAccountsRequest(limit=1000)).accounts]


def test_the_first_time_makes_an_account_and_the_second_finds_it(
    server: LiveServer, browser: Browser, other: Browser
) -> None:
    page = came_back(browser, "ada")
    assert (page.status_code, page.headers["cache-control"]) == (200, "no-store")
    assert 'value="ada-of-Genoa"' in page.text
    assert "ada-of-Genoa" not in accounts(server)
    made = browser.send("oidc/create", identity=identity_in(page.text), name="ada-of-Genoa")
    assert (made.status_code, made.headers["location"]) == (303, "/account")
    assert who(browser) == "ada-of-Genoa"
    again = came_back(other, "ada")
    assert (again.status_code, again.headers["location"]) == (303, "/account")
    assert who(other) == "ada-of-Genoa"


def test_the_way_is_bound_to_this_browser_and_this_server(server: LiveServer, browser: Browser) -> None:
    left = browser.send("oidc/begin")
    (cookie,) = (line for line in left.headers.get_list("set-cookie") if line.startswith("farfalia-oidc="))
    assert {"httponly", "samesite=lax", "max-age=600"} <= {part.strip().lower() for part in cookie.split(";")}
    query = parse_qs(urlsplit(left.headers["refresh"].removeprefix("0; url=")).query)
    assert query["redirect_uri"] == [f"http://{server.http_address}/account/oidc/callback"]
    assert (query["code_challenge_method"], query["response_type"]) == (["S256"], ["code"])
    assert {"state", "nonce", "code_challenge"} <= set(query)


@pytest.mark.parametrize(
    ("parameters", "reason"),
    [
        ({"state": "another"}, "belongs to another sign-in"),
        ({"state": None}, "belongs to another sign-in"),
        ({"iss": "https://elsewhere.example"}, "not from the provider"),
        ({"iss": None}, "not from the provider"),
        ({"code": "guessed"}, "did not accept the code"),
        ({"code": None}, "has not signed you in"),
        ({"code": None, "error": "access_denied"}, "has not signed you in: &#39;access_denied&#39;"),
    ],
)
def test_an_answer_that_is_not_the_providers_is_refused(
    server: LiveServer, browser: Browser, parameters: dict[str, str | None], reason: str
) -> None:
    before = accounts(server)
    answer = browser.client.get(changed(sign_in_at(way(browser), "mallory"), **parameters))
    assert (answer.status_code, reason in answer.text) == (401, True), answer.text
    assert not browser.session
    assert accounts(server) == before


def test_another_browser_cannot_use_the_answer(browser: Browser, other: Browser) -> None:
    joined(browser, "vera")
    browser.send("sign-out")
    back = sign_in_at(way(browser), "vera")
    way(other)
    assert other.client.get(back).status_code == 401
    assert not other.session
    assert browser.client.get(back).status_code == 303


def test_a_browser_that_has_not_left_is_refused(browser: Browser) -> None:
    answer = browser.client.get("/account/oidc/callback", params={"code": "x", "state": "y"})
    assert (answer.status_code, "begin again" in answer.text) == (401, True)


def test_a_code_is_good_once(browser: Browser) -> None:
    joined(browser, "rita")
    browser.send("sign-out")
    address = way(browser)
    flow = browser.client.cookies["farfalia-oidc"]
    back = sign_in_at(address, "rita")
    assert browser.client.get(back).status_code == 303
    assert "farfalia-oidc" not in browser.client.cookies
    assert browser.client.get(back).status_code == 401, "it came back once"
    browser.send("sign-out")
    browser.client.cookies.set("farfalia-oidc", flow)
    answer = browser.client.get(back)
    assert (answer.status_code, "did not accept the code" in answer.text) == (401, True)


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ({"nonce": "another"}, "does not verify"),
        ({"verifier": "v" * 48}, "did not accept the code"),
        ({"exp": int(time()) - 5}, "begin again"),
        ({"aud": "identity"}, "begin again"),
    ],
)
def test_what_does_not_fit_what_was_sealed_is_refused(
    server: LiveServer, browser: Browser, values: dict[str, Any], reason: str
) -> None:
    back = sign_in_at(way(browser), "nina")
    claims = json.loads(urlsafe_b64decode(browser.client.cookies["farfalia-oidc"].split(".")[1] + "=="))
    with closing(sqlite3.connect(server.folder / "data/farfalia.db", timeout=PATIENCE)) as connection:
        (key,) = connection.execute("SELECT value FROM meta WHERE key = 'sealing_key'").fetchone()
    sealed = jwt.encode({"alg": "HS256"}, {**claims, **values}, OctKey.import_key(bytes.fromhex(key)))
    browser.client.cookies.clear()
    browser.client.cookies.set("farfalia-oidc", sealed)
    answer = browser.client.get(back)
    assert (answer.status_code, reason in answer.text) == (401, True), answer.text


def test_what_somebody_else_has_sealed_is_refused(browser: Browser) -> None:
    back = sign_in_at(way(browser), "nora")
    claims = json.loads(urlsafe_b64decode(browser.client.cookies["farfalia-oidc"].split(".")[1] + "=="))
    browser.client.cookies.clear()
    browser.client.cookies.set("farfalia-oidc", jwt.encode({"alg": "HS256"}, claims, OctKey.import_key(b"k" * 32)))
    assert browser.client.get(back).status_code == 401


def test_no_account_is_taken_over_by_a_name(server: LiveServer, browser: Browser, other: Browser) -> None:
    browser.sign_up("tina")
    answer = joined(other, "tina")
    assert (answer.status_code, "already an account" in answer.text) == (409, True)
    assert not other.session
    chosen = other.send("oidc/create", identity=identity_in(answer.text), name="tina-of-genoa")
    assert chosen.status_code == 303
    assert who(other) == "tina-of-genoa"


def test_an_identity_makes_one_account(browser: Browser) -> None:
    identity = identity_in(came_back(browser, "olaf").text)
    assert browser.send("oidc/create", identity=identity, name="olaf").status_code == 303
    again = browser.send("oidc/create", identity=identity, name="olaf-again")
    assert (again.status_code, "Another account signs in" in again.text) == (409, True)


def test_a_suspended_account_stays_out(server: LiveServer, browser: Browser) -> None:
    joined(browser, "sven")
    server.call("ModerateAccount", accounts_pb2.ModerateAccountRequest(name="sven", suspended=True))
    answer = came_back(browser, "sven")
    assert (answer.status_code, "is suspended" in answer.text) == (403, True)
    server.call("ModerateAccount", accounts_pb2.ModerateAccountRequest(name="sven"))
    assert came_back(browser, "sven").status_code == 303


def test_an_account_connects_an_identity_and_disconnects_it(
    server: LiveServer, browser: Browser, other: Browser
) -> None:
    browser.sign_up("carla")
    assert came_back(browser, "carla-elsewhere", "oidc/connect").status_code == 303
    assert came_back(other, "carla-elsewhere").status_code == 303
    assert who(other) == "carla"
    (identity,) = server.call("GetAccount", accounts_pb2.GetAccountRequest(name="carla")).identities
    assert browser.send("oidc/disconnect", identity=f"{identity.id}").status_code == 303
    other.send("sign-out")
    assert "You are new here" in came_back(other, "carla-elsewhere").text


def test_the_last_way_in_stays(server: LiveServer, browser: Browser) -> None:
    joined(browser, "lara")
    (identity,) = server.call("GetAccount", accounts_pb2.GetAccountRequest(name="lara")).identities
    answer = browser.send("oidc/disconnect", identity=f"{identity.id}")
    assert (answer.status_code, "only way in" in answer.text) == (409, True)
    assert browser.send("password", password=PASSWORD).status_code == 303
    assert browser.send("oidc/disconnect", identity=f"{identity.id}").status_code == 303


def test_the_identity_of_another_account_is_not_connected(browser: Browser, other: Browser) -> None:
    joined(browser, "rolf")
    other.sign_up("rival")
    answer = came_back(other, "rolf", "oidc/connect")
    assert (answer.status_code, "Another account signs in" in answer.text) == (409, True)
    browser.send("sign-out")
    came_back(browser, "rolf")
    assert who(browser) == "rolf"


def test_what_began_as_a_sign_in_connects_nothing_and_the_other_way_round(browser: Browser, other: Browser) -> None:
    browser.sign_up("greta")
    back = sign_in_at(way(browser, "oidc/connect"), "greta-elsewhere")
    browser.send("sign-out")
    browser.sign_up("hugo")
    assert browser.client.get(back).status_code == 401, "another account is signed in by now"
    assert "You are new here" in came_back(other, "greta-elsewhere").text


def test_who_is_not_signed_in_connects_nothing(browser: Browser) -> None:
    for form in ("oidc/connect", "oidc/disconnect"):
        assert browser.send(form, identity="1").status_code == 401


def test_a_code_of_an_invitation_is_asked_for(tmp_path: Path) -> None:
    with served(tmp_path, elsewhere := Provider(), registration="invitation") as live, Browser(live) as browser:
        elsewhere.start(f"http://{live.http_address}")
        try:
            without = joined(browser, "ivan")
            assert (without.status_code, "invitation code" in without.text) == (403, True)
            code = live.call("CreateInvitation", accounts_pb2.CreateInvitationRequest(note="class 3b")).code
            identity = identity_in(without.text)
            assert browser.send("oidc/create", identity=identity, name="ivan", invitation=code).status_code == 303
            assert who(browser) == "ivan"
        finally:
            elsewhere.stop()


def test_closed_registration_says_whom_to_ask_and_lets_accounts_connect(tmp_path: Path) -> None:
    with served(tmp_path, elsewhere := Provider()) as live, Browser(live) as browser:
        elsewhere.start(f"http://{live.http_address}")
        try:
            refused = came_back(browser, "clara")
            assert (refused.status_code, "ask who runs this server" in refused.text) == (403, True)
            assert "clara" not in accounts(live)
            live.call("CreateAccount", accounts_pb2.CreateAccountRequest(name="clara", password=PASSWORD))
            browser.send("sign-in", name="clara", password=PASSWORD)
            assert came_back(browser, "clara", "oidc/connect").status_code == 303
            browser.send("sign-out")
            assert came_back(browser, "clara").status_code == 303
            assert who(browser) == "clara"
        finally:
            elsewhere.stop()


def test_a_provider_that_does_not_answer_is_one_sentence_and_works_once_it_is_back(tmp_path: Path) -> None:
    with served(tmp_path, late := Provider(), registration="open") as live, Browser(live) as browser:
        try:
            gone = browser.send("oidc/begin")
            assert (gone.status_code, "University does not answer" in gone.text) == (503, True)
            with pytest.raises(grpc.RpcError) as refusal:
                live.call("BeginOidc", accounts_pb2.BeginOidcRequest())
            error: Any = refusal.value
            assert error.code() is grpc.StatusCode.UNAVAILABLE
            late.start(f"http://{live.http_address}")
            back = sign_in_at(way(browser), "pia")
            late.stop()
            assert browser.client.get(back).status_code == 503
            late.start(f"http://{live.http_address}")
            assert joined(browser, "pia").status_code == 303
        finally:
            late.stop()
        assert "Traceback" not in live.log()
        assert "oidc_unavailable" in live.log()


def test_a_provider_of_another_name_is_not_believed(tmp_path: Path) -> None:
    provider = Provider()
    named = f"http://localhost:{provider.port}"
    with served(tmp_path, provider, oidc_issuer=named) as live, Browser(live) as browser:
        provider.start(f"http://{live.http_address}")
        try:
            assert browser.send("oidc/begin").status_code == 503
        finally:
            provider.stop()
        assert "another issuer" in live.log()


@pytest.mark.slow
def test_somebody_leaves_from_one_node_and_comes_back_to_another(tmp_path: Path) -> None:
    provider = Provider()
    named: dict[str, Any] = {"oidc_issuer": provider.issuer, "registration": "open"}
    settings = named | CLIENT
    with (
        live_nodes(tmp_path, "A", "B", **settings) as (first, second),
        Browser(first) as there,
        Browser(second) as here,
    ):
        provider.start(f"http://{first.http_address}")
        try:
            back = sign_in_at(way(there), "nodea")
            here.client.cookies = there.client.cookies
            page = here.client.get(back.replace(first.http_address, second.http_address))
            assert "You are new here" in page.text
            made = there.send("oidc/create", identity=identity_in(page.text), name="nodea")
            assert made.status_code == 303
            assert who(there) == "nodea"
        finally:
            provider.stop()


@pytest.mark.parametrize("form", ["oidc/begin", "oidc/connect"])
def test_an_identity_is_good_for_what_it_was_asked_for_alone(server: LiveServer, browser: Browser, form: str) -> None:
    browser.sign_up(f"paul-{form[-5:]}")
    connecting = form == "oidc/connect"
    query = parse_qs(urlsplit(sign_in_at(way(browser, form), f"paula-{form[-5:]}")).query)
    flow = browser.client.cookies["farfalia-oidc"]
    wanted = {"flow": flow, "state": query["state"][0], "code": query["code"][0], "issuer": query["iss"][0]}
    found = server.call("FinishOidc", accounts_pb2.FinishOidcRequest(**wanted))
    assert found.connect == connecting
    metadata = (("authorization", f"Bearer {browser.session}"),)
    other: dict[str, Any] = {"ConnectIdentity": accounts_pb2.ConnectIdentityRequest(identity=found.identity)}
    if connecting:
        other = {
            "SignIn": accounts_pb2.SignInRequest(identity=found.identity),
            "CreateAccount": accounts_pb2.CreateAccountRequest(name="paulus", identity=found.identity),
        }
    other["FinishOidc"] = accounts_pb2.FinishOidcRequest(**wanted | {"flow": found.identity})
    for call, request in other.items():
        with pytest.raises(grpc.RpcError) as refusal:
            getattr(server.arena, call)(request, metadata=metadata, timeout=PATIENCE)
        error: Any = refusal.value
        assert error.code() is grpc.StatusCode.UNAUTHENTICATED, call
    assert "paulus" not in accounts(server)


def test_without_a_provider_there_is_no_button_and_no_way(tmp_path: Path) -> None:
    with live_server(tmp_path) as live, Browser(live) as browser:
        assert "oidc" not in browser.client.get("/account").text
        assert browser.send("oidc/begin").status_code == 409
