"""A new password for somebody who has lost theirs: an organiser makes a link, and it is good once."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from farfalia.v1 import accounts_pb2
from farfalia_server.contract.errors import InvalidArgument
from farfalia_server.web.form_fields import Refused
from farfalia_server.web.form_pages import FormPages
from farfalia_server.web.forms import Visitor

PATH = "/account/new-password"
#: Most characters of a link's token.
_LONGEST = 100


class PasswordPages(FormPages):
    """The page to which such a link leads."""

    def routes(self) -> list[Route]:
        """Return the routes."""
        return [Route(PATH, self._link, methods=["GET"]), self._form("/account/choose-password", self._choose)]

    async def _link(self, request: Request) -> Response:
        return await self._shown(request, Visitor.of(request))

    async def _shown(self, request: Request, visitor: Visitor, refused: Refused | None = None) -> Response:
        """Return the form; whether the link is good shows when it is sent, and only then is it used up."""
        link = refused.typed.get("link", "") if refused is not None else request.query_params.get("link", "")
        return self._page("choose_password.html", visitor, request, refused, link=link[:_LONGEST])

    async def _choose(self, request: Request, visitor: Visitor, fields: dict[str, str]) -> Response:
        link, password = fields.get("link", "")[:_LONGEST], fields.get("password", "")
        if not link:
            raise InvalidArgument("link", "open the whole link that you were given")
        holder = Visitor(link, "")
        await self._call(request, holder, "SetPassword", accounts_pb2.SetPasswordRequest(password=password))
        return RedirectResponse("/account", 303)
