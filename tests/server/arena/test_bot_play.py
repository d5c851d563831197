"""How a bot plays, from its seats in finished matches: what each role brought, with its error, and what luck it had."""

from __future__ import annotations

from math import sqrt
from statistics import fmean, stdev

import pytest
from sqlalchemy import Connection, select, update
from tests.server.arena_client import FIVE, Arena

from farfalia.v1 import bots_pb2
from farfalia_engine import ruleset
from farfalia_server.store import Match
from farfalia_server.store.sql import schema


async def bot(arena: Arena, name: str) -> bots_pb2.GetBotResponse:
    found: bots_pb2.GetBotResponse = await arena.ask("GetBot", name=name)
    return found


def seat_of(name: str, match: Match) -> int:
    return [seat.name for seat in match.seats].index(name)


async def test_points_of_a_role_have_the_error_of_matches_not_of_deals(arena: Arena) -> None:
    made = await arena.here.spring(rounds=4)
    await arena.here.play_all(made)
    game = ruleset("chinkway").game
    by_role: dict[tuple[int, bool], dict[int, list[int]]] = {}
    for match in await arena.here.store.matches.of_tournament(made.id):
        seat = seat_of("ant", match)
        deals = (await arena.here.store.records.get(match.id)).outcome.deals
        before: list[int] = []
        for number, deal in enumerate(deals, start=1):
            role = game.roles(number, before)[seat]
            before.extend(deal.points)
            by_role.setdefault((role.position, role.partner), {}).setdefault(match.id, []).append(deal.points[seat])
    answer = await bot(arena, "ant")
    assert {(row.position, row.partner) for row in answer.roles} == set(by_role)
    for row in answer.roles:
        matches = by_role[row.position, row.partner].values()
        every = [points for deals in matches for points in deals]
        assert row.deals == len(every)
        assert row.points == pytest.approx(fmean(every))
        rests = [sum(points - row.points for points in deals) for deals in matches]
        assert len(rests) > 1
        assert row.error == pytest.approx(stdev(rests, xbar=0.0) * sqrt(len(rests)) / len(every))


async def test_the_luck_that_a_version_had_is_the_mean_of_its_matches(arena: Arena) -> None:
    made = await arena.here.spring(rounds=3)
    await arena.here.play_all(made)
    matches = await arena.here.store.matches.of_tournament(made.id)
    luck = [match.result.luck[seat_of("ant", match)] for match in matches if match.result]
    (row,) = (await bot(arena, "ant")).results
    assert row.luck == pytest.approx(fmean(luck) / 1000)
    farrago = await arena.here.plan("farrago", FIVE[:4], rounds=1, ruleset="farrago")
    await arena.here.play_all(farrago)
    by_game = {row.ruleset: row for row in (await bot(arena, "ant")).results}
    assert not by_game["farrago"].HasField("luck"), "nobody knows what cards are worth there"


async def test_matches_from_before_luck_was_kept_have_none(arena: Arena) -> None:
    made = await arena.here.spring()
    await arena.here.play_all(made)

    def forget(connection: Connection) -> None:
        kept = connection.execute(select(schema.match.c.result)).scalar_one()
        earlier = {name: values for name, values in kept.items() if name != "luck"}
        connection.execute(update(schema.match).values(result=earlier))

    await arena.here.store._database.write(forget)
    (row,) = (await bot(arena, "ant")).results
    assert not row.HasField("luck")


async def test_one_match_has_no_error(arena: Arena) -> None:
    await arena.here.play_all(await arena.here.spring())
    assert {row.error for row in (await bot(arena, "ant")).roles} == {0.0}
