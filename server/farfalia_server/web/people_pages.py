"""The organiser's page of people: who has an account, who is invited, and what is done for or against them."""

from __future__ import annotations

from google.protobuf.message import Message
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from farfalia.v1 import accounts_pb2
from farfalia_server.contract.errors import InvalidArgument, Unauthenticated
from farfalia_server.contract.said import said
from farfalia_server.web.form_fields import Refused
from farfalia_server.web.form_pages import whole_number
from farfalia_server.web.forms import Visitor
from farfalia_server.web.inviting import InvitingPages
from farfalia_server.web.password_pages import PATH as NEW_PASSWORD

#: Accounts on one page.
_ROWS = 200
_PATH = "/account/people"
_PERSON = "/account/person"
#: Forms that are on the page of one account.
_OF_PERSON = ("suspend", "rename", "remove")


class PeoplePages(InvitingPages):
    """Everything under `/account/people`, for organisers: the calls refuse others."""

    def routes(self) -> list[Route]:
        """Return the routes."""
        forms = {
            "invite": self._invite,
            "end-invitation": self._end_invitation,
            "new-password": self._new_password,
            "ban": self._ban,
            "suspend": self._suspend,
            "rename": self._rename,
            "remove": self._remove,
        }
        return [
            Route(_PATH, self._people, methods=["GET"]),
            Route(_PERSON, self._person, methods=["GET"]),
            *(self._form(f"{_PATH}/{name}", act) for name, act in forms.items()),
        ]

    async def _people(self, request: Request) -> Response:
        return await self._shown(request, Visitor.of(request))

    async def _shown(self, request: Request, visitor: Visitor, refused: Refused | None = None) -> Response:
        """Return the page; sends those who are not signed in to where they can."""
        if refused is not None and refused.form in _OF_PERSON and (name := refused.typed.get("account", "")):
            return await self._one(request, visitor, name, refused)
        after = request.query_params.get("after", "")
        try:
            wanted = accounts_pb2.ListAccountsRequest(limit=_ROWS, after=after)
            accounts = (await self._call(request, visitor, "ListAccounts", wanted)).accounts
        except Unauthenticated:
            return RedirectResponse("/account", 303)
        found = await self._call(request, visitor, "ListInvitations", accounts_pb2.ListInvitationsRequest())
        return self._page(
            "people.html",
            visitor,
            request,
            refused,
            accounts=accounts,
            following=accounts[-1].name if len(accounts) == _ROWS else "",
            invitations=found.invitations,
        )

    async def _person(self, request: Request) -> Response:
        return await self._one(request, Visitor.of(request), request.query_params.get("name", ""))

    async def _one(self, request: Request, visitor: Visitor, name: str, refused: Refused | None = None) -> Response:
        """Return the page of one account, for who manages it."""
        if not name:
            return RedirectResponse(_PATH, 303)
        try:
            found = await self._call(request, visitor, "GetAccount", accounts_pb2.GetAccountRequest(name=name))
        except Unauthenticated:
            return RedirectResponse("/account", 303)
        return self._page("person.html", visitor, request, refused, found=found)

    async def _suspend(self, request: Request, visitor: Visitor, fields: dict[str, str]) -> Response:
        name, suspended = fields.get("account", ""), fields.get("suspended") == "yes"
        reason = fields.get("reason", "")
        wanted = accounts_pb2.ModerateAccountRequest(name=name, suspended=suspended, reason=reason)
        await self._call(request, visitor, "ModerateAccount", wanted)
        return RedirectResponse(f"{_PERSON}?name={name}", 303)

    async def _rename(self, request: Request, visitor: Visitor, fields: dict[str, str]) -> Response:
        name, new = fields.get("account", ""), fields.get("new_name", "").strip()
        reason = fields.get("reason", "")
        wanted = accounts_pb2.RenameAccountRequest(name=_named(name), new_name=new, reason=reason)
        await self._call(request, visitor, "RenameAccount", wanted)
        return RedirectResponse(f"{_PERSON}?name={new}", 303)

    async def _remove(self, request: Request, visitor: Visitor, fields: dict[str, str]) -> Response:
        """Remove an account once somebody has said that it is meant."""
        name = _named(fields.get("account", ""))
        if fields.get("sure") != "yes":
            return self._page("remove.html", visitor, request, None, form="people/remove", field="account", name=name)
        return await self._done(request, visitor, "RemoveAccount", accounts_pb2.RemoveAccountRequest(name=name))

    async def _end_invitation(self, request: Request, visitor: Visitor, fields: dict[str, str]) -> Response:
        wanted = accounts_pb2.RevokeInvitationRequest(id=whole_number(fields, "invitation"))
        return await self._done(request, visitor, "RevokeInvitation", wanted)

    async def _new_password(self, request: Request, visitor: Visitor, fields: dict[str, str]) -> Response:
        """Make a link by which somebody chooses a password, and show it once."""
        name = _named(fields.get("account", ""))
        wanted = accounts_pb2.CreatePasswordLinkRequest(name=name)
        made = await self._call(request, visitor, "CreatePasswordLink", wanted)
        link = f"{(await self._addresses()).pages}{NEW_PASSWORD.removeprefix('/')}?link={made.token}"
        email = ""
        if made.status == accounts_pb2.MAIL_STATUS_SENT:
            found = await self._call(request, visitor, "GetAccount", accounts_pb2.GetAccountRequest(name=name))
            email = found.email
        return self._renderer.page("new_password.html", "account", name=name, link=link, email=email, failure=made.text)

    async def _ban(self, request: Request, visitor: Visitor, fields: dict[str, str]) -> Response:
        """Revoke an account once somebody has said that it is meant."""
        name = fields.get("account", "")
        if fields.get("sure") != "yes":
            return self._page("ban.html", visitor, request, None, name=name)
        return await self._done(request, visitor, "RevokeAccount", accounts_pb2.RevokeAccountRequest(name=name))

    async def _done(self, request: Request, visitor: Visitor, call: str, wanted: Message) -> Response:
        await self._call(request, visitor, call, wanted)
        return RedirectResponse(_PATH, 303)


def _named(name: str) -> str:
    """Return a name; InvalidArgument if it is empty, which would stand for one's own account."""
    if not name:
        raise InvalidArgument("account", said("account is empty; expected whose it is"))
    return name
