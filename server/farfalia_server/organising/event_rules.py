"""What an event allows: which ladder its tournaments count on, who may enter them, which versions are pinned."""

from __future__ import annotations

from datetime import timedelta

from farfalia_engine import GAMES, TimeControl
from farfalia_server.contract.errors import FailedPrecondition, InvalidArgument, PermissionDenied, ResourceExhausted
from farfalia_server.contract.untrusted import quoted
from farfalia_server.net.wall_clock import now
from farfalia_server.store import ARENA, Bot, Event, RatedOn, Store, Tournament

#: How long a new version counts towards the cap of versions.
_DAY = timedelta(days=1)


class EventRules:
    """What the events of a store allow."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def open_event(self, name: str) -> Event:
        """Return the event of that name, the public arena for none; NotFound, FailedPrecondition if it is closed."""
        event = await self._store.events.get(name or ARENA)
        if event.closed is not None:
            raise FailedPrecondition(f"the event {event.name} is closed; nothing can be added to it", "EVENT_CLOSED")
        return event

    async def ladder(self, event: Event, name: str, game: str, control: TimeControl) -> str:
        """Return the ladder on which a tournament of an event is to count; for no name what is usual in the event."""
        if not name:
            own = event.rated_on is RatedOn.OWN
            name = "" if event.rated_on is RatedOn.NONE else own_ladder(event.name, game) if own else game
            if not own:
                return name
        if name in GAMES and name == game:
            return name
        of = (await self._store.ladders.games()).get(name)
        if name == own_ladder(event.name, game) and of in (None, game):
            await self._store.ladders.ensure(name, game, event.name, control)
            return name
        if of != game:
            found = f"is {quoted(name)}, which is of {of}" if of else f"is {quoted(name)}, which there is not"
            raise InvalidArgument("ladder", f"ladder {found}; expected a ladder of {game}, or none for the usual one")
        return name

    async def check_entry(self, tournament: Tournament, bot: Bot) -> None:
        """Check that an owner may enter a bot into a tournament of an event.

        Raises FailedPrecondition (ENTRIES_FROZEN), PermissionDenied (NO_MEMBER), ResourceExhausted (QUOTA_REACHED).
        """
        event = await self._store.events.get(tournament.event)
        if event.times.freezes is not None and event.times.freezes <= now():
            raise FailedPrecondition(_frozen(event, "an organiser may still enter a bot"), "ENTRIES_FROZEN")
        if event.name == ARENA:
            return
        account = bot.account_id
        if account is None or await self._store.members.role(event.name, account) is None:
            text = f"the owner of {bot.name} is no member of the event {event.name}; join it first"
            raise PermissionDenied(text, "NO_MEMBER")
        if event.caps.bots:
            entered = {entrant.bot_id for entrant in await self._store.tournaments.entrants(tournament.id)}
            own = [one for one in await self._store.accounts.bots(account) if one.id in entered]
            if len(own) >= event.caps.bots:
                text = f"a member of {event.name} may enter {event.caps.bots}; withdraw one of {_listed(own)} first"
                raise ResourceExhausted(text, "QUOTA_REACHED")

    async def check_version(self, bot: Bot) -> None:
        """Check that a bot may get a new version now.

        Raises FailedPrecondition (ENTRIES_FROZEN), ResourceExhausted (VERSIONS_TOO_FAST).
        """
        event = await self._store.events.pinning(bot.id)
        if event is not None:
            keeps = f"{bot.name} keeps version {bot.version} until its tournaments there are over"
            raise FailedPrecondition(_frozen(event, keeps), "ENTRIES_FROZEN")
        if bot.account_id is None:
            return
        since = now() - _DAY
        fresh = [one for one in await self._store.bots.versions(bot.id) if one.created > max(since, bot.created)]
        for member in await self._store.members.of_account(bot.account_id):
            cap = (await self._store.events.get(member.event)).caps.versions
            if cap and len(fresh) >= cap:
                text = (
                    f"{bot.name} has had {len(fresh)} new versions within 24 hours; in {member.event} it may have {cap}"
                )
                raise ResourceExhausted(text, "VERSIONS_TOO_FAST")


def own_ladder(event: str, game: str) -> str:
    """Return the name of an event's ladder for a game."""
    return f"{event}-{game}"


def _frozen(event: Event, what: str) -> str:
    return f"entries of {event.name} are frozen since {event.times.freezes:%Y-%m-%d %H:%M} UTC: {what}"


def _listed(bots: list[Bot]) -> str:
    return ", ".join(bot.name for bot in bots)
