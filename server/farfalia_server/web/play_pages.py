"""Where a person plays: a form that seats the person with house bots, and the seat, with its table and its question.

The person is a bot of its own, a guest, whose token the browser keeps. Everything works by forms alone; a script
follows the seat's events and answers without loading the page again.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Route
from starlette.types import ASGIApp

from farfalia.v1 import analysis_pb2, matches_pb2
from farfalia_engine import GAMES, ruleset
from farfalia_server.arena.reading import Reader
from farfalia_server.contract.errors import FailedPrecondition, InvalidArgument, NotReady
from farfalia_server.contract.said import said
from farfalia_server.net.addresses import Addresses
from farfalia_server.organising.validation import DEFAULT_GAME
from farfalia_server.web.calls import MakeCall, answer_to
from farfalia_server.web.event_streams import HEADERS, EventStreams, encoded
from farfalia_server.web.form_fields import Refused
from farfalia_server.web.form_pages import key_of, whole_number
from farfalia_server.web.forms import Visitor, commented, keep_commented, keep_seat, seat_token
from farfalia_server.web.page_renderer import PageRenderer
from farfalia_server.web.person_pages import (
    MINUTES,
    OPPONENT,
    SILENCE,
    PersonPages,
    control_of,
    game_of,
    games,
    playable_opponents,
)
from farfalia_server.web.person_seat import FINISHED, PersonSeat, PersonSeats, SeatAt
from farfalia_server.web.practice import is_practice
from farfalia_server.web.query_parameters import check_names, number_of
from farfalia_server.web.seat_comments import FIRST_MATCH, comments_at, may_be_commented
from farfalia_server.web.seat_hints import HINTS_BY, SeatHints, hint_at
from farfalia_server.web.seat_prices import is_on_the_way, seat_prices
from farfalia_server.web.seat_taking_back import take_back
from farfalia_server.web.seat_view import SeatView, discarded, seat_data, seat_view
from farfalia_server.wording.player import player_words
from farfalia_server.wording.rules import short_rules

#: Seats of the largest table beside one's own.
_OTHERS: Final = 4
#: Seconds that a page waits for a question before it says that others play.
_PATIENCE: Final = 3.0
_LIVE: Final = (matches_pb2.MATCH_STATE_QUEUED, matches_pb2.MATCH_STATE_RUNNING)


@dataclass(frozen=True, slots=True)
class _Table:
    """A match as its person sees it: the seat is None while it waits for it, or once the match is over."""

    match: matches_pb2.Match
    person: PersonSeat
    at: SeatAt | None

    @property
    def shown(self) -> SeatView | None:
        """The newest question; None before the first one."""
        question = None if self.at is None else self.at.question
        return None if question is None else seat_view(question, self.match.entrants)

    @property
    def state(self) -> str:
        """What the page is about: `asked`, `others`, `waiting`, `lost`, `replaced`, `void` or `over`."""
        if self.match.state == matches_pb2.MATCH_STATE_FINISHED or (self.at and self.at.over == FINISHED):
            return "over"
        if self.match.state not in _LIVE:
            return "void"
        if self.person.replaced:
            return "replaced"
        if self.at is None:
            return "waiting"
        if self.at.over:
            return self.at.over
        return "asked" if self.at.waits else "others"


class PlayPages(PersonPages):
    """Everything under `/play` that is one's own; `hints` gives hints.

    `tables` streams a table to who sits there, `analyses` says whether matches are analysed.
    """

    def __init__(
        self,
        make: MakeCall,
        addresses: Callable[[], Awaitable[Addresses]],
        renderer: PageRenderer,
        reader: Callable[[], Awaitable[Reader]],
        seats: PersonSeats,
        hints: SeatHints,
        tables: EventStreams,
        *,
        analyses: bool = False,
    ) -> None:
        super().__init__(make, addresses, renderer, reader, seats)
        self._hints = hints
        self._tables = tables
        self._analyses = analyses

    def routes(self) -> list[Route]:
        """Return the routes."""
        return [
            Route("/play", self._front, methods=["GET"]),
            self._form("/play/begin", self._begin),
            Route("/play/{id}", self._seat, methods=["GET"]),
            Route("/play/{id}/events", self._events, methods=["GET"]),
            Route("/play/{id}/table", self._watched, methods=["GET"]),
            self._form("/play/{id}/answer", self._answer),
            self._form("/play/{id}/hint", self._hint),
            self._form("/play/{id}/take-back", self._take_back),
            self._form("/play/{id}/comments", self._comment),
            self._form("/play/{id}/prices", self._prices),
            self._form("/play/{id}/leave", self._leave),
        ]

    # -- the form ------------------------------------------------------------------------------

    async def _front(self, request: Request) -> Response:
        check_names(request, ["game", "opponents"])
        return await self._begun(request, Visitor.of(request), None)

    async def _shown(self, request: Request, visitor: Visitor, refused: Refused | None = None) -> Response:
        if "id" in request.path_params:
            return await self._at_table(request, visitor, refused)
        return await self._begun(request, visitor, refused)

    async def _begun(self, request: Request, visitor: Visitor, refused: Refused | None) -> Response:
        """Return the page with the form, and the way to a match that goes on."""
        person = await self._person(request)
        going = [] if person is None else [match for match, at in person.matches.items() if not at.over]
        query = request.query_params
        return self._page(
            "play.html",
            visitor,
            request,
            refused,
            section="play",
            games=games(),
            game=query["game"] if query.get("game") in GAMES else DEFAULT_GAME,
            opponents=playable_opponents(),
            opponent=query.get("opponents", OPPONENT),
            others=range(1, _OTHERS + 1),
            minutes=MINUTES,
            known=person is not None,
            first_match=FIRST_MATCH,
            going=going,
        )

    async def _begin(self, request: Request, visitor: Visitor, fields: dict[str, str]) -> Response:
        """Seat the person, a new guest if this browser has none, and show the seat."""
        game, control = game_of(fields), control_of(fields)
        token, person = await self._person_here(request, visitor, fields)
        count = ruleset(game).seats
        all_alike = fields.get("opponents", "") or OPPONENT
        others = [fields.get(f"opponent{number}", "") or all_alike for number in range(1, count)]
        seats = [matches_pb2.ChallengeSeat(house=kind) for kind in others]
        key = key_of(fields)
        # The same form, sent twice, has to ask for the same.
        seats.insert(int(key or "0", 16) % count, matches_pb2.ChallengeSeat(bot=person.name))
        asked = matches_pb2.CreateChallengeRequest(ruleset=game, seats=seats, time_control=control)
        made = await answer_to(self._make, "CreateChallenge", asked, request, token, key)
        answer = RedirectResponse(f"/play/{made.match.id}", 303)
        keep_seat(request, answer, token)
        if fields.get("comments"):
            keep_commented(request, answer, made.match.id)
        return answer

    # -- the seat ------------------------------------------------------------------------------

    async def _seat(self, request: Request) -> Response:
        check_names(request, ["here"])
        return await self._at_table(request, Visitor.of(request), None)

    async def _at_table(self, request: Request, visitor: Visitor, refused: Refused | None) -> Response:
        """Return the seat, or the way to the match for those who have none there."""
        number = number_of(request, "match")
        table = await self._table(request, number)
        if table is None:
            return RedirectResponse(f"/matches/{number}", 303)
        prices = None
        if table.state == "over" and self._analyses:
            prices = await seat_prices(await self._reader(), table.match, table.person.name)
        answer = self._page(
            "seat.html",
            visitor,
            request,
            refused,
            section="play",
            match=table.match,
            name=table.person.name,
            state=table.state,
            at=table.at,
            shown=table.shown,
            practice=is_practice(table.match),
            commentable=may_be_commented(table.match),
            comments=comments_at(table.match, table.at) if commented(request) == number else None,
            hint=hint_at(table.at),
            hinter=HINTS_BY,
            prices=prices,
            pricing=is_on_the_way(prices),
            revision=table.person.revision,
            game=table.match.ruleset,
            words=player_words(),
            short=short_rules().get(table.match.ruleset),
        )
        keep_seat(request, answer, seat_token(request))
        return answer

    async def _table(self, request: Request, number: int) -> _Table | None:
        """Return the person's table, once the person is asked or has waited for a moment; None without a seat there."""
        person = await self._person(request)
        match = await self._match(person, number)
        if person is None or person.name not in match.entrants:
            return None
        if match.state in _LIVE:
            await person.asked(number, _PATIENCE)
            match = await self._match(person, number)
        return _Table(match, person, person.matches.get(number))

    async def _match(self, person: PersonSeat | None, number: int) -> matches_pb2.Match:
        """Return a match, as it was read before while the person's stream says that it goes on."""
        at = None if person is None or person.ended else person.matches.get(number)
        if at is not None and at.match is not None and not at.over:
            return at.match
        match = await (await self._reader()).match(number)
        if at is not None and match.state in _LIVE:
            at.match = match
        return match

    async def _answer(self, request: Request, visitor: Visitor, fields: dict[str, str]) -> Response:
        """Answer the question of this number; one that was answered stays as it is.

        NotReady while the question has not come again to a process that has just begun.
        """
        match = number_of(request, "match")
        person, number = await self._person(request), whole_number(fields, "number")
        if person is not None and not person.has_been_asked(match, number):
            await person.asked(match, _PATIENCE)
            if not person.has_been_asked(match, number) and (await self._match(person, match)).state in _LIVE:
                raise NotReady(said("your seat comes back in a moment; choose again"))
        at = None if person is None else person.matches.get(match)
        if person is not None and at is not None and at.waits and at.question and at.question.number == number:
            person.answer(match, number, _action(at, fields))
        if "application/json" in request.headers.get("accept", ""):
            return JSONResponse({})
        if person is not None:
            await person.asked(match, _PATIENCE)
        return RedirectResponse(f"/play/{match}", 303)

    async def _hint(self, request: Request, visitor: Visitor, fields: dict[str, str]) -> Response:
        """Say what a house bot would do at the question of this number."""
        table = await self._table(request, number_of(request, "match"))
        if table is None or table.at is None:
            return RedirectResponse(f"/matches/{number_of(request, 'match')}", 303)
        if not is_practice(table.match):
            raise FailedPrecondition(said("hints are given where one person plays with house bots alone"))
        await self._hints.give(table.at, whole_number(fields, "number"))
        return RedirectResponse(f"/play/{table.match.id}", 303)

    async def _take_back(self, request: Request, visitor: Visitor, fields: dict[str, str]) -> Response:
        """Take back the person's decision before the question of this number, once."""
        match = number_of(request, "match")
        table = await self._table(request, match)
        if table is None:
            return RedirectResponse(f"/matches/{match}", 303)
        take_back(table.match, table.person, whole_number(fields, "number"))
        await table.person.asked(match, _PATIENCE)
        return RedirectResponse(f"/play/{match}", 303)

    async def _comment(self, request: Request, visitor: Visitor, fields: dict[str, str]) -> Response:
        """Comment the person's seat from now on, or no more."""
        match = number_of(request, "match")
        table = await self._table(request, match)
        if table is None:
            return RedirectResponse(f"/matches/{match}", 303)
        if not may_be_commented(table.match):
            raise FailedPrecondition(
                said("comments are given in games of Farfalia, where one person plays with house bots alone")
            )
        answer = RedirectResponse(f"/play/{match}", 303)
        keep_commented(request, answer, match if fields.get("comments") else 0)
        return answer

    async def _prices(self, request: Request, visitor: Visitor, fields: dict[str, str]) -> Response:
        """Have the match analysed that the person has played."""
        wanted = analysis_pb2.RequestAnalysisRequest(match=number_of(request, "match"))
        await answer_to(self._make, "RequestAnalysis", wanted, request, seat_token(request), key_of(fields))
        return RedirectResponse(f"/play/{wanted.match}", 303)

    async def _leave(self, request: Request, visitor: Visitor, fields: dict[str, str]) -> Response:
        """Give the match up."""
        wanted = matches_pb2.CancelChallengeRequest(match=number_of(request, "match"))
        await answer_to(self._make, "CancelChallenge", wanted, request, seat_token(request), key_of(fields))
        return RedirectResponse("/play", 303)

    async def _events(self, request: Request) -> Response:
        """Return what happens at the seat as a stream of events, until nothing more follows."""
        check_names(request, [])
        number = number_of(request, "match")
        table = await self._table(request, number)
        if table is None:
            raise FailedPrecondition(said("you have no seat in match %(number)s", number=number))
        news = self._news(number, table) if request.method == "GET" else ()
        return StreamingResponse(news, headers={**HEADERS, "content-type": "text/event-stream"})

    async def _watched(self, request: Request) -> ASGIApp:
        """Return the table as everyone may see it who has a seat there, also on the board of a day."""
        number = number_of(request, "match")
        if await self._table(request, number) is None:
            raise FailedPrecondition(said("you have no seat in match %(number)s", number=number))
        return await self._tables.watch(request)

    async def _news(self, number: int, table: _Table) -> AsyncIterator[bytes]:
        """Yield the seat as it is, and again each time that it changes."""
        person = table.person
        person.viewers += 1
        try:
            yield b"retry: 1000\n\n"
            before = b""
            while True:
                revision = person.revision
                now = json.dumps(_event(table), separators=(",", ":")).encode()
                if now != before:
                    before = now
                    yield encoded(now, str(revision), lines=False)
                if table.state not in ("asked", "others", "waiting"):
                    yield encoded(b'{"type":"end"}', "", lines=False)
                    return
                if not await person.news(revision, SILENCE):
                    yield b":\n\n"
                person.look()
                table = _Table(await self._match(person, number), person, person.matches.get(number))
        finally:
            person.viewers -= 1


def _event(table: _Table) -> dict[str, Any]:
    """Return what a script is told of a seat."""
    shown, at = table.shown, table.at
    event: dict[str, Any] = {"type": "seat", "state": table.state, "said": "" if at is None else at.said}
    if at is not None:
        event["me"] = at.seated.seat
    if at is not None and at.question is not None and shown is not None and table.state == "asked":
        clock = at.question.clock
        event["question"] = seat_data(shown)
        event["time"] = {"limit": clock.limit_ms, "bank": clock.bank_ms, "spent": clock.spent_ms}
    return event


def _action(at: SeatAt, fields: dict[str, str]) -> int:
    """Return the action that a form chooses; InvalidArgument if that is not legal."""
    question = at.question
    assert question is not None, "it waits"
    if "action" not in fields:
        cards = [int(name.removeprefix("card")) for name in fields if name.removeprefix("card").isdecimal()]
        return discarded(question, cards)
    action = whole_number(fields, "action")
    if action not in question.legal:
        raise InvalidArgument(
            "action", said("action is %(action)s, which is not legal now; choose one of those shown", action=action)
        )
    return action
