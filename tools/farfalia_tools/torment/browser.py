"""A browser of somebody hostile: it sends what it likes, under an address of its choice, and looks at the answers."""

from __future__ import annotations

import asyncio
import json
import re
import ssl
import time
from collections.abc import AsyncIterable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode, urlsplit

from farfalia_tools.torment.stream import DidNotHold

#: What refuses a request because there are too many of any kind; somebody who wants to see another refusal waits.
_TOO_FAST = (
    "came from your address; expected",
    "busy with other readers",
    "calls came from",
    "have used up",
)
#: Most bytes of an answer that are read, and seconds until a request is sent again that came too fast.
_MOST, _AGAIN = 1 << 22, 0.5
_PROOF = re.compile(r'name="proof" value="([0-9a-f]+)"')
_COOKIE = re.compile(r"([^=;\s]+)=\"?([^;\"]*)")
FORM = "application/x-www-form-urlencoded"


@dataclass(frozen=True)
class PageAnswer:
    """What came back; the status is 0 if the server closed the connection without a word."""

    status: int
    text: str
    headers: Mapping[str, str]
    #: Cookies that the answer sets, empty where it takes one away.
    cookies: Mapping[str, str]

    @property
    def reason(self) -> str:
        """The stable reason of a refusal at an address for programs."""
        with suppress(ValueError, AttributeError):
            return str(json.loads(self.text).get("reason", ""))
        return ""

    @property
    def heading(self) -> str:
        """The heading of a page."""
        found = re.search(r"<h1>(.*?)</h1>", self.text)
        return found[1] if found else ""

    @property
    def is_too_fast(self) -> bool:
        """Whether it only says that requests come too fast, whatever they are."""
        return self.status in (429, 503) and any(words in self.text for words in _TOO_FAST)


