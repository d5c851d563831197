"""In which language a reader wants pages: as chosen at the foot of a page, or else as the browser says."""

from __future__ import annotations

from typing import Final
from urllib.parse import urlsplit

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from farfalia_server.contract.errors import InvalidArgument
from farfalia_server.contract.said import said
from farfalia_server.contract.untrusted import quoted
from farfalia_server.web.forms import check_origin, fields_of
from farfalia_server.web.problem import is_for_programs
from farfalia_server.wording.language import LANGUAGES, SOURCE, speaking

#: The headers of a request on which the language of a page depends, for caches.
DECIDES_LANGUAGE: Final = "Accept-Language, Cookie"
_COOKIE: Final = "farfalia-language"
#: Seconds for which a browser remembers a choice.
_LASTS: Final = 365 * 86_400
#: Most characters of a header that are looked at, and most languages in one.
_LONGEST, _MOST = 1000, 50


def preferred(header: str) -> str:
    """Return which of our languages the value of an Accept-Language header prefers; English if it names none.

    Swiss Italian counts as Italian, and of equal preferences the first one.
    """
    best, weight = SOURCE, 0.0
    for part in header[:_LONGEST].split(",")[:_MOST]:
        wanted, *parameters = part.split(";")
        code = wanted.strip().lower().partition("-")[0]
        code = SOURCE if code == "*" else code
        if code in LANGUAGES and (own := _quality(parameters)) > weight:
            best, weight = code, own
    return best


def _quality(parameters: list[str]) -> float:
    """Return how much a language is wanted, 0 to 1; 0 if the header says it in no valid way."""
    for parameter in parameters:
        name, _, value = parameter.strip().partition("=")
        if name.strip().lower() == "q":
            try:
                quality = float(value)
            except ValueError:
                return 0.0
            return quality if 0 <= quality <= 1 else 0.0
    return 1.0


def language_of(scope: Scope) -> str:
    """Return the language of the answer to a request: for programs English, whatever they ask for."""
    if is_for_programs(scope["path"]):
        return SOURCE
    headers = dict(scope["headers"])
    return _chosen(headers.get(b"cookie", b"").decode("latin-1")) or preferred(
        headers.get(b"accept-language", b"").decode("latin-1")
    )


def _chosen(cookies: str) -> str:
    """Return the language that was chosen at the foot of a page; empty if none was."""
    for cookie in cookies.split(";"):
        name, _, value = cookie.strip().partition("=")
        if name == _COOKIE and value in LANGUAGES:
            return value
    return ""


class ReaderLanguage:
    """An ASGI application that has everything said in the language of the sender of a request."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        with speaking(language_of(scope)):
            await self._app(scope, receive, send)


class LanguageSwitch:
    """What the form at the foot of each page does: it has the browser remember a language."""

    def routes(self) -> list[Route]:
        """Return the route."""
        return [Route("/language", self._choose, methods=["POST"])]

    async def _choose(self, request: Request) -> Response:
        """Return the way back to the page, which then is in the language; PermissionDenied, InvalidArgument."""
        check_origin(request)
        code = (await fields_of(request)).get("language", "")
        if code not in LANGUAGES:
            raise InvalidArgument(
                "language",
                said(
                    "%(field)s is %(value)s; expected one of %(choices)s",
                    field="language",
                    value=quoted(code),
                    choices=", ".join(LANGUAGES),
                ),
            )
        answer = RedirectResponse(_page_before(request), 303)
        answer.set_cookie(
            _COOKIE, code, _LASTS, secure=request.url.scheme == "https", httponly=True, samesite="lax", path="/"
        )
        return answer


def _page_before(request: Request) -> str:
    """Return the address of our page with the form, as the browser says; the front page if it does not."""
    try:
        before = urlsplit(request.headers.get("referer", ""))
    except ValueError:
        return "/"
    ours = before.netloc == request.headers.get("host") and before.path.startswith("/")
    if not ours or before.path.startswith(("//", "/\\")):
        return "/"
    return f"{before.path}?{before.query}" if before.query else before.path
