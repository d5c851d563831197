"""What the database is asked while tables are watched: as little as shows what has changed, and never too late."""

from __future__ import annotations

import pytest
from tests.server.daily_world import begin, person
from tests.server.store_world import claim, record_of

from farfalia_server.contract.errors import NotFound
from farfalia_server.store import ClaimedMatch, LiveTable, MatchState, Store
from farfalia_server.web import watched_tables
from farfalia_server.web.watched_tables import WatchedTables


@pytest.fixture
def read(store: Store, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The matches that were read as a whole."""
    numbers: list[int] = []
    whole = store.live_tables.get

    async def get(match_id: int, *, seated: bool = False) -> LiveTable:
        numbers.append(match_id)
        return await whole(match_id, seated=seated)

    monkeypatch.setattr(store.live_tables, "get", get)
    return numbers


async def in_play(store: Store) -> ClaimedMatch:
    """A match on the board of a day that is not over when this is read."""
    return await claim(store, await begin(store, await person(store, "ada"), "2999-01-01"))


async def end(store: Store, claimed: ClaimedMatch) -> None:
    match = claimed.match
    assert await store.claims.finish(match.id, match.epoch, record_of(match.id, (40, 30)))


async def test_a_table_at_which_nothing_changes_is_read_once(store: Store, read: list[int]) -> None:
    claimed = await in_play(store)
    match = claimed.match.id
    tables = WatchedTables(store)
    first = await tables.get(match, seated=True)
    assert first.match.state is MatchState.RUNNING
    for _ in range(5):
        assert await tables.get(match, seated=True) is first
    assert read == [match]


async def test_the_end_of_a_match_is_seen_at_the_next_look(
    store: Store, read: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    claimed = await in_play(store)
    match = claimed.match.id
    tables = WatchedTables(store)
    await tables.get(match, seated=True)
    await end(store, claimed)
    assert (await tables.get(match, seated=True)).match.state is MatchState.RUNNING
    monkeypatch.setattr(watched_tables, "STEP", 0.0)
    assert (await tables.get(match, seated=True)).match.state is MatchState.FINISHED


async def test_a_match_whose_last_card_was_played_is_read_at_once(store: Store, read: list[int]) -> None:
    claimed = await in_play(store)
    match = claimed.match.id
    tables = WatchedTables(store)
    await tables.get(match, seated=True)
    await end(store, claimed)
    tables.forget(match)
    assert (await tables.get(match, seated=True)).match.state is MatchState.FINISHED
    # What is over is kept by nobody: its cards may open at any moment.
    await tables.get(match, seated=True)
    assert read == [match] * 3


async def test_cards_that_are_closed_are_asked_for_each_time(store: Store, read: list[int]) -> None:
    claimed = await in_play(store)
    match = claimed.match.id
    tables = WatchedTables(store)
    for _ in range(2):
        assert (await tables.get(match, seated=False)).source is None
    assert read == [match] * 2
    with pytest.raises(NotFound):
        await tables.get(99, seated=False)
