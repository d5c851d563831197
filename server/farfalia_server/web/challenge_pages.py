"""A match at once: who plays it is chosen in a browser, and it is watched as any other."""

from __future__ import annotations

from collections.abc import Iterable

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from farfalia.v1 import accounts_pb2, bots_pb2, matches_pb2
from farfalia_engine import GAMES
from farfalia_server.contract.errors import Unauthenticated
from farfalia_server.organising.validation import DEFAULT_GAME
from farfalia_server.records.house_names import playable_house_bots
from farfalia_server.web.form_fields import Refused
from farfalia_server.web.form_pages import FormPages, whole_number
from farfalia_server.web.forms import Visitor
from farfalia_server.wording.language import gettext

_PATH = "/account/challenges"
#: Seats of the largest table, bots that can be chosen, and matches that are shown.
_SEATS, _BOTS, _ROWS = 5, 1000, 20
#: How the choice of a house bot begins, which no bot's name does.
_HOUSE = "house "


class ChallengePages(FormPages):
    """Everything under `/account/challenges`."""

    def routes(self) -> list[Route]:
        """Return the routes."""
        forms = {"create": self._create, "cancel": self._cancel}
        return [
            Route(_PATH, self._challenges, methods=["GET"]),
            *(self._form(f"{_PATH}/{name}", act) for name, act in forms.items()),
        ]

    async def _challenges(self, request: Request) -> Response:
        return await self._shown(request, Visitor.of(request))

    async def _shown(self, request: Request, visitor: Visitor, refused: Refused | None = None) -> Response:
        """Return the page; sends those who are not signed in to where they can."""
        try:
            own = await self._call(request, visitor, "GetAccount", accounts_pb2.GetAccountRequest())
        except Unauthenticated:
            return RedirectResponse("/account", 303)
        everybody = await self._call(request, visitor, "ListBots", bots_pb2.ListBotsRequest(limit=_BOTS))
        asked = matches_pb2.ListMatchesRequest(challenger=own.account.name, limit=_ROWS)
        mine = {bot.name for bot in own.bots}
        players = _players(everybody.bots, mine)
        return self._page(
            "challenges.html",
            visitor,
            request,
            refused,
            games=list(GAMES),
            players=players,
            seats=range(1, _SEATS + 1),
            first=request.query_params.get("bot", next((name for name in players if name in mine), "")),
            game=DEFAULT_GAME,
            matches=(await self._call(request, visitor, "ListMatches", asked)).matches,
        )

    async def _create(self, request: Request, visitor: Visitor, fields: dict[str, str]) -> Response:
        """Ask for a match, and show it."""
        seats = [_seat(fields.get(f"seat{number}", "")) for number in range(1, _SEATS + 1)]
        while seats and seats[-1].WhichOneof("player") is None:
            seats.pop()
        wanted = matches_pb2.CreateChallengeRequest(ruleset=fields.get("game", ""), seats=seats)
        made = await self._call(request, visitor, "CreateChallenge", wanted)
        return RedirectResponse(f"/matches/{made.match.id}", 303)

    async def _cancel(self, request: Request, visitor: Visitor, fields: dict[str, str]) -> Response:
        wanted = matches_pb2.CancelChallengeRequest(match=whole_number(fields, "match"))
        await self._call(request, visitor, "CancelChallenge", wanted)
        return RedirectResponse(_PATH, 303)


def _players(bots: Iterable[bots_pb2.BotInfo], mine: set[str]) -> dict[str, str]:
    """Return who can sit at a table, with words for it: connected bots that may be asked, one's own first."""
    here = [bot for bot in bots if bot.connected and not bot.house]
    asked = [bot.name for bot in here if bot.name in mine or bot.challengers != bots_pb2.CHALLENGERS_OWNER]
    found = {
        "": gettext("any house bot"),
        **{name: name for name in sorted(asked, key=lambda name: (name not in mine, name))},
    }
    return found | {
        f"{_HOUSE}{name}": gettext("the house bot {name}").format(name=name) for name in playable_house_bots()
    }


def _seat(chosen: str) -> matches_pb2.ChallengeSeat:
    if chosen.startswith(_HOUSE):
        return matches_pb2.ChallengeSeat(house=chosen.removeprefix(_HOUSE))
    return matches_pb2.ChallengeSeat(bot=chosen) if chosen else matches_pb2.ChallengeSeat()
