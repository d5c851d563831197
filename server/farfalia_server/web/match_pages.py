"""The pages of one match: what came of it, each of its deals card by card, its decisions, its record."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from farfalia.v1 import analysis_pb2, matches_pb2, record_pb2
from farfalia_engine import ruleset
from farfalia_server.arena.reading import Reader
from farfalia_server.contract.errors import FailedPrecondition, NotFound
from farfalia_server.contract.said import said
from farfalia_server.net.addresses import Addresses
from farfalia_server.records.files import dumps
from farfalia_server.web.deal_page import stepped
from farfalia_server.web.match_page import card_addresses, deals_shown, decision_address, summary, timing
from farfalia_server.web.page_renderer import PageRenderer
from farfalia_server.web.prices import match_prices
from farfalia_server.web.problem import words_of
from farfalia_server.web.query_parameters import card_of, deal_of, number_at, number_of
from farfalia_server.web.rendered_page import FINAL
from farfalia_server.wording.columns import LUCK
from farfalia_server.wording.language import gettext
from farfalia_server.wording.phrases import sentence
from farfalia_server.wording.player import player_words
from farfalia_server.wording.translating import translated

_LIVE_MATCHES = (matches_pb2.MATCH_STATE_QUEUED, matches_pb2.MATCH_STATE_RUNNING)
#: States after which no prices follow.
_ANALYSED = (analysis_pb2.ANALYSIS_STATE_DONE, analysis_pb2.ANALYSIS_STATE_FAILED)
_PENDING = {
    matches_pb2.MATCH_STATE_QUEUED: "The match is waiting for its turn.",
    matches_pb2.MATCH_STATE_RUNNING: "The match is in play. Its record opens when every match on its board is over.",
    matches_pb2.MATCH_STATE_VOID: "The match was given up and does not count for any rating.",
}


class MatchPages:
    """The pages under the address of a match, and its record."""

    def __init__(
        self,
        reader: Reader,
        renderer: PageRenderer,
        addresses: Callable[[], Awaitable[Addresses]],
        *,
        analyses: bool = False,
    ) -> None:
        self._reader, self._renderer, self._addresses, self._analyses = reader, renderer, addresses, analyses

    def routes(self) -> list[Route]:
        """Return the routes by address."""
        return [
            Route("/matches/{id}", self._match),
            Route("/matches/{id}/actions/{index}", self._action),
            Route("/matches/{id}/{deal}", self._deal),
            Route("/matches/{id}/{deal}/{card}", self._deal),
            Route("/records/{id}.json", self._record),
        ]

    async def _match(self, request: Request) -> Response:
        number = number_of(request, "match")
        match = await self._reader.match(number)
        name, pages = await self._name_of_tournament(match), (await self._addresses()).pages
        if match.state != matches_pb2.MATCH_STATE_FINISHED:
            why = await self._reader.why_not_begun(match) if match.state in _LIVE_MATCHES else ""
            pending = gettext(_PENDING[match.state])
            if match.daily and match.state in _LIVE_MATCHES:
                pending = gettext("The match is on the board of a day: it is shown once that is open to all.")
            return self._match_page(match, name, pages, record=None, pending=why or pending)
        try:
            record = await self._reader.record(number)
        except FailedPrecondition as error:
            return self._closed(match, name, pages, await self._reader.record_without_cards(number), words_of(error))
        # The work of some fifty milliseconds, for which no other reader should have to wait.
        board = await self._reader.board(match.tournament, match.board) if match.tournament and match.board else None
        tables = len(board.matches) if board else 1
        analysis = await self._reader.prices.of_match(number)
        page = await asyncio.to_thread(self._played, match, name, pages, record, tables, analysis)
        return self._kept(page, analysis)

    def _kept(self, page: Response, analysis: analysis_pb2.Analysis) -> Response:
        """Return a page that never changes, unless there will be prices on it."""
        if analysis.state in _ANALYSED or not self._analyses:
            page.headers["cache-control"] = FINAL
        return page

    def _played(
        self,
        match: matches_pb2.Match,
        name: str,
        pages: str,
        record: record_pb2.Record,
        tables: int,
        analysis: analysis_pb2.Analysis,
    ) -> Response:
        """Return the page of a finished match with everything; `tables` is how many have played its board."""
        match.outcome.CopyFrom(record.outcome)  # with the points of each deal
        deals = deals_shown(record)
        return self._match_page(
            match,
            name,
            pages,
            record=record,
            closed="",
            deals=deals,
            timing=timing(record),
            cards=card_addresses(deals),
            tables=tables,
            prices=match_prices(analysis, ruleset(record.ruleset, dict(record.options)), deals, match.entrants),
            analyses=self._analyses,
        )

    async def _deal(self, request: Request) -> Response:
        number, deal, card = number_of(request, "match"), deal_of(request), card_of(request)
        match = await self._reader.match(number)
        try:
            if match.state != matches_pb2.MATCH_STATE_FINISHED:
                raise FailedPrecondition(said("the cards of this match are not shown yet"))
            record = await self._reader.record(number)
        except FailedPrecondition:
            return RedirectResponse(
                f"/matches/{number}"
            )  # that page explains why, and shows what can be seen meanwhile
        board = await self._reader.board(match.tournament, match.board) if match.tournament and match.board else None
        name, pages = await self._name_of_tournament(match), (await self._addresses()).pages
        analysis = await self._reader.prices.of_match(number)
        page = await asyncio.to_thread(
            stepped, self._renderer, match, record, deal, card, name=name, pages=pages, board=board, analysis=analysis
        )
        return self._kept(page, analysis)

    async def _name_of_tournament(self, match: matches_pb2.Match) -> str:
        return (await self._reader.tournament_names([match])).get(match.tournament, "")

    def _closed(self, match: matches_pb2.Match, name: str, pages: str, record: record_pb2.Record, why: str) -> Response:
        """Return the page of a finished match whose board is still in play elsewhere: without cards."""
        return self._match_page(
            match,
            name,
            pages,
            record=record,
            closed=translated(sentence(why)),
            deals=[],
            timing=timing(record),
            cards={},
        )

    def _match_page(
        self, match: matches_pb2.Match, name: str, pages: str, *, tables: int = 1, **values: Any
    ) -> Response:
        """Return the page of a match, of the tournament of this name."""
        live = not match.daily and (match.state in _LIVE_MATCHES or bool(values.get("closed")))
        return self._renderer.page(
            "match.html",
            "matches",
            f"/api/matches/{match.id}",
            match=match,
            tournament=name,
            pages=pages,
            live=live,
            tables=tables,
            summary=summary(match, match.outcome.points),
            words=player_words(),
            luck_means=gettext(LUCK),
            **{"prices": None, **values},
        )

    async def _record(self, request: Request) -> Response:
        record = await self._reader.record(number_of(request, "match"))
        # The secret of its deals is added later, if it is not there yet.
        headers = {"cache-control": FINAL} if record.source.secret else None
        return Response(await asyncio.to_thread(dumps, record), headers=headers, media_type="application/json")

    async def _action(self, request: Request) -> Response:
        number, index = number_of(request, "match"), number_at(request, "index", "action")
        record = await self._reader.record(number)
        if index >= len(record.actions):
            raise NotFound(
                said(
                    "match %(number)s has no action %(index)s; expected 0 to %(most)s",
                    number=number,
                    index=index,
                    most=len(record.actions) - 1,
                )
            )
        address = await asyncio.to_thread(decision_address, record, index)
        return RedirectResponse(f"/matches/{number}/{address}")
