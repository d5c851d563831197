"""The form that makes invitations, and the sheet with their codes: to print, to cut and to hand out."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlencode

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import Response

from farfalia.v1 import accounts_pb2, events_pb2
from farfalia_server.contract.errors import InvalidArgument
from farfalia_server.contract.said import said
from farfalia_server.web.form_pages import FormPages, whole_number
from farfalia_server.web.forms import Visitor
from farfalia_server.web.qr_code import qr_code

#: Most codes on a sheet.
MOST_CODES = 100
_DAY = 86_400


@dataclass(frozen=True, slots=True)
class Slip:
    """One code of a sheet, with the address that has it filled in, as text and as a picture."""

    code: str
    address: str
    picture: Markup


class InvitingPages(FormPages):
    """Pages that have the form of invitations among theirs."""

    async def _invite(self, request: Request, visitor: Visitor, fields: dict[str, str]) -> Response:
        """Make invitations and show their codes, which no page shows again."""
        codes, event = whole_number(fields, "codes") or 1, fields.get("event", "")
        if codes > MOST_CODES:
            raise InvalidArgument(
                "codes",
                said("%(field)s is %(value)s; expected at most %(most)s", field="codes", value=codes, most=MOST_CODES),
            )
        wanted = accounts_pb2.CreateInvitationRequest(
            event=event,
            note=fields.get("note", "").strip(),
            uses=whole_number(fields, "uses") or 1,
            seconds=whole_number(fields, "days") * _DAY,
        )
        made = [await self._call(request, visitor, "CreateInvitation", wanted) for _ in range(codes)]
        title = ""
        if event:
            found = await self._call(request, visitor, "GetEvent", events_pb2.GetEventRequest(name=event))
            title = found.event.title
        pages = (await self._addresses()).pages
        slips = [_slip(f"{pages}account?{urlencode({'code': one.code})}", one.code) for one in made]
        answer = self._renderer.page(
            "invited.html", "account", slips=slips, invitation=made[0].invitation, title=title, pages=pages
        )
        visitor.remember(request, answer)
        return answer


def _slip(address: str, code: str) -> Slip:
    return Slip(code, address, qr_code(address))
