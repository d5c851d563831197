"""A bot's profile: its parts add up to all its deals, have the error of matches, and follow from records alone."""

from __future__ import annotations

from collections import defaultdict
from datetime import UTC, datetime
from math import sqrt
from statistics import fmean, stdev

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import Connection, select, update
from tests.server.arena_client import FIVE, Arena
from tests.trumps_held import trumps_held

from farfalia.v1 import bots_pb2
from farfalia_engine import SeatRole
from farfalia_server.arena.bot_profile import profile
from farfalia_server.store import SeatResult
from farfalia_server.store.matches.seat_results import deals_by_trumps
from farfalia_server.store.sql import schema

SPLITS = [
    bots_pb2.PROFILE_SPLIT_COMPANY,
    bots_pb2.PROFILE_SPLIT_POSITION,
    bots_pb2.PROFILE_SPLIT_TRUMPS,
    bots_pb2.PROFILE_SPLIT_HELD,
]
DEALT = st.tuples(st.builds(SeatRole, st.integers(0, 4), st.booleans(), st.booleans()), st.integers(0, 9) | st.none())


@st.composite
def seat_results(draw: st.DrawFn) -> SeatResult:
    """A seat in a match of a few deals, each in a role, with or without trumps, and with its points."""
    roles: defaultdict[SeatRole, tuple[int, int]] = defaultdict(lambda: (0, 0))
    trumps: defaultdict[int | None, tuple[int, int]] = defaultdict(lambda: (0, 0))
    total = 0
    for (role, held), points in draw(st.lists(st.tuples(DEALT, st.integers(0, 60)), min_size=1, max_size=8)):
        roles[role] = (roles[role][0] + 1, roles[role][1] + points)
        trumps[held] = (trumps[held][0] + 1, trumps[held][1] + points)
        total += points
    match, game = draw(st.integers(1, 5)), draw(st.sampled_from(["two", "three"]))
    return SeatResult(match, game, "1", 1, 2, total, 0, datetime(2026, 11, 28, tzinfo=UTC), {}, roles, trumps)


@given(st.lists(seat_results(), min_size=1, max_size=6))
def test_the_parts_of_each_split_add_up_to_all_deals(results: list[SeatResult]) -> None:
    parts = profile(results)
    for game in {one.ruleset for one in results}:
        own = [one for one in results if one.ruleset == game]
        deals = sum(number for one in own for number, _ in one.roles.values())
        points = sum(one.points for one in own)
        without = [part for part in parts if part.ruleset == game and part.part == "none"]
        for split in SPLITS:
            of_split = [part for part in parts if (part.ruleset, part.split) == (game, split)]
            if split == bots_pb2.PROFILE_SPLIT_HELD:
                of_split += without
            assert sum(part.deals for part in of_split) == deals
            assert sum(part.deals * part.points for part in of_split) == pytest.approx(points)
            assert len({part.part for part in of_split}) == len(of_split)


@pytest.mark.parametrize(("game", "seats"), [("chinkway", 5), ("three-short", 3), ("two", 2), ("farrago", 4)])
async def test_a_profile_adds_up_to_the_points_of_the_matches(arena: Arena, game: str, seats: int) -> None:
    await arena.here.register(*FIVE)
    made = await arena.here.plan("spring", FIVE[:seats], rounds=2, ruleset=game)
    await arena.here.play_all(made)
    deals, points = 0, 0
    for match in await arena.here.store.matches.of_tournament(made.id):
        assert match.result is not None
        points += match.result.points[[seat.name for seat in match.seats].index("ant")]
        deals += len((await arena.here.store.records.get(match.id)).outcome.deals)
    found: bots_pb2.GetBotResponse = await arena.ask("GetBot", name="ant")
    for split in SPLITS[:3]:
        of_split = [part for part in found.profile if part.split == split]
        assert sum(part.deals for part in of_split) == deals
        assert sum(part.deals * part.points for part in of_split) == pytest.approx(points)
    held = [part for part in found.profile if part.split == bots_pb2.PROFILE_SPLIT_HELD]
    (with_trumps,) = (part for part in found.profile if part.part == "trumps")
    assert sum(part.deals for part in held) == with_trumps.deals


async def test_points_of_a_part_have_the_interval_of_matches_not_of_deals(arena: Arena) -> None:
    made = await arena.here.spring(rounds=4)
    await arena.here.play_all(made)
    alone: list[list[int]] = []
    for match in await arena.here.store.matches.of_tournament(made.id):
        seat = [one.name for one in match.seats].index("ant")
        deals = (await arena.here.store.records.get(match.id)).outcome.deals
        # In the first ten deals of Chinkway everyone deals, and is alone, twice.
        own = [deal.points[seat] for number, deal in enumerate(deals[:10]) if number % 5 == seat]
        totals = [sum(deal.points[one] for deal in deals[:10]) for one in range(5)]
        recent = [[deal.points[one] for deal in reversed(deals[:10])] for one in range(5)]
        order = sorted(range(5), key=lambda one: (-totals[one], [-points for points in recent[one]], one))
        alone.append([*own, *([deals[10].points[seat]] if order[2] == seat else [])])
    found: bots_pb2.GetBotResponse = await arena.ask("GetBot", name="ant")
    (part,) = (one for one in found.profile if one.part == "alone")
    every = [points for deals in alone for points in deals]
    assert part.deals == len(every)
    assert part.points == pytest.approx(fmean(every))
    rests = [sum(points - part.points for points in deals) for deals in alone]
    error = stdev(rests, xbar=0.0) * sqrt(len(rests)) / len(every)
    assert part.error == pytest.approx(error)
    assert (part.low, part.high) == pytest.approx((part.points - 1.96 * error, part.points + 1.96 * error))


async def test_one_match_has_no_interval(arena: Arena) -> None:
    await arena.here.play_all(await arena.here.spring())
    found: bots_pb2.GetBotResponse = await arena.ask("GetBot", name="ant")
    assert found.profile
    assert not any(part.error or part.HasField("low") or part.HasField("high") for part in found.profile)


async def test_what_is_kept_of_trumps_follows_from_the_records(arena: Arena) -> None:
    made = await arena.here.spring(rounds=2)
    await arena.here.play_all(made)

    def kept(connection: Connection) -> dict[tuple[int, int], dict[str, list[int]]]:
        table = schema.seat_result
        return {(row.match_id, row.seat): row.trumps for row in connection.execute(select(table)).all()}

    found = await arena.here.store._database.read(kept)
    rebuilt: dict[tuple[int, int], dict[str, list[int]]] = {}
    for match in await arena.here.store.matches.of_tournament(made.id):
        record = await arena.here.store.records.get(match.id)
        rows = deals_by_trumps(record.outcome, trumps_held(record))
        rebuilt |= {(match.id, seat): row for seat, row in enumerate(rows)}
    assert found == rebuilt


async def test_matches_from_before_trumps_were_kept_are_in_the_other_splits(arena: Arena) -> None:
    await arena.here.play_all(await arena.here.spring())
    forget = update(schema.seat_result).values(trumps={})
    await arena.here.store._database.write(lambda connection: connection.execute(forget))
    found: bots_pb2.GetBotResponse = await arena.ask("GetBot", name="ant")
    assert {part.split for part in found.profile} == set(SPLITS[:2])
