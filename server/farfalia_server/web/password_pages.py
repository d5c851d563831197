"""A new password for somebody who has lost theirs: by a link that is good once, which an organiser makes, or which is
sent by e-mail.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from farfalia.v1 import accounts_pb2
from farfalia_server.contract.errors import InvalidArgument
from farfalia_server.contract.said import said
from farfalia_server.net.addresses import Addresses
from farfalia_server.web.calls import MakeCall
from farfalia_server.web.form_fields import Refused
from farfalia_server.web.form_pages import FormPages
from farfalia_server.web.forms import Visitor
from farfalia_server.web.page_renderer import PageRenderer

PATH = "/account/new-password"
#: The page where somebody asks for a link, and the form that does it.
_LOST, _SEND = "/account/lost-password", "send-link"
#: Most characters of a link's token.
_LONGEST = 100


class PasswordPages(FormPages):
    """The page to which such a link leads, and the one where somebody asks for it; `sends_mail` says whether that helps
    on this server.
    """

    def __init__(
        self,
        make: MakeCall,
        addresses: Callable[[], Awaitable[Addresses]],
        renderer: PageRenderer,
        *,
        sends_mail: bool = False,
    ) -> None:
        super().__init__(make, addresses, renderer)
        self._sends_mail = sends_mail

    def routes(self) -> list[Route]:
        """Return the routes."""
        return [
            Route(PATH, self._link, methods=["GET"]),
            Route(_LOST, self._lost, methods=["GET"]),
            self._form("/account/choose-password", self._choose),
            self._form(f"/account/{_SEND}", self._send),
        ]

    async def _link(self, request: Request) -> Response:
        return await self._shown(request, Visitor.of(request))

    async def _shown(self, request: Request, visitor: Visitor, refused: Refused | None = None) -> Response:
        """Return the form; whether the link is good shows when it is sent, and only then is it used up."""
        if refused is not None and refused.form == _SEND:
            return self._ask(request, visitor, refused)
        link = refused.typed.get("link", "") if refused is not None else request.query_params.get("link", "")
        return self._page("choose_password.html", visitor, request, refused, link=link[:_LONGEST])

    async def _lost(self, request: Request) -> Response:
        return self._ask(request, Visitor.of(request))

    def _ask(self, request: Request, visitor: Visitor, refused: Refused | None = None) -> Response:
        """Return the page that asks for the name of an account, or says whom to ask."""
        asked = refused is None and request.query_params.get("asked") == "yes"
        return self._page("lost_password.html", visitor, request, refused, sends_mail=self._sends_mail, asked=asked)

    async def _send(self, request: Request, visitor: Visitor, fields: dict[str, str]) -> Response:
        """Ask for a link; what follows says nothing of whether there is such an account."""
        wanted = accounts_pb2.RequestPasswordLinkRequest(name=fields.get("name", "").strip())
        await self._call(request, Visitor("", ""), "RequestPasswordLink", wanted)
        return RedirectResponse(f"{_LOST}?asked=yes", 303)

    async def _choose(self, request: Request, visitor: Visitor, fields: dict[str, str]) -> Response:
        link, password = fields.get("link", "")[:_LONGEST], fields.get("password", "")
        if not link:
            raise InvalidArgument("link", said("open the whole link that you were given"))
        holder = Visitor(link, "")
        await self._call(request, holder, "SetPassword", accounts_pb2.SetPasswordRequest(password=password))
        return RedirectResponse("/account", 303)
