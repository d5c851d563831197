"""What the caps of an event and the freeze of its entries allow."""

from __future__ import annotations

from datetime import timedelta

import grpc
from tests.server.arena_client import Arena
from tests.server.event_arena import account, change, course, times

from farfalia.v1 import events_pb2

WRONG_STATE = grpc.StatusCode.FAILED_PRECONDITION
HOUR = timedelta(hours=1)


async def test_an_event_keeps_all_of_its_caps(arena: Arena) -> None:
    caps = events_pb2.EventCaps(bots=1, versions=2, matches=3, connections=4)
    otto = await course(arena, caps=caps)
    assert (await arena.ask("GetEvent", otto, name="course")).event.caps == caps
    more = events_pb2.EventCaps(bots=5, versions=6, matches=7, connections=8)
    assert (await change(arena, otto, caps=more)).caps == more


async def test_an_account_sees_how_many_of_its_bots_may_be_connected(arena: Arena) -> None:
    otto = await course(arena, caps=events_pb2.EventCaps(connections=2))
    ada, bob = await account(arena, "ada"), await account(arena, "bob")
    for token, name in ((ada, "ada1"), (ada, "ada2"), (bob, "bob1")):
        await arena.ask("RegisterBot", token, name=name)
    assert not (await arena.ask("GetAccount", ada)).connection_caps, "it is no member"
    arena.here.crowd.names = {"ada1", "bob1"}
    for name in ("ada", "bob"):
        await arena.ask("SetEventMember", otto, event="course", account=name)
    (cap,) = (await arena.ask("GetAccount", ada)).connection_caps
    assert (cap.event, cap.most, cap.team, list(cap.connected)) == ("course", 2, "", ["ada1"])
    for name in ("ada", "bob"):
        await arena.ask("SetEventMember", otto, event="course", account=name, team="red")
    (cap,) = (await arena.ask("GetAccount", ada)).connection_caps
    assert (cap.team, list(cap.connected)) == ("red", ["ada1", "bob1"])
    await change(arena, otto, caps=events_pb2.EventCaps())
    assert not (await arena.ask("GetAccount", ada)).connection_caps


async def test_versions_are_pinned_from_the_freeze_until_the_tournament_is_over(arena: Arena) -> None:
    otto = await course(arena, times=times(freezes=HOUR))
    ada = await account(arena, "ada")
    await arena.ask("RegisterBot", ada, name="ant")
    number = (await arena.ask("CreateTournament", otto, name="final", event="course", bots=["ant"])).tournament.id
    await arena.ask("RegisterBot", ada, name="ant", version="2")
    await change(arena, otto, times=times(freezes=-HOUR))
    code, reason, text = await arena.refused("RegisterBot", ada, name="ant", version="3")
    assert (code, reason) == (WRONG_STATE, "ENTRIES_FROZEN")
    assert "ant keeps version 2 until its tournaments there are over" in text
    await arena.ask("CancelTournament", otto, id=number)
    await arena.ask("RegisterBot", ada, name="ant", version="3")


async def test_a_bot_gets_no_more_new_versions_a_day_than_its_event_allows(arena: Arena) -> None:
    otto = await course(arena, caps=events_pb2.EventCaps(versions=2))
    ada = await account(arena, "ada")
    await arena.ask("JoinEvent", ada, event="course")
    await arena.ask("RegisterBot", ada, name="ant")
    for version in ("2", "3"):
        await arena.ask("RegisterBot", ada, name="ant", version=version)
    code, reason, _ = await arena.refused("RegisterBot", ada, name="ant", version="4")
    assert (code, reason) == (grpc.StatusCode.RESOURCE_EXHAUSTED, "VERSIONS_TOO_FAST")
    await change(arena, otto, caps=events_pb2.EventCaps())
    await arena.ask("RegisterBot", ada, name="ant", version="4")
