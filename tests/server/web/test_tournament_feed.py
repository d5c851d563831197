"""The news of a tournament: each look reads what is new, and misses nothing."""

from __future__ import annotations

import asyncio
import json
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
from farfalia_server.web.tournament_feed import TournamentEvent, TournamentFeed

_FILE, _MATCHES = "played.db", 150


class CountingReader(Reader):
    """A reader that counts the matches that it returns."""

    read = 0

    async def match(self, number: int) -> matches_pb2.Match:
        """One match."""
        self.read += 1
        return await super().match(number)

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


async def test_matches_that_are_played_are_read_once(store: Store, tmp_path: Path) -> None:
    reader = CountingReader(store, Crowd())
    feed = TournamentFeed(reader)
    playing = set(range(_MATCHES - 39, _MATCHES + 1))
    set_state(tmp_path, range(1, _MATCHES + 1), MatchState.QUEUED)
    version = (await feed.news(1, 0)).version

    set_state(tmp_path, playing, MatchState.RUNNING)
    reader.read = 0
    begun = await feed.news(1, version)
    assert started(begun.events) == playing
    assert reader.read == len(playing)

    set_state(tmp_path, {_MATCHES, 1}, MatchState.QUEUED)
    set_state(tmp_path, {1, 2, 3}, MatchState.RUNNING)
    reader.read = 0
    moved = await feed.news(1, begun.version)
    assert started(moved.events) == {1, 2, 3}
    assert [json.loads(event.body)["match"] for event in moved.events if b'"gone"' in event.body] == [_MATCHES]
    assert started(moved.state) == playing - {_MATCHES} | {1, 2, 3}
    assert reader.read == 3


def started(events: Iterable[TournamentEvent]) -> set[int]:
    """The matches that begin in these events."""
    told = [json.loads(event.body) for event in events]
    return {event["match"] for event in told if event["type"] == "started"}
