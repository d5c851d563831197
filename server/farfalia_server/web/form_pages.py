"""Pages with forms, each of which makes a call of the contract in the visitor's session.

A page is shown to one visitor and never kept.
"""

from __future__ import annotations

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable
from itertools import count
from typing import Any

from google.protobuf.message import Message
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from farfalia_server.contract.errors import FarfaliaServerError, InvalidArgument
from farfalia_server.contract.said import said
from farfalia_server.contract.untrusted import quoted
from farfalia_server.net.addresses import Addresses
from farfalia_server.web.calls import MakeCall, answer_to
from farfalia_server.web.form_fields import Refused
from farfalia_server.web.forms import ONCE, PROOF, Visitor, form_of
from farfalia_server.web.page_renderer import PageRenderer
from farfalia_server.web.problem import Problem

#: What a form does: who sends it, with which fields.
Act = Callable[[Request, Visitor, dict[str, str]], Awaitable[Response]]
#: How calls begin that change nothing.
_READING = ("Get", "List")
#: Most digits of a number in a form.
_DIGITS = 9
#: Fields whose contents a page never repeats.
_SECRET = ("password", "old", "token", PROOF)


class FormPages(ABC):
    """Pages with forms; `make` makes a call, `addresses` returns the public addresses."""

    def __init__(self, make: MakeCall, addresses: Callable[[], Awaitable[Addresses]], renderer: PageRenderer) -> None:
        self._make = make
        self._addresses = addresses
        self._renderer = renderer

    @abstractmethod
    def routes(self) -> list[Route]:
        """Return the routes."""

    @abstractmethod
    async def _shown(self, request: Request, visitor: Visitor, refused: Refused | None = None) -> Response:
        """Return the page with the forms, and why one of them was refused."""

    def _form(self, path: str, act: Act) -> Route:
        """Return the route of a form, whose name is the last part of its path."""
        name = path.rpartition("/")[2]

        async def answered(request: Request) -> Response:
            visitor = Visitor.of(request)
            fields: dict[str, str] = {}
            try:
                fields = await form_of(request, visitor)
                request.state.once, request.state.calls = key_of(fields), count()
                answer = await act(request, visitor, fields)
            except FarfaliaServerError as error:
                answer = await self._shown(request, visitor, refusal(name, error, fields))
            answer.headers["cache-control"] = "no-store"
            return answer

        return Route(path, answered, methods=["POST"])

    def _page(
        self,
        template: str,
        visitor: Visitor,
        request: Request,
        refused: Refused | None,
        section: str = "account",
        **values: Any,
    ) -> Response:
        """Return a page with forms of this visitor; the navigation marks its section."""
        answer = self._renderer.page(
            template,
            section,
            status=refused.status if refused else 200,
            refused=refused,
            proof=visitor.proof,
            **values,
        )
        visitor.remember(request, answer)
        return answer

    async def _call(self, request: Request, visitor: Visitor, name: str, message: Message) -> Any:
        """Return what a call answers in the visitor's session; FarfaliaServerError."""
        once = "" if name.startswith(_READING) else getattr(request.state, "once", "")
        # Each call of a form has a key of its own, which is the same one when the form is sent again.
        key = f"{once}-{next(request.state.calls)}" if once else ""
        return await answer_to(self._make, name, message, request, visitor.session, key)


def key_of(fields: dict[str, str]) -> str:
    """Return the key with which what a form does is done once: the same form, with the same in its fields."""
    once = fields.get(ONCE, "")
    return hashlib.sha256(repr(sorted(fields.items())).encode()).hexdigest() if once else ""


def refusal(form: str, error: FarfaliaServerError | HTTPException, fields: dict[str, str]) -> Refused:
    """Return why a form with these fields was refused."""
    field = error.field if isinstance(error, InvalidArgument) else ""
    typed = {key: value for key, value in fields.items() if key not in _SECRET}
    found = Problem.of(error)
    return Refused(form, field, found.detail, found.status, typed)


def whole_number(fields: dict[str, str], name: str) -> int:
    """Return the whole number in a field, 0 if nothing was typed; InvalidArgument."""
    text = fields.get(name, "").strip() or "0"
    if not (text.isascii() and text.isdigit() and len(text) <= _DIGITS):
        raise InvalidArgument(
            name, said("%(field)s is %(value)s; expected a whole number", field=name, value=quoted(text))
        )
    return int(text)
