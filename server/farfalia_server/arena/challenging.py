"""Matches that somebody asks for: with any connected bot whose owner allows it, and house bots."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from typing import Final

from farfalia.v1 import matches_pb2
from farfalia_engine import TimeControl, commitment
from farfalia_server.arena.access import ORGANISERS, Access, Caller
from farfalia_server.arena.presence import Presence
from farfalia_server.arena.request_checks import bot_named, checked_number
from farfalia_server.contract.errors import FailedPrecondition, InvalidArgument, PermissionDenied
from farfalia_server.contract.untrusted import clean
from farfalia_server.organising.fillers import fillers
from farfalia_server.organising.validation import checked_rules, checked_time_control
from farfalia_server.records.house_names import why_no_house_bot
from farfalia_server.store import (
    ADMIN,
    Bot,
    Challenger,
    Challengers,
    Match,
    NewLadderMatch,
    NewMatch,
    Role,
    Seat,
    Store,
)

#: Matches that an account may have open, and ask for within an hour.
MOST_OPEN: Final = 3
HOURLY: Final = 60
#: The house bot at seats for which nobody is named.
_FILLER: Final = "cautious"


class Challenging:
    """Queues matches that count nowhere; `changed` is called after each."""

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

    async def create(self, request: matches_pb2.CreateChallengeRequest, token: str) -> Match:
        """Queue the match that was asked for; errors as in the contract."""
        caller = await self._access.caller(token)
        if caller.person is None and caller.role is not Role.ADMIN:
            caller.refuse("the token of an account, a session, or the admin token")
        rules = checked_rules(request.ruleset, request.options)
        if len(request.seats) > rules.seats:
            raise InvalidArgument("seats", f"seats has {len(request.seats)}; expected at most {rules.seats}")
        control = checked_time_control(request.time_control) if request.HasField("time_control") else self._time_control
        seats = await self._seats(request.seats, rules.seats, caller)
        secret = secrets.token_bytes(32)
        account = ADMIN if caller.account is None else caller.account.id
        planned = await self._store.matches.plan(
            [NewLadderMatch(NewMatch(0, "board-1", seats), secret, commitment(secret))],
            ruleset=rules.name,
            options=rules.options,
            time_control=control,
            ladder="",
            challenger=Challenger(account, MOST_OPEN, HOURLY),
        )
        self._changed()
        return planned[0]

    async def cancel(self, match_id: int, token: str) -> int:
        """Give up a match that somebody asked for, and return its number; errors as in the contract."""
        number = checked_number(match_id, "match")
        caller = await self._access.caller(token)
        if caller.person is None and caller.role is not Role.ADMIN:
            caller.refuse("the token of the account that asked for the match, or of an organiser")
        account = await self._store.challenges.challenger(number)
        own = caller.account is not None and caller.account.id == account
        if not own and caller.role not in ORGANISERS:
            caller.refuse("the token of the account that asked for the match, or of an organiser")
        await self._store.challenges.cancel(number, f"{caller.name} ended it")
        return number

    async def _seats(self, asked: Sequence[matches_pb2.ChallengeSeat], count: int, caller: Caller) -> tuple[Seat, ...]:
        """Return who sits where; house bots at seats for which nobody is named."""
        connected = await self._presence.connected()
        seats: list[Seat] = []
        for number, wanted in enumerate(asked):
            if wanted.WhichOneof("player") == "bot":
                bot = await bot_named(self._store, wanted.bot)
                _check_bot(bot, caller, at=number)
                if bot.name not in connected:
                    raise FailedPrecondition(f"{bot.name} is not connected; connect it first", "BOT_AWAY")
                if any(seat.bot_id == bot.id for seat in seats):
                    raise InvalidArgument(f"seats[{number}]", f"{bot.name} sits twice; expected each bot once")
                seats.append(Seat(bot.id, bot.name))
            else:
                seats.append(await self._house(wanted.house or _FILLER, seats, at=number))
        while len(seats) < count:
            seats.append(await self._house(_FILLER, seats, at=len(seats)))
        if all(seat.filler for seat in seats):
            raise InvalidArgument("seats", "seats names no bot; expected one that is connected, or more")
        return tuple(seats)

    async def _house(self, kind: str, seated: Sequence[Seat], *, at: int) -> Seat:
        if why_not := why_no_house_bot(clean(kind, 40)):
            raise InvalidArgument(f"seats[{at}]", why_not)
        (bot,) = await fillers(self._store, kind, 1, {seat.name for seat in seated})
        return Seat(bot.id, bot.name, filler=True)


def _check_bot(bot: Bot, caller: Caller, *, at: int) -> None:
    """Raise if nobody may ask this bot for a match, or the caller may not."""
    if bot.house:
        raise InvalidArgument(f"seats[{at}]", f"{bot.name} is a house bot; name its kind, {bot.house}, as `house`")
    if bot.barred or bot.removed:
        state = "removed" if bot.removed else "suspended"
        raise FailedPrecondition(f"{bot.name} is {state}", "BOT_SUSPENDED")
    if bot.challengers is Challengers.OWNER and not caller.owns(bot):
        raise PermissionDenied(f"the owner of {bot.name} alone may ask it for a match", "CHALLENGE_UNWANTED")
