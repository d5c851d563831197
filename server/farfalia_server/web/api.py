"""The same data as JSON: the contract's messages in protobuf's own JSON form."""

from __future__ import annotations

import asyncio

from google.protobuf.json_format import MessageToDict
from google.protobuf.message import Message
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from farfalia_server.arena.reading import Reader
from farfalia_server.web.openapi import description
from farfalia_server.web.query_parameters import (
    TABLE_SECONDS,
    flag,
    limit_asked,
    matches_asked,
    number_asked,
    number_of,
    void_attempts_asked,
)


class Api:
    """Everything under `/api/`."""

    def __init__(self, reader: Reader, server_version: str) -> None:
        self._reader = reader
        self._description = description(server_version)

    def routes(self) -> list[Route]:
        """Return the routes by address, as the OpenAPI description has them."""
        return [
            Route("/api/openapi.json", self._openapi),
            Route("/api/ratings", self._ratings),
            Route("/api/bots", self._bots),
            Route("/api/bots/{name}", self._bot),
            Route("/api/tournaments", self._tournaments),
            Route("/api/tournaments/{id}", self._tournament),
            Route("/api/matches", self._matches),
            Route("/api/matches/{id}", self._match),
            Route("/api/records/{id}", self._record),
            Route("/api/void-attempts", self._void_attempts),
            Route("/api/queue", self._queue),
            Route("/api/nodes", self._nodes),
        ]

    async def _openapi(self, request: Request) -> Response:
        return JSONResponse(self._description)

    async def _ratings(self, request: Request) -> Response:
        return await _json(
            await self._reader.ratings(
                request.query_params.get("ladder", ""),
                all_versions=flag(request, "all_versions"),
                limit=limit_asked(request),
                skip=number_asked(request, "skip", 2**31),
            )
        )

    async def _bots(self, request: Request) -> Response:
        return await _json(await self._reader.bots(limit_asked(request), request.query_params.get("after", "")))

    async def _bot(self, request: Request) -> Response:
        return await _json(await self._reader.bot_with_versions(request.path_params["name"]))

    async def _tournaments(self, request: Request) -> Response:
        return await _json(await self._reader.tournaments(limit_asked(request), number_asked(request, "before")))

    async def _tournament(self, request: Request) -> Response:
        return await _json(await self._reader.tournament(number_of(request, "tournament"), wait=TABLE_SECONDS))

    async def _matches(self, request: Request) -> Response:
        return await _json(await self._reader.matches(matches_asked(request)))

    async def _match(self, request: Request) -> Response:
        return await _json(await self._reader.match(number_of(request, "match")))

    async def _record(self, request: Request) -> Response:
        return await _json(await self._reader.record(number_of(request, "match")))

    async def _void_attempts(self, request: Request) -> Response:
        return await _json(await self._reader.void_attempts(void_attempts_asked(request)))

    async def _queue(self, request: Request) -> Response:
        return await _json(await self._reader.queue())

    async def _nodes(self, request: Request) -> Response:
        return await _json(await self._reader.nodes())


async def _json(message: Message) -> Response:
    """Return the message as JSON, made in a thread: a long list takes longer than tables should wait."""
    return JSONResponse(await asyncio.to_thread(MessageToDict, message, always_print_fields_with_no_presence=True))
