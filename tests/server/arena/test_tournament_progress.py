"""The pace of a tournament, from when its matches ended."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from tests.server.store_world import five_bots, match_ids, started

from farfalia_server.arena.tournament_progress import matches_per_hour
from farfalia_server.store import Match, Store

NOON = datetime(2026, 5, 17, 12, tzinfo=UTC)


@pytest.fixture
async def match(store: Store) -> Match:
    (number,) = await match_ids(store, await started(store, await five_bots(store), 1))
    return await store.matches.get(number)


def ended(match: Match, seconds: list[float]) -> list[Match]:
    return [replace(match, finished=NOON + timedelta(seconds=after)) for after in seconds]


async def test_a_pause_or_a_clock_that_was_set_does_not_change_the_pace(match: Match) -> None:
    steady = [3.0 * number for number in range(40)]
    assert matches_per_hour(ended(match, steady)) == 1200
    paused = steady[:20] + [after + 3600 for after in steady[20:]]
    assert matches_per_hour(ended(match, paused)) == 1200


async def test_the_pace_of_few_matches_counts_every_second(match: Match) -> None:
    assert matches_per_hour(ended(match, [0.0])) == 0
    assert matches_per_hour(ended(match, [0.0, 60.0, 600.0])) == 12
