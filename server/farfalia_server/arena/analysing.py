"""The analysis of matches, as far as it is, and who may ask for one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from farfalia.v1 import analysis_pb2
from farfalia_server.arena.access import ORGANISERS, RUNNERS, Access, Caller
from farfalia_server.arena.request_checks import checked_number
from farfalia_server.contract.errors import FailedPrecondition
from farfalia_server.contract.said import said
from farfalia_server.store import AnalysisState, Match, Store, sums_by_aspect

#: Analyses that somebody may ask for within a day.
DAILY: Final = 20
_EXPECTED: Final = said("the token of a bot that played the match, of its owner, or of an organiser")
_STATES: Final = {
    None: analysis_pb2.ANALYSIS_STATE_NONE,
    AnalysisState.WAITING: analysis_pb2.ANALYSIS_STATE_WAITING,
    AnalysisState.RUNNING: analysis_pb2.ANALYSIS_STATE_RUNNING,
    AnalysisState.DONE: analysis_pb2.ANALYSIS_STATE_DONE,
    AnalysisState.FAILED: analysis_pb2.ANALYSIS_STATE_FAILED,
}


class Analysing:
    """Lets people ask for analyses; `on` says whether this server makes any."""

    def __init__(self, store: Store, access: Access, *, on: bool) -> None:
        self._store = store
        self._access = access
        self._on = on

    async def request(self, number: int, token: str) -> analysis_pb2.AnalysisState:
        """Have a match analysed soon, and return how far it is; errors as in the contract."""
        caller = await self._access.caller(token)
        if not caller.known:
            caller.refuse(_EXPECTED)
        match = await self._store.matches.get(checked_number(number, "match"))
        if not await self._may(caller, match):
            caller.refuse(_EXPECTED)
        await self._store.records.get(match.id)
        if not self._on:
            raise FailedPrecondition(said("this server does not analyse matches"), "ANALYSIS_OFF")
        return _STATES[await self._store.analyses.ask(match.id, _asker(caller), DAILY)]

    async def _may(self, caller: Caller, match: Match) -> bool:
        if caller.role in ORGANISERS:
            return True
        bots = await self._store.bots.by_ids(match.bot_ids)
        if any(caller.owns(bot) for bot in bots.values()):
            return True
        if match.tournament_id is None:
            return False
        event = await self._store.tournaments.event(match.tournament_id)
        return await self._access.may_in_event(caller, event, *RUNNERS)


async def analysis_of(store: Store, number: int) -> analysis_pb2.Analysis:
    """Return the analysis of a match as far as it is; errors as for its record."""
    record = await store.records.get(checked_number(number, "match"))
    state = await store.analyses.state(number)
    found = analysis_pb2.Analysis(match=number, state=_STATES[state])
    if state is AnalysisState.DONE:
        found.decisions.extend(await store.prices.of_match(number))
        found.seats.extend(seat_prices(found.decisions, [seat.name for seat in record.seats]))
    return found


def seat_prices(
    decisions: Sequence[analysis_pb2.PricedDecision], names: Sequence[str]
) -> list[analysis_pb2.SeatPrices]:
    """Return what decisions cost each seat, whose entrants have these names, by kind."""
    return [
        analysis_pb2.SeatPrices(
            seat=seat,
            entrant=name,
            aspect=aspect,
            decisions=one.decisions,
            mistakes=one.mistakes,
            price=one.mean,
        )
        for seat, name in enumerate(names)
        for aspect, one in sorted(sums_by_aspect([one for one in decisions if one.seat == seat]).items())
    ]


def _asker(caller: Caller) -> str:
    """Return by what the analyses that somebody asks for are counted: an account's bots with the account."""
    account = caller.account.id if caller.account is not None else caller.bot.account_id if caller.bot else None
    if account is not None:
        return f"account {account}"
    return "admin" if caller.bot is None else f"bot {caller.bot.id}"
