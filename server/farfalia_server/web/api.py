"""The same data as JSON: the contract's messages in protobuf's own JSON form."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Any
from urllib.parse import urlencode

from google.protobuf.json_format import MessageToDict
from google.protobuf.message import Message
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from farfalia.v1 import bots_pb2, events_pb2, standings_pb2
from farfalia_server.arena.reading import Reader
from farfalia_server.arena.request_checks import SOME_ROWS
from farfalia_server.contract.errors import InvalidArgument, NotFound
from farfalia_server.web.csv_table import csv_of
from farfalia_server.web.json_addresses import PATHS, Path
from farfalia_server.web.openapi import description
from farfalia_server.web.query_parameters import (
    TABLE_SECONDS,
    bot_asked,
    check_names,
    flag,
    limit_asked,
    matches_asked,
    number_asked,
    number_of,
    one_of,
    order_asked,
    void_attempts_asked,
)
from farfalia_server.web.rendered_page import FINAL
from farfalia_server.web.search_page import found as found_by_name
from farfalia_server.wording.beyond_strength import beyond_rows

#: The answer of an address: a message, and how to ask for the rows after its last one, if there may be more.
Answer = tuple[Message, dict[str, Any] | None]
#: Names of tables at addresses that end with a value.
_FILES = {
    "{id}": "tournament-{id}",
    "{name}": "{name}-incidents",
    "{event}": "{event}-members",
    "{other}": "{name}-vs-{other}",
    "{ladder}": "{name}-{ladder}-history",
    "/api/bots/{name}/ratings": "{name}-ratings",
    "/api/bots/{name}/vs/{other}/ratings": "{name}-vs-{other}-ratings",
    "{board}": "tournament-{id}-{board}",
    "analysis": "match-{id}-prices",
    "pairs": "tournament-{id}-pairs",
    "profile": "{name}-profile",
    "{day}": "{game}-{day}",
}


class Api:
    """Everything under `/api/`."""

    def __init__(self, reader: Reader, server_version: str) -> None:
        self._reader = reader
        self._description = description(server_version)

    def routes(self) -> list[Route]:
        """Return the routes by address, as the OpenAPI description has them."""
        answers: dict[str, Callable[[Request], Awaitable[Answer]]] = {
            "/api/ladders": self._ladders,
            "/api/ratings": self._ratings,
            "/api/bots": self._bots,
            "/api/bots/{name}": self._bot,
            "/api/bots/{name}/ratings": self._bot_ratings,
            "/api/bots/{name}/history/{ladder}": self._history,
            "/api/bots/{name}/vs/{other}/ratings": self._pair,
            "/api/bots/{name}/profile": self._profile,
            "/api/bots/{name}/vs/{other}": self._pair,
            "/api/events": self._events,
            "/api/events/{event}": self._event,
            "/api/tournaments": self._tournaments,
            "/api/tournaments/{id}": self._tournament,
            "/api/tournaments/{id}/pairs": self._pairs,
            "/api/tournaments/{id}/boards/{board}": self._board,
            "/api/tournaments/{id}/log": self._log,
            "/api/matches": self._matches,
            "/api/matches/{id}": self._match,
            "/api/matches/{id}/analysis": self._analysis,
            "/api/today/{game}/{day}": self._daily,
            "/api/records/{id}": self._record,
            "/api/void-attempts": self._void_attempts,
            "/api/queue": self._queue,
            "/api/nodes": self._nodes,
            "/api/hosts": self._hosts,
            "/api/search": self._search,
        }
        described = {path.address: path for path in PATHS}
        return [
            Route("/api/openapi.json", self._openapi),
            *(Route(address, partial(_json, described[address], answer)) for address, answer in answers.items()),
        ]

    async def _openapi(self, request: Request) -> Response:
        check_names(request, [])
        return JSONResponse(self._description)

    async def _ladders(self, request: Request) -> Answer:
        return await self._reader.ladder_list(), None

    async def _ratings(self, request: Request) -> Answer:
        limit, skip = limit_asked(request), number_asked(request, "skip", 2**31)
        found = await self._reader.ratings(
            request.query_params.get("ladder", ""),
            all_versions=flag(request, "all_versions"),
            limit=limit,
            skip=skip,
            search=request.query_params.get("search", ""),
            owner=request.query_params.get("owner", ""),
            order=order_asked(request),
        )
        return found, _after(found.bots, limit or SOME_ROWS, lambda _: {"skip": skip + len(found.bots)})

    async def _bots(self, request: Request) -> Answer:
        limit = limit_asked(request)
        given = request.query_params
        found = await self._reader.bots.page(
            limit, given.get("after", ""), given.get("search", ""), given.get("owner", "")
        )
        return found, _after(found.bots, limit or SOME_ROWS, lambda last: {"after": last.name})

    async def _bot(self, request: Request) -> Answer:
        return await self._reader.bots.with_versions(bot_asked(request, request.path_params["name"])), None

    async def _bot_ratings(self, request: Request) -> Answer:
        return await self._reader.bots.ratings(request.path_params["name"]), None

    async def _history(self, request: Request) -> Answer:
        asked = bot_asked(request, request.path_params["name"])
        return await self._reader.bots.history(asked, request.path_params["ladder"]), None

    async def _profile(self, request: Request) -> Answer:
        found = await self._reader.bots.with_versions(bot_asked(request, request.path_params["name"]))
        return bots_pb2.BotProfile(bot=found.bot.name, parts=found.profile), None

    async def _pair(self, request: Request) -> Answer:
        return await self._reader.bots.pair(request.path_params["name"], request.path_params["other"]), None

    async def _events(self, request: Request) -> Answer:
        del request
        return events_pb2.ListEventsResponse(events=await self._reader.events.all()), None

    async def _event(self, request: Request) -> Answer:
        return await self._reader.events.public(request.path_params["event"]), None

    async def _tournaments(self, request: Request) -> Answer:
        limit = limit_asked(request)
        event = request.query_params.get("event", "")
        found = await self._reader.tournaments(limit, number_asked(request, "before"), event)
        return found, _after(found.tournaments, limit or SOME_ROWS, _before)

    async def _tournament(self, request: Request) -> Answer:
        return await self._reader.tournament(number_of(request, "tournament"), wait=TABLE_SECONDS), None

    async def _pairs(self, request: Request) -> Answer:
        row = await self._reader.tournament(number_of(request, "tournament"), wait=TABLE_SECONDS)
        return standings_pb2.PairsBeyondStrength(
            pairs=[
                standings_pb2.PairBeyondStrength(
                    entrant=one.entrant,
                    other=one.other,
                    meetings=one.meetings,
                    points=one.points,
                    low=one.points - one.margin,
                    high=one.points + one.margin,
                    stands_out=one.stands_out,
                )
                for one in beyond_rows(row)
            ]
        ), None

    async def _log(self, request: Request) -> Answer:
        return await self._reader.tournament_acts(number_of(request, "tournament")), None

    async def _board(self, request: Request) -> Answer:
        return await self._reader.board(number_of(request, "tournament"), request.path_params["board"]), None

    async def _matches(self, request: Request) -> Answer:
        asked = matches_asked(request)
        found = await self._reader.matches(asked)
        return found, _after(found.matches, asked.limit, _before)

    async def _match(self, request: Request) -> Answer:
        return await self._reader.match(number_of(request, "match")), None

    async def _analysis(self, request: Request) -> Answer:
        return await self._reader.prices.of_match(number_of(request, "match")), None

    async def _daily(self, request: Request) -> Answer:
        try:
            return await self._reader.daily_board(request.path_params["game"], request.path_params["day"]), None
        except InvalidArgument as error:  # no address has it
            raise NotFound(error.args[0]) from None

    async def _record(self, request: Request) -> Answer:
        return await self._reader.record(number_of(request, "match")), None

    async def _void_attempts(self, request: Request) -> Answer:
        asked = void_attempts_asked(request)
        found = await self._reader.void_attempts(asked)
        return found, _after(found.attempts, asked.limit, _before)

    async def _queue(self, request: Request) -> Answer:
        return await self._reader.queue(), None

    async def _nodes(self, request: Request) -> Answer:
        return await self._reader.nodes(), None

    async def _hosts(self, request: Request) -> Answer:
        return await self._reader.hosts(), None

    async def _search(self, request: Request) -> Answer:
        return await found_by_name(self._reader, request.query_params.get("q", "")), None


def _after(rows: Sequence[Any], limit: int, position: Callable[[Any], dict[str, Any]]) -> dict[str, Any] | None:
    """Return the parameters of the rows after these; None if these are not as many as there may be."""
    return position(rows[-1]) if rows and len(rows) >= limit else None


def _before(last: Any) -> dict[str, Any]:
    return {"before": last.id}


async def _json(path: Path, answer: Callable[[Request], Awaitable[Answer]], request: Request) -> Response:
    """Return the message as JSON, made in a thread: a long list takes longer than tables should wait."""
    check_names(request, [name for name, _ in path.query])
    kind = one_of(request, "format", ("json", "csv")) if path.rows else "json"
    message, following = await answer(request)
    headers = {"cache-control": FINAL} if is_final(message) else {}
    if kind == "csv":
        headers["content-disposition"] = f'attachment; filename="{_file(path, request)}.csv"'
        return Response(await asyncio.to_thread(csv_of, getattr(message, path.rows)), 200, headers, "text/csv")
    body = await asyncio.to_thread(MessageToDict, message, always_print_fields_with_no_presence=True)
    if following is not None:
        body["next"] = f"{request.url.path}?{urlencode({**request.query_params, **following})}"
    return JSONResponse(body, headers=headers)


def _file(path: Path, request: Request) -> str:
    """Return what a table is called where it is saved."""
    last = path.address.rpartition("/")[2]
    return _FILES.get(path.address, _FILES.get(last, last)).format(**request.path_params)


def is_final(message: Message) -> bool:
    """Return whether a message never changes: a record does not once it has the secret of its deals."""
    source = getattr(message, "source", None)
    return bool(getattr(source, "secret", b""))
