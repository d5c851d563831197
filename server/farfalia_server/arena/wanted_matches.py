"""Which matches a request asks for."""

from farfalia.v1 import matches_pb2
from farfalia_server.arena.messages import ADMIN_NAME, STATES_SHOWN
from farfalia_server.arena.request_checks import (
    MOST_ROWS,
    bot_named,
    checked_game,
    checked_number,
    checked_version,
    ladder_named,
)
from farfalia_server.contract.bounds import BOT_NAME
from farfalia_server.contract.errors import InvalidArgument, NotFound
from farfalia_server.contract.untrusted import quoted
from farfalia_server.store import ADMIN, Store, WantedMatches

#: Seats at the largest table.
_MOST_SEATS = 5


async def wanted_matches(store: Store, asked: matches_pb2.ListMatchesRequest) -> WantedMatches:
    """Return which matches a request asks for; InvalidArgument if it contradicts itself."""
    if asked.tournament:
        await store.tournaments.get(checked_number(asked.tournament, "tournament"))
    of_finished = {name: getattr(asked, name) for name in ("version", "place", "strikes", "newest")}
    given = [name for name, value in of_finished.items() if value]
    if given and asked.state not in (matches_pb2.MATCH_STATE_UNSPECIFIED, matches_pb2.MATCH_STATE_FINISHED):
        raise InvalidArgument(given[0], f"{given[0]} is that of a finished match; expected no other state")
    for name in ("against", "version", "place", "newest"):
        if getattr(asked, name) and not asked.bot:
            raise InvalidArgument(name, f"{name} is given without a bot; expected both")
    if asked.place > _MOST_SEATS:
        raise InvalidArgument("place", f"place is {asked.place}; expected 1 to {_MOST_SEATS}")
    if asked.seats > _MOST_SEATS:
        raise InvalidArgument("seats", f"seats is {asked.seats}; expected 2 to {_MOST_SEATS}")
    if asked.newest > MOST_ROWS:
        raise InvalidArgument("newest", f"newest is {asked.newest}; expected at most {MOST_ROWS}")
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
    )


async def _challenger(store: Store, name: str) -> int:
    """Return the number of the account of this name; NotFound."""
    account = await store.accounts.find(name) if BOT_NAME.fullmatch(name) else None
    if account is None and name != ADMIN_NAME:
        raise NotFound(f"there is no account {quoted(name)}", "ACCOUNT_UNKNOWN")
    return ADMIN if account is None else account.id
