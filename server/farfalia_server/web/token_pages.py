"""The tokens of an account beside its first one: made, listed and ended in a browser."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from farfalia.v1 import accounts_pb2
from farfalia_server.contract.errors import InvalidArgument, Unauthenticated
from farfalia_server.contract.said import said
from farfalia_server.contract.untrusted import quoted
from farfalia_server.web.form_fields import Refused
from farfalia_server.web.form_pages import FormPages, whole_number
from farfalia_server.web.forms import Visitor
from farfalia_server.wording.language import gettext
from farfalia_server.wording.phrases import TOKEN_SCOPES

_PATH, _DAY = "/account/tokens", 86_400


class TokenPages(FormPages):
    """Everything under `/account/tokens`."""

    def routes(self) -> list[Route]:
        """Return the routes."""
        forms = {"create": self._create, "revoke": self._revoke}
        return [
            Route(_PATH, self._tokens, methods=["GET"]),
            *(self._form(f"{_PATH}/{name}", act) for name, act in forms.items()),
        ]

    async def _tokens(self, request: Request) -> Response:
        return await self._shown(request, Visitor.of(request))

    async def _shown(self, request: Request, visitor: Visitor, refused: Refused | None = None) -> Response:
        """Return the page; sends those who are not signed in to where they can."""
        try:
            own = await self._call(request, visitor, "GetAccount", accounts_pb2.GetAccountRequest())
            found = await self._call(request, visitor, "ListApiTokens", accounts_pb2.ListApiTokensRequest())
        except Unauthenticated:
            return RedirectResponse("/account", 303)
        return self._page(
            "tokens.html",
            visitor,
            request,
            refused,
            tokens=found.tokens,
            scopes={word: gettext(word) for word in TOKEN_SCOPES.values()},
            bots={"": "–", **{bot.name: bot.name for bot in own.bots}},
            events={"": "–", **{member.event: member.event for member in own.memberships}},
        )

    async def _create(self, request: Request, visitor: Visitor, fields: dict[str, str]) -> Response:
        """Make a token, and show it once."""
        word = fields.get("scope", "")
        scope = next((number for number, said in TOKEN_SCOPES.items() if said == word), None)
        if scope is None:
            expected = ", ".join(TOKEN_SCOPES.values())
            raise InvalidArgument(
                "scope",
                said(
                    "%(field)s is %(value)s; expected one of %(choices)s",
                    field="scope",
                    value=quoted(word),
                    choices=expected,
                ),
            )
        wanted = accounts_pb2.CreateApiTokenRequest(
            name=fields.get("name", ""),
            scope=scope,
            bot=fields.get("bot", "") if scope == accounts_pb2.TOKEN_SCOPE_BOT else "",
            event=fields.get("event", "") if scope == accounts_pb2.TOKEN_SCOPE_EVENT else "",
            seconds=min(whole_number(fields, "days") * _DAY, 2**32 - 1),
        )
        made = await self._call(request, visitor, "CreateApiToken", wanted)
        return self._renderer.page("token.html", "account", token=made.token, name="", told=None, wheel_url="")

    async def _revoke(self, request: Request, visitor: Visitor, fields: dict[str, str]) -> Response:
        wanted = accounts_pb2.RevokeApiTokenRequest(id=whole_number(fields, "token"))
        await self._call(request, visitor, "RevokeApiToken", wanted)
        return RedirectResponse(_PATH, 303)
