"""The board of a day: a form that seats a person at today's, and the table of what everyone made of it."""

from __future__ import annotations

from typing import Final

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from farfalia.v1 import daily_boards_pb2, matches_pb2
from farfalia_engine import GAMES
from farfalia_server.contract.errors import InvalidArgument, NotFound
from farfalia_server.contract.said import said
from farfalia_server.contract.untrusted import quoted
from farfalia_server.web.calls import answer_to
from farfalia_server.web.form_fields import Refused
from farfalia_server.web.form_pages import key_of
from farfalia_server.web.forms import Visitor, keep_seat, seat_token
from farfalia_server.web.own_deals import own_deal
from farfalia_server.web.person_pages import MINUTES, PersonPages, control_of, games
from farfalia_server.web.problem import Problem
from farfalia_server.web.query_parameters import check_names

_PLAYING: Final = (matches_pb2.MATCH_STATE_QUEUED, matches_pb2.MATCH_STATE_RUNNING)


class DailyPages(PersonPages):
    """Everything under `/today`, and the deals of one's own match on such a board."""

    def routes(self) -> list[Route]:
        """Return the routes."""
        return [
            Route("/today/{game}", self._board, methods=["GET"]),
            self._form("/today/{game}/begin", self._begin),
            Route("/today/{game}/{day}", self._board, methods=["GET"]),
            Route("/play/{id}/deals/{deal}", self._own_deal, methods=["GET"]),
            Route("/play/{id}/deals/{deal}/{card}", self._own_deal, methods=["GET"]),
        ]

    async def _own_deal(self, request: Request) -> Response:
        return await own_deal(request, self._make, self._renderer, await self._reader())

    async def _board(self, request: Request) -> Response:
        check_names(request, ["here"])
        try:
            return await self._shown(request, Visitor.of(request))
        except (InvalidArgument, NotFound) as error:
            found = Problem.of(error)
            return self._renderer.error(404, Problem(404, "", "").title, found.detail)

    async def _shown(self, request: Request, visitor: Visitor, refused: Refused | None = None) -> Response:
        """Return the board with the form, if it is today's, and with the table, if this browser's guest may see it."""
        wanted = daily_boards_pb2.GetDailyBoardRequest(ruleset=_game(request), day=request.path_params.get("day", ""))
        person, token = await self._person(request), seat_token(request)
        board = (await answer_to(self._make, "GetDailyBoard", wanted, request, token if person else "")).board
        latest = (await (await self._reader()).daily_board(board.ruleset, "")).day
        answer = self._page(
            "daily.html",
            visitor,
            request,
            refused,
            section="play",
            twin=f"/api/today/{board.ruleset}/{board.day}",
            board=board,
            state=await self._state(board),
            today=board.day == latest,
            games=games(),
            minutes=MINUTES,
            known=person is not None,
            name="" if person is None else person.name,
        )
        if person is not None:
            keep_seat(request, answer, token)
        return answer

    async def _state(self, board: daily_boards_pb2.DailyBoard) -> str:
        """Return what came of the match of the person that counts: `playing`, `counted`, `late` or `left`; or nothing
        if there is none.
        """
        if not board.match:
            return ""
        match = await (await self._reader()).match(board.match)
        if match.state in _PLAYING:
            return "playing"
        if match.state != matches_pb2.MATCH_STATE_FINISHED:
            return "left"
        return "counted" if any(one.own for one in board.results) else "late"

    async def _begin(self, request: Request, visitor: Visitor, fields: dict[str, str]) -> Response:
        """Seat the person, a new guest if this browser has none, and show the seat."""
        game, control = _game(request), control_of(fields)
        token, _ = await self._person_here(request, visitor, fields)
        asked = matches_pb2.CreateChallengeRequest(ruleset=game, daily=True, time_control=control)
        made = await answer_to(self._make, "CreateChallenge", asked, request, token, key_of(fields))
        answer = RedirectResponse(f"/play/{made.match.id}", 303)
        keep_seat(request, answer, token)
        return answer


def _game(request: Request) -> str:
    """Return the game of an address; NotFound."""
    game: str = request.path_params["game"]
    if game not in GAMES:
        raise NotFound(
            said("there is no game %(name)s; expected one of %(choices)s", name=quoted(game), choices=", ".join(GAMES))
        )
    return game
