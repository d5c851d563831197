"""Tables for the pages of others, and for our own wall: the table alone, while it plays and card by card afterwards."""

from __future__ import annotations

import asyncio
from typing import Any

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from farfalia.v1 import matches_pb2, record_pb2
from farfalia_server.arena.reading import Reader
from farfalia_server.contract.errors import FailedPrecondition
from farfalia_server.contract.said import said
from farfalia_server.web.match_page import deals_shown, summary
from farfalia_server.web.page_renderer import PageRenderer
from farfalia_server.web.played_deal import check_deal, played_deal
from farfalia_server.web.query_parameters import card_of, check_names, deal_of, flag, number_of
from farfalia_server.web.rendered_page import FINAL
from farfalia_server.wording.player import player_words


class EmbedPages:
    """Pages that other pages may frame; `black=true` is for walls in dark halls."""

    def __init__(self, reader: Reader, renderer: PageRenderer) -> None:
        self._reader, self._renderer = reader, renderer

    def routes(self) -> list[Route]:
        """Return the routes by address."""
        return [
            Route("/embed/matches/{id}", self._match),
            Route("/embed/matches/{id}/{deal}", self._deal),
            Route("/embed/matches/{id}/{deal}/{card}", self._deal),
        ]

    async def _match(self, request: Request) -> Response:
        """Return the table of a match as it plays; once it is over and its cards are open, its first deal."""
        check_names(request, ["black"])
        black = flag(request, "black")
        match = await self._reader.match(number_of(request, "match"))
        if match.record_open:
            return RedirectResponse(f"/embed/matches/{match.id}/1{'?black=true' if black else ''}")
        return self._page(match, black=black)

    async def _deal(self, request: Request) -> Response:
        check_names(request, ["black"])
        number, deal, card, black = (
            number_of(request, "match"),
            deal_of(request),
            card_of(request),
            flag(request, "black"),
        )
        match = await self._reader.match(number)
        try:
            if match.state != matches_pb2.MATCH_STATE_FINISHED:
                raise FailedPrecondition(said("the cards of this match are not shown yet"))
            record = await self._reader.record(number)
        except FailedPrecondition:
            return RedirectResponse(f"/embed/matches/{number}{'?black=true' if black else ''}")
        page = await asyncio.to_thread(self._stepped, match, record, deal, card, black=black)
        page.headers["cache-control"] = FINAL
        return page

    def _stepped(
        self,
        match: matches_pb2.Match,
        record: record_pb2.Record,
        number: int,
        card: tuple[int, int] | None,
        black: bool,
    ) -> Response:
        """Return one deal, to step through card by card; NotFound if it has no such card."""
        deals = deals_shown(record)
        check_deal(match.id, deals, number, card)
        played = played_deal(record, len(deals), number)
        return self._page(match, black=black, deal=number, deals=len(deals), played=played)

    def _page(self, match: matches_pb2.Match, *, black: bool, **values: Any) -> Response:
        return self._renderer.page(
            "embed.html",
            "",
            match=match,
            summary=summary(match, match.outcome.points),
            words=player_words(),
            black=black,
            **{"deal": 0, "deals": 0, "played": None, **values},
        )
