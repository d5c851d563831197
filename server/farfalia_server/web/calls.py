"""The calls of the contract over HTTP: a request as JSON at `/api/calls/NAME`, with a token where a call needs one."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, Final

from google.protobuf.json_format import MessageToDict, Parse, ParseError
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from farfalia_server.arena.http_calls import CALLS
from farfalia_server.contract.errors import InvalidArgument, NotFound
from farfalia_server.contract.said import in_english, said
from farfalia_server.contract.untrusted import quoted
from farfalia_server.net.http_connection import PATIENCE

#: Makes a call: its name, the encoded request, the address of the caller, the token, and the key with which it is made
#: once, if it has one; returns the encoded answer.
MakeCall = Callable[[str, bytes, str, str, str], Awaitable[bytes]]

#: Most bytes of a request. The longest that the contract takes, a tournament of a thousand entrants, is a tenth of it.
MOST_BYTES: Final = 1 << 20
_JSON = "application/json"
#: How deeply messages may lie in one another.
_DEEPEST = 16


class Calls:
    """Everything under `/api/calls/`; `make` makes a call.

    No cookie counts here, and JSON is what no form of another site can send: what a call changes follows from the token
    in its header alone.
    """

    def __init__(self, make: MakeCall) -> None:
        self._make = make

    def routes(self) -> list[Route]:
        """Return the route."""
        return [Route("/api/calls/{call}", self._call, methods=["POST"])]

    async def _call(self, request: Request) -> Response:
        name = request.path_params["call"]
        if name not in CALLS:
            raise NotFound(
                in_english(f"there is no call {quoted(name)}; /api/openapi.json lists those there are"), "CALL_UNKNOWN"
            )
        if (kind := request.headers.get("content-type", "").partition(";")[0].strip().lower()) != _JSON:
            raise HTTPException(415, in_english(f"content-type is {quoted(kind)}; expected {_JSON}"))
        body = await body_of(request, MOST_BYTES)
        message = await asyncio.to_thread(_parsed, body, GetMessageClass(CALLS[name].input_type)())
        key = request.headers.get("idempotency-key", "")
        answer = await answer_to(self._make, name, message, request, bearer(request), key)
        return JSONResponse(await asyncio.to_thread(_as_json, answer), headers={"cache-control": "no-store"})


async def answer_to(make: MakeCall, name: str, message: Message, request: Request, token: str, key: str = "") -> Any:
    """Return what a call answers that the sender of a request makes with this token, once if it has a key;
    FarfaliaServerError.
    """
    host = request.client.host if request.client else ""
    answer = await make(name, message.SerializeToString(deterministic=True), host, token, key)
    return GetMessageClass(CALLS[name].output_type).FromString(answer)


async def body_of(request: Request, most: int) -> bytes:
    """Return the body of a request.

    HTTPException if it is longer than that (413), takes too long to come (408), or ends before it is whole (400).
    """
    found = bytearray()
    try:
        async with asyncio.timeout(PATIENCE):
            async for part in request.stream():
                found += part
                if len(found) > most:
                    raise HTTPException(
                        413, said("the body is longer than %(most)s bytes; expected at most that", most=most)
                    )
    except ClientDisconnect:
        raise HTTPException(400, said("the connection ended before the body had come")) from None
    except TimeoutError:
        raise HTTPException(
            408, said("the body has not come within %(seconds)s s", seconds=f"{PATIENCE:.0f}")
        ) from None
    return bytes(found)


def bearer(request: Request) -> str:
    """Return the token in the header of a request; empty without one."""
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else ""


def _parsed(body: bytes, message: Any) -> Any:
    # An empty list or an empty string would be read as an empty message.
    if body.strip() and not body.lstrip().startswith(b"{"):
        raise InvalidArgument(
            "body", in_english(f"the body is no {message.DESCRIPTOR.name} as JSON; expected an object such as {{}}")
        )
    try:
        return Parse(body or b"{}", message, max_recursion_depth=_DEEPEST)
    except (ParseError, ValueError, RecursionError) as error:  # no UTF-8 is a ValueError
        raise InvalidArgument(
            "body", in_english(f"the body is no {message.DESCRIPTOR.name} as JSON: {error}")
        ) from None


def _as_json(message: Any) -> dict[str, Any]:
    return MessageToDict(message, always_print_fields_with_no_presence=True)
