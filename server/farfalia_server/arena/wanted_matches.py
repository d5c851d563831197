"""Which matches a request asks for."""

from datetime import datetime

from farfalia.v1 import bots_pb2, matches_pb2
from farfalia_server.arena.messages import ADMIN_NAME, STATES_SHOWN
from farfalia_server.arena.request_checks import (
    MOST_ROWS,
    bot_named,
    checked_game,
    checked_number,
    checked_version,
    ladder_named,
)
from farfalia_server.contract.bounds import BOT_NAME, EVENT_NAME
from farfalia_server.contract.errors import InvalidArgument, NotFound
from farfalia_server.contract.said import said
from farfalia_server.contract.untrusted import quoted
from farfalia_server.organising.validation import checked_moment
from farfalia_server.store import ADMIN, GUEST_PREFIX, Bot, MatchState, Store, WantedMatches

#: Seats at the largest table.
_MOST_SEATS = 5


async def wanted_matches(store: Store, asked: matches_pb2.ListMatchesRequest) -> WantedMatches:
    """Return which matches a request asks for; InvalidArgument if it contradicts itself."""
    if asked.tournament:
        await store.tournaments.get(checked_number(asked.tournament, "tournament"))
    of_finished = {name: getattr(asked, name) for name in ("version", "place", "strikes", "newest")}
    given = [name for name, value in of_finished.items() if value] + ["since"] * asked.HasField("since")
    if given and asked.state not in (matches_pb2.MATCH_STATE_UNSPECIFIED, matches_pb2.MATCH_STATE_FINISHED):
        raise InvalidArgument(
            given[0], said("%(given)s is that of a finished match; expected no other state", given=given[0])
        )
    for name in ("against", "version", "place", "newest"):
        if getattr(asked, name) and not asked.bot:
            raise InvalidArgument(name, said("%(name)s is given without a bot; expected both", name=name))
    if asked.place > _MOST_SEATS:
        raise InvalidArgument(
            "place",
            said(
                "%(field)s is %(value)s; expected %(least)s to %(most)s",
                field="place",
                value=asked.place,
                least=1,
                most=_MOST_SEATS,
            ),
        )
    if asked.seats > _MOST_SEATS:
        raise InvalidArgument(
            "seats",
            said(
                "%(field)s is %(value)s; expected %(least)s to %(most)s",
                field="seats",
                value=asked.seats,
                least=2,
                most=_MOST_SEATS,
            ),
        )
    if asked.newest > MOST_ROWS:
        raise InvalidArgument(
            "newest",
            said(
                "%(field)s is %(value)s; expected at most %(most)s", field="newest", value=asked.newest, most=MOST_ROWS
            ),
        )
    return WantedMatches(
        STATES_SHOWN.get(asked.state, ()),
        tournament_id=asked.tournament or None,
        ruleset=checked_game(asked.game),
        ladder=await ladder_named(store, asked.ladder) if asked.ladder else "",
        bot_id=(await bot_named(store, asked.bot)).id if asked.bot else None,
        against_id=(await bot_named(store, asked.against)).id if asked.against else None,
        version=checked_version(asked.version),
        place=asked.place,
        strikes=asked.strikes,
        newest=asked.newest,
        seats=asked.seats,
        challenger=await _challenger(store, asked.challenger) if asked.challenger else None,
        event=await _event(store, asked.event),
        since=_since(asked),
    )


async def wanted_of_bot(store: Store, bot: Bot, asked: bots_pb2.GetBotRequest) -> WantedMatches:
    """Return which finished matches of a bot a request is about; InvalidArgument, NotFound."""
    return WantedMatches(
        (MatchState.FINISHED,),
        ruleset=checked_game(asked.game),
        bot_id=bot.id,
        version=checked_version(asked.version),
        event=await _event(store, asked.event),
        since=_since(asked),
    )


def _since(asked: matches_pb2.ListMatchesRequest | bots_pb2.GetBotRequest) -> datetime | None:
    """Return since when, or None; InvalidArgument for a time that no calendar has."""
    return checked_moment("since", asked.since) if asked.HasField("since") else None


async def _event(store: Store, name: str) -> str:
    """Return the name of an event, or none; NotFound if there is no such event."""
    if not name:
        return ""
    if not EVENT_NAME.fullmatch(name):
        raise NotFound(said("there is no event %(name)s", name=quoted(name)), "EVENT_UNKNOWN")
    await store.events.get(name)
    return name


async def _challenger(store: Store, name: str) -> int:
    """Return who the account of this name, or the bot of a person, is as a challenger; NotFound."""
    if name.startswith(GUEST_PREFIX):
        return -(await bot_named(store, name)).id
    account = await store.accounts.find(name) if BOT_NAME.fullmatch(name) else None
    if account is None and name != ADMIN_NAME:
        raise NotFound(said("there is no account %(name)s", name=quoted(name)), "ACCOUNT_UNKNOWN")
    return ADMIN if account is None else account.id
