"""The pages of the arena: the front page, ladders, tournaments, boards, bots, nodes and the list of matches."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from farfalia.v1 import matches_pb2
from farfalia_server.arena.reading import Reader
from farfalia_server.arena.request_checks import DEFAULT_LADDER
from farfalia_server.contract.errors import NotFound, NotReady
from farfalia_server.contract.said import said
from farfalia_server.net.addresses import Addresses
from farfalia_server.web.board_page import MOST_REPLAYED, best_first, comparisons, neighbours, traveller
from farfalia_server.web.bot_page import bot_values, incidents_values, opponents_values
from farfalia_server.web.front_page import front_values
from farfalia_server.web.ladder_page import ladder_values
from farfalia_server.web.match_streams import LiveSource
from farfalia_server.web.matches_page import matches_values
from farfalia_server.web.page_renderer import PageRenderer
from farfalia_server.web.query_parameters import (
    LADDER_PAGE,
    PAGE,
    TABLE_SECONDS,
    check_names,
    flag,
    number_asked,
    number_of,
    one_of,
)
from farfalia_server.web.result_sheets import result_sheets
from farfalia_server.web.tournament_page import tournament_values
from farfalia_server.web.wall_page import wall_values
from farfalia_server.wording.language import gettext
from farfalia_server.wording.tournament_page import TABLE_OF_ROUND, WALL

#: Void attempts on the page of a tournament or ladder; its JSON has more.
_VOID_ATTEMPTS = 20


class Pages:
    """Pages that are made from the same messages as the JSON."""

    def __init__(
        self,
        reader: Reader,
        addresses: Callable[[], Awaitable[Addresses]],
        server_version: str,
        renderer: PageRenderer,
        live: LiveSource | None = None,
    ) -> None:
        self._reader = reader
        self._live = live
        self._addresses = addresses
        self._version = server_version
        self._renderer = renderer

    def routes(self) -> list[Route]:
        """Return the routes by address."""
        return [
            Route("/", self._front),
            Route("/ladders/{ladder}", self._ladder),
            Route("/tournaments", self._tournaments),
            Route("/tournaments/{id}", self._tournament),
            Route("/tournaments/{id}/projector", self._projector),
            Route("/tournaments/{id}/sheets", self._sheets),
            Route("/tournaments/{id}/boards/{board}", self._board),
            Route("/matches", self._matches),
            Route("/bots", self._bots),
            Route("/bots/{name}", self._bot),
            Route("/bots/{name}/opponents", self._opponents),
            Route("/bots/{name}/incidents", self._incidents),
            Route("/bots/{name}/vs/{other}", self._pair),
            Route("/nodes", self._nodes),
        ]

    async def _front(self, request: Request) -> Response:
        front = await front_values(self._reader, self._addresses, self._version)
        return self._renderer.page("front.html", "front", "", **front)

    async def _ladder(self, request: Request) -> Response:
        ladder = request.path_params["ladder"]
        values = await ladder_values(self._reader, ladder, request)
        first = not (values["search"] or values["owner"] or values["better"])
        unrated = await self._reader.bots.unrated(ladder, LADDER_PAGE + 1) if first else []
        known = await self._reader.ladder_list()
        return self._renderer.page(
            "ladder.html",
            "ladder",
            ladders=sorted({ladder, DEFAULT_LADDER, *known.rated, *(one.name for one in known.ladders)}),
            game=(await self._reader.ladder_games())[ladder],
            voids=known.void_attempts.get(ladder, 0),
            void_rows=await self._void_rows(ladder=ladder) if first else [],
            opened=next((one for one in known.ladders if one.name == ladder), None),
            unrated=unrated[:LADDER_PAGE],
            more_unrated=len(unrated) > LADDER_PAGE,
            **values,
        )

    async def _tournaments(self, request: Request) -> Response:
        rows = (await self._reader.tournaments(PAGE, number_asked(request, "before"))).tournaments
        older = rows[-1].id if len(rows) == PAGE else 0
        twin = f"/api/tournaments?{request.query_params}".rstrip("?")
        return self._renderer.page("tournaments.html", "tournaments", twin, rows=rows, older=older)

    async def _tournament(self, request: Request) -> Response:
        check_names(request, ["skip", "columns"])
        number, skip = number_of(request, "tournament"), number_asked(request, "skip", 2**31)
        columns = one_of(request, "columns", ["five", "all"])
        values = await tournament_values(self._reader, number, skip)
        voids = await self._void_rows(tournament=number) if values["row"].void_attempts else []

        def address(first: int, columns: str) -> str:
            asked = {"skip": first, "columns": columns if columns == "all" else ""}
            return f"/tournaments/{number}?{urlencode({key: value for key, value in asked.items() if value})}".rstrip(
                "?"
            )

        twin = f"/api/tournaments/{number}"
        return self._renderer.page(
            "tournament.html",
            "tournaments",
            twin,
            here=address(skip, columns),
            more=address(skip, "all"),
            fewer=address(skip, "five"),
            first_rows=address(0, columns),
            next_rows=address(values["following"], columns),
            all_columns=columns == "all",
            void_rows=voids,
            table_of_round=gettext(TABLE_OF_ROUND),
            pages=(await self._addresses()).pages,
            **values,
        )

    async def _projector(self, request: Request) -> Response:
        check_names(request, ["scene", "black"])
        number, black = number_of(request, "tournament"), flag(request, "black")
        asked, pages = request.query_params.get("scene", ""), (await self._addresses()).pages
        values = await wall_values(self._reader, self._live, number, pages, asked)
        words = {name: gettext(text) for name, text in WALL.items()}
        return self._renderer.page("projector.html", "tournaments", words=words, black=black, **values)

    async def _sheets(self, request: Request) -> Response:
        check_names(request, [])
        tournament, sheets = await result_sheets(self._reader, number_of(request, "tournament"))
        return self._renderer.page("result_sheets.html", "tournaments", "", tournament=tournament, sheets=sheets)

    async def _board(self, request: Request) -> Response:
        check_names(request, ["deal"])
        number, name = number_of(request, "tournament"), request.path_params["board"]
        deal = number_asked(request, "deal", 1000)
        board = await self._reader.board(number, name)
        compared = comparisons(board)
        if deal >= len(compared):
            raise NotFound(
                said(
                    "board %(name)s has no deal %(deal)s; expected 1 to %(most)s",
                    name=name,
                    deal=deal,
                    most=len(compared) - 1,
                )
            )
        try:
            row = await self._reader.tournament(number, wait=TABLE_SECONDS)
        except NotReady:
            row = await self._reader.tournament_alone(number)
        shown, played = compared[deal], None
        if deal:
            records = [await self._reader.record(match.id) for match in board.matches[:MOST_REPLAYED]]
            # Every table is played again, for which no other reader should have to wait.
            played = await asyncio.to_thread(traveller, records, deal)
            shown = best_first(shown, played)
        before, after = neighbours(row, name)
        twin = f"/api/tournaments/{number}/boards/{name}"
        return self._renderer.page(
            "board.html",
            "tournaments",
            twin,
            board=board,
            name=row.name,
            deals=len(compared) - 1,
            compared=shown,
            deal=deal,
            played=played,
            before=before,
            after=after,
        )

    async def _matches(self, request: Request) -> Response:
        values = await matches_values(self._reader, request)
        return self._renderer.page("matches.html", "matches", **values)

    async def _bots(self, request: Request) -> Response:
        """Return the bots, or those that are searched for; if that names one bot, the way to its page."""
        check_names(request, ["search", "owner", "after"])
        search, after = request.query_params.get("search", "").strip(), request.query_params.get("after", "")
        owner = request.query_params.get("owner", "")
        rows = (await self._reader.bots.page(PAGE, after, search, owner)).bots
        alike = [row.name for row in rows if row.name.lower() == search.lower()] or [row.name for row in rows]
        if search and not (after or owner) and len(alike) == 1:
            return RedirectResponse(f"/bots/{alike[0]}", 303)
        asked = {name: value for name, value in (("search", search), ("owner", owner)) if value}
        return self._renderer.page(
            "bots.html",
            "bots",
            f"/api/bots?{urlencode({**asked, 'limit': PAGE})}",
            rows=rows,
            search=search,
            owner=owner,
            following=f"/bots?{urlencode({**asked, 'after': rows[-1].name})}" if len(rows) == PAGE else "",
        )

    async def _bot(self, request: Request) -> Response:
        name = request.path_params["name"]
        values = await bot_values(self._reader, name, request)
        pages = (await self._addresses()).pages
        return self._renderer.page("bot.html", "ladder", pages=pages, **values)

    async def _opponents(self, request: Request) -> Response:
        name = request.path_params["name"]
        values = await opponents_values(self._reader, name, request)
        return self._renderer.page("opponents.html", "ladder", **values)

    async def _incidents(self, request: Request) -> Response:
        name = request.path_params["name"]
        values = await incidents_values(self._reader, name, request)
        return self._renderer.page("incidents.html", "ladder", **values)

    async def _pair(self, request: Request) -> Response:
        name, other = request.path_params["name"], request.path_params["other"]
        pair = await self._reader.bots.pair(name, other)
        names = await self._reader.tournament_names(pair.boards)
        return self._renderer.page("pair.html", "ladder", f"/api/bots/{name}/vs/{other}", pair=pair, names=names)

    async def _nodes(self, request: Request) -> Response:
        rows, hosting = (await self._reader.nodes()).nodes, await self._reader.hosts()
        return self._renderer.page("nodes.html", "nodes", "/api/nodes", rows=rows, hosting=hosting)

    async def _void_rows(self, *, tournament: int = 0, ladder: str = "") -> Sequence[matches_pb2.VoidAttempt]:
        asked = matches_pb2.ListVoidAttemptsRequest(tournament=tournament, ladder=ladder, limit=_VOID_ATTEMPTS)
        return (await self._reader.void_attempts(asked)).attempts
