"""The addresses of pictures: of what they show when it is shown on pages, and not before."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from farfalia.v1 import matches_pb2, record_pb2
from farfalia_server.arena.reading import Reader
from farfalia_server.contract.errors import FailedPrecondition, NotReady
from farfalia_server.contract.said import said
from farfalia_server.web.drawing import Drawing, png
from farfalia_server.web.match_page import deals_shown
from farfalia_server.web.pictures import bot_picture, card_picture, match_picture, tournament_picture
from farfalia_server.web.played_deal import check_deal
from farfalia_server.web.query_parameters import TABLE_SECONDS, card_of, check_names, deal_of, number_of
from farfalia_server.web.rendered_page import FINAL

_TYPES = {"svg": "image/svg+xml", "png": "image/png"}


class PicturePages:
    """Pictures of matches, cards, bots and tournaments, as SVG and as PNG."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        #: One is drawn at a time: pages must not wait for pictures.
        self._drawing = asyncio.Semaphore(1)

    def routes(self) -> list[Route]:
        """Return the routes by address; the one of a card must come before that of its page."""
        return [
            Route(f"{path}.{kind}", make)
            for kind in _TYPES
            for path, make in (
                ("/matches/{id}/{deal}/{card}", self._card),
                ("/pictures/matches/{id}", self._match),
                ("/pictures/bots/{name}", self._bot),
                ("/pictures/tournaments/{id}", self._tournament),
            )
        ]

    async def _card(self, request: Request) -> Response:
        number, deal, card = number_of(request, "match"), deal_of(request), card_of(request)
        match = await self._reader.match(number)
        if match.state != matches_pb2.MATCH_STATE_FINISHED:
            raise FailedPrecondition(said("the cards of this match are not shown yet"))
        record = await self._reader.record(number)
        assert card is not None
        answer = await self._answer(request, lambda: _card(match, record, deal, card))
        answer.headers["cache-control"] = FINAL
        return answer

    async def _match(self, request: Request) -> Response:
        match = await self._reader.match(number_of(request, "match"))
        return await self._answer(request, lambda: match_picture(match))

    async def _bot(self, request: Request) -> Response:
        bot = await self._reader.bots.one(request.path_params["name"])
        return await self._answer(request, lambda: bot_picture(bot))

    async def _tournament(self, request: Request) -> Response:
        number = number_of(request, "tournament")
        try:
            row = await self._reader.tournament(number, wait=TABLE_SECONDS)
        except NotReady:
            row = await self._reader.tournament_alone(number)
        return await self._answer(request, lambda: tournament_picture(row))

    async def _answer(self, request: Request, draw: Callable[[], Drawing]) -> Response:
        check_names(request, [])
        kind = request.url.path.rpartition(".")[2]
        async with self._drawing:
            body = await asyncio.to_thread(lambda: png(draw().svg) if kind == "png" else draw().svg.encode())
        return Response(body, media_type=_TYPES[kind])


def _card(match: matches_pb2.Match, record: record_pb2.Record, number: int, card: tuple[int, int]) -> Drawing:
    deals = deals_shown(record)
    check_deal(match.id, deals, number, card)
    return card_picture(match, deals[number - 1], *card)
