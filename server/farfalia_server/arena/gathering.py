"""Friends who gather by a link: persons' bots at one table, and house bots at the seats that stay empty."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import Final

from farfalia.v1 import gatherings_pb2
from farfalia_engine import TimeControl, commitment, ruleset
from farfalia_server.arena.access import Access
from farfalia_server.arena.challenging import PERSON_HOURLY, PERSON_OPEN
from farfalia_server.arena.presence import Presence
from farfalia_server.contract.errors import FailedPrecondition, InvalidArgument, NotFound, NotReady, PermissionDenied
from farfalia_server.contract.said import said
from farfalia_server.contract.untrusted import clean
from farfalia_server.organising.fillers import fillers
from farfalia_server.organising.validation import checked_rules, checked_time_control
from farfalia_server.records.codec import time_control_message
from farfalia_server.records.house_names import why_no_house_bot
from farfalia_server.records.messages import timestamp
from farfalia_server.store import Bot, Challenger, Gathering, MatchState, NewMatch, Seat, Store
from farfalia_server.store.matches.planned import match_values

#: The house bot at seats that stay empty, where none is chosen.
_HOUSE: Final = "cautious"
#: Bytes of a key, which nobody guesses, and most characters of one.
_KEY, _LONGEST = 16, 40
#: How often a match is put together anew because somebody came or left meanwhile.
_TRIES: Final = 5


class GatheringFriends:
    """Lets persons wait for each other; `changed` is called after each match that is queued."""

    def __init__(
        self,
        store: Store,
        access: Access,
        presence: Presence,
        *,
        time_control: TimeControl,
        changed: Callable[[], None],
    ) -> None:
        self._store = store
        self._access = access
        self._presence = presence
        self._time_control = time_control
        self._changed = changed

    async def open(self, request: gatherings_pb2.OpenGatheringRequest, token: str) -> gatherings_pb2.Gathering:
        """Open a gathering; errors as in the contract."""
        host = await self._person(token)
        rules, house = checked_rules(request.ruleset, {}), request.house or _HOUSE
        if why_not := why_no_house_bot(clean(house, _LONGEST)):
            raise InvalidArgument("house", why_not)
        control = checked_time_control(request.time_control) if request.HasField("time_control") else self._time_control
        made = await self._store.gatherings.open(
            secrets.token_urlsafe(_KEY), host.id, rules.name, house, control, hourly=PERSON_HOURLY
        )
        return await self._message(made)

    async def get(self, key: str, token: str) -> gatherings_pb2.Gathering:
        """Return a gathering by its key, or that of the caller."""
        if key:
            return await self._message(await self._store.gatherings.get(_checked(key)))
        return await self._message(await self._store.gatherings.of_person((await self._person(token)).id))

    async def join(self, key: str, token: str) -> gatherings_pb2.Gathering:
        """Take a place, and begin if everybody is there."""
        bot = await self._person(token)
        found = await self._store.gatherings.get(_checked(key))
        seats = ruleset(found.ruleset).seats
        if not found.has(bot.id):
            found = await self._store.gatherings.join(key, bot.id, seats)
        is_open = found.match_id is None and not found.closed and not found.expired
        if is_open and len(found.people) == seats and len(await self._ready(found)) == seats:
            found = await self._begun(found)
        return await self._message(found)

    async def leave(self, key: str, token: str) -> gatherings_pb2.Gathering:
        """Give a place up."""
        bot = await self._person(token)
        return await self._message(await self._store.gatherings.leave(_checked(key), bot.id))

    async def begin(self, key: str, token: str) -> gatherings_pb2.Gathering:
        """Begin with those who are there."""
        bot = await self._person(token)
        found = await self._store.gatherings.get(_checked(key))
        if found.host_id != bot.id:
            raise PermissionDenied(said("the host alone begins; wait, or ask for it"))
        return await self._message(await self._begun(found))

    async def _person(self, token: str) -> Bot:
        """Return the bot as which the caller plays, a person."""
        caller = await self._access.caller(token)
        if caller.bot is None or not caller.bot.person:
            caller.refuse(said("the token of a person's bot (RegisterBot with `person`)"))
        return caller.bot

    async def _ready(self, gathering: Gathering) -> list[Bot]:
        """Return those who get a seat if it begins now: connected, and in no other match."""
        connected = await self._presence.connected()
        return [one for one in gathering.people if one.name in connected and one.id not in gathering.playing]

    async def _begun(self, found: Gathering) -> Gathering:
        """Queue the match of a gathering that has none yet."""
        challenger = Challenger(-found.host_id, PERSON_OPEN, PERSON_HOURLY)
        for _ in range(_TRIES):
            if found.match_id is not None:
                return found
            row = await self._match(found)
            people = [one.id for one in found.people]
            begun = await self._store.gatherings.begin(found.key, people, row, challenger)
            if begun is not None:
                self._changed()
                return begun
            found = await self._store.gatherings.get(found.key)
        raise NotReady(said("people come and leave at this moment; begin again"))

    async def _match(self, found: Gathering) -> dict[str, object]:
        """Return the row of its match; the seats are drawn."""
        ready = await self._ready(found)
        if found.host_id not in {one.id for one in ready}:
            raise FailedPrecondition(
                said("you are not connected, or sit in another match; come back first"), "BOT_AWAY"
            )
        rules = ruleset(found.ruleset)
        seats = [Seat(one.id, one.name, person=True) for one in ready]
        house = await fillers(self._store, found.house, rules.seats - len(seats), ())
        seats += [Seat(one.id, one.name, filler=True) for one in house]
        secrets.SystemRandom().shuffle(seats)
        secret = secrets.token_bytes(32)
        return match_values(
            NewMatch(0, "board-1", tuple(seats)),
            ruleset=rules.name,
            options={},
            time_control=found.time_control,
            state=MatchState.QUEUED,
            secret=secret,
            commitment=commitment(secret),
            challenger=-found.host_id,
        )

    async def _message(self, found: Gathering) -> gatherings_pb2.Gathering:
        ready = {one.id for one in await self._ready(found)}
        return gatherings_pb2.Gathering(
            key=found.key,
            ruleset=found.ruleset,
            seats=ruleset(found.ruleset).seats,
            house=found.house,
            time_control=time_control_message(found.time_control),
            people=[gatherings_pb2.GatheringPerson(bot=one.name, ready=one.id in ready) for one in found.people],
            state=_state(found),
            match=found.match_id or 0,
            expires=timestamp(found.expires),
        )


def _state(found: Gathering) -> gatherings_pb2.GatheringState:
    if found.match_id is not None:
        return gatherings_pb2.GATHERING_STATE_BEGUN
    if found.closed:
        return gatherings_pb2.GATHERING_STATE_CLOSED
    return gatherings_pb2.GATHERING_STATE_EXPIRED if found.expired else gatherings_pb2.GATHERING_STATE_OPEN


def _checked(key: str) -> str:
    """Return a key that a database can look for; NotFound (GATHERING_UNKNOWN) for one that no link has."""
    if not key.isascii() or not key.isprintable() or len(key) > _LONGEST:
        raise NotFound(said("no table has this link; ask your host for a new one"), "GATHERING_UNKNOWN")
    return key
