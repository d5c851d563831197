"""Entering a tournament late, leaving it early, and taking over the entry of another bot."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Sequence

from farfalia_engine import ruleset
from farfalia_server.contract.bounds import MOST_ENTRANTS
from farfalia_server.contract.errors import AlreadyExists, FailedPrecondition, NotFound
from farfalia_server.contract.said import Said, said
from farfalia_server.organising.planning import Planner
from farfalia_server.organising.stage_messages import stages_stored
from farfalia_server.store import (
    Bot,
    Entrant,
    LadderKnowledge,
    Seat,
    Store,
    Takeover,
    Tournament,
    TournamentState,
    Withdrawal,
)
from farfalia_server.store.tournaments.values import TOURNAMENT_STATES
from farfalia_tournaments import StageKind


class Entering:
    """Late entry, withdrawal and replacement; `planner` plans again what has not been started, and names house bots.

    `known` returns what ladders know of a bot that enters a running tournament, by the numbers of both.

    Refusals leave the tournament as it was.
    """

    def __init__(
        self,
        store: Store,
        planner: Planner,
        known: Callable[[int, int], Awaitable[Sequence[LadderKnowledge]]],
    ) -> None:
        self._store = store
        self._planner = planner
        self._known = known

    async def enter(self, tournament_id: int, name: str, who: str = "") -> Takeover:
        """Enter a bot; NotFound, AlreadyExists if it has entered, FailedPrecondition if it is too late."""
        bot = await self._allowed(name)
        tournament = await self._open(tournament_id)
        _check_person(tournament, bot)
        entrants = await self._store.tournaments.entrants(tournament_id)
        _check_new(tournament_id, entrants, bot)
        if tournament.state is not TournamentState.PLANNED:
            return await self._enter_late(tournament, entrants, bot, who)
        names = [entrant.name for entrant in entrants if not entrant.filler]
        await self._planner.replan(tournament, entrants, [*names, name])
        return Takeover()

    async def replace(self, tournament_id: int, former: str, name: str, who: str = "") -> Takeover:
        """Let a bot take over an entry: its place in the field, its results, and its matches that have not begun.

        Matches that are being played are finished by the former bot. NotFound, AlreadyExists if the bot has entered,
        FailedPrecondition if it cannot play, the former bot has left, or all is over.
        """
        bot = await self._allowed(name)
        tournament = await self._open(tournament_id)
        _check_person(tournament, bot)
        entrants = await self._store.tournaments.entrants(tournament_id)
        entry = _present(tournament_id, entrants, former)
        _check_new(tournament_id, [one for one in entrants if one is not entry or one.bot_id == bot.id], bot)
        if tournament.state is TournamentState.PLANNED:
            names = [name if one is entry else one.name for one in entrants if not one.filler]
            await self._planner.replan(tournament, entrants, names, replaced=(former, name), who=who)
            return Takeover()
        if bot.house:
            raise FailedPrecondition(
                said(
                    "%(name)s is a house bot, and tournament %(tournament)s is running; withdraw "
                    "%(former)s, and house bots play its matches",
                    name=name,
                    tournament=tournament_id,
                    former=former,
                ),
                "BOT_IS_HOUSE",
            )
        return await self._store.entrants.replace(tournament_id, entry, bot, who)

    async def withdraw(self, tournament_id: int, name: str, who: str = "") -> Withdrawal:
        """Take a bot out: NotFound if it is no entrant, FailedPrecondition if it has left before or all is over.

        Matches that are being played are finished; in others that were drawn, house bots take its seat.
        """
        tournament = await self._open(tournament_id)
        entrants = await self._store.tournaments.entrants(tournament_id)
        entrant = _present(tournament_id, entrants, name)
        if tournament.state is TournamentState.PLANNED:
            names = [one.name for one in entrants if not one.filler and one.name != name]
            await self._planner.replan(tournament, entrants, names)
            return Withdrawal(playing=0, filled=0)
        seats = ruleset(tournament.ruleset, tournament.options).seats
        bots = await self._planner.fillers(seats, {one.name for one in entrants})
        fillers = [Seat(bot.id, bot.name, filler=True) for bot in bots]
        return await self._store.entrants.withdraw(tournament_id, entrant.bot_id, fillers, who)

    async def _allowed(self, name: str) -> Bot:
        """Return the bot of that name; NotFound, FailedPrecondition if it may enter nothing."""
        bot = await self._store.bots.by_name(name)
        if bot.barred or bot.removed:
            raise FailedPrecondition(
                said("%(bot)s is removed; it can enter nothing", bot=bot.name)
                if bot.removed
                else said("%(bot)s is suspended; it can enter nothing", bot=bot.name),
                "BOT_SUSPENDED",
            )
        return bot

    async def _open(self, tournament_id: int) -> Tournament:
        tournament = await self._store.tournaments.get(tournament_id)
        if tournament.state.over:
            raise FailedPrecondition(
                said(
                    "tournament %(tournament)s is %(state)s; expected planned or running",
                    tournament=tournament_id,
                    state=TOURNAMENT_STATES[tournament.state],
                ),
                f"TOURNAMENT_{tournament.state.upper()}",
            )
        return tournament

    async def _enter_late(self, tournament: Tournament, entrants: list[Entrant], bot: Bot, who: str) -> Takeover:
        """Give a bot the place of a house bot, or in a Swiss a place of its own from the next round on."""
        kind = await self._first_stage(tournament, entrants)
        new = Entrant(len(entrants), bot.id, bot.name, person=bot.person)
        filler = next((one for one in entrants if one.filler), None)
        if filler is None and (kind is not StageKind.SWISS or len(entrants) >= MOST_ENTRANTS):
            raise _late(tournament, said("and no house bot whose place could be taken plays in it"))
        known = await self._known(tournament.id, bot.id)
        return await self._store.entrants.enter(
            tournament.id, new, None if filler is None else filler.bot_id, who, known
        )

    async def _first_stage(self, tournament: Tournament, entrants: list[Entrant]) -> StageKind:
        """Return the kind of a running tournament's first stage; FailedPrecondition if nobody can enter it any more."""
        if not tournament.stages:
            return StageKind.ROUND_ROBIN
        matches = await self._store.matches.of_tournament(tournament.id)
        first = stages_stored(tournament.stages)[0]
        if first.kind is StageKind.KNOCKOUT:
            raise _late(tournament, said("and its first stage is a knock-out"))
        drawn = {match.round for match in matches}
        if any(match.stage > 1 for match in matches):
            raise _late(tournament, said("and its first stage is over"))
        if first.kind is StageKind.SWISS and len(drawn) == first.rounds:
            raise _late(tournament, said("and all rounds of its first stage are drawn"))
        return first.kind


