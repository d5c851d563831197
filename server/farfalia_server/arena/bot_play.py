"""How a bot plays, from its last finished matches: its places, its roles, its decision times."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from farfalia.v1 import bots_pb2
from farfalia_engine import SeatRole
from farfalia_server.store import SeatResult
from farfalia_server.store.matches.seat_results import quantile


def places(results: Sequence[SeatResult]) -> list[bots_pb2.PlaceCount]:
    """Return in how many matches a bot came in each place, by game and table size."""
    counts = Counter(
        (ruleset, seats, place)
        for _, ruleset, seats, place in {(one.match_id, one.ruleset, one.seats, one.place) for one in results}
    )
    return [
        bots_pb2.PlaceCount(ruleset=ruleset, seats=seats, place=place, matches=counts[ruleset, seats, place])
        for ruleset, seats in sorted({(one.ruleset, one.seats) for one in results})
        for place in range(1, seats + 1)
    ]


def roles(results: Sequence[SeatResult]) -> list[bots_pb2.RoleResult]:
    """Return how a bot did in each role, by game, the dealer first."""
    deals: Counter[tuple[str, SeatRole]] = Counter()
    points: Counter[tuple[str, SeatRole]] = Counter()
    for one in results:
        for role, (number, made) in one.roles.items():
            deals[one.ruleset, role] += number
            points[one.ruleset, role] += made
    return [
        bots_pb2.RoleResult(
            ruleset=ruleset,
            position=role.position,
            dummy=role.dummy,
            partner=role.partner,
            deals=deals[ruleset, role],
            points=points[ruleset, role] / deals[ruleset, role],
        )
        for ruleset, role in sorted(deals, key=lambda one: (one[0], one[1].position, one[1].dummy, one[1].partner))
    ]


def decision_times(results: Sequence[SeatResult]) -> bots_pb2.DecisionTimes | None:
    """Return the decision times; None if there are none."""
    times: Counter[int] = Counter()
    for one in results:
        times.update(one.times)
    if not times:
        return None
    return bots_pb2.DecisionTimes(decisions=times.total(), median_ms=quantile(times, 0.5), p99_ms=quantile(times, 0.99))
