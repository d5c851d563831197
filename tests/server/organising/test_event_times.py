"""What begins when an event starts, and what ends when it does."""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from google.protobuf.timestamp_pb2 import Timestamp
from tests.server.arena_client import Arena, nobody_is_here
from tests.server.migrated import sqlite_url
from tests.server.organising.waiting_bot import WaitingBot
from tests.server.store_world import CONTROL, claim, record_of

from farfalia.v1 import events_pb2
from farfalia_server.organising.director import Director
from farfalia_server.organising.matchmaker import Matchmaker
from farfalia_server.organising.starting import Starting
from farfalia_server.rating.ladder_knowledge import LadderKnowing
from farfalia_server.store import ARENA, EventTimes, Ladder, Store, TournamentState

HOUR = timedelta(hours=1)
#: Where this moment is asked for.
CLOCKS = ("organising.start_times", "store.tournaments.tournaments")


def at(distance: timedelta) -> Timestamp:
    moment = Timestamp()
    moment.FromDatetime(datetime.now(UTC) + distance)
    return moment


class Hours:
    """The time of day of a server, set by the test."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.later = timedelta()
        self._began = datetime.now(UTC)
        for module in CLOCKS:
            monkeypatch.setattr(f"farfalia_server.{module}.now", self.now)

    def now(self) -> datetime:
        return self._began + self.later


@pytest.fixture
def hours(monkeypatch: pytest.MonkeyPatch) -> Hours:
    return Hours(monkeypatch)


async def event(arena: Arena, **times: timedelta) -> None:
    """Give the public arena these times."""
    given = (await arena.ask("GetEvent", arena.admin, name=ARENA)).event
    given.times.CopyFrom(events_pb2.EventTimes(**{name: at(distance) for name, distance in times.items()}))
    await arena.ask("ChangeEvent", arena.admin, event=given)


async def look(arena: Arena) -> None:
    """What the director does at its next look."""
    starting = Starting(arena.here.store, nobody_is_here, lambda: None, LadderKnowing(arena.here.store).at_start)
    await Director(arena.here.store, filler="greedy", starting=starting)._tick()


async def state(arena: Arena, number: int) -> TournamentState:
    return (await arena.here.store.tournaments.get(number)).state


async def test_tournaments_that_are_to_start_with_their_event_do(arena: Arena, hours: Hours) -> None:
    await arena.five()
    await event(arena, starts=HOUR)
    bots = ["ant", "bee"]
    ask, admin = arena.ask, arena.admin
    made = (await ask("CreateTournament", admin, name="cup", bots=bots, starts_with_event=True)).tournament
    other = (await ask("CreateTournament", admin, name="other", bots=bots)).tournament
    asked = (await ask("CreateTournament", admin, name="asked", bots=bots)).tournament
    changed = (await ask("StartTournament", admin, id=asked.id, with_event=True)).tournament
    back = (await ask("CreateTournament", admin, name="back", bots=bots, starts_with_event=True)).tournament
    taken_back = (await ask("StartTournament", admin, id=back.id, at=Timestamp())).tournament
    flags = [one.starts_with_event for one in (made, other, changed, taken_back)]
    assert flags == [True, False, True, False]
    hours.later = HOUR / 2
    await look(arena)
    assert await state(arena, made.id) is TournamentState.PLANNED
    hours.later = 2 * HOUR
    await look(arena)
    states = [await state(arena, one.id) for one in (made, other, asked, back)]
    running, planned = TournamentState.RUNNING, TournamentState.PLANNED
    assert states == [running, planned, running, planned]
    assert not (await ask("GetTournament", id=made.id)).tournament.starts_with_event
    log = [(act.act, act.who, act.reason) for act in await arena.here.store.acts.of(asked.id)]
    assert log == [("create", "admin", ""), ("schedule", "admin", "with its event"), ("start", "", "")]


async def test_a_tournament_follows_its_event_when_that_is_moved(arena: Arena, hours: Hours) -> None:
    await arena.five()
    await event(arena, starts=HOUR)
    made = await arena.ask("CreateTournament", arena.admin, name="cup", bots=["ant"], starts_with_event=True)
    await event(arena, starts=5 * HOUR)
    hours.later = 2 * HOUR
    await look(arena)
    assert await state(arena, made.tournament.id) is TournamentState.PLANNED
    await event(arena, starts=HOUR)
    await look(arena)
    assert await state(arena, made.tournament.id) is TournamentState.RUNNING


async def test_no_tournament_starts_after_the_end_and_running_ones_go_on(arena: Arena, hours: Hours) -> None:
    await arena.five()
    await event(arena, ends=HOUR)
    ask, admin = arena.ask, arena.admin
    running, waiting = [
        (await ask("CreateTournament", admin, name=name, bots=["ant", "bee"])).tournament.id for name in ("a", "b")
    ]
    await ask("StartTournament", admin, id=running)
    assert (await arena.refused("StartTournament", admin, id=waiting, at=at(2 * HOUR)))[2] == "at"
    late = {"name": "c", "bots": ["ant"], "starts": at(2 * HOUR)}
    assert (await arena.refused("CreateTournament", admin, **late))[2] == "starts"
    hours.later = 2 * HOUR
    _, reason, text = await arena.refused("StartTournament", admin, id=waiting)
    assert reason == "EVENT_OVER"
    assert "the event arena has ended" in text
    assert (await ask("ResumeTournament", admin, id=running)).tournament.id == running
    (match, *_) = await arena.here.store.matches.of_tournament(running)
    assert (await claim(arena.here.store, match.id)).match.id == match.id, "its matches are played on"
    await event(arena, ends=3 * HOUR)
    await ask("StartTournament", admin, id=waiting)


async def test_one_whose_time_comes_after_the_end_is_left_to_people(arena: Arena, hours: Hours) -> None:
    await arena.five()
    made = (await arena.ask("CreateTournament", arena.admin, name="a", bots=["ant"], starts=at(3 * HOUR))).tournament
    await event(arena, ends=2 * HOUR)
    hours.later = 4 * HOUR
    await look(arena)
    shown = (await arena.ask("GetTournament", id=made.id)).tournament
    assert (await state(arena, made.id), shown.HasField("starts")) == (TournamentState.PLANNED, False)


async def test_what_would_start_at_once_does_not_start_with_its_event(arena: Arena, hours: Hours) -> None:
    await arena.five()
    await event(arena, starts=HOUR)
    hours.later = 2 * HOUR
    refused = await arena.refused("CreateTournament", arena.admin, name="a", bots=["ant"], starts_with_event=True)
    assert refused[2] == "starts_with_event"
    made = (await arena.ask("CreateTournament", arena.admin, name="a", bots=["ant"])).tournament
    assert (await arena.refused("StartTournament", arena.admin, id=made.id, with_event=True))[2] == "starts_with_event"
    both = await arena.refused("StartTournament", arena.admin, id=made.id, with_event=True, at=at(3 * HOUR))
    assert both[2] == "at"


async def test_a_ladder_seats_nobody_before_its_event_starts_or_after_it_ends(tmp_path: Path, hours: Hours) -> None:
    async with await Store.open(sqlite_url(tmp_path / "farfalia.db")) as store:
        bots = [WaitingBot((await store.bots.register(f"bot-{number}"))[0].id) for number in range(2)]
        await store.ladders.open(Ladder("two", "two", {}, CONTROL, tables=1))
        arena, began = await store.events.get(ARENA), hours.now()
        times = EventTimes(starts=began + HOUR, ends=began + 3 * HOUR)
        arena = await store.events.change(replace(arena, times=times), "otto")
        matchmaker = Matchmaker(store, lambda: bots, rungs=["greedy"], rng=random.Random(1))
        await matchmaker._tick()
        assert await store.match_search.newest(limit=100) == []
        why = matchmaker.waiting(bots[0].bot)["two"]
        assert why.sentence == f"Its event starts {times.starts:%Y-%m-%d %H:%M} UTC."
        assert bots[0].told[0].startswith("two: Its event starts")
        hours.later = 2 * HOUR
        await matchmaker._tick()
        (match,) = await store.match_search.newest(limit=100)
        assert await store.claims.claim(match.id, "here")
        hours.later = 4 * HOUR
        assert await store.claims.finish(match.id, 1, record_of(match.id, (3, 2)))
        await matchmaker._tick()
        assert len(await store.match_search.newest(limit=100)) == 1
        assert matchmaker.waiting(bots[0].bot)["two"].sentence.startswith("Its event has ended")
