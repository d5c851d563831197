"""What an event allows: which ladder its tournaments count on, who may enter them, which versions are pinned."""

from __future__ import annotations

from collections.abc import Collection
from datetime import timedelta

from farfalia_engine import GAMES, TimeControl
from farfalia_server.contract.errors import FailedPrecondition, InvalidArgument, PermissionDenied, ResourceExhausted
from farfalia_server.contract.said import Said, said
from farfalia_server.contract.untrusted import quoted
from farfalia_server.net.wall_clock import now
from farfalia_server.store import ARENA, Bot, Event, RatedOn, Store, Tournament, TournamentState

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
            raise FailedPrecondition(
                said("the event %(event)s is closed; nothing can be added to it", event=event.name), "EVENT_CLOSED"
            )
        return event

    async def ladder(
        self, event: Event, name: str, game: str, control: TimeControl, *, anywhere: bool, make: bool = True
    ) -> str:
        """Return the ladder on which a tournament of an event is to count; for no name what is usual in the event.

        Who runs the arena may count it `anywhere`, others on the ladders of the event, or on the public ones if that is
        usual: PermissionDenied (LADDER_OF_ANOTHER_EVENT). InvalidArgument if there is no such ladder of the game. The
        event's own ladder is made if there is none, unless `make` is false.
        """
        if not name and event.rated_on is RatedOn.NONE:
            return ""
        name = name or (own_ladder(event.name, game) if event.rated_on is RatedOn.OWN else game)
        kept = None if name in GAMES else await self._store.ladders.find(name)
        if kept is None and name == own_ladder(event.name, game):
            if make:
                await self._store.ladders.ensure(name, game, event.name, control)
            return name
        of_game = name if name in GAMES else "" if kept is None else kept.ruleset
        if of_game != game:
            text = said(
                "ladder is %(name)s, which there is not; expected a ladder of %(game)s, or none for the usual one",
                name=quoted(name),
                game=game,
            )
            if of_game:
                text = said(
                    "ladder is %(name)s, which is of %(other)s; expected a ladder of %(game)s, or none for the usual "
                    "one",
                    name=quoted(name),
                    other=of_game,
                    game=game,
                )
            raise InvalidArgument("ladder", text)
        of_event = ARENA if kept is None else kept.event
        usual = of_event == event.name or (of_event == ARENA and event.rated_on is RatedOn.GAME)
        if not (usual or anywhere):
            text = said(
                "the ladder %(name)s is not of the event %(event)s; an organiser of the arena may let it count there",
                name=name,
                event=event.name,
            )
            raise PermissionDenied(text, "LADDER_OF_ANOTHER_EVENT")
        return name

    async def check_bots(self, event: str, names: Collection[str]) -> None:
        """Check that bots are of members of an event, or the house's; PermissionDenied (NO_MEMBER) names the first."""
        members = {member.account_id for member in await self._store.members.of(event)}
        for bot in await self._store.bots.named(names):
            if not bot.house and bot.account_id not in members:
                raise PermissionDenied(_no_member(bot, event), "NO_MEMBER")

    async def check_entry(self, tournament: Tournament, bot: Bot, instead_of: str = "") -> None:
        """Check that an owner may enter a bot into a tournament of an event, perhaps instead of another of its bots.

        Raises FailedPrecondition (ENTRIES_FROZEN), PermissionDenied (NO_MEMBER; NOT_ALLOWED to replace a bot after the
        start), ResourceExhausted (QUOTA_REACHED).
        """
        if instead_of and tournament.state is TournamentState.RUNNING:
            text = said(
                "tournament %(tournament)s has started; only who runs it may let another bot play for %(instead_of)s",
                tournament=tournament.id,
                instead_of=instead_of,
            )
            raise PermissionDenied(text)
        event = await self._store.events.get(tournament.event)
        if event.times.freezes is not None and event.times.freezes <= now():
            raise FailedPrecondition(
                said(
                    "entries of %(event)s are frozen since %(since)s UTC: an organiser may still enter a bot",
                    event=event.name,
                    since=f"{event.times.freezes:%Y-%m-%d %H:%M}",
                ),
                "ENTRIES_FROZEN",
            )
        if event.name == ARENA:
            return
        account = bot.account_id
        if account is None or await self._store.members.role(event.name, account) is None:
            raise PermissionDenied(_no_member(bot, event.name), "NO_MEMBER")
        if event.caps.bots:
            entered = {entrant.bot_id for entrant in await self._store.tournaments.entrants(tournament.id)}
            bots = await self._store.accounts.bots(account)
            own = [one for one in bots if one.id in entered and one.name != instead_of]
            if len(own) >= event.caps.bots:
                text = said(
                    "a member of %(event)s may enter %(bots)s; withdraw one of %(names)s first",
                    event=event.name,
                    bots=event.caps.bots,
                    names=_listed(own),
                )
                raise ResourceExhausted(text, "QUOTA_REACHED")

    async def check_pinned(self, bot: Bot) -> None:
        """Check that no event has pinned a bot's version; FailedPrecondition (ENTRIES_FROZEN)."""
        event = await self._store.events.pinning(bot.id)
        if event is not None:
            text = said(
                "entries of %(event)s are frozen since %(since)s UTC: %(bot)s keeps version %(version)s until its "
                "tournaments there are over",
                event=event.name,
                since=f"{event.times.freezes:%Y-%m-%d %H:%M}",
                bot=bot.name,
                version=bot.version,
            )
            raise FailedPrecondition(text, "ENTRIES_FROZEN")

    async def check_version(self, bot: Bot) -> None:
        """Check that a bot may get a new version now.

        Raises FailedPrecondition (ENTRIES_FROZEN), ResourceExhausted (VERSIONS_TOO_FAST).
        """
        await self.check_pinned(bot)
        if bot.account_id is None:
            return
        since = now() - _DAY
        fresh = [one for one in await self._store.bots.versions(bot.id) if one.created > max(since, bot.created)]
        for member in await self._store.members.of_account(bot.account_id):
            cap = (await self._store.events.get(member.event)).caps.versions
            if cap and len(fresh) >= cap:
                text = said(
                    "%(bot)s has had %(versions)s new versions within 24 hours; in %(event)s it may have %(cap)s",
                    bot=bot.name,
                    versions=len(fresh),
                    event=member.event,
                    cap=cap,
                )
                raise ResourceExhausted(text, "VERSIONS_TOO_FAST")


def own_ladder(event: str, game: str) -> str:
    """Return the name of an event's ladder for a game."""
    return f"{event}-{game}"


def _no_member(bot: Bot, event: str) -> Said:
    return said(
        "the owner of %(bot)s is no member of the event %(event)s; members enter bots", bot=bot.name, event=event
    )


def _listed(bots: list[Bot]) -> str:
    return ", ".join(bot.name for bot in bots)
