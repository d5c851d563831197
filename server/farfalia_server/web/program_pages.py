"""The programs of a bot in a browser: handed in with a form, followed while they are checked, and chosen."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from functools import partial
from typing import Any, cast
from urllib.parse import urlencode

from google.protobuf.message import Message
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response, StreamingResponse
from starlette.routing import Route

from farfalia.v1 import programs_pb2
from farfalia_server.contract.bounds import LARGEST_ARCHIVE
from farfalia_server.contract.errors import FarfaliaServerError, NotFound, PermissionDenied, Unauthenticated
from farfalia_server.net.addresses import Addresses
from farfalia_server.web.calls import MakeCall, answer_to
from farfalia_server.web.file_forms import check_is_file_form, file_form_of
from farfalia_server.web.form_fields import Refused
from farfalia_server.web.form_pages import FormPages, key_of, refusal, whole_number
from farfalia_server.web.forms import Visitor
from farfalia_server.web.handed_in import UnderWay, check_may_hand_in, hand_in, packed, patiently, suffix_of, upload
from farfalia_server.web.incoming import IncomingBody
from farfalia_server.web.page_renderer import PageRenderer

_PATH = "/account/program"
#: Bytes of a form beside those of its files.
_BESIDE = 1 << 20


class ProgramPages(FormPages):
    """The page `/account/program?name=BOT`, and with `&number=N` that of one program; the calls refuse strangers."""

    def __init__(self, make: MakeCall, addresses: Callable[[], Awaitable[Addresses]], renderer: PageRenderer) -> None:
        super().__init__(make, addresses, renderer)
        self._under_way = UnderWay()

    def routes(self) -> list[Route]:
        """Return the routes."""
        return [
            Route(_PATH, self._programs, methods=["GET"]),
            Route(f"{_PATH}/archive", self._archive, methods=["GET"]),
            Route(f"{_PATH}/hand-in", self._handed_in, methods=["POST"]),
            self._form(f"{_PATH}/activate", self._activate),
        ]

    async def _programs(self, request: Request) -> Response:
        return await self._shown(request, Visitor.of(request))

    async def _shown(self, request: Request, visitor: Visitor, refused: Refused | None = None) -> Response:
        """Return the page of a bot's programs, or of one; sends those who are not signed in to where they can."""
        typed = refused.typed.get("bot", "") if refused is not None else ""
        name, given = typed or request.query_params.get("name", ""), dict(request.query_params)
        try:
            if given.get("number") and refused is None:
                asked = programs_pb2.GetProgramRequest(bot=name, number=whole_number(given, "number"))
                program = (await self._call(request, visitor, "GetProgram", asked)).program
                return self._page("program.html", visitor, request, None, name=name, program=program)
            listed = programs_pb2.ListProgramsRequest(bot=name)
            programs = (await self._call(request, visitor, "ListPrograms", listed)).programs
        except Unauthenticated:
            return RedirectResponse("/account", 303)
        except (NotFound, PermissionDenied) as error:
            return self._page("refused.html", visitor, request, refused or refusal("", error, {}))
        return self._page(
            "programs.html",
            visitor,
            request,
            refused,
            name=name,
            programs=programs,
            plays=next((program for program in programs if program.active), None),
            most=LARGEST_ARCHIVE >> 20,
        )

    async def _handed_in(self, request: Request) -> Response:
        """Receive the form with files: its sender's session is asked for before anything of it is read."""
        visitor, body = Visitor.of(request), IncomingBody(request, LARGEST_ARCHIVE + _BESIDE)
        try:
            answer = await self._received(request, visitor, body)
        except (FarfaliaServerError, HTTPException) as error:
            await body.discard()
            answer = await self._shown(request, visitor, refusal("hand-in", error, {}))
        answer.headers["cache-control"] = "no-store"
        return answer

    async def _received(self, request: Request, visitor: Visitor, body: IncomingBody) -> Response:
        check_is_file_form(request)
        name = request.query_params.get("name", "")

        async def ask(call: str, message: Message, key: str) -> Any:
            return await answer_to(self._make, call, message, request, visitor.session, key)

        await check_may_hand_in(ask, name)
        with self._under_way.of(name):
            fields, files = await file_form_of(request, visitor, body)
            try:
                archive = await asyncio.to_thread(packed, files)
            finally:
                for file in files:
                    await file.close()
            with archive:
                handed_in = await upload(ask, name, archive, check_only=fields.get("check_only") == "yes")
        # Sent again after a lost answer, the form hands nothing in; with another file, it is another form.
        program = await hand_in(ask, handed_in, key_of({**fields, "files": handed_in.hash.hex()}))
        return _to(name, number=program.number)

    async def _activate(self, request: Request, visitor: Visitor, fields: dict[str, str]) -> Response:
        """Let the bot play with another program, or with none for 0."""
        name = fields.get("bot", "")
        wanted = programs_pb2.ActivateProgramRequest(bot=name, number=whole_number(fields, "number"))
        await self._call(request, visitor, "ActivateProgram", wanted)
        return _to(name)

    async def _archive(self, request: Request) -> Response:
        """Return what was handed in, as a download."""
        visitor, name = Visitor.of(request), request.query_params.get("name", "")
        number = whole_number(dict(request.query_params), "number")

        async def part(offset: int) -> programs_pb2.GetProgramArchiveResponse:
            asked = programs_pb2.GetProgramArchiveRequest(bot=name, number=number, offset=offset)
            found = await patiently(partial(self._call, request, visitor, "GetProgramArchive", asked))
            return cast(programs_pb2.GetProgramArchiveResponse, found)

        try:
            first = await part(0)
        except Unauthenticated:
            return RedirectResponse("/account", 303)
        except (NotFound, PermissionDenied) as error:
            return self._page("refused.html", visitor, request, refusal("", error, {}))

        async def parts() -> AsyncIterator[bytes]:
            data, sent = first.part, 0
            while data:
                yield data
                sent += len(data)
                data = (await part(sent)).part

        file = f"{name}-program-{number or 'newest'}{suffix_of(first.part)}"
        headers = {
            "content-disposition": f'attachment; filename="{file}"',
            "content-length": f"{first.size}",
            "cache-control": "no-store",
        }
        return StreamingResponse(parts(), headers=headers, media_type="application/octet-stream")


def _to(name: str, **more: object) -> RedirectResponse:
    return RedirectResponse(f"{_PATH}?{urlencode({'name': name, **more})}", 303)
