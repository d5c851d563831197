"""Matches that somebody asks for: with connected bots whose owners allow it, house bots, and oneself as a guest."""

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
from farfalia_server.contract.said import said
from farfalia_server.contract.untrusted import clean
from farfalia_server.organising.daily_boards import BOARD, OPPONENT, daily_entrants, daily_secret
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
from farfalia_server.store.matches.boards import today

#: Matches that an account may have open, and ask for within an hour.
MOST_OPEN: Final = 3
HOURLY: Final = 60
#: The same of a person.
PERSON_OPEN: Final = 1
PERSON_HOURLY: Final = 30
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
        if caller.person is None and caller.role is not Role.ADMIN and not _is_guest(caller):
            caller.refuse(said("the token of an account or of a person's bot, a session, or the admin token"))
        if request.daily:
            return await self._daily(request, caller)
        rules = checked_rules(request.ruleset, request.options)
        if len(request.seats) > rules.seats:
            raise InvalidArgument(
                "seats",
                said("seats has %(asked)s; expected at most %(seats)s", asked=len(request.seats), seats=rules.seats),
            )
        control = checked_time_control(request.time_control) if request.HasField("time_control") else self._time_control
        seats = await self._seats(request.seats, rules.seats, caller)
        secret = secrets.token_bytes(32)
        planned = await self._store.matches.plan(
            [NewLadderMatch(NewMatch(0, "board-1", seats), secret, commitment(secret))],
            ruleset=rules.name,
            options=rules.options,
            time_control=control,
            ladder="",
            challenger=_challenger(caller),
        )
        self._changed()
        return planned[0]

    async def _daily(self, request: matches_pb2.CreateChallengeRequest, caller: Caller) -> Match:
        """Queue a match of a person on today's board."""
        if caller.bot is None or not caller.bot.person:
            caller.refuse(said("the token of a person's bot (RegisterBot with `person`)"))
        for field, given in (("options", request.options), ("seats", request.seats)):
            if given:
                raise InvalidArgument(
                    field,
                    said("%(field)s has %(asked)s; expected none for today's board", field=field, asked=len(given)),
                )
        rules, day = checked_rules(request.ruleset, {}), today()
        if caller.bot.name not in await self._presence.connected():
            raise FailedPrecondition(
                said("%(bot)s is not connected; connect it first", bot=caller.bot.name), "BOT_AWAY"
            )
        control = checked_time_control(request.time_control) if request.HasField("time_control") else self._time_control
        names = daily_entrants(day, rules.name)
        house = [await self._store.bots.ensure_house(name, OPPONENT) for name in filter(None, names)]
        seats = [Seat(one.id, one.name, filler=True) for one in house]
        seats.insert(names.index(""), Seat(caller.bot.id, caller.bot.name, person=True))
        secret = daily_secret(await self._store.meta.sealing_key(), day, rules.name)
        planned = await self._store.matches.plan(
            [NewLadderMatch(NewMatch(0, BOARD, tuple(seats)), secret, commitment(secret))],
            ruleset=rules.name,
            options={},
            time_control=control,
            ladder="",
            challenger=_challenger(caller),
            daily=day,
        )
        self._changed()
        return planned[0]

    async def cancel(self, match_id: int, token: str) -> int:
        """Give up a match that somebody asked for, and return its number; errors as in the contract."""
        number = checked_number(match_id, "match")
        caller = await self._access.caller(token)
        if caller.person is None and caller.role is not Role.ADMIN and not _is_guest(caller):
            caller.refuse(said("the token of the account that asked for the match, or of an organiser"))
        asker = await self._store.challenges.challenger(number)
        own = asker != ADMIN and asker == _challenger(caller).account
        if not own and caller.role not in ORGANISERS:
            caller.refuse(said("the token of the account that asked for the match, or of an organiser"))
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
                if _is_guest(caller) and not caller.owns(bot):
                    raise PermissionDenied(
                        said("%(bot)s plays with accounts; expected house bots", bot=bot.name), "CHALLENGE_UNWANTED"
                    )
                if bot.name not in connected:
                    raise FailedPrecondition(
                        said("%(bot)s is not connected; connect it first", bot=bot.name), "BOT_AWAY"
                    )
                if any(seat.bot_id == bot.id for seat in seats):
                    raise InvalidArgument(
                        f"seats[{number}]", said("%(bot)s sits twice; expected each bot once", bot=bot.name)
                    )
                seats.append(Seat(bot.id, bot.name, person=bot.person))
            else:
                seats.append(await self._house(wanted.house or _FILLER, seats, at=number))
        while len(seats) < count:
            seats.append(await self._house(_FILLER, seats, at=len(seats)))
        if all(seat.filler for seat in seats):
            raise InvalidArgument("seats", said("seats names no bot; expected one that is connected, or more"))
        return tuple(seats)

    async def _house(self, kind: str, seated: Sequence[Seat], *, at: int) -> Seat:
        if why_not := why_no_house_bot(clean(kind, 40)):
            raise InvalidArgument(f"seats[{at}]", why_not)
        (bot,) = await fillers(self._store, kind, 1, {seat.name for seat in seated})
        return Seat(bot.id, bot.name, filler=True)


def _is_guest(caller: Caller) -> bool:
    return caller.bot is not None and caller.bot.person


def _challenger(caller: Caller) -> Challenger:
    """Return who asks for a match, and how many may be open."""
    if caller.bot is not None:
        return Challenger(-caller.bot.id, PERSON_OPEN, PERSON_HOURLY)
    return Challenger(ADMIN if caller.account is None else caller.account.id, MOST_OPEN, HOURLY)


def _check_bot(bot: Bot, caller: Caller, *, at: int) -> None:
    """Raise if nobody may ask this bot for a match, or the caller may not."""
    if bot.house:
        raise InvalidArgument(
            f"seats[{at}]",
            said("%(bot)s is a house bot; name its kind, %(house)s, as `house`", bot=bot.name, house=bot.house),
        )
    if bot.barred or bot.removed:
        raise FailedPrecondition(
            said("%(bot)s is removed", bot=bot.name) if bot.removed else said("%(bot)s is suspended", bot=bot.name),
            "BOT_SUSPENDED",
        )
    if (bot.challengers is Challengers.OWNER or bot.person) and not caller.owns(bot):
        raise PermissionDenied(
            said("the owner of %(bot)s alone may ask it for a match", bot=bot.name), "CHALLENGE_UNWANTED"
        )
