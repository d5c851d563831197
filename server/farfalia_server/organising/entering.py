"""Entering a tournament late, and leaving it early."""

from __future__ import annotations

from farfalia_engine import ruleset
from farfalia_server.contract.bounds import MOST_ENTRANTS
from farfalia_server.contract.errors import AlreadyExists, FailedPrecondition, NotFound
from farfalia_server.organising.planning import Planner
from farfalia_server.organising.stage_progress import StageProgress
from farfalia_server.store import Bot, Entrant, Seat, Store, Tournament, TournamentState, Withdrawal
from farfalia_tournaments import StageKind


class Entering:
    """Late entry and withdrawal; `planner` plans again what has not been started, and names house bots.

    Refusals leave the tournament as it was.
    """

    def __init__(self, store: Store, planner: Planner) -> None:
        self._store = store
        self._planner = planner

    async def enter(self, tournament_id: int, name: str, who: str = "") -> None:
        """Enter a bot; NotFound, AlreadyExists if it has entered, FailedPrecondition if it is too late."""
        bot = await self._store.bots.by_name(name)
        if bot.barred or bot.removed:
            state = "removed" if bot.removed else "suspended"
            raise FailedPrecondition(f"{name} is {state}; it can enter nothing", "BOT_SUSPENDED")
        tournament = await self._open(tournament_id)
        entrants = await self._store.tournaments.entrants(tournament_id)
        known = next((entrant for entrant in entrants if entrant.bot_id == bot.id), None)
        if known is not None and known.gone is not None:
            raise FailedPrecondition(
                f"{name} has withdrawn from tournament {tournament_id} and cannot re-enter", "ENTRANT_WITHDRAWN"
            )
        if known is not None and not known.filler:
            raise AlreadyExists(f"{name} has already entered tournament {tournament_id}", "ENTRANT_KNOWN")
        if tournament.state is TournamentState.PLANNED:
            names = [entrant.name for entrant in entrants if not entrant.filler]
            await self._planner.replan(tournament, entrants, [*names, name])
        else:
            await self._enter_late(tournament, entrants, bot, who)

    async def withdraw(self, tournament_id: int, name: str, who: str = "") -> Withdrawal:
        """Take a bot out: NotFound if it is no entrant, FailedPrecondition if it has left before or all is over.

        Matches that are being played are finished; in others that were drawn, house bots take its seat.
        """
        tournament = await self._open(tournament_id)
        entrants = await self._store.tournaments.entrants(tournament_id)
        entrant = next((one for one in entrants if one.name == name and not one.filler), None)
        if entrant is None:
            raise NotFound(f"{name} has not entered tournament {tournament_id}", "ENTRANT_UNKNOWN")
        if entrant.gone is not None:
            raise FailedPrecondition(
                f"{name} has already withdrawn from tournament {tournament_id}", "ENTRANT_WITHDRAWN"
            )
        if tournament.state is TournamentState.PLANNED:
            names = [one.name for one in entrants if not one.filler and one.name != name]
            await self._planner.replan(tournament, entrants, names)
            return Withdrawal(playing=0, filled=0)
        seats = ruleset(tournament.ruleset, tournament.options).seats
        bots = await self._planner.fillers(seats, {one.name for one in entrants})
        fillers = [Seat(bot.id, bot.name, filler=True) for bot in bots]
        return await self._store.entrants.withdraw(tournament_id, entrant.bot_id, fillers, who)

    async def _open(self, tournament_id: int) -> Tournament:
        tournament = await self._store.tournaments.get(tournament_id)
        if tournament.state.over:
            raise FailedPrecondition(
                f"tournament {tournament_id} is {tournament.state}; expected planned or running",
                f"TOURNAMENT_{tournament.state.upper()}",
            )
        return tournament

    async def _enter_late(self, tournament: Tournament, entrants: list[Entrant], bot: Bot, who: str) -> None:
        """Give a bot the place of a house bot, or in a Swiss a place of its own from the next round on."""
        kind = await self._first_stage(tournament, entrants)
        new = Entrant(len(entrants), bot.id, bot.name)
        filler = next((one for one in entrants if one.filler), None)
        if filler is not None:
            await self._store.entrants.enter(tournament.id, new, filler.bot_id, who)
        elif kind is StageKind.SWISS and len(entrants) < MOST_ENTRANTS:
            await self._store.entrants.enter(tournament.id, new, None, who)
        else:
            raise _late(tournament, "and no house bot whose place could be taken plays in it")

    async def _first_stage(self, tournament: Tournament, entrants: list[Entrant]) -> StageKind:
        """Return the kind of a running tournament's first stage; FailedPrecondition if nobody can enter it any more."""
        if not tournament.stages:
            return StageKind.ROUND_ROBIN
        matches = await self._store.matches.of_tournament(tournament.id)
        progress = StageProgress.of(tournament, entrants, matches)
        first = progress.stages[0]
        if first.kind is StageKind.KNOCKOUT:
            raise _late(tournament, "and its first stage is a knock-out")
        drawn = {match.round for match in matches}
        if any(match.stage > 1 for match in matches):
            raise _late(tournament, "and its first stage is over")
        if first.kind is StageKind.SWISS and len(drawn) == first.rounds:
            raise _late(tournament, "and all rounds of its first stage are drawn")
        return first.kind


def _late(tournament: Tournament, why: str) -> FailedPrecondition:
    return FailedPrecondition(
        f"tournament {tournament.id} is running, {why}: it is too late to enter", "TOO_LATE_TO_ENTER"
    )
