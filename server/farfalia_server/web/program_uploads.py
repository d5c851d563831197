"""A program is handed in by one request: its archive is the body."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from google.protobuf.json_format import MessageToDict
from google.protobuf.message import Message
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from farfalia_server.contract.bounds import LARGEST_ARCHIVE
from farfalia_server.contract.errors import FarfaliaServerError
from farfalia_server.contract.said import in_english
from farfalia_server.contract.untrusted import quoted
from farfalia_server.web.calls import MakeCall, answer_to, bearer
from farfalia_server.web.handed_in import UnderWay, check_is_archive, check_may_hand_in, hand_in, kept, upload
from farfalia_server.web.incoming import IncomingBody
from farfalia_server.web.json_addresses import PROGRAMS
from farfalia_server.web.query_parameters import check_names, flag

#: What a form of any site can send, and what commands call a body if nobody says what it is.
_FORMS = ("application/x-www-form-urlencoded", "multipart/form-data")


class ProgramUploads:
    """Takes programs at `/api/bots/{name}/programs`; `make` makes a call. As at all calls, no cookie counts."""

    def __init__(self, make: MakeCall) -> None:
        self._make = make
        self._under_way = UnderWay()

    def routes(self) -> list[Route]:
        """Return the route."""
        return [Route(PROGRAMS.address, self._hand_in, methods=["POST"])]

    async def _hand_in(self, request: Request) -> Response:
        """Receive a program and hand it in, and return it as JSON."""
        body = IncomingBody(request, LARGEST_ARCHIVE)
        try:
            return await self._handed_in(request, body)
        except (FarfaliaServerError, HTTPException):
            await body.discard()
            raise

    async def _handed_in(self, request: Request, body: IncomingBody) -> Response:
        check_names(request, [name for name, _ in PROGRAMS.query])
        kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
        if kind in _FORMS:
            text = in_english(f"content-type is {quoted(kind)}; expected that of an archive, such as application/gzip")
            raise HTTPException(415, text)
        check_only = request.query_params.get("check_only") == "1" or flag(request, "check_only")
        bot, key = request.path_params["name"], request.headers.get("idempotency-key", "")

        async def ask(name: str, message: Message, key: str) -> Any:
            return await answer_to(self._make, name, message, request, bearer(request), key)

        await check_may_hand_in(ask, bot)
        with self._under_way.of(bot), await kept(body.parts()) as archive:
            check_is_archive(archive, "body")
            program = await hand_in(ask, await upload(ask, bot, archive, check_only=check_only), key)
        where = f"/account/program?{urlencode({'name': bot, 'number': program.number})}"
        shown = MessageToDict(program, always_print_fields_with_no_presence=True)
        return JSONResponse(shown, 201, {"location": where, "cache-control": "no-store"})
