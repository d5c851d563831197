"""Events as everybody may see them, and with all that belongs to one."""

from __future__ import annotations

from farfalia.v1 import events_pb2
from farfalia_server.arena.event_messages import announcement_message, event_message, member_message
from farfalia_server.contract.errors import NotFound
from farfalia_server.contract.said import said
from farfalia_server.contract.said_below import perhaps_meant
from farfalia_server.contract.untrusted import quoted
from farfalia_server.store import Event, Store

#: Tournaments of an event: the newest.
_TOURNAMENTS = 100


class EventReader:
    """Answers questions about events; it changes nothing."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def all(self) -> list[events_pb2.Event]:
        """Return the events that everybody may see, newest first."""
        return list(map(event_message, await self._store.events.all()))

    async def public(self, name: str) -> events_pb2.GetEventResponse:
        """Return an event that everybody may see; NotFound (EVENT_UNKNOWN), with a name that was probably meant."""
        try:
            event = await self._store.events.get(name)
        except NotFound:
            event = None
        if event is None or event.published is None:
            near = perhaps_meant(name, [one.name for one in await self._store.events.all()])
            raise NotFound(said("there is no event %(name)s%(near)s", name=quoted(name), near=near), "EVENT_UNKNOWN")
        return await self.one(event)

    async def one(self, event: Event) -> events_pb2.GetEventResponse:
        """Return an event with what belongs to it."""
        members = await self._store.members.of(event.name)
        bots = await self._store.bots.of_accounts([member.account_id for member in members])
        return events_pb2.GetEventResponse(
            event=event_message(event),
            members=[member_message(member, bots[member.account_id]) for member in members],
            ladders=await self._store.ladders.of_event(event.name),
            tournaments=await self._store.tournaments.of_event(event.name, _TOURNAMENTS),
            announcements=map(announcement_message, await self._store.announcements.of(event.name)),
        )
