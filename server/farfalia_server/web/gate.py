"""In front of everything at the HTTP port: who may ask how often, and the headers that every answer has."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from farfalia_server.contract.errors import FarfaliaServerError, ResourceExhausted
from farfalia_server.contract.said import said
from farfalia_server.net.client_address import counted_as
from farfalia_server.play import limits
from farfalia_server.play.token_bucket import TokenBuckets
from farfalia_server.web.problem import is_for_programs, refusal
from farfalia_server.web.rate_limit import RateLimit

#: Answers per second, and most seconds that a request waits for its turn: readers are not to keep the processor from
#: those who play. A page asks for a dozen files, and forty people may open the same one at the same moment.
RATE, PATIENCE = 100.0, 5.0
#: Who asks there must learn how the server is, however many read pages.
FOR_MACHINES = ("/healthz", "/livez", "/metrics")
#: A page loads nothing foreign: nothing but our own style sheet, pictures, scripts and frames, and no script in a page
#: itself.
_POLICY: Final = (
    b"default-src 'none'; style-src 'self'; img-src 'self'; script-src 'self'; connect-src 'self'; frame-src 'self'; "
    b"base-uri 'none'; form-action 'self'; frame-ancestors "
)
_SAFE: Final = ((b"x-content-type-options", b"nosniff"), (b"referrer-policy", b"same-origin"))
#: No page of another site frames ours, where people sign in, but for those that are made for it and have no form.
_UNFRAMED: Final = (b"content-security-policy", _POLICY + b"'none'")
_FRAMED: Final = (b"content-security-policy", _POLICY + b"*")
#: How the addresses of pages begin that other pages may frame.
EMBEDDED: Final = "/embed/"
#: Lets scripts of other sites read an answer, and send headers of their own. Nothing here is private.
_SHARED: Final = ((b"access-control-allow-origin", b"*"), (b"access-control-expose-headers", b"age, etag, retry-after"))
_PREFLIGHT: Final = {
    "access-control-allow-methods": "GET, HEAD",
    "access-control-allow-headers": "accept, if-none-match, last-event-id",
    "access-control-max-age": "86400",
}


class Gate:
    """Lets `rate` requests a second through, those for machines apart, and few of one address if it `is_counted`.

    `views` has the requests of each address, `now` is a clock in seconds that never goes back.
    """

    def __init__(
        self,
        app: ASGIApp,
        *,
        views: TokenBuckets,
        rate: float,
        now: Callable[[], float],
        is_counted: Callable[[str], bool],
    ) -> None:
        self._app = app
        self._views = views
        self._now = now
        self._is_counted = is_counted
        self._limit = RateLimit(rate, PATIENCE)
        self._machines_limit = RateLimit(rate, PATIENCE)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            await send({"type": "websocket.close"})
            return
        path: str = scope["path"]
        shared = _SHARED if is_for_programs(path) else ()
        policy = _FRAMED if path.startswith(EMBEDDED) else _UNFRAMED

        async def send_safely(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], *shared, policy, *_SAFE]
            await send(message)

        answer: ASGIApp = self._app
        if scope["method"] == "OPTIONS" and shared:
            answer = Response(status_code=204, headers=_PREFLIGHT)
        else:
            try:
                self._count_view(scope)
                await (self._machines_limit if path in FOR_MACHINES else self._limit).turn()
            except FarfaliaServerError as error:
                answer = refusal(path, error)
        await answer(scope, receive, send_safely)

    def _count_view(self, scope: Scope) -> None:
        """Count a request; ResourceExhausted (VIEWS_TOO_FAST), with the time to wait, if its address makes too many."""
        host = (scope.get("client") or ("",))[0]
        if host and self._is_counted(host) and (wait := self._views.take(counted_as(host), self._now())):
            raise ResourceExhausted(
                said(
                    "more than %(most)s requests came from your address; expected %(rate)s a "
                    "second: try again in a moment",
                    most=limits.VIEWS_BURST,
                    rate=limits.VIEWS_RATE,
                ),
                "VIEWS_TOO_FAST",
                retry=wait,
            )
