"""How a bot plays, from its last finished matches: its places, its roles, its decision times, its versions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from operator import itemgetter

from farfalia.v1 import bots_pb2
from farfalia_server.arena.bot_profile import by_match, points_per_deal
from farfalia_server.arena.expecting import Expecting
from farfalia_server.store import SeatResult
from farfalia_server.store.matches.seat_results import STEPS, quantile, time_of


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
    messages = []
    for (ruleset, role), matches in sorted(by_match(results, lambda one: one.roles).items(), key=itemgetter(0)):
        mean, error = points_per_deal(matches)
        messages.append(
            bots_pb2.RoleResult(
                ruleset=ruleset,
                position=role.position,
                dummy=role.dummy,
                partner=role.partner,
                deals=sum(deals for deals, _ in matches),
                points=mean,
                error=error,
            )
        )
    return messages


def decision_times(results: Sequence[SeatResult], limit_ms: int = 0) -> bots_pb2.DecisionTimes | None:
    """Return the decision times, with the limit that they had; None if there are none."""
    times: Counter[int] = Counter()
    for one in results:
        times.update(one.times)
    if not times:
        return None
    doublings: Counter[int] = Counter()
    for number, decisions in times.items():
        doublings[-(-number // STEPS)] += decisions
    return bots_pb2.DecisionTimes(
        decisions=times.total(),
        median_ms=quantile(times, 0.5),
        p99_ms=quantile(times, 0.99),
        buckets=[
            bots_pb2.TimeBucket(up_to_ms=time_of(STEPS * at), decisions=doublings[at])
            for at in range(min(doublings), max(doublings) + 1)
        ],
        limit_ms=limit_ms,
    )


def version_results(
    results: Sequence[SeatResult], versions: Sequence[str], bot_id: int, expecting: Expecting
) -> list[bots_pb2.VersionResult]:
    """Return what each version made at each game, in the order of `versions`, which is newest first."""
    found = []
    for ruleset in sorted({one.ruleset for one in results}):
        own = [one for one in results if one.ruleset == ruleset]
        of_own = {one.version for one in own}
        played = [version for version in versions if version in of_own]
        for version, before in zip(played, [*played, ""][1:], strict=True):
            rows = [one for one in own if one.version == version]
            luck = [one.luck for one in rows if one.luck is not None]
            found.append(
                bots_pb2.VersionResult(
                    ruleset=ruleset,
                    version=version,
                    matches=len({one.match_id for one in rows}),
                    points=sum(one.points for one in rows) / len(rows),
                    place=sum(one.place for one in rows) / len(rows),
                    strikes=sum(one.strikes for one in rows),
                    times=decision_times(rows),
                    before=before,
                    stronger=expecting.stronger(ruleset, bot_id, version, before) if before else None,
                    luck=sum(luck) / len(luck) / 1000 if luck else None,
                )
            )
    return found
