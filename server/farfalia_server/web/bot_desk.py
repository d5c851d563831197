"""What an owner does with one bot, and what those do who manage its owner: rename, remove, suspend, hide, strike."""

from __future__ import annotations

import asyncio

from google.protobuf.message import Message
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from farfalia.v1 import accounts_pb2, bots_pb2, matches_pb2, programs_pb2
from farfalia_server.contract.errors import FailedPrecondition, InvalidArgument, NotFound, Unauthenticated
from farfalia_server.contract.said import said
from farfalia_server.contract.untrusted import quoted
from farfalia_server.web.form_fields import Refused
from farfalia_server.web.form_pages import FormPages, whole_number
from farfalia_server.web.forms import Visitor
from farfalia_server.web.problem import words_of
from farfalia_server.wording.decisions import decisions
from farfalia_server.wording.language import gettext
from farfalia_server.wording.phrases import CHALLENGERS

_PATH = "/account/bot"
#: Matches of a bot with something to look at, and incidents.
_MATCHES = 20


class BotDesk(FormPages):
    """The page `/account/bot?name=NAME`: the calls refuse those who may not."""

    def routes(self) -> list[Route]:
        """Return the routes."""
        forms = {
            "rename": self._rename,
            "challengers": self._challengers,
            "remove": self._remove,
            "suspend": self._suspend,
            "hide": self._hide,
            "strike": self._strike,
        }
        return [
            Route(_PATH, self._bot, methods=["GET"]),
            Route(f"{_PATH}/match", self._match, methods=["GET"]),
            *(self._form(f"{_PATH}/{name}", act) for name, act in forms.items()),
        ]

    async def _bot(self, request: Request) -> Response:
        return await self._shown(request, Visitor.of(request))

    async def _shown(self, request: Request, visitor: Visitor, refused: Refused | None = None) -> Response:
        """Return the page of a bot; sends those who are not signed in to where they can."""
        typed = refused.typed.get("bot", "") if refused is not None else ""
        name = typed or request.query_params.get("name", "")
        try:
            own = await self._call(request, visitor, "GetAccount", accounts_pb2.GetAccountRequest())
        except Unauthenticated:
            return RedirectResponse("/account", 303)
        try:
            found = await self._call(request, visitor, "GetBot", bots_pb2.GetBotRequest(name=name))
        except NotFound:
            if refused is None:
                raise
            return self._page("refused.html", visitor, request, refused)
        mine = any(bot.name == name for bot in own.bots)
        kept_out = mine and not found.bot.connected
        programs = []
        if mine:
            asked = programs_pb2.ListProgramsRequest(bot=name)
            programs = (await self._call(request, visitor, "ListPrograms", asked)).programs
        return self._page(
            "bot_desk.html",
            visitor,
            request,
            refused,
            info=found.bot,
            plays=next((program for program in programs if program.active), None),
            logged=sorted({line.line.match for line in found.logs if line.line.match}, reverse=True)[:_MATCHES],
            incidents=list(found.incidents)[:_MATCHES],
            mine=mine,
            webhook_off=any(bot.webhook_off for bot in own.bots if bot.name == name),
            full=[cap for cap in own.connection_caps if kept_out and len(cap.connected) >= cap.most],
            challengers={word: gettext(word) for word in CHALLENGERS.values()},
        )

    async def _match(self, request: Request) -> Response:
        """Return what a bot decided in a match, and what it logged over each decision; its owner sees the log."""
        visitor, name = Visitor.of(request), request.query_params.get("name", "")
        number = whole_number(dict(request.query_params), "match")
        try:
            await self._call(request, visitor, "GetAccount", accounts_pb2.GetAccountRequest())
        except Unauthenticated:
            return RedirectResponse("/account", 303)
        found = await self._call(request, visitor, "GetBot", bots_pb2.GetBotRequest(name=name, match=number))
        closed, played = "", []
        try:
            record = (
                await self._call(request, visitor, "GetRecord", matches_pb2.GetRecordRequest(match=number))
            ).record
        except FailedPrecondition as error:  # its cards are still played
            closed = words_of(error)
        else:
            seats = [seat for seat, held in enumerate(record.seats) if held.bot == name and not held.house]
            if not seats:
                raise NotFound(
                    said("%(name)s did not play match %(number)s", name=name, number=number), "MATCH_UNKNOWN"
                )
            played = await asyncio.to_thread(decisions, record, seats[0])
        lines: dict[int, list[bots_pb2.BotLog]] = {}
        for line in found.logs:
            lines.setdefault(line.question, []).append(line)
        return self._page(
            "bot_match.html",
            visitor,
            request,
            None,
            info=found.bot,
            match=number,
            played=list(enumerate(played, 1)),
            lines=lines,
            closed=closed,
        )

    async def _rename(self, request: Request, visitor: Visitor, fields: dict[str, str]) -> Response:
        new = fields.get("new_name", "").strip()
        wanted = bots_pb2.RenameBotRequest(name=fields.get("bot", ""), new_name=new, reason=fields.get("reason", ""))
        return await self._done(request, visitor, "RenameBot", wanted, new)

    async def _challengers(self, request: Request, visitor: Visitor, fields: dict[str, str]) -> Response:
        name, word = fields.get("bot", ""), fields.get("challengers", "")
        chosen = next((number for number, kept in CHALLENGERS.items() if kept == word), None)
        if chosen is None:
            expected = " or ".join(CHALLENGERS.values())
            raise InvalidArgument(
                "challengers",
                said(
                    "%(field)s is %(value)s; expected %(expected)s",
                    field="challengers",
                    value=quoted(word),
                    expected=expected,
                ),
            )
        wanted = bots_pb2.SetChallengersRequest(name=name, challengers=chosen)
        return await self._done(request, visitor, "SetChallengers", wanted, name)

    async def _suspend(self, request: Request, visitor: Visitor, fields: dict[str, str]) -> Response:
        name = fields.get("bot", "")
        suspended, reason = fields.get("suspended") == "yes", fields.get("reason", "")
        wanted = bots_pb2.ModerateBotRequest(name=name, suspended=suspended, reason=reason)
        return await self._done(request, visitor, "ModerateBot", wanted, name)

    async def _hide(self, request: Request, visitor: Visitor, fields: dict[str, str]) -> Response:
        name = fields.get("bot", "")
        hidden, reason = fields.get("hidden") == "yes", fields.get("reason", "")
        wanted = bots_pb2.ModerateBotRequest(name=name, hidden=hidden, reason=reason)
        return await self._done(request, visitor, "ModerateBot", wanted, name)

    async def _strike(self, request: Request, visitor: Visitor, fields: dict[str, str]) -> Response:
        """Strike a bot's results once somebody has said that it is meant."""
        name = fields.get("bot", "")
        if fields.get("sure") != "yes":
            return self._page("strike.html", visitor, request, None, name=name)
        wanted = bots_pb2.ModerateBotRequest(name=name, strike=True, reason=fields.get("reason", ""))
        return await self._done(request, visitor, "ModerateBot", wanted, name)

    async def _remove(self, request: Request, visitor: Visitor, fields: dict[str, str]) -> Response:
        """Remove a bot once somebody has said that it is meant."""
        name = fields.get("bot", "")
        if fields.get("sure") != "yes":
            return self._page("remove.html", visitor, request, None, form="bot/remove", field="bot", name=name)
        await self._call(request, visitor, "RemoveBot", bots_pb2.RemoveBotRequest(name=name))
        return RedirectResponse("/account", 303)

    async def _done(self, request: Request, visitor: Visitor, call: str, wanted: Message, name: str) -> Response:
        await self._call(request, visitor, call, wanted)
        return RedirectResponse(f"{_PATH}?name={name}", 303)
