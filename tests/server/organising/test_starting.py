"""Tournaments that start by themselves when their time has come."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from google.protobuf.timestamp_pb2 import Timestamp
from tests.server.arena_client import Arena

from farfalia_server.contract.errors import InvalidArgument
from farfalia_server.contract.said import in_english
from farfalia_server.organising.director import Director
from farfalia_server.organising.draw import draw
from farfalia_server.organising.starting import Starting
from farfalia_server.rating.ladder_knowledge import LadderKnowing
from farfalia_server.store import Store, TournamentState

HOUR = timedelta(hours=1)


def at(distance: timedelta) -> Timestamp:
    moment = Timestamp()
    moment.FromDatetime(datetime.now(UTC) + distance)
    return moment


async def begun(number: int) -> None:
    BEGUN.append(number)


BEGUN: list[int] = []


async def look(store: Store, later: timedelta, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the director does at its next look, so much later."""
    moment = datetime.now(UTC) + later
    monkeypatch.setattr("farfalia_server.store.tournaments.tournaments.now", lambda: moment)
    starting = Starting(store, begun, lambda: None, LadderKnowing(store).at_start)
    await Director(store, filler="greedy", starting=starting)._tick()


async def test_a_tournament_starts_at_its_time_and_not_before(arena: Arena, monkeypatch: pytest.MonkeyPatch) -> None:
    store, spring = arena.here.store, await arena.here.spring()
    shown = (await arena.ask("StartTournament", arena.admin, id=spring.id, at=at(HOUR))).tournament
    assert shown.HasField("starts")
    await look(store, HOUR / 2, monkeypatch)
    assert (await store.tournaments.get(spring.id)).state is TournamentState.PLANNED
    BEGUN.clear()
    await look(store, HOUR * 2, monkeypatch)
    assert (await store.tournaments.get(spring.id)).state is TournamentState.RUNNING
    assert [spring.id] == BEGUN, "bots were asked for their nonces"
    log = [(act.act, act.who) for act in await store.acts.of(spring.id)]
    assert log == [("schedule", "admin"), ("start", "")]
    assert not (await arena.ask("GetTournament", id=spring.id)).tournament.HasField("starts")


async def test_a_time_is_taken_back_and_one_that_is_over_is_refused(
    arena: Arena, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, spring = arena.here.store, await arena.here.spring()
    await arena.ask("StartTournament", arena.admin, id=spring.id, at=at(HOUR))
    await arena.ask("StartTournament", arena.admin, id=spring.id, at=Timestamp())
    await look(store, HOUR * 2, monkeypatch)
    assert (await store.tournaments.get(spring.id)).state is TournamentState.PLANNED
    assert (await arena.refused("StartTournament", arena.admin, id=spring.id, at=at(-HOUR)))[2] == "at"
    far = Timestamp(seconds=2**62)
    assert (await arena.refused("StartTournament", arena.admin, id=spring.id, at=far))[2] == "at"
    await arena.ask("StartTournament", arena.admin, id=spring.id)
    assert (await arena.refused("StartTournament", arena.admin, id=spring.id, at=at(HOUR)))[1] == "TOURNAMENT_RUNNING"


async def test_one_that_waits_for_a_public_value_does_not_start_by_itself(arena: Arena) -> None:
    await arena.five()
    made = await arena.ask(
        "CreateTournament", arena.admin, name="cup", bots=["ant", "bee"], beacon_source="drand", beacon_round="7"
    )
    refused = await arena.refused("StartTournament", arena.admin, id=made.tournament.id, at=at(HOUR))
    assert refused[1] == "BEACON_VALUE_MISSING"


async def test_one_that_cannot_start_is_left_to_people_and_hinders_no_other(
    arena: Arena, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, spring = arena.here.store, await arena.here.spring()
    other = await arena.here.plan("other", ["ant", "bee", "cat", "dog", "eel"])
    for number in (spring.id, other.id):
        await arena.ask("StartTournament", arena.admin, id=number, at=at(HOUR))

    def failing(*given: object) -> object:
        if not BEGUN[1:]:
            raise InvalidArgument("bots", in_english("one of them is gone"))
        return draw(*given)  # type: ignore[arg-type]

    BEGUN.clear()
    monkeypatch.setattr("farfalia_server.organising.starting.draw", failing)
    await look(store, HOUR * 2, monkeypatch)
    states = [(await store.tournaments.get(number)).state for number in (spring.id, other.id)]
    assert states == [TournamentState.PLANNED, TournamentState.RUNNING]
    BEGUN.clear()
    await look(store, HOUR * 3, monkeypatch)
    assert BEGUN == [], "it is not tried again and again"
