"""The news of a tournament: each look reads what is new, and misses nothing."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Iterable
from contextlib import closing
from pathlib import Path

import pytest
from tests.server.arena_world import Crowd
from tests.server.migrated import sqlite_url

from farfalia.v1 import matches_pb2
from farfalia_server.arena.reading import Reader
from farfalia_server.bench.web.large_arena import Size, fill
from farfalia_server.store import MatchState, Store
from farfalia_server.web.tournament_feed import TournamentFeed

_FILE, _MATCHES = "played.db", 150


class CountingReader(Reader):
    """A reader that counts the finished matches that it returns."""

    read = 0

    async def matches(self, asked: matches_pb2.ListMatchesRequest) -> matches_pb2.ListMatchesResponse:
        """The matches."""
        answer = await super().matches(asked)
        self.read += len(answer.matches)
        return answer


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    """A store with one tournament, all of whose matches are over."""
    url = sqlite_url(tmp_path / _FILE)
    await asyncio.to_thread(fill, url, Size(bots=10, tournaments=1, matches=_MATCHES))
    async with await Store.open(url) as opened:
        yield opened


def set_state(folder: Path, matches: Iterable[int], state: MatchState) -> None:
    """Let these matches be in this state."""
    with closing(sqlite3.connect(folder / _FILE)) as connection, connection:
        connection.executemany('UPDATE "match" SET state = ? WHERE id = ?', [(state, match) for match in matches])


async def test_a_look_reads_little_more_than_what_is_new_and_misses_nothing(store: Store, tmp_path: Path) -> None:
    reader = CountingReader(store, Crowd())
    feed = TournamentFeed(reader)
    late = {_MATCHES - 57}  # ended before many that are known, and is seen after them
    new = set(range(_MATCHES - 49, _MATCHES + 1)) | late
    set_state(tmp_path, new, MatchState.QUEUED)
    first = await feed.news(1, 0)
    assert {event.id[1] for event in first.results if event.id} == set(range(1, _MATCHES + 1)) - new

    set_state(tmp_path, new, MatchState.FINISHED)
    reader.read = 0
    second = await feed.news(1, first.version)
    assert {event.id[1] for event in second.events if event.id} == new
    assert [event.id[1] for event in second.results if event.id] == list(range(1, _MATCHES + 1))
    assert len(new) <= reader.read < len(new) + 50

    reader.read = 0
    third = await feed.news(1, second.version)
    assert third.version == second.version
    assert third.results == second.results
    assert reader.read <= 20
