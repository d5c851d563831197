"""A person at the table in a browser without scripts."""

from __future__ import annotations

import re
import time
from html import unescape

import httpx
from tests.server.live import PATIENCE, LiveServer
from tests.server.system.form_browser import Browser, once_in, proof_in

_STATE = re.compile(r'data-state="(\w+)" data-number="(\d+)"')


class Person(Browser):
    """Sits down, and answers what it is asked with the first answer that the page offers."""

    def __init__(self, server: LiveServer) -> None:
        super().__init__(server)
        self.client.follow_redirects = True
        self.page: httpx.Response

    def sit_down(self, game: str, **fields: str) -> int:
        """Begin a match, and return its number."""
        form = self.client.get("/play").raise_for_status().text
        chosen = {"game": game, "opponents": "greedy", "minutes": "3", "name": ""} | fields
        hidden = {"proof": proof_in(form), "once": once_in(form)}
        self.page = self.client.post("/play/begin", data=hidden | chosen)
        return int(self.page.url.path.removeprefix("/play/"))

    @property
    def state(self) -> str:
        """What the page is about; empty if it is no seat."""
        found = _STATE.search(self.page.text)
        return found[1] if found else ""

    @property
    def number(self) -> int:
        """Number of the question on the page."""
        found = _STATE.search(self.page.text)
        assert found
        return int(found[2])

    @property
    def asked(self) -> str:
        """What the page asks."""
        found = re.search(r'id="asked"[^>]*>([^<]*)', self.page.text)
        return unescape(found[1]) if found else ""

    def answers(self) -> dict[str, str]:
        """The first answer that the page offers, as the fields of its form."""
        actions: list[str] = re.findall(r'name="action" value="(\d+)"', self.page.text)
        own = {"proof": proof_in(self.page.text), "number": str(self.number)}
        if actions:
            return own | {"action": actions[0]}
        cards: list[str] = re.findall(r'name="(card\d+)"', self.page.text)
        return own | dict.fromkeys(cards[:2], "yes")

    def post(self, path: str, **fields: str) -> httpx.Response:
        """Send a form of the page."""
        return self.client.post(path, data=fields)

    def submit(self, path: str, form: str, **fields: str) -> None:
        """Send a form of the page at a path, such as "join"."""
        page = self.client.get(path).text
        self.page = self.post(f"{path}/{form}", proof=proof_in(page), once=once_in(page), **fields)

    def answer(self) -> dict[str, str]:
        """Answer, and return the fields that were sent."""
        fields, path = self.answers(), f"{self.page.url.path}/answer"
        self.page = self.post(path, **fields)
        if 'role="alert"' in self.page.text:  # a dealer with one card too many
            fields.pop([name for name in fields if name.startswith("card")][-1])
            self.page = self.post(path, **fields)
        return fields

    def wait(self) -> None:
        """Wait until something is asked, or nothing will be any more."""
        deadline = time.monotonic() + PATIENCE
        while self.state in ("others", "waiting"):
            assert time.monotonic() < deadline, "nothing is asked"
            time.sleep(0.05)
            self.page = self.client.get(self.page.url)

    def play(self, decisions: int = 10_000) -> list[str]:
        """Answer this often, or to the end of the match, and return what was asked."""
        asked: list[str] = []
        self.wait()
        while self.state == "asked" and len(asked) < decisions:
            asked.append(self.asked)
            self.answer()
            self.wait()
        return asked
