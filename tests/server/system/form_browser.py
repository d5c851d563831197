"""A browser without scripts, for pages with forms."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from html import unescape
from typing import Self

import httpx
import pytest
from tests.server.live import PATIENCE, LiveServer

PASSWORD = "a good password"


#: What a page says to somebody who asks for more than an address, or all owners together, may.
_TOO_FAST = (
    *("came from your address", "have used up the", "calls came from"),
    *("richieste dal tuo indirizzo", "esaurito il", "chiamate da"),
    *("requêtes depuis votre adresse", "sont épuisés", "appels depuis"),
)


class _Patient(httpx.HTTPTransport):
    """Asks again, as people do, where requests come too fast: these tests send hundreds a second from one address."""

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        deadline = time.monotonic() + PATIENCE
        while True:
            answer = super().handle_request(request)
            if answer.status_code not in (429, 503) or time.monotonic() > deadline:
                return answer
            text = answer.read().decode()
            if not any(words in text for words in _TOO_FAST):
                return answer
            time.sleep(0.2)


class Browser:
    """A browser without scripts: it keeps cookies, and sends forms with what stands in them."""

    def __init__(self, server: LiveServer) -> None:
        self.client = httpx.Client(base_url=f"http://{server.http_address}", timeout=PATIENCE, transport=_Patient())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.client.close()

    def proof(self) -> str:
        return proof_in(self.client.get("/account").raise_for_status().text)

    def send(self, form: str, **fields: str) -> httpx.Response:
        page = self.client.get("/account").raise_for_status().text
        return self.client.post(f"/account/{form}", data={"proof": proof_in(page), "once": once_in(page), **fields})

    def sign_up(self, name: str) -> httpx.Response:
        return self.send("sign-up", name=name, password=PASSWORD)

    @property
    def session(self) -> str:
        return self.client.cookies.get("farfalia") or ""


def proof_in(page: str) -> str:
    found = re.search(r'name="proof" value="([0-9a-f]+)"', page)
    assert found
    return found[1]


def once_in(page: str) -> str:
    """What tells a form from the same one on a page that is shown later."""
    found = re.search(r'name="once" value="([^"]+)"', page)
    assert found
    return found[1]


def token_in(page: str) -> str:
    found = re.search(r"<code>(farfalia_[\w-]+)</code>", page)
    assert found
    return found[1]


def heading(page: str) -> str:
    found = re.search(r"<h1>(.*?)</h1>", page)
    assert found
    return unescape(found[1])


@pytest.fixture
def browser(server: LiveServer) -> Iterator[Browser]:
    with Browser(server) as browser:
        yield browser


@pytest.fixture
def other(server: LiveServer) -> Iterator[Browser]:
    """The browser of somebody else."""
    with Browser(server) as other:
        yield other