class HostileBrowser:
    """Sends requests to the pages at an address, each over a connection of its own, and keeps cookies.

    It claims to be at `host`, as a proxy would say it. Each answer that no server may give raises DidNotHold: a 5xx
    that is not a 503 with the time to wait, and none within `patience` seconds.
    """

    #: Answers that all of them have had.
    answered = 0

    def __init__(self, pages: str, authority: bytes | None, patience: float, host: str) -> None:
        parts = urlsplit(pages)
        self.is_secure = parts.scheme == "https"
        self.host, self.patience, self.netloc = host, patience, parts.netloc
        self._where = parts.hostname or "", parts.port or (443 if self.is_secure else 80)
        self._tls = ssl.create_default_context(cadata=authority.decode()) if authority else None
        if self.is_secure and self._tls is None:
            self._tls = ssl.create_default_context()
        self.cookies: dict[str, str] = {}

    @property
    def session(self) -> str:
        """The name of the cookie that has the session."""
        return "__Host-farfalia" if self.is_secure else "farfalia"

    async def get(self, path: str = "/account") -> PageAnswer:
        """Return the page at a path."""
        return await self.request("GET", path)

    async def proof(self) -> str:
        """Return what proves that a form is from the page that this browser has."""
        page = await self.get()
        found = _PROOF.search(page.text)
        if not found:
            raise DidNotHold(f"/account answers {page.status} and has no form")
        return found[1]

    async def send(self, form: str, fields: Mapping[str, str] | None = None, proof: str = "") -> PageAnswer:
        """Send a form with its proof, as a page does."""
        return await self.post(form, urlencode({"proof": proof or await self.proof(), **(fields or {})}).encode())

    async def post(self, form: str, body: bytes, headers: Mapping[str, str] | None = None) -> PageAnswer:
        """Send these bytes as a form."""
        return await self.request("POST", f"/account/{form}", body, {"content-type": FORM, **(headers or {})})

    async def call(self, name: str, body: bytes | Mapping[str, Any], token: str = "") -> PageAnswer:
        """Make a call of the contract over HTTP."""
        sent = body if isinstance(body, bytes) else json.dumps(body).encode()
        headers = {"content-type": "application/json"} | ({"authorization": f"Bearer {token}"} if token else {})
        return await self.request("POST", f"/api/calls/{name}", sent, headers)

    async def request(
        self, method: str, path: str, body: bytes = b"", headers: Mapping[str, str] | None = None
    ) -> PageAnswer:
        """Send a request, again while requests come too fast, and return the answer."""
        deadline = time.monotonic() + self.patience
        length = {"content-length": str(len(body))} if method == "POST" else {}
        while True:
            answer = await self.raw(method, path, [body], {**length, **(headers or {})})
            if not answer.is_too_fast or time.monotonic() > deadline:
                return answer
            await asyncio.sleep(_AGAIN)

    async def raw(
        self,
        method: str,
        path: str,
        parts: Iterable[bytes] | AsyncIterable[bytes],
        headers: Mapping[str, str] | None = None,
    ) -> PageAnswer:
        """Send a request with these parts of a body as they are, once, and return the answer."""
        lines = {"host": self.netloc, "x-forwarded-for": self.host, "connection": "close"}
        if self.cookies:
            lines["cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        head = "".join(f"{name}: {value}\r\n" for name, value in {**lines, **(headers or {})}.items())
        try:
            async with asyncio.timeout(self.patience):
                answer = await self._exchanged(f"{method} {path} HTTP/1.1\r\n{head}\r\n".encode(), parts)
        except TimeoutError:
            raise DidNotHold(f"{method} {path} was not answered within {self.patience:g} s") from None
        if answer.status >= 500 and not (answer.status == 503 and "retry-after" in answer.headers):
            raise DidNotHold(f"{method} {path} was answered {answer.status}: {answer.text[:200]}")
        HostileBrowser.answered += 1
        for name, value in answer.cookies.items():
            self.cookies.pop(name, None)
            if value:
                self.cookies[name] = value
        return answer

    async def _exchanged(self, head: bytes, parts: Iterable[bytes] | AsyncIterable[bytes]) -> PageAnswer:
        try:
            reader, writer = await asyncio.open_connection(*self._where, ssl=self._tls)
        except OSError:
            return _answer(b"")
        sending = asyncio.create_task(_send(writer, head, parts))
        found = bytearray()
        try:
            with suppress(OSError):
                while (part := await reader.read(1 << 16)) and len(found) < _MOST:
                    found += part
        finally:
            sending.cancel()
            await asyncio.gather(sending, return_exceptions=True)
            writer.transport.abort()
        return _answer(bytes(found))


async def _send(writer: asyncio.StreamWriter, head: bytes, parts: Iterable[bytes] | AsyncIterable[bytes]) -> None:
    with suppress(OSError):
        writer.write(head)
        if isinstance(parts, AsyncIterable):
            async for part in parts:
                writer.write(part)
                await writer.drain()
        else:
            for part in parts:
                writer.write(part)
                await writer.drain()


def _answer(data: bytes) -> PageAnswer:
    head, _, body = data.partition(b"\r\n\r\n")
    first, *lines = head.decode("latin-1").split("\r\n")
    status = first.split(" ")[1:2]
    if not first.startswith("HTTP/1.1 ") or not status[0].isdigit():
        return PageAnswer(0, "", {}, {})
    named = [(name.lower(), value.strip()) for name, _, value in (line.partition(":") for line in lines)]
    headers = dict(named)
    if headers.get("transfer-encoding", "").lower() == "chunked":
        body = _unchunked(body)
    cookies = [_COOKIE.match(value) for name, value in named if name == "set-cookie"]
    return PageAnswer(
        int(status[0]), body.decode(errors="replace"), headers, {found[1]: found[2] for found in cookies if found}
    )


def _unchunked(body: bytes) -> bytes:
    whole = bytearray()
    while body:
        size, _, body = body.partition(b"\r\n")
        length = int(size.split(b";")[0] or b"0", 16)
        whole += body[:length]
        body = body[length + 2 :]
    return bytes(whole)
