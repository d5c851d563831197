"""The pages of those who sign in: their account, and their bots with their tokens.

Each form makes a call of the contract in the visitor's session. A page is shown to one visitor and never kept.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from google.protobuf.message import Message
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from farfalia.v1 import accounts_pb2, bots_pb2
from farfalia_server.contract.errors import FarfaliaServerError, InvalidArgument, Unauthenticated
from farfalia_server.contract.registration import Registration
from farfalia_server.net.addresses import Addresses
from farfalia_server.web.calls import MakeCall, answer_to
from farfalia_server.web.forms import PROOF, Visitor, form_of, sign_in, sign_out
from farfalia_server.web.page_renderer import PageRenderer
from farfalia_server.web.problem import Problem
from farfalia_server.web.wheel import filename

#: Fields whose contents a page never repeats.
_SECRET = ("password", "old", PROOF)


@dataclass(frozen=True, slots=True)
class Refused:
    """A form that was refused: which one, at which field if one is wrong, why, and what else was typed."""

    form: str
    field: str
    text: str
    status: int
    typed: dict[str, str]


class AccountPages:
    """Everything under `/account`; `make` makes a call, `addresses` returns the public addresses.

    `version` is that of the server, whose wheel it hands out.
    """

    def __init__(
        self,
        make: MakeCall,
        addresses: Callable[[], Awaitable[Addresses]],
        renderer: PageRenderer,
        registration: Registration,
        version: str,
    ) -> None:
        self._make = make
        self._addresses = addresses
        self._renderer = renderer
        self._registration = registration
        self._wheel = f"downloads/{filename(version)}"

    def routes(self) -> list[Route]:
        """Return the routes."""
        forms = {
            "sign-up": self._sign_up,
            "sign-in": self._sign_in,
            "sign-out": self._sign_out,
            "password": self._password,
            "token": self._token,
            "new-bot": self._new_bot,
            "bot-token": self._bot_token,
            "revoke-bot": self._revoke_bot,
        }
        posts = [Route(f"/account/{name}", self._post(name, act), methods=["POST"]) for name, act in forms.items()]
        return [Route("/account", self._account, methods=["GET"]), *posts]

    def _post(
        self, name: str, act: Callable[[Request, Visitor, dict[str, str]], Awaitable[Response]]
    ) -> Callable[[Request], Awaitable[Response]]:
        """Return what answers a form: what it does, or the page with the form and why it was refused."""

        async def answered(request: Request) -> Response:
            visitor = Visitor.of(request)
            fields: dict[str, str] = {}
            try:
                fields = await form_of(request, visitor)
                answer = await act(request, visitor, fields)
            except FarfaliaServerError as error:
                field = error.field if isinstance(error, InvalidArgument) else ""
                typed = {key: value for key, value in fields.items() if key not in _SECRET}
                found = Problem.of(error)
                return await self._shown(request, visitor, Refused(name, field, found.detail, found.status, typed))
            answer.headers["cache-control"] = "no-store"
            return answer

        return answered

    async def _account(self, request: Request) -> Response:
        return await self._shown(request, Visitor.of(request))

    async def _shown(self, request: Request, visitor: Visitor, refused: Refused | None = None) -> Response:
        """Return the page of an account, or the forms to sign in and up."""
        found: accounts_pb2.GetAccountResponse | None = None
        over = False
        if visitor.session:
            try:
                found = await self._call(request, visitor, "GetAccount", accounts_pb2.GetAccountRequest())
            except Unauthenticated:  # it has ended
                visitor, over = Visitor("", visitor.secret), True
        answer = self._renderer.page(
            "account.html" if found else "sign_in.html",
            "account",
            status=refused.status if refused else 200,
            found=found,
            over=over and refused is None,
            refused=refused,
            proof=visitor.proof,
            registration=self._registration.value,
            told=await self._addresses(),
        )
        visitor.remember(request, answer)
        return answer

    async def _sign_up(self, request: Request, visitor: Visitor, fields: dict[str, str]) -> Response:
        name, password = fields.get("name", "").strip(), fields.get("password", "")
        if not password:
            raise InvalidArgument("password", "choose a password")
        wanted = accounts_pb2.CreateAccountRequest(
            name=name, password=password, invitation=fields.get("invitation", "").strip()
        )
        await self._call(request, Visitor("", ""), "CreateAccount", wanted)
        return await self._sign_in(request, visitor, fields)

    async def _sign_in(self, request: Request, visitor: Visitor, fields: dict[str, str]) -> Response:
        del visitor  # whoever it was before, the session is a new one
        wanted = accounts_pb2.SignInRequest(name=fields.get("name", "").strip(), password=fields.get("password", ""))
        begun = await self._call(request, Visitor("", ""), "SignIn", wanted)
        answer = _to_account()
        sign_in(request, answer, begun.session)
        return answer

    async def _sign_out(self, request: Request, visitor: Visitor, fields: dict[str, str]) -> Response:
        if visitor.session:
            wanted = accounts_pb2.SignOutRequest(everywhere=bool(fields.get("everywhere")))
            await self._call(request, visitor, "SignOut", wanted)
        answer = _to_account()
        sign_out(request, answer)
        return answer

    async def _password(self, request: Request, visitor: Visitor, fields: dict[str, str]) -> Response:
        wanted = accounts_pb2.SetPasswordRequest(old=fields.get("old", ""), password=fields.get("password", ""))
        await self._call(request, visitor, "SetPassword", wanted)
        return _to_account()

    async def _token(self, request: Request, visitor: Visitor, fields: dict[str, str]) -> Response:
        made = await self._call(request, visitor, "RotateAccountToken", accounts_pb2.RotateAccountTokenRequest())
        return await self._handed_out(made.token)

    async def _new_bot(self, request: Request, visitor: Visitor, fields: dict[str, str]) -> Response:
        wanted = bots_pb2.RegisterBotRequest(name=fields.get("name", "").strip())
        self._must_be_signed_in(visitor)
        made = await self._call(request, visitor, "RegisterBot", wanted)
        return await self._handed_out(made.token, made.bot.name)

    async def _bot_token(self, request: Request, visitor: Visitor, fields: dict[str, str]) -> Response:
        bot = fields.get("bot", "")
        made = await self._call(request, visitor, "RotateToken", bots_pb2.RotateTokenRequest(name=bot))
        return await self._handed_out(made.token, bot)

    async def _revoke_bot(self, request: Request, visitor: Visitor, fields: dict[str, str]) -> Response:
        await self._call(request, visitor, "RevokeToken", bots_pb2.RevokeTokenRequest(name=fields.get("bot", "")))
        return _to_account()

    async def _handed_out(self, token: str, bot: str = "") -> Response:
        """Return the only page that shows a new token: a bot's, or the account's."""
        told = await self._addresses()
        return self._renderer.page(
            "token.html", "account", token=token, name=bot, told=told, wheel_url=f"{told.pages}{self._wheel}"
        )

    def _must_be_signed_in(self, visitor: Visitor) -> None:
        """Raise Unauthenticated if nobody is: the call itself would make a bot that nobody owns."""
        if not visitor.session:
            raise Unauthenticated("sign in first", "TOKEN_MISSING")

    async def _call(self, request: Request, visitor: Visitor, name: str, message: Message) -> Any:
        return await answer_to(self._make, name, message, request, visitor.session)


def _to_account() -> RedirectResponse:
    return RedirectResponse("/account", 303)
