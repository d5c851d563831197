"""The setting of the rating system: ratings of two systems are never mixed."""

from __future__ import annotations

from contextlib import aclosing
from pathlib import Path

import pytest
from tests.server.migrated import sqlite_url
from tests.server.store_world import five_bots, match_ids, play_out, started

from farfalia_server import settings, settings_loading
from farfalia_server.contract.errors import SettingsError
from farfalia_server.rating.rater import Rater
from farfalia_server.rating.rebuilding import RebuildReport, rebuild
from farfalia_server.store import RatedMatch, Store
from farfalia_tournaments import SYSTEMS


async def rebuilt(store: Store, system: str, *, replace: bool = False) -> RebuildReport:
    async with aclosing(rebuild(store, replace=replace, system=system)) as steps:
        return [step async for step in steps][-1]


async def test_another_system_rates_nothing_until_all_ratings_are_replaced(store: Store) -> None:
    first, second, third = await match_ids(store, await started(store, await five_bots(store), 3))
    assert await store.ratings.system() == ""
    await play_out(store, first)
    await Rater(store).rate_all()
    assert await store.ratings.system() == "trueskill"
    before = await store.ratings.all()

    await play_out(store, second)
    other = Rater(store, system="openskill")
    await other.rate_all()
    assert await store.ratings.all() == before
    assert len((await rebuilt(store, "openskill")).differences) == 5
    assert await store.ratings.all() == before

    assert (await rebuilt(store, "openskill", replace=True)).replaced
    assert await store.ratings.system() == "openskill"
    await other.rate_all()
    assert [rating.matches for rating in await store.ratings.all()] == [2] * 5
    assert (await rebuilt(store, "openskill")).differences == ()

    await play_out(store, third)
    await Rater(store).rate_all()
    assert [rating.matches for rating in await store.ratings.all()] == [2] * 5


async def test_what_was_read_before_ratings_were_replaced_is_not_written(store: Store) -> None:
    first, second = await match_ids(store, await started(store, await five_bots(store), 2))
    await play_out(store, first)
    await Rater(store).rate_all()
    await play_out(store, second)
    batch = await store.ratings.unrated(10)
    assert await store.ratings.replace(1, await store.ratings.all())
    assert not await store.ratings.apply(batch, [RatedMatch(batch.matches[0], 2, (), b"")], [], "trueskill")
    again = await store.ratings.unrated(10)
    assert [match.id for match in again.matches] == [second]
    assert await store.ratings.apply(again, [RatedMatch(again.matches[0], 2, (), b"")], [], "trueskill")


async def test_an_empty_ladder_changes_its_system_without_a_rebuild(tmp_path: Path) -> None:
    async with await Store.open(sqlite_url(tmp_path / "farfalia.db")) as store:
        (match_id,) = await match_ids(store, await started(store, await five_bots(store)))
        await Rater(store).rate_all()
        await play_out(store, match_id)
        await Rater(store, system="openskill").rate_all()
        assert await store.ratings.system() == "openskill"
        assert (await rebuilt(store, "openskill")) == RebuildReport(1, 1, over=True)


def test_the_setting_knows_every_system_and_no_other() -> None:
    assert {system.value for system in settings.RatingSystemName} == set(SYSTEMS)
    with pytest.raises(SettingsError, match="--rating-system is 'elo'; expected 'trueskill' or 'openskill'"):
        settings_loading.load({"rating_system": "elo"})