def _present(tournament_id: int, entrants: Iterable[Entrant], name: str) -> Entrant:
    """Return the entrant of that name that has not left; NotFound, FailedPrecondition."""
    entrant = next((one for one in entrants if one.name == name and not one.filler), None)
    if entrant is None:
        raise NotFound(
            said("%(name)s has not entered tournament %(tournament)s", name=name, tournament=tournament_id),
            "ENTRANT_UNKNOWN",
        )
    if entrant.gone is not None:
        raise FailedPrecondition(
            said("%(name)s has already withdrawn from tournament %(tournament)s", name=name, tournament=tournament_id),
            "ENTRANT_WITHDRAWN",
        )
    return entrant


def _check_new(tournament_id: int, entrants: Iterable[Entrant], bot: Bot) -> None:
    """Check that a bot has never played for one of these entries, but perhaps as a house bot that fills the field.

    Raises AlreadyExists if it holds one, FailedPrecondition if it has left or was replaced.
    """
    for entrant in entrants:
        if entrant.bot_id == bot.id and entrant.gone is not None:
            raise FailedPrecondition(
                said(
                    "%(bot)s has withdrawn from tournament %(tournament)s and cannot re-enter",
                    bot=bot.name,
                    tournament=tournament_id,
                ),
                "ENTRANT_WITHDRAWN",
            )
        if entrant.bot_id == bot.id and not entrant.filler:
            raise AlreadyExists(
                said("%(bot)s has already entered tournament %(tournament)s", bot=bot.name, tournament=tournament_id),
                "ENTRANT_KNOWN",
            )
        if bot.id in entrant.held_by and entrant.bot_id != bot.id:
            raise FailedPrecondition(
                said(
                    "%(entrant)s has replaced %(bot)s in tournament %(tournament)s; %(bot)s cannot play "
                    "for another entry",
                    entrant=entrant.name,
                    bot=bot.name,
                    tournament=tournament_id,
                ),
                "ENTRANT_REPLACED",
            )


def _check_person(tournament: Tournament, bot: Bot) -> None:
    """Raise FailedPrecondition (PERSONS_UNWANTED) for a person where bots alone may enter."""
    if bot.person and not tournament.persons:
        text = said(
            "a person plays as %(bot)s, and bots alone may enter tournament %(tournament)s",
            bot=bot.name,
            tournament=tournament.id,
        )
        raise FailedPrecondition(text, "PERSONS_UNWANTED")


def _late(tournament: Tournament, why: Said) -> FailedPrecondition:
    return FailedPrecondition(
        said(
            "tournament %(tournament)s is running, %(why)s: it is too late to enter", tournament=tournament.id, why=why
        ),
        "TOO_LATE_TO_ENTER",
    )
