"""The pages of those who sign in: their account, and their bots with their tokens."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from farfalia.v1 import accounts_pb2, bots_pb2, events_pb2
from farfalia_server.contract.errors import InvalidArgument, Unauthenticated
from farfalia_server.contract.registration import Registration
from farfalia_server.contract.said import said
from farfalia_server.net.addresses import Addresses
from farfalia_server.web.calls import MakeCall
from farfalia_server.web.form_fields import Refused
from farfalia_server.web.form_pages import FormPages
from farfalia_server.web.forms import Visitor, sign_in, sign_out
from farfalia_server.web.page_renderer import PageRenderer
from farfalia_server.web.wheel import filename

#: Roles in an event that have a desk of tournaments.
_RUN = (events_pb2.MEMBER_ROLE_HELPER, events_pb2.MEMBER_ROLE_ORGANISER)
#: Roles that have a page of people, and most characters of an invitation's code in an address.
_ORGANISE, _CODE = (accounts_pb2.ROLE_ORGANISER, accounts_pb2.ROLE_ADMIN), 80


class AccountPages(FormPages):
    """Everything under `/account`; `make` makes a call, `addresses` returns the public addresses.

    `version` is that of the server, whose wheel it hands out; `provider` is what people call the provider of OpenID
    Connect, empty without one; `sends_mail` says whether accounts may have an e-mail address.
    """

    def __init__(
        self,
        make: MakeCall,
        addresses: Callable[[], Awaitable[Addresses]],
        renderer: PageRenderer,
        registration: Registration,
        version: str,
        provider: str = "",
        *,
        sends_mail: bool = False,
    ) -> None:
        super().__init__(make, addresses, renderer)
        self._sends_mail = sends_mail
        self._registration = registration
        self._provider = provider
        self._wheel = f"downloads/{filename(version)}"

    def routes(self) -> list[Route]:
        """Return the routes."""
        forms = {
            "sign-up": self._sign_up,
            "admin": self._admin,
            "sign-in": self._sign_in,
            "sign-out": self._sign_out,
            "password": self._password,
            "email": self._email,
            "token": self._token,
            "new-bot": self._new_bot,
            "bot-token": self._bot_token,
            "revoke-bot": self._revoke_bot,
            "rename": self._rename,
            "remove": self._remove,
        }
        posts = [self._form(f"/account/{name}", act) for name, act in forms.items()]
        return [Route("/account", self._account, methods=["GET"]), *posts]

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
        return self._page(
            "account.html" if found else "sign_in.html",
            visitor,
            request,
            refused,
            found=found,
            over=over and refused is None,
            registration=self._registration.value,
            provider=self._provider,
            sends_mail=self._sends_mail,
            code=request.query_params.get("code", "")[:_CODE],
            organises=found is not None and found.account.role in _ORGANISE,
            runs=found is not None and any(one.role in _RUN for one in found.memberships),
        )

    async def _sign_up(self, request: Request, visitor: Visitor, fields: dict[str, str]) -> Response:
        name, password = fields.get("name", "").strip(), fields.get("password", "")
        if not password:
            raise InvalidArgument("password", said("choose a password"))
        wanted = accounts_pb2.CreateAccountRequest(
            name=name,
            password=password,
            invitation=fields.get("invitation", "").strip(),
            email=fields.get("email", "").strip(),
        )
        await self._call(request, Visitor("", ""), "CreateAccount", wanted)
        return await self._sign_in(request, visitor, fields)

    async def _admin(self, request: Request, visitor: Visitor, fields: dict[str, str]) -> Response:
        """Make an account of the role admin with the admin token, and sign it in."""
        name, password, token = (fields.get(key, "") for key in ("name", "password", "token"))
        if not password:
            raise InvalidArgument("password", said("choose a password"))
        wanted = accounts_pb2.CreateAccountRequest(name=name.strip(), password=password, role=accounts_pb2.ROLE_ADMIN)
        await self._call(request, Visitor(token.strip(), ""), "CreateAccount", wanted)
        return await self._sign_in(request, visitor, fields)

    async def _sign_in(self, request: Request, visitor: Visitor, fields: dict[str, str]) -> Response:
        del visitor  # the session is a new one in any case
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

    async def _email(self, request: Request, visitor: Visitor, fields: dict[str, str]) -> Response:
        wanted = accounts_pb2.SetEmailRequest(email=fields.get("email", ""), password=fields.get("password", ""))
        await self._call(request, visitor, "SetEmail", wanted)
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

    async def _rename(self, request: Request, visitor: Visitor, fields: dict[str, str]) -> Response:
        wanted = accounts_pb2.RenameAccountRequest(new_name=fields.get("new_name", "").strip())
        await self._call(request, visitor, "RenameAccount", wanted)
        return _to_account()

    async def _remove(self, request: Request, visitor: Visitor, fields: dict[str, str]) -> Response:
        """Remove the account once somebody has said that it is meant."""
        name = fields.get("account", "")
        if fields.get("sure") != "yes":
            return self._page("remove.html", visitor, request, None, form="remove", field="account", name=name)
        await self._call(request, visitor, "RemoveAccount", accounts_pb2.RemoveAccountRequest(name=name))
        answer = _to_account()
        sign_out(request, answer)
        return answer

    async def _handed_out(self, token: str, bot: str = "") -> Response:
        """Return the only page that shows a new token: a bot's, or the account's."""
        told = await self._addresses()
        return self._renderer.page(
            "token.html", "account", token=token, name=bot, told=told, wheel_url=f"{told.pages}{self._wheel}"
        )

    def _must_be_signed_in(self, visitor: Visitor) -> None:
        """Raise Unauthenticated without a session: the call itself would make a bot without an owner."""
        if not visitor.session:
            raise Unauthenticated(said("sign in first"), "TOKEN_MISSING")


def _to_account() -> RedirectResponse:
    return RedirectResponse("/account", 303)
