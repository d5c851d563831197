"""Ladders are rated by points less luck, or as they were played; a rebuild comes to the same, whatever was chosen."""

from __future__ import annotations

from contextlib import aclosing

import pytest
from tests.server.store_world import five_bots, match_ids, play_out, started

from farfalia_engine import TimeControl
from farfalia_server.rating import ladder_habits, points_scales, rebuilding
from farfalia_server.rating.ladder_habits import LadderNoises
from farfalia_server.rating.points_scales import PointsScales
from farfalia_server.rating.rater import Rater
from farfalia_server.rating.rebuilding import RebuildReport
from farfalia_server.records.results import match_result
from farfalia_server.store import Bot, Ladder, Store
from farfalia_tournaments import ChainEntry, PointsScale, TrueSkill, rate_all, read_entry
from farfalia_tournaments.ratings import match_noise

CONTROL = TimeControl(limit_ms=1000, bank_ms=0, grace=0)


async def played(store: Store, bots: list[Bot], matches: int) -> None:
    """Matches that were played by chance, and rated in three batches."""
    ids = await match_ids(store, await started(store, bots, matches))
    for number, match_id in enumerate(ids):
        await play_out(store, match_id)
        if number % 3 == 0:
            await Rater(store).rate_all()
    await Rater(store).rate_all()


async def chain(store: Store) -> list[ChainEntry]:
    return [read_entry(line.line).entry for line in await store.rating_chain.page("chinkway", 0, 100)]


async def rebuilt(store: Store) -> RebuildReport:
    found = RebuildReport()
    async with aclosing(rebuilding.rebuild(store)) as steps:
        async for found in steps:
            assert found.checked <= found.total
    return found


async def test_matches_are_rated_without_luck_and_the_chain_has_it(store: Store) -> None:
    bots = await five_bots(store)
    await played(store, bots, 4)
    matches = await store.ratings.rated(0, 10)
    entries = await chain(store)
    assert [entry.beta for entry in entries] == [18.75] * 4
    assert [[seat.luck for seat in entry.seats] for entry in entries] == [
        list(match.result.luck) for match in matches if match.result
    ]
    expected = rate_all([match_result(match, match.bot_ids) for match in matches], TrueSkill())
    assert {one.bot_id: (one.mu, one.sigma) for one in await store.ratings.all()} == {
        bot: (rating.mu, rating.sigma) for bot, rating in expected.items()
    }
    assert await rebuilt(store) == RebuildReport(4, 4, over=True)


async def test_a_ladder_may_leave_luck_in_and_a_change_counts_from_then_on(store: Store) -> None:
    bots = await five_bots(store)
    await store.ladders.open(Ladder("chinkway", "chinkway", {}, CONTROL, 4, as_played=True))
    await played(store, bots, 2)
    await store.ladders.close("chinkway")
    await store.ladders.open(Ladder("chinkway", "chinkway", {}, CONTROL, 4))
    await played(store, bots, 2)
    assert [entry.beta for entry in await chain(store)] == [None, None, 18.75, 18.75]
    assert await rebuilt(store) == RebuildReport(4, 4, over=True)


async def test_noise_that_was_measured_is_used_kept_and_rebuilt(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {"_PERIOD": 6, "_EARLY": 4, "REPEATS": 10}.items():
        monkeypatch.setattr(match_noise, name, value)
    monkeypatch.setattr(ladder_habits, "_BATCH", 4)
    bots = await five_bots(store)
    await played(store, bots, 14)
    betas = [entry.beta for entry in await chain(store)]
    assert betas[:4] == [18.75] * 4
    changes = [number for number in range(1, 14) if betas[number] != betas[number - 1]]
    assert changes == [4, 6, 12], "each measurement is used in the next match"
    assert await rebuilt(store) == RebuildReport(14, 14, over=True)
    noise = await LadderNoises(store).of("chinkway", "")
    assert (noise.count, 25 * noise.luck_left) == (14, betas[-1])
    monkeypatch.setattr(points_scales, "_PERIOD", 2)
    scales = PointsScales(store)
    first = await scales.of("chinkway")
    assert first == PointsScale(noise.points or 0, TrueSkill())
    assert await scales.of("chinkway") is first, "it is kept until it may have changed"
    assert await scales.of("two") is None
