"""Pauses of tournaments: while one is paused, none of its matches begins, and no round of it is drawn.

Matches in play are played on. One that was in play while the tournament's network was down is no result if a bot has
been struck or has lost its seat in it, whether it was missed or not: `spoiled` says so when it ends. A few times only:
bots that fail in every match do not hold a tournament up for ever.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence, Set
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, Row, and_, bindparam, exists, not_, or_, select, update

from farfalia_server.net import wall_clock
from farfalia_server.store.acts import Act, log_act
from farfalia_server.store.changes import Topic
from farfalia_server.store.matches.values import DRAWN_ANEW, OPEN, MatchState
from farfalia_server.store.matches.void_attempts import outages
from farfalia_server.store.part import Part
from farfalia_server.store.sql import schema
from farfalia_server.store.tournaments.locked import locked
from farfalia_server.store.tournaments.values import NetworkRule, PauseCause, TournamentState, WatchedTournament

#: How often a match is played again because the network has failed; then it counts, whatever happens.
MOST_OUTAGES = 3
#: Fewer bots than this are never the network's fault.
FEWEST_LOST = 2
#: Time from when a network fails until the last of its bots that is not thinking is missed: two intervals of pings.
UNNOTICED = timedelta(seconds=10)

_tournament = schema.tournament
#: Needed for every finished match, so it is built once.
_OUTAGE = (
    select(_tournament.c.outage, schema.match.c.started)
    .join_from(schema.match, _tournament)
    .where(schema.match.c.id == bindparam("wanted"), _tournament.c.outage.is_not(None))
)
#: Needed every second.
_WATCHED = (
    select(
        *(_tournament.c[name] for name in ("id", "stages", "network_rule", "paused", "pause", "outage")),
        exists()
        .where(schema.match.c.tournament_id == _tournament.c.id, schema.match.c.state.in_(OPEN))
        .correlate(_tournament)
        .label("open"),
    )
    .where(_tournament.c.state == TournamentState.RUNNING)
    .order_by(_tournament.c.id)
)


class Pauses(Part):
    """Pausing tournaments and letting them go on; both may be repeated."""

    async def pause(
        self, tournament_id: int, cause: PauseCause, reason: str, *, who: str = "", gone: Collection[int] = ()
    ) -> bool:
        """Pause a running tournament; `gone` are the bots that the network took.

        False, with nothing changed, if it is paused already; an organiser's pause takes the place of one for the
        network, so that it does not end by itself. NotFound, or FailedPrecondition unless it is running.
        """

        def pause(connection: Connection) -> bool:
            row = locked(connection, tournament_id, TournamentState.RUNNING)
            if row.paused is not None and not (cause is PauseCause.ORGANISER and row.pause["cause"] != cause):
                return False
            values: dict[str, Any] = {
                "paused": wall_clock.now(),
                "pause": {"cause": cause, "reason": reason, "who": who},
            }
            if gone:
                values["outage"] = _outage(row.outage, gone)
            connection.execute(update(_tournament).where(_tournament.c.id == tournament_id).values(values))
            log_act(connection, tournament_id, Act.PAUSE, who, reason=reason)
            return True

        paused = await self._database.write(pause)
        if paused:
            self._changes.tell(Topic.TOURNAMENT, tournament_id, tournament_id)
        return paused

    async def more_gone(self, tournament_id: int, gone: Collection[int]) -> None:
        """Note that the network took these bots, too, from a tournament that is paused."""

        def note(connection: Connection) -> None:
            row = locked(connection, tournament_id, TournamentState.RUNNING)
            if row.paused is not None:
                values = {"outage": _outage(row.outage, gone)}
                connection.execute(update(_tournament).where(_tournament.c.id == tournament_id).values(values))

        await self._database.write(note)

    async def watched(self) -> list[WatchedTournament]:
        """Return the running tournaments, oldest first, without those that an organiser has paused."""
        rows = await self._database.read(lambda connection: connection.execute(_WATCHED).all())
        return [
            WatchedTournament(
                row.id,
                row.stages,
                NetworkRule(**row.network_rule or {}),
                row.open,
                row.paused is not None,
                frozenset(row.outage["bots"] if row.outage else ()),
            )
            for row in rows
            if row.paused is None or row.pause["cause"] == PauseCause.NETWORK
        ]

    async def awaited(self, tournament_id: int) -> set[int]:
        """Return the bots that have matches of a tournament to play, without house bots and who has withdrawn.

        Those of a round that is void have, too, until it has been drawn anew.
        """
        match, index, entrant, bot = schema.match, schema.match_bot, schema.entrant, schema.bot
        other = match.alias()
        drawn = exists().where(
            other.c.tournament_id == match.c.tournament_id,
            other.c.stage == match.c.stage,
            other.c.round == match.c.round,
            or_(other.c.replaced_by.is_(None), other.c.replaced_by != DRAWN_ANEW),
        )
        statement = (
            select(index.c.bot_id)
            .distinct()
            .join_from(index, match)
            .join(bot, bot.c.id == index.c.bot_id)
            .join(entrant, (entrant.c.bot_id == index.c.bot_id) & (entrant.c.tournament_id == match.c.tournament_id))
            .where(match.c.tournament_id == tournament_id)
            .where(or_(match.c.state.in_(OPEN), and_(match.c.replaced_by == DRAWN_ANEW, not_(drawn))))
            .where(bot.c.house == "", entrant.c.gone.is_(None))
        )
        return await self._database.read(lambda connection: set(connection.execute(statement).scalars()))

    async def hurt_since(self, tournament_id: int, moment: datetime, bots: Set[int]) -> set[int]:
        """Return the bots of matches that ended since then with one of these bots struck or replaced."""
        rows = await self._database.read(lambda connection: _hurt_since(connection, tournament_id, moment, bots))
        return {seat["bot"] for row in rows for seat in row.seats}

    async def spoiled_since(self, tournament_id: int, moment: datetime, bots: Set[int]) -> list[int]:
        """Return the matches that ended since then with one of these bots struck or replaced, and may be played again
        for it.
        """

        def spoiled(connection: Connection) -> list[int]:
            rows = _hurt_since(connection, tournament_id, moment, bots)
            return [row.id for row in rows if outages(connection, row.id) < MOST_OUTAGES]

        return await self._database.read(spoiled)

    async def may_be_spoiled(self, tournament_id: int) -> bool:
        """Return whether an outage that would not have been noticed yet may explain the last results."""
        return await self._database.read(lambda connection: outage_may_explain(connection, tournament_id))

    async def resume(self, tournament_id: int, *, who: str = "", reason: str = "", network: bool = False) -> bool:
        """Let a paused tournament go on; with `network` only if it is paused for its network.

        False, with nothing changed, if it is not paused. NotFound, or FailedPrecondition unless it is running.
        """

        def resume(connection: Connection) -> bool:
            row = locked(connection, tournament_id, TournamentState.RUNNING)
            if row.paused is None or (network and row.pause["cause"] != PauseCause.NETWORK):
                return False
            values: dict[str, Any] = {"paused": None, "pause": None}
            if row.outage is not None and row.outage["until"] is None:
                values["outage"] = {**row.outage, "until": wall_clock.now().isoformat()}
            connection.execute(update(_tournament).where(_tournament.c.id == tournament_id).values(values))
            log_act(connection, tournament_id, Act.RESUME, who, reason=reason)
            return True

        resumed = await self._database.write(resume)
        if resumed:
            self._changes.tell(Topic.TOURNAMENT, tournament_id, tournament_id)
        return resumed


def spoiled(connection: Connection, match_id: int, ending: Mapping[str, list[int]]) -> bool:
    """Return whether a match that ends like this has struck or replaced a bot while its network may have been down."""
    if not _hurt(ending):
        return False
    row = connection.execute(_OUTAGE, {"wanted": match_id}).first()
    if row is None:
        return False
    until = row.outage["until"]
    if until is not None and row.started is not None and row.started >= datetime.fromisoformat(until):
        return False
    return outages(connection, match_id) < MOST_OUTAGES


def outage_may_explain(connection: Connection, tournament_id: int) -> bool:
    """Return whether two bots or more were struck or replaced too short a time ago for an outage to be noticed.

    At the tables where that happened, they must be half of the share with which the tournament pauses: with fewer,
    the bots are to blame, and delay nobody.
    """
    match, bot = schema.match, schema.bot
    kept = connection.execute(select(_tournament.c.network_rule).filter_by(id=tournament_id)).scalar_one()
    rule = NetworkRule(**kept or {})
    if not rule.percent:
        return False
    ended = select(match.c.id, match.c.seats, match.c.result).where(
        match.c.tournament_id == tournament_id,
        match.c.state == MatchState.FINISHED,
        match.c.finished >= wall_clock.now() - UNNOTICED,
    )
    hurt, sat = set[int](), set[int]()
    for row in connection.execute(ended):
        if _hurt(row.result) and outages(connection, row.id) < MOST_OUTAGES:
            sat.update(seat["bot"] for seat in row.seats)
            hurt |= _hurt_bots(row.seats, row.result)
    house = set(connection.execute(select(bot.c.id).where(bot.c.id.in_(sat), bot.c.house != "")).scalars())
    return len(hurt) >= FEWEST_LOST and rule.is_share(2 * len(hurt), len(sat - house))


def _hurt_since(
    connection: Connection, tournament_id: int, moment: datetime, bots: Set[int]
) -> list[Row[int, list[dict[str, Any]], dict[str, list[int]]]]:
    """Return number, seats and result of matches that ended since then with one of these bots struck or replaced."""
    match = schema.match
    statement = select(match.c.id, match.c.seats, match.c.result).where(
        match.c.tournament_id == tournament_id, match.c.state == MatchState.FINISHED, match.c.finished >= moment
    )
    return [row for row in connection.execute(statement) if _hurt_bots(row.seats, row.result) & bots]


def _hurt_bots(seats: Sequence[Mapping[str, Any]], ending: Mapping[str, list[int]]) -> set[int]:
    """Return the bots that were struck, or have lost their seat."""
    struck = {seat for seat, strikes in enumerate(ending["strikes"]) if strikes}
    return {seats[seat]["bot"] for seat in struck.union(ending["forfeits"])}


def _hurt(ending: Mapping[str, list[int]]) -> bool:
    """Return whether a bot was struck, or has lost its seat."""
    return any(ending["strikes"]) or bool(ending["forfeits"])


def _outage(before: Mapping[str, Any] | None, gone: Collection[int]) -> dict[str, Any]:
    """Return what is kept of an outage that lasts; bots of an earlier one stay: its matches may still be in play."""
    return {"bots": sorted({*gone, *(before["bots"] if before else ())}), "until": None}
