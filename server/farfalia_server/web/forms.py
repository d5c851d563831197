"""Forms: what a browser sends, who is signed in, and how a form of another site is told from our own."""

from __future__ import annotations

import hmac
import secrets
from dataclasses import dataclass
from typing import Final
from urllib.parse import parse_qsl, urlsplit

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from farfalia_server.contract.errors import PermissionDenied
from farfalia_server.contract.said import said
from farfalia_server.web.calls import body_of

#: Most bytes and fields of a form.
_MOST_BYTES, _MOST_FIELDS = 1 << 16, 100
_FORM: Final = "application/x-www-form-urlencoded"
#: The cookies of somebody who is signed in, and of somebody who is not and has been shown a form.
_SESSION, _VISITOR = "farfalia", "farfalia-visitor"
#: The cookie of a browser that is on its way to a provider of OpenID Connect and back, and for how many seconds.
_FLOW, _ON_THE_WAY = "farfalia-oidc", 600
#: The cookie of a person who plays as a guest: the token of the bot, for as long as it is good without a match.
_SEAT, _SEAT_LASTS = "farfalia-seat", 7 * 86_400
#: The cookie that names the match in which a person's seat is commented.
_COMMENTED: Final = "farfalia-comments"
#: Seconds for which a browser keeps the cookie of a session: as long as one lasts at most.
_LASTS = 30 * 86_400
#: The field that proves that a form is from a page of ours.
PROOF: Final = "proof"
#: The field that tells a form from the same one on a page that was shown later.
ONCE: Final = "once"


@dataclass(frozen=True, slots=True)
class Visitor:
    """The sender of a request: a session, empty before signing in, and what proves that a form is theirs."""

    session: str
    secret: str

    @classmethod
    def of(cls, request: Request) -> Visitor:
        """Return who sends a request; a new one if nobody has been here before."""
        session = request.cookies.get(_name(request, _SESSION), "")
        secret = session or request.cookies.get(_name(request, _VISITOR), "")
        return cls(session, secret or secrets.token_urlsafe(16))

    @property
    def proof(self) -> str:
        """What each of the visitor's forms has in it: nobody can know it who does not know the cookie."""
        return hmac.digest(self.secret.encode(), b"form", "sha256").hex()

    def remember(self, request: Request, answer: Response) -> None:
        """Give the browser the cookie by which it is known again, and let nobody else keep the answer."""
        if not self.session:
            _set(request, answer, _VISITOR, self.secret)
        answer.headers["cache-control"] = "no-store"


def sign_in(request: Request, answer: Response, session: str) -> None:
    """Give the browser the cookie of a session."""
    _set(request, answer, _SESSION, session, _LASTS)


def sign_out(request: Request, answer: Response) -> None:
    """Take the cookies away."""
    for name in (_SESSION, _VISITOR):
        answer.delete_cookie(_name(request, name), secure=_is_secure(request), httponly=True, samesite="lax")


def keep_flow(request: Request, answer: Response, flow: str) -> None:
    """Let the browser keep what is needed when it comes back from a provider."""
    _set(request, answer, _FLOW, flow, _ON_THE_WAY)


def flow_of(request: Request) -> str:
    """Return what `keep_flow` has given the browser; empty for any other."""
    return request.cookies.get(_name(request, _FLOW), "")


def forget_flow(request: Request, answer: Response) -> None:
    """Take it away: it was for one way."""
    answer.delete_cookie(_name(request, _FLOW), secure=_is_secure(request), httponly=True, samesite="lax")


def keep_seat(request: Request, answer: Response, token: str) -> None:
    """Give the browser the token of the bot as which a person plays."""
    _set(request, answer, _SEAT, token, _SEAT_LASTS)


def seat_token(request: Request) -> str:
    """Return what `keep_seat` has given the browser; empty for any other."""
    return request.cookies.get(_name(request, _SEAT), "")


def keep_commented(request: Request, answer: Response, match: int) -> None:
    """Let the browser know in which match a person's seat is commented, 0 for none."""
    _set(request, answer, _COMMENTED, str(match))


def commented(request: Request) -> int:
    """Return the match that `keep_commented` has named; 0 for none."""
    match = request.cookies.get(_name(request, _COMMENTED), "")
    return int(match) if match.isascii() and match.isdecimal() and len(match) < 20 else 0


async def form_of(request: Request, visitor: Visitor) -> dict[str, str]:
    """Return the fields of a form of ours.

    PermissionDenied (FORM_FOREIGN) if it comes from another site, or from a page that was shown to somebody else, for
    example before signing in; HTTPException (415, 413, 400) if it is no form.
    """
    fields = await fields_of(request)
    check_origin(request)
    check_proof(fields.get(PROOF, ""), visitor)
    return fields


async def fields_of(request: Request) -> dict[str, str]:
    """Return the fields of a form of any page; HTTPException (415, 413, 400) if it is no form."""
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != _FORM:
        raise HTTPException(415, said("expected %(expected)s", expected=_FORM))
    body = await body_of(request, _MOST_BYTES)
    try:
        return dict(parse_qsl(body.decode(), keep_blank_values=True, max_num_fields=_MOST_FIELDS))
    except ValueError:
        raise HTTPException(
            400, said("the form is not in UTF-8, or has more than %(most)s fields", most=_MOST_FIELDS)
        ) from None


def check_proof(proof: str, visitor: Visitor) -> None:
    """Raise PermissionDenied (FORM_FOREIGN) unless the proof in a form is that of a page that the visitor has."""
    if not hmac.compare_digest(proof.encode(), visitor.proof.encode()):
        raise _foreign()


def check_origin(request: Request) -> None:
    """Raise PermissionDenied (FORM_FOREIGN) if the browser says that a form is from another site's page."""
    site, origin = request.headers.get("sec-fetch-site"), request.headers.get("origin")
    if site is not None:
        ours = site == "same-origin"
    else:  # an old browser; one that says nothing may be on a page of ours
        ours = origin is None or urlsplit(origin).netloc == request.headers.get("host")
    if not ours:
        raise _foreign()


def _foreign() -> PermissionDenied:
    return PermissionDenied(
        said("this form is not from the page that your browser has now; open the page again and send it from there"),
        "FORM_FOREIGN",
    )


def _is_secure(request: Request) -> bool:
    return request.url.scheme == "https"


def _name(request: Request, name: str) -> str:
    """Return the name of a cookie: no neighbouring host can set one that begins like this."""
    return f"__Host-{name}" if _is_secure(request) else name


def _set(request: Request, answer: Response, name: str, value: str, seconds: int | None = None) -> None:
    answer.set_cookie(
        _name(request, name), value, seconds, secure=_is_secure(request), httponly=True, samesite="lax", path="/"
    )
