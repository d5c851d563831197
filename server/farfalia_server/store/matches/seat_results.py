"""A summary of each seat of a finished match, small enough to add up over many matches."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from math import exp2, log2
from typing import Any

from sqlalchemy import select

from farfalia.v1 import record_pb2
from farfalia_engine import SeatRole, ruleset
from farfalia_server.contract.conduct import ASKED, strikes_by_seat
from farfalia_server.store.matches import boards
from farfalia_server.store.matches.archive import missed_of
from farfalia_server.store.part import Part
from farfalia_server.store.sql import schema

#: Steps per doubling of time: decision times are shown with an error of at most 4.5 %.
STEPS = 8


@lru_cache(4096)  # a match has hundreds of decisions, and most take a few milliseconds
def step(milliseconds: int) -> int:
    """Return the step of a time; steps are logarithmic, so that a few dozen cover any distribution."""
    return round(STEPS * log2(milliseconds + 1))


def time_of(number: int) -> float:
    """Return the middle of a step of time, in milliseconds."""
    return exp2(number / STEPS) - 1


def quantile(times: Mapping[int, int], share: float) -> float:
    """Return the time in milliseconds within which this share of the decisions was made; 0 without decisions."""
    wanted, passed = share * sum(times.values()), 0
    for number in sorted(times):
        passed += times[number]
        if passed >= wanted:
            return time_of(number)
    return 0.0


def role_key(role: SeatRole) -> str:
    """Return the stored form of a role: the place from the dealer, `d` with a dummy, `p` with a partner."""
    return f"{role.position}{'d' * role.dummy}{'p' * role.partner}"


@lru_cache(256)  # a bot's page has a thousand of them, and there are a few dozen
def role_of(key: str) -> SeatRole:
    """Return the role of a stored form."""
    return SeatRole(int(key.rstrip("dp")), "d" in key, "p" in key)


#: What stands for deals without trumps among the numbers of trumps.
_NO_TRUMPS = "none"


@dataclass(frozen=True, slots=True)
class SeatResult:
    """One bot in one finished match. `roles` has the number of deals in each role and the points in them, `trumps` the
    same by how many trumps it held at the first lead, None in deals without; `luck` is in thousandths of a point, None
    where the game has no value function.
    """

    match_id: int
    ruleset: str
    version: str
    place: int
    seats: int
    points: int
    strikes: int
    ended: datetime
    times: Mapping[int, int]
    roles: Mapping[SeatRole, tuple[int, int]]
    trumps: Mapping[int | None, tuple[int, int]]
    luck: int | None = None


class SeatResultRows(Part):
    """A bot's seats in finished matches."""

    async def rulesets(self, bot_id: int, limit: int) -> list[str]:
        """Return the rulesets of a bot's last finished matches, that of the last one to end first."""
        table, match = schema.seat_result, schema.match
        statement = (
            select(match.c.ruleset)
            .join_from(table, match)
            .where(table.c.bot_id == bot_id)
            .order_by(table.c.ended.desc(), table.c.match_id.desc())
            .limit(limit)
        )
        return list(
            dict.fromkeys(await self._database.read(lambda connection: connection.execute(statement).scalars().all()))
        )

    async def of_matches(self, bot_id: int, match_ids: Collection[int], version: str = "") -> list[SeatResult]:
        """Return a bot's seats in these matches, only those at this version if it is given; without matches whose
        results are withheld.
        """
        table, match = schema.seat_result, schema.match
        statement = (
            select(table, match.c.ruleset, match.c.seats, match.c.result)
            .join_from(table, match)
            .where(table.c.match_id.in_(match_ids), table.c.bot_id == bot_id, boards.OPEN)
        )
        if version:
            statement = statement.where(table.c.version == version)
        return [
            SeatResult(
                row.match_id,
                row.ruleset,
                row.version,
                row.place,
                len(row.seats),
                row.points,
                row.strikes,
                row.ended,
                {int(number): count for number, count in row.times.items()},
                {role_of(key): (deals, points) for key, (deals, points) in row.roles.items()},
                {
                    None if held == _NO_TRUMPS else int(held): (deals, points)
                    for held, (deals, points) in (row.trumps or {}).items()
                },
                # Matches of earlier versions have none.
                row.result["luck"][row.seat] if row.result.get("luck") else None,
            )
            for row in await self._database.read(lambda connection: connection.execute(statement).all())
        ]


def seat_rows(
    match_id: int,
    seats: Sequence[Mapping[str, Any]],
    record: record_pb2.Record,
    ended: datetime,
    trumps: Sequence[Mapping[str, list[int]]],
) -> list[dict[str, Any]]:
    """Return rows of `seat_result`, none of seats that were missed; `seats` as the match's row has them, `trumps` from
    `deals_by_trumps`.
    """
    outcome, strikes, roles = record.outcome, strikes_by_seat(record), _roles(record)
    missed = missed_of(record)
    times: list[Counter[int]] = [Counter() for _ in seats]
    own = {seat for seat, who in enumerate(record.seats) if not who.house}
    for action in record.actions:
        if action.cause in ASKED and action.seat in own:
            times[action.seat][step(action.took_ms)] += 1
    return [
        {
            "match_id": match_id,
            "seat": seat,
            "bot_id": who["bot"],
            "version": record.seats[seat].version,
            "filler": who["filler"],
            "place": outcome.places[seat],
            "points": outcome.points[seat],
            "strikes": strikes[seat],
            "ended": ended,
            "times": dict(times[seat]),
            "roles": roles[seat],
            "trumps": trumps[seat],
        }
        for seat, who in enumerate(seats)
        if seat not in missed
    ]


def deals_by_trumps(
    outcome: record_pb2.MatchOutcome, held: Sequence[Sequence[int | None]]
) -> list[dict[str, list[int]]]:
    """Return, by seat, the number of deals by trumps held at the first lead, and the points in them.

    `held` has by deal and seat how many were held, None in deals without trumps.
    """
    found: list[dict[str, list[int]]] = [{} for _ in outcome.points]
    for deal, by_seat in zip(outcome.deals, held, strict=False):
        for seat, number in enumerate(by_seat):
            key = _NO_TRUMPS if number is None else str(number)
            dealt = found[seat].setdefault(key, [0, 0])
            dealt[0] += 1
            dealt[1] += deal.points[seat]
    return found


def _roles(record: record_pb2.Record) -> list[dict[str, list[int]]]:
    """Return, by seat, the number of deals in each role and the points in them; nothing in games without roles."""
    found: list[dict[str, list[int]]] = [{} for _ in record.seats]
    if not record.outcome.deals:  # a record that has points of no deal
        return found
    game = ruleset(record.ruleset, dict(record.options)).game
    before: list[int] = []
    for number, deal in enumerate(record.outcome.deals, start=1):
        for seat, role in enumerate(game.roles(number, before)):
            dealt = found[seat].setdefault(role_key(role), [0, 0])
            dealt[0] += 1
            dealt[1] += deal.points[seat]
        before.extend(deal.points)
    return found
