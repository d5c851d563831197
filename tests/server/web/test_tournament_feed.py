"""The news of a tournament: each look reads what is new, and misses nothing."""

from __future__ import annotations

import asyncio
import json
import re
import sqlite3
from collections.abc import AsyncIterator, Iterable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path

import pytest
from tests.server.arena_world import Crowd, World
from tests.server.migrated import sqlite_url

from farfalia.v1 import matches_pb2, tournaments_pb2
from farfalia_server.arena.reading import Reader
from farfalia_server.contract.errors import NotReady
from farfalia_server.contract.said import in_english
from farfalia_server.store import MatchState, PauseCause, Store
from farfalia_server.store.matches import ends
from farfalia_server.web.match_feed import FeedEvent
from farfalia_server.web.tournament_feed import TournamentFeed
from farfalia_tools.bench.web.large_arena import Size, fill

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


class SlowReader(Reader):
    """A reader whose standings take long."""

    slow = True

    async def tournament(self, number: int, *, wait: float | None = None) -> tournaments_pb2.Tournament:
        """A tournament, once its standings have been computed."""
        if self.slow:
            raise NotReady(in_english(f"the standings of tournament {number} are being computed"))
        return await super().tournament(number, wait=wait)


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
    feed = TournamentFeed(reader, 1)
    new = set(range(_MATCHES - 49, _MATCHES + 1))
    set_state(tmp_path, new, MatchState.QUEUED)
    await feed.news()
    assert {event.id[1] for event in feed.results if event.id} == set(range(1, _MATCHES + 1)) - new

    set_state(tmp_path, new, MatchState.FINISHED)
    reader.read = 0
    second = await feed.news()
    assert {event.id[1] for event in second if event.id} == new
    assert [event.id[1] for event in feed.results if event.id] == list(range(1, _MATCHES + 1))
    assert len(new) <= reader.read < len(new) + 50

    reader.read = 0
    before = feed.results
    assert await feed.news() == []
    assert feed.results == before
    assert reader.read <= 20


async def test_a_tournament_that_waits_for_its_network_says_so(store: Store, tmp_path: Path) -> None:
    set_state(tmp_path, [1], MatchState.QUEUED)
    with closing(sqlite3.connect(tmp_path / _FILE)) as connection, connection:
        connection.execute("UPDATE tournament SET state = 'running', ended = NULL")
    (match,) = await store.matches.open(MatchState.QUEUED, 1)
    feed = TournamentFeed(Reader(store, Crowd()), 1)
    await feed.news()
    await store.pauses.pause(1, PauseCause.NETWORK, "5 of 5 bots were lost within 30 s", gone=match.bot_ids)
    told = [json.loads(event.body) for event in await feed.news()]
    (facts,) = [event for event in told if event["type"] == "tournament"]
    assert facts["state"] == "paused"
    missing = re.fullmatch(
        r"Paused: 5 of 5 bots were lost within 30 s\. Missing: (.*)\. It goes on .*", facts["waiting"]
    )
    assert missing
    assert set(re.split(", | and ", missing[1])) == {seat.name for seat in (await store.matches.get(match.id)).seats}


async def test_a_tournament_is_over_for_those_who_follow_it_once_they_have_its_standings(store: Store) -> None:
    reader = SlowReader(store, Crowd())
    feed = TournamentFeed(reader, 1)
    told = {json.loads(event.body)["type"] for event in await feed.news()}
    assert (told, feed.over) == ({"tournament"}, False)
    reader.slow = False
    told = {json.loads(event.body)["type"] for event in await feed.news()}
    assert ("standings" in told, feed.over) == (True, True)


async def test_a_tournament_that_is_paused_says_so_also_while_its_standings_take_long(
    store: Store, tmp_path: Path
) -> None:
    with closing(sqlite3.connect(tmp_path / _FILE)) as connection, connection:
        connection.execute("UPDATE tournament SET state = 'running', ended = NULL")
    await store.pauses.pause(1, PauseCause.ORGANISER, "lunch", who="helga")
    (facts,) = [json.loads(event.body) for event in await TournamentFeed(SlowReader(store, Crowd()), 1).news()]
    assert facts["waiting"] == "Paused by helga: lunch. Matches in play are played on."


@pytest.mark.parametrize("hours", [0, 1], ids=["", "while-the-clock-is-set-back"])
async def test_a_result_is_told_when_no_table_plays_its_board_and_resuming_misses_none(
    world: World, monkeypatch: pytest.MonkeyPatch, hours: int
) -> None:
    moments = (datetime.now(UTC) + timedelta(days=1) - timedelta(hours=hours * step) for step in count())
    monkeypatch.setattr(ends, "now", lambda: next(moments))
    names = [f"bot-{number}" for number in range(10)]
    made = await world.spring(names, rounds=2)
    await world.store.tournaments.start(made.id)
    first, second, third, fourth = (match.id for match in await world.store.matches.of_tournament(made.id))
    feed, told = TournamentFeed(world.reader, made.id), []
    await feed.news()
    for match in (first, third, fourth, second):
        await world.play(match)
        told.append([event.id for event in await feed.news() if event.id])
    assert [[id[1] for id in ids] for ids in told] == [[], [], [third, fourth], [first, second]]
    assert [id for ids in told for id in ids] == sorted(id for ids in told for id in ids)
    afresh = TournamentFeed(world.reader, made.id)
    await afresh.news()
    assert [event.id for event in afresh.results] == [id for ids in told for id in ids]


async def test_matches_that_are_played_are_read_once(store: Store, tmp_path: Path) -> None:
    reader = CountingReader(store, Crowd())
    feed = TournamentFeed(reader, 1)
    playing = set(range(_MATCHES - 39, _MATCHES + 1))
    set_state(tmp_path, range(1, _MATCHES + 1), MatchState.QUEUED)
    await feed.news()

    set_state(tmp_path, playing, MatchState.RUNNING)
    reader.read = 0
    assert started(await feed.news()) == playing
    assert reader.read == len(playing)

    set_state(tmp_path, {_MATCHES, 1}, MatchState.QUEUED)
    set_state(tmp_path, {1, 2, 3}, MatchState.RUNNING)
    reader.read = 0
    moved = await feed.news()
    assert started(moved) == {1, 2, 3}
    assert [json.loads(event.body)["match"] for event in moved if b'"gone"' in event.body] == [_MATCHES]
    assert started(feed.state) == playing - {_MATCHES} | {1, 2, 3}
    assert reader.read == 3


def started(events: Iterable[FeedEvent]) -> set[int]:
    """The matches that begin in these events."""
    told = [json.loads(event.body) for event in events]
    return {event["match"] for event in told if event["type"] == "started"}
