"""A page as bytes: made anywhere, sent from here."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Any

from starlette.types import ASGIApp, Message, Scope

from farfalia_server.wording.language import SOURCE, language, speaking

#: The cache-control of what never changes. Not for longer: another server may soon have this address.
FINAL = "public, max-age=300, immutable"

Headers = tuple[tuple[bytes, bytes], ...]


@dataclass(frozen=True, slots=True)
class PageRequest:
    """What is asked for: a method, a path as it was sent, what follows the `?`, whether gzip is understood, and in
    which language.
    """

    method: str
    path: str
    raw_path: bytes
    query: bytes
    gzip: bool
    language: str = SOURCE

    @classmethod
    def of(cls, scope: Scope) -> PageRequest:
        """Return what a request asks for; who asks only for the headers is answered from the same page."""
        return cls(
            "GET" if scope["method"] == "HEAD" else scope["method"],
            scope["path"],
            scope.get("raw_path") or scope["path"].encode(),
            scope["query_string"],
            b"gzip" in dict(scope["headers"]).get(b"accept-encoding", b""),
            language(),
        )


@dataclass(frozen=True, slots=True)
class Page:
    """What is sent in answer."""

    status: int
    headers: Headers
    body: bytes
    #: CPU seconds that its making has taken.
    seconds: float = 0.0

    def header(self, name: bytes) -> bytes:
        """Return the value of a header; empty if it is not there."""
        return next((value for key, value in self.headers if key == name), b"")


async def fetch(application: ASGIApp, request: PageRequest) -> Page:
    """Return what an ASGI application answers to a request."""
    scope: dict[str, Any] = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": request.method,
        "scheme": "http",
        "path": request.path,
        "raw_path": request.raw_path,
        "query_string": request.query,
        "root_path": "",
        "headers": [(b"accept-encoding", b"gzip")] if request.gzip else [],
        "client": None,
        "server": None,
    }
    status, body = 500, bytearray()
    headers: Headers = ()

    asked = False

    async def receive() -> Message:
        nonlocal asked
        if asked:
            await asyncio.Event().wait()  # until the reader has left
        asked = True
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Message) -> None:
        nonlocal status, headers
        if message["type"] == "http.response.start":
            status, headers = message["status"], tuple((bytes(key), bytes(value)) for key, value in message["headers"])
        elif message["type"] == "http.response.body":
            body.extend(message.get("body", b""))

    with speaking(request.language):
        await application(scope, receive, send)
    return Page(status, headers, bytes(body))
