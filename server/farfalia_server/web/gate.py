"""In front of everything at the HTTP port: who may ask how often, and the headers that every answer has."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from farfalia_server.contract.errors import FarfaliaServerError, ResourceExhausted
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
#: They keep a page from loading or being loaded by anything foreign: nothing but our own style sheet, pictures and
#: scripts, and no script in a page itself.
_SAFE: Final = (
    (
        b"content-security-policy",
        b"default-src 'none'; style-src 'self'; img-src 'self'; script-src 'self'; connect-src 'self'; "
        b"base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    ),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"same-origin"),
)
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

        async def send_safely(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], *shared, *_SAFE]
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
                f"more than {limits.VIEWS_BURST} requests came from your address; "
                f"expected {limits.VIEWS_RATE} a second: try again in a moment",
                "VIEWS_TOO_FAST",
                retry=wait,
            )
