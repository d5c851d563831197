"""The pages on the way to a provider of OpenID Connect and back."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from farfalia.v1 import accounts_pb2
from farfalia_server.contract.errors import FarfaliaServerError, PermissionDenied, Unauthenticated
from farfalia_server.contract.registration import Registration
from farfalia_server.contract.said import said
from farfalia_server.net.addresses import Addresses
from farfalia_server.web.calls import MakeCall
from farfalia_server.web.form_fields import Refused
from farfalia_server.web.form_pages import FormPages, refusal, whole_number
from farfalia_server.web.forms import Visitor, flow_of, forget_flow, keep_flow, sign_in
from farfalia_server.web.page_renderer import PageRenderer


class OidcPages(FormPages):
    """Everything under `/account/oidc/`; people call the provider `name`, which is empty without one."""

    def __init__(
        self,
        make: MakeCall,
        addresses: Callable[[], Awaitable[Addresses]],
        renderer: PageRenderer,
        registration: Registration,
        name: str,
    ) -> None:
        super().__init__(make, addresses, renderer)
        self._registration = registration
        self._name = name

    def routes(self) -> list[Route]:
        """Return the routes."""
        forms = {
            "begin": self._begin,
            "connect": self._connect,
            "disconnect": self._disconnect,
            "create": self._create,
        }
        posts = [self._form(f"/account/oidc/{name}", act) for name, act in forms.items()]
        return [Route("/account/oidc/callback", self._callback, methods=["GET"]), *posts]

    async def _shown(self, request: Request, visitor: Visitor, refused: Refused | None = None) -> Response:
        identity = refused.typed.get("identity", "") if refused is not None and refused.form == "create" else ""
        return self._oidc(request, visitor, refused, identity=identity)

    def _oidc(self, request: Request, visitor: Visitor, refused: Refused | None = None, **values: str) -> Response:
        return self._page(
            "oidc.html",
            visitor,
            request,
            refused,
            provider=self._name,
            by_invitation=self._registration is Registration.INVITATION,
            **({"url": "", "identity": "", "name": ""} | values),
        )

    async def _begin(self, request: Request, visitor: Visitor, fields: dict[str, str]) -> Response:
        return await self._leave(request, visitor, accounts_pb2.BeginOidcRequest())

    async def _connect(self, request: Request, visitor: Visitor, fields: dict[str, str]) -> Response:
        return await self._leave(request, visitor, accounts_pb2.BeginOidcRequest(connect=True))

    async def _leave(self, request: Request, visitor: Visitor, wanted: accounts_pb2.BeginOidcRequest) -> Response:
        """Return a page that goes on to the provider by itself: browsers let no form lead to another site, which a
        redirect would be.
        """
        begun = await self._call(request, visitor if wanted.connect else Visitor("", ""), "BeginOidc", wanted)
        answer = self._oidc(request, visitor, url=begun.url)
        answer.headers["refresh"] = f"0; url={begun.url}"
        keep_flow(request, answer, begun.flow)
        return answer

    async def _callback(self, request: Request) -> Response:
        visitor = Visitor.of(request)
        try:
            answer = await self._back(request, visitor)
        except FarfaliaServerError as error:
            answer = await self._shown(request, visitor, refusal("callback", error, {}))
        forget_flow(request, answer)
        answer.headers["cache-control"] = "no-store"
        return answer

    async def _back(self, request: Request, visitor: Visitor) -> Response:
        """Sign in whom the provider names, connect the identity, or ask for the name of a new account.

        This GET does something, since providers redirect: only with what this browser got when it left.
        """
        query = request.query_params
        wanted = accounts_pb2.FinishOidcRequest(
            flow=flow_of(request),
            state=query.get("state", ""),
            code=query.get("code", ""),
            issuer=query.get("iss", ""),
            error=query.get("error", ""),
        )
        found = await self._call(request, Visitor("", ""), "FinishOidc", wanted)
        if found.connect:
            connected = accounts_pb2.ConnectIdentityRequest(identity=found.identity)
            await self._call(request, visitor, "ConnectIdentity", connected)
            return RedirectResponse("/account", 303)
        if found.account:
            return await self._signed_in(request, found.identity)
        if self._registration is Registration.CLOSED:
            raise PermissionDenied(
                said(
                    "no account here signs in with this identity at %(name)s, and registration is closed: "
                    "ask who runs this server for an account, sign in to it with its password, and connect it",
                    name=self._name,
                ),
                "REGISTRATION_CLOSED",
            )
        return self._oidc(request, visitor, identity=found.identity, name=found.suggested_name)

    async def _create(self, request: Request, visitor: Visitor, fields: dict[str, str]) -> Response:
        identity = fields.get("identity", "")
        wanted = accounts_pb2.CreateAccountRequest(
            name=fields.get("name", "").strip(), invitation=fields.get("invitation", "").strip(), identity=identity
        )
        if not identity:  # the call would make an account with no way in
            raise Unauthenticated(said("sign in at the provider first"), "OIDC_OVER")
        await self._call(request, Visitor("", ""), "CreateAccount", wanted)
        return await self._signed_in(request, identity)

    async def _disconnect(self, request: Request, visitor: Visitor, fields: dict[str, str]) -> Response:
        wanted = accounts_pb2.DisconnectIdentityRequest(id=whole_number(fields, "identity"))
        await self._call(request, visitor, "DisconnectIdentity", wanted)
        return RedirectResponse("/account", 303)

    async def _signed_in(self, request: Request, identity: str) -> Response:
        begun = await self._call(request, Visitor("", ""), "SignIn", accounts_pb2.SignInRequest(identity=identity))
        answer = RedirectResponse("/account", 303)
        sign_in(request, answer, begun.session)
        return answer
