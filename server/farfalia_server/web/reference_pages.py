"""The pages to look things up in: the rules of each game, the addresses for programs, the contract."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from farfalia_server.contract.conduct import REPLACED
from farfalia_server.contract.errors import NotFound
from farfalia_server.contract.said import said
from farfalia_server.contract.untrusted import quoted
from farfalia_server.net.addresses import Addresses
from farfalia_server.web.contract_page import contract_part, services, uses
from farfalia_server.web.example_deal import example_deal
from farfalia_server.web.json_addresses import DOWNLOADS, PATHS, PROGRAMS, STREAMS
from farfalia_server.web.page_renderer import PageRenderer
from farfalia_server.web.rendered_page import FINAL
from farfalia_server.wording.player import player_words
from farfalia_server.wording.rules import RULES, short_rules, wild_card_rules
from farfalia_server.wording.translating import event_in_language


class ReferencePages:
    """What can be read without any match, bot or tournament."""

    def __init__(self, addresses: Callable[[], Awaitable[Addresses]], renderer: PageRenderer) -> None:
        self._addresses, self._renderer = addresses, renderer

    def routes(self) -> list[Route]:
        """Return the routes by address."""
        return [
            Route("/rules", self._rules),
            Route("/rules/{game}", self._game),
            Route("/api", self._api),
            Route("/contract/{name}", self._contract),
        ]

    async def _rules(self, request: Request) -> Response:
        return self._renderer.page("rules.html", "rules", "", games=short_rules())

    async def _game(self, request: Request) -> Response:
        name = request.path_params["game"]
        if name not in RULES:
            raise NotFound(
                said(
                    "there is no game %(name)s; expected one of %(choices)s",
                    name=quoted(name),
                    choices=", ".join(RULES),
                )
            )
        example = await asyncio.to_thread(example_deal, name)
        page = self._renderer.page(
            "game.html",
            "rules",
            game=name,
            games=RULES,
            short=short_rules()[name],
            wild_cards=wild_card_rules(name) if example.deal.collecting else (),
            words=player_words(),
            match=example.match,
            record=example.record,
            deals=[example.deal],
            deal=example.deal,
            events=[event_in_language(event) for event in example.events],
            causes=[action.cause for action in example.record.actions],
            replaced=REPLACED,
        )
        page.headers["cache-control"] = FINAL
        return page

    async def _api(self, request: Request) -> Response:
        return self._renderer.page(
            "api.html",
            "api",
            "/api/openapi.json",
            pages=(await self._addresses()).pages,
            paths=PATHS,
            downloads=DOWNLOADS,
            streams=STREAMS,
            programs=PROGRAMS,
            services=services(),
        )

    async def _contract(self, request: Request) -> Response:
        part = contract_part(request.path_params["name"])
        return self._renderer.page("contract.html", "api", "", part=part, uses=uses(part.name), services=services())
