"""An event in an arena, and those who make and change it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from google.protobuf.timestamp_pb2 import Timestamp
from tests.server.arena_client import Arena

from farfalia.v1 import events_pb2
from farfalia_server.store import Role


def at(distance: timedelta) -> Timestamp:
    moment = Timestamp()
    moment.FromDatetime(datetime.now(UTC) + distance)
    return moment


def times(**given: timedelta) -> events_pb2.EventTimes:
    return events_pb2.EventTimes(**{name: at(distance) for name, distance in given.items()})


async def account(arena: Arena, name: str, role: Role = Role.OWNER) -> str:
    return (await arena.here.store.accounts.create(name, role))[1]


async def course(arena: Arena, **given: Any) -> str:
    """The token of the organiser of a published event `course`."""
    otto = await account(arena, "otto", Role.ORGANISER)
    event = events_pb2.Event(name="course", title="A course", **given)
    await arena.ask("CreateEvent", otto, event=event)
    await arena.ask("ChangeEvent", otto, event=event, publish=True)
    return otto


async def change(arena: Arena, token: str, **given: Any) -> events_pb2.Event:
    event: events_pb2.Event = (await arena.ask("GetEvent", token, name="course")).event
    for name, value in given.items():
        if isinstance(value, (events_pb2.EventTimes, events_pb2.EventCaps)):
            getattr(event, name).CopyFrom(value)
        else:
            setattr(event, name, value)
    changed: events_pb2.Event = (await arena.ask("ChangeEvent", token, event=event)).event
    return changed
