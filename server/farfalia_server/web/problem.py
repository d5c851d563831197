"""Errors at the HTTP port: `application/problem+json` (RFC 9457) with a reason for programs, a sentence for people."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from http import HTTPStatus

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from farfalia_server.contract.errors import FarfaliaServerError
from farfalia_server.contract.said import Said
from farfalia_server.contract.statuses import bounded, http_retry_after, http_status_of
from farfalia_server.wording.language import gettext, ngettext

PROBLEM_JSON = "application/problem+json"
TITLES = {
    400: "Bad request",
    401: "Unauthorized",
    403: "Forbidden",
    404: "Not found",
    405: "Method not allowed",
    408: "Request timeout",
    409: "Conflict",
    413: "Content too large",
    415: "Unsupported media type",
    429: "Too many requests",
    500: "Internal server error",
    503: "Service unavailable",
}


#: What is said of a fault of the server.
FAULT = "the server could not make this page; its log says why"


@dataclass(frozen=True, slots=True)
class Problem:
    """Status, sentence for people, stable reason for programs, and headers of an error."""

    status: int
    detail: str
    reason: str
    headers: dict[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, error: Exception) -> Problem:
        """Return what is said of an error."""
        if isinstance(error, HTTPException):
            text = gettext("there is no such page") if error.status_code == 404 else _detail(error)
            reason = HTTPStatus(error.status_code).phrase.upper().replace(" ", "_")
            return cls(error.status_code, text, reason, dict(error.headers or {}))
        if isinstance(error, FarfaliaServerError):
            wait = http_retry_after(error)
            headers = {} if wait is None else {"retry-after": wait}
            return cls(http_status_of(error), bounded(words_of(error)), error.reason, headers)
        return cls(500, gettext(FAULT), "INTERNAL")

    @property
    def title(self) -> str:
        """The status in words."""
        return gettext(TITLES.get(self.status, "Error"))

    def for_programs(self) -> Response:
        """Return the answer that programs read."""
        said = {"title": self.title, "status": self.status, "detail": self.detail, "reason": self.reason}
        return Response(json.dumps(said), self.status, self.headers, PROBLEM_JSON)


def words_of(error: FarfaliaServerError) -> str:
    """Return the sentence of an error in the language of the reader; that of one no reader can cause is in English."""
    text = error.args[0] if error.args else ""
    return text.in_words_of(gettext, ngettext) if isinstance(text, Said) else str(error)


def _detail(error: HTTPException) -> str:
    """Return what an error of HTTP says in the language of the reader."""
    text = error.detail
    if isinstance(text, Said):
        return text.in_words_of(gettext, ngettext)
    title = TITLES.get(error.status_code, text)
    return text if gettext(title) == title else gettext(title)  # Starlette's own words are those of its English titles


def is_for_programs(path: str) -> bool:
    """Return whether programs read what is at this path: scripts of any site may, and errors are for programs, too."""
    return path.startswith(("/api/", "/records/"))


def refusal(path: str, error: Exception) -> Response:
    """Return the answer to an error without using the pages: they may be what fails."""
    found = Problem.of(error)
    answer = (
        found.for_programs()
        if is_for_programs(path)
        else PlainTextResponse(f"{found.detail}\n", found.status, found.headers)
    )
    answer.headers["cache-control"] = "no-store"
    return answer


async def refused(request: Request, error: Exception) -> Response:
    """Return the refusal of a request, as Starlette asks for it."""
    return refusal(request.scope["path"], error)
