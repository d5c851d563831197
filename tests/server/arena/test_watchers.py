"""Watching a tournament: what is news, and what it costs to look."""

from __future__ import annotations

import asyncio

import pytest
from tests.server.arena_client import Arena, rest

from farfalia.v1 import tournaments_pb2


async def test_a_watcher_sees_the_tournament_to_its_end(arena: Arena) -> None:
    made = await arena.here.spring(rounds=3)
    stream = arena.stream("WatchTournament", id=made.id)
    first = (await stream.read()).tournament
    assert first.state == tournaments_pb2.TOURNAMENT_STATE_PLANNED
    await arena.here.play_all(made)
    seen = await rest(stream)
    assert seen[-1].state == tournaments_pb2.TOURNAMENT_STATE_FINISHED
    assert seen[-1].finished == 3
    assert [tournament.finished for tournament in seen] == sorted(tournament.finished for tournament in seen)


async def test_changes_that_come_together_are_shown_as_one(arena: Arena) -> None:
    made = await arena.here.spring()
    stream = arena.stream("WatchTournament", id=made.id)
    await stream.read()
    for _ in range(100):
        arena.here.news.touch_all()
    await arena.here.store.tournaments.cancel(made.id)
    assert len(await rest(stream)) == 1


def counting_looks(arena: Arena, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The tournaments that are looked at from now on."""
    looks: list[int] = []
    look = arena.here.reader.tournament

    async def counted(number: int) -> tournaments_pb2.Tournament:
        looks.append(number)
        return await look(number)

    monkeypatch.setattr(arena.here.reader, "tournament", counted)
    return looks


async def test_a_watcher_of_what_does_not_change_reads_nothing(arena: Arena, monkeypatch: pytest.MonkeyPatch) -> None:
    made = await arena.here.spring()
    looks = counting_looks(arena, monkeypatch)
    stream = arena.stream("WatchTournament", id=made.id)
    await stream.read()
    await asyncio.sleep(1)
    assert looks == [made.id]
    stream.cancel()


async def test_all_watchers_of_a_tournament_share_one_look(arena: Arena, monkeypatch: pytest.MonkeyPatch) -> None:
    made = await arena.here.spring(rounds=2)
    looks = counting_looks(arena, monkeypatch)
    streams = [arena.stream("WatchTournament", id=made.id) for _ in range(50)]
    for stream in streams:
        assert (await stream.read()).tournament.state == tournaments_pb2.TOURNAMENT_STATE_PLANNED
    assert looks == [made.id]
    await arena.here.store.tournaments.start(made.id)
    for stream in streams:
        assert (await stream.read()).tournament.state == tournaments_pb2.TOURNAMENT_STATE_RUNNING
    assert looks == [made.id] * 2
    for stream in streams:
        stream.cancel()


async def test_a_bot_that_comes_is_news(arena: Arena) -> None:
    made = await arena.here.spring()
    await arena.here.store.tournaments.start(made.id)
    stream = arena.stream("WatchTournament", id=made.id)
    assert "ant" in (await stream.read()).tournament.waiting
    arena.here.crowd.names = {"ant"}
    arena.here.news.touch_all()
    assert "ant" not in (await stream.read()).tournament.waiting
    stream.cancel()


# Tables --------------------------------------------------------------------------------------------------------
