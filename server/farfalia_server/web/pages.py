"""The pages for people."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import Any

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from farfalia.v1 import matches_pb2, record_pb2
from farfalia_server.arena.reading import Reader
from farfalia_server.arena.request_checks import DEFAULT_LADDER
from farfalia_server.conduct import REPLACED
from farfalia_server.errors import FailedPrecondition, NotFound, NotReady
from farfalia_server.net.addresses import Addresses
from farfalia_server.records.files import dumps
from farfalia_server.untrusted import quoted
from farfalia_server.web.board_page import MOST_REPLAYED, best_first, comparisons, neighbours, traveller
from farfalia_server.web.bot_page import bot_values, opponents_values
from farfalia_server.web.charts import line
from farfalia_server.web.contract_page import contract_part, prose, services, uses
from farfalia_server.web.example_deal import example_deal
from farfalia_server.web.front_page import front_values
from farfalia_server.web.json_addresses import DOWNLOADS, PATHS, STREAMS, Path
from farfalia_server.web.ladder_page import ladder_values
from farfalia_server.web.match_page import card_addresses, deals_shown, decision_address, elsewhere, summary, timing
from farfalia_server.web.matches_page import matches_values
from farfalia_server.web.page_language import PageEnvironment
from farfalia_server.web.played_deal import has_card, played_deal
from farfalia_server.web.query_parameters import (
    LADDER_PAGE,
    PAGE,
    TABLE_SECONDS,
    card_of,
    check_names,
    deal_of,
    number_asked,
    number_at,
    number_of,
)
from farfalia_server.web.rendered_page import FINAL
from farfalia_server.web.static_files import StaticAddresses
from farfalia_server.web.tournament_page import tournament_values
from farfalia_server.wording.columns import LUCK
from farfalia_server.wording.language import gettext
from farfalia_server.wording.phrases import FILTERS
from farfalia_server.wording.player import player_words
from farfalia_server.wording.rules import RULES, short_rules, wild_card_rules
from farfalia_server.wording.tournament_page import TABLE_OF_ROUND, TURNING

#: Void attempts on the page of a tournament or ladder; its JSON has more.
_VOID_ATTEMPTS = 20
_LIVE_MATCHES = (matches_pb2.MATCH_STATE_QUEUED, matches_pb2.MATCH_STATE_RUNNING)
_PENDING = {
    matches_pb2.MATCH_STATE_QUEUED: "The match is waiting for its turn.",
    matches_pb2.MATCH_STATE_RUNNING: "The match is in play. Its record opens when every match on its board is over.",
    matches_pb2.MATCH_STATE_VOID: "The match was given up and does not count for any rating.",
}


class Pages:
    """The pages, made from the same messages as the JSON."""

    def __init__(
        self,
        reader: Reader,
        addresses: Callable[[], Awaitable[Addresses]],
        server_name: str,
        server_version: str,
        static_address: StaticAddresses,
    ) -> None:
        self._reader = reader
        self._addresses = addresses
        self._version = server_version
        self._environment = PageEnvironment()
        self._environment.filters.update(FILTERS, line=line, prose=prose)
        self._environment.globals.update(
            server_name=server_name,
            server_version=server_version,
            default_ladder=DEFAULT_LADDER,
            static_address=static_address,
        )

    def routes(self) -> list[Route]:
        """Return the routes by address."""
        return [
            Route("/", self._front),
            Route("/ladders/{game}", self._ladder),
            Route("/tournaments", self._tournaments),
            Route("/tournaments/{id}", self._tournament),
            Route("/tournaments/{id}/projector", self._projector),
            Route("/tournaments/{id}/boards/{board}", self._board),
            Route("/matches", self._matches),
            Route("/matches/{id}", self._match),
            Route("/matches/{id}/actions/{index}", self._action),
            Route("/matches/{id}/{deal}", self._deal),
            Route("/matches/{id}/{deal}/{card}", self._deal),
            Route("/records/{id}.json", self._record),
            Route("/bots/{name}", self._bot),
            Route("/bots/{name}/opponents", self._opponents),
            Route("/bots/{name}/vs/{other}", self._pair),
            Route("/rules", self._rules),
            Route("/rules/{game}", self._game),
            Route("/nodes", self._nodes),
            Route("/api", self._api),
            Route("/contract/{name}", self._contract),
        ]

    def error(self, request: Request, status: int, heading: str, sentence: str) -> Response:
        """Return a page that says what went wrong."""
        return self._page("error.html", "", "", status, heading=heading, sentence=sentence)

    def page(self, template: str, section: str, **values: Any) -> Response:
        """Return a page of another module from its template; the navigation marks its section."""
        return self._page(template, section, "", **values)

    async def _front(self, request: Request) -> Response:
        front = await front_values(self._reader, self._addresses, self._version)
        return self._page("front.html", "front", "", **front)

    async def _ladder(self, request: Request) -> Response:
        ladder = request.path_params["game"]
        values = await ladder_values(self._reader, ladder, request)
        first = not (values["search"] or values["owner"] or values["better"])
        unrated = await self._reader.unrated(ladder, LADDER_PAGE + 1) if first else []
        known = await self._reader.ladder_list()
        return self._page(
            "ladder.html",
            "ladder",
            ladders=sorted({ladder, DEFAULT_LADDER, *known.rated}),
            voids=known.void_attempts.get(ladder, 0),
            void_rows=await self._void_rows(ladder=ladder) if first else [],
            opened=next((one for one in known.ladders if one.ruleset == ladder), None),
            unrated=unrated[:LADDER_PAGE],
            more_unrated=len(unrated) > LADDER_PAGE,
            **values,
        )

    async def _tournaments(self, request: Request) -> Response:
        rows = (await self._reader.tournaments(PAGE, number_asked(request, "before"))).tournaments
        older = rows[-1].id if len(rows) == PAGE else 0
        twin = f"/api/tournaments?{request.query_params}".rstrip("?")
        return self._page("tournaments.html", "tournaments", twin, rows=rows, older=older)

    async def _tournament(self, request: Request) -> Response:
        check_names(request, ["skip"])
        number, skip = number_of(request, "tournament"), number_asked(request, "skip", 2**31)
        values = await tournament_values(self._reader, number, skip)
        voids = await self._void_rows(tournament=number) if values["row"].void_attempts else []
        here = f"/tournaments/{number}?skip={skip}" if skip else f"/tournaments/{number}"
        twin = f"/api/tournaments/{number}"
        return self._page(
            "tournament.html",
            "tournaments",
            twin,
            here=here,
            void_rows=voids,
            table_of_round=gettext(TABLE_OF_ROUND),
            **values,
        )

    async def _projector(self, request: Request) -> Response:
        check_names(request, [])
        values = await tournament_values(self._reader, number_of(request, "tournament"))
        return self._page(
            "projector.html",
            "tournaments",
            "",
            turning={name: gettext(text) for name, text in TURNING.items()},
            **values,
        )

    async def _board(self, request: Request) -> Response:
        check_names(request, ["deal"])
        number, name = number_of(request, "tournament"), request.path_params["board"]
        deal = number_asked(request, "deal", 1000)
        board = await self._reader.board(number, name)
        compared = comparisons(board)
        if deal >= len(compared):
            raise NotFound(f"board {name} has no deal {deal}; expected 1 to {len(compared) - 1}")
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
        return self._page(
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
        return self._page("matches.html", "matches", **values)

    async def _match(self, request: Request) -> Response:
        number = number_of(request, "match")
        match = await self._reader.match(number)
        name = await self._name_of_tournament(match)
        if match.state != matches_pb2.MATCH_STATE_FINISHED:
            return self._match_page(match, name, record=None, pending=gettext(_PENDING[match.state]))
        try:
            record = await self._reader.record(number)
        except FailedPrecondition as error:
            return self._closed(match, name, await self._reader.record_without_cards(number), str(error))
        # The work of some fifty milliseconds, for which no other reader should have to wait.
        page = await asyncio.to_thread(self._played, match, name, record)
        page.headers["cache-control"] = FINAL
        return page

    def _played(self, match: matches_pb2.Match, name: str, record: record_pb2.Record) -> Response:
        """Return the page of a finished match with everything."""
        match.outcome.CopyFrom(record.outcome)  # with the points of each deal
        deals = deals_shown(record)
        return self._match_page(
            match, name, record=record, closed="", deals=deals, timing=timing(record), cards=card_addresses(deals)
        )

    async def _deal(self, request: Request) -> Response:
        number, deal, card = number_of(request, "match"), deal_of(request), card_of(request)
        match = await self._reader.match(number)
        try:
            if match.state != matches_pb2.MATCH_STATE_FINISHED:
                raise FailedPrecondition("the cards of this match are not shown yet")
            record = await self._reader.record(number)
        except FailedPrecondition:
            return RedirectResponse(
                f"/matches/{number}"
            )  # that page explains why, and shows what can be seen meanwhile
        board = await self._reader.board(match.tournament, match.board) if match.tournament and match.board else None
        name = await self._name_of_tournament(match)
        page = await asyncio.to_thread(self._stepped, match, name, record, board, deal, card)
        page.headers["cache-control"] = FINAL
        return page

    def _stepped(
        self,
        match: matches_pb2.Match,
        name: str,
        record: record_pb2.Record,
        board: matches_pb2.Board | None,
        number: int,
        card: tuple[int, int] | None,
    ) -> Response:
        """Return one deal, to step through card by card; NotFound if it has no such card."""
        deals = deals_shown(record)
        if not 1 <= number <= len(deals):
            raise NotFound(f"match {match.id} has no deal {number}; expected 1 to {len(deals)}")
        if card is not None and not has_card(deals[number - 1], *card):
            raise NotFound(f"deal {number} of match {match.id} has no card {card[0]}.{card[1]}")
        return self._page(
            "replay.html",
            "matches",
            f"/api/matches/{match.id}",
            match=match,
            tournament=name,
            record=record,
            deals=deals,
            deal=deals[number - 1],
            played=played_deal(record, len(deals), number),
            board=board,
            elsewhere=elsewhere(match, board, number),
            summary=summary(match, record.outcome.points),
            words=player_words(),
            causes=[action.cause for action in record.actions],
            replaced=REPLACED,
        )

    async def _name_of_tournament(self, match: matches_pb2.Match) -> str:
        return (await self._reader.tournament_names([match])).get(match.tournament, "")

    def _closed(self, match: matches_pb2.Match, name: str, record: record_pb2.Record, why: str) -> Response:
        """Return the page of a finished match whose board is still in play elsewhere: without cards."""
        return self._match_page(
            match, name, record=record, closed=f"{why[:1].upper()}{why[1:]}.", deals=[], timing=timing(record), cards={}
        )

    def _match_page(self, match: matches_pb2.Match, name: str, **values: Any) -> Response:
        """Return the page of a match, of the tournament of this name."""
        live = match.state in _LIVE_MATCHES or bool(values.get("closed"))
        return self._page(
            "match.html",
            "matches",
            f"/api/matches/{match.id}",
            match=match,
            tournament=name,
            live=live,
            summary=summary(match, match.outcome.points),
            words=player_words(),
            luck_means=gettext(LUCK),
            **values,
        )

    async def _record(self, request: Request) -> Response:
        record = await self._reader.record(number_of(request, "match"))
        # The secret of its deals is added later, if it is not there yet.
        headers = {"cache-control": FINAL} if record.source.secret else None
        return Response(await asyncio.to_thread(dumps, record), headers=headers, media_type="application/json")

    async def _bot(self, request: Request) -> Response:
        name = request.path_params["name"]
        values = await bot_values(self._reader, name, request)
        return self._page("bot.html", "ladder", f"/api/bots/{name}", **values)

    async def _opponents(self, request: Request) -> Response:
        name = request.path_params["name"]
        values = await opponents_values(self._reader, name, request)
        return self._page("opponents.html", "ladder", f"/api/bots/{name}", **values)

    async def _pair(self, request: Request) -> Response:
        name, other = request.path_params["name"], request.path_params["other"]
        pair = await self._reader.pair(name, other)
        names = await self._reader.tournament_names(pair.boards)
        return self._page("pair.html", "ladder", f"/api/bots/{name}/vs/{other}", pair=pair, names=names)

    async def _action(self, request: Request) -> Response:
        number, index = number_of(request, "match"), number_at(request, "index", "action")
        record = await self._reader.record(number)
        if index >= len(record.actions):
            raise NotFound(f"match {number} has no action {index}; expected 0 to {len(record.actions) - 1}")
        address = await asyncio.to_thread(decision_address, record, index)
        return RedirectResponse(f"/matches/{number}/{address}")

    async def _rules(self, request: Request) -> Response:
        return self._page("rules.html", "rules", "", games=short_rules())

    async def _game(self, request: Request) -> Response:
        name = request.path_params["game"]
        if name not in RULES:
            raise NotFound(f"there is no game {quoted(name)}; expected one of {', '.join(RULES)}")
        example = await asyncio.to_thread(example_deal, name)
        page = self._page(
            "game.html",
            "rules",
            "",
            game=name,
            games=RULES,
            short=short_rules()[name],
            wild_cards=wild_card_rules() if example.deal.collecting else (),
            words=player_words(),
            match=example.match,
            record=example.record,
            deals=[example.deal],
            deal=example.deal,
            events=example.events,
            causes=[action.cause for action in example.record.actions],
            replaced=REPLACED,
        )
        page.headers["cache-control"] = FINAL
        return page

    async def _nodes(self, request: Request) -> Response:
        return self._page("nodes.html", "nodes", "/api/nodes", rows=(await self._reader.nodes()).nodes)

    async def _api(self, request: Request) -> Response:
        return self._page(
            "api.html",
            "api",
            "/api/openapi.json",
            pages=(await self._addresses()).pages,
            paths=[_worded(path) for path in PATHS],
            downloads=[_worded(path) for path in DOWNLOADS],
            streams=[_worded(path) for path in STREAMS],
            services=services(),
        )

    async def _contract(self, request: Request) -> Response:
        part = contract_part(request.path_params["name"])
        return self._page("contract.html", "api", "", part=part, uses=uses(part.name), services=services())

    async def _void_rows(self, *, tournament: int = 0, ladder: str = "") -> Sequence[matches_pb2.VoidAttempt]:
        asked = matches_pb2.ListVoidAttemptsRequest(tournament=tournament, ladder=ladder, limit=_VOID_ATTEMPTS)
        return (await self._reader.void_attempts(asked)).attempts

    def _page(self, template: str, section: str, twin: str, status: int = 200, **values: Any) -> Response:
        text = self._environment.get_template(template).render(section=section, twin=twin, **values)
        return HTMLResponse(text, status)


def _worded(path: Path) -> Path:
    """Return an address with its texts in the language of the reader."""
    query = tuple((name, gettext(text)) for name, text in path.query)
    return replace(path, summary=gettext(path.summary), query=query)
