"""Matches that somebody asks for: they belong to no tournament and count on no ladder."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from sqlalchemy import Connection, func, select, update

from farfalia_server.contract.errors import FailedPrecondition, NotFound, ResourceExhausted
from farfalia_server.contract.said import said, said_counted
from farfalia_server.net.wall_clock import now
from farfalia_server.store.changes import Topic
from farfalia_server.store.matches.values import ACTIVE, MatchState
from farfalia_server.store.part import Part
from farfalia_server.store.sql import schema

_match = schema.match
_HOUR: Final = timedelta(hours=1)
#: What stands for the admin, who has no account.
ADMIN: Final = 0


@dataclass(frozen=True, slots=True)
class Challenger:
    """The account that asks for a match, `ADMIN` for none, minus its number for a person's bot; how many it may have
    open, and ask for within an hour.
    """

    account: int
    most_open: int
    hourly: int


class Challenges(Part):
    """What happens to these matches other than to all others."""

    async def challenger(self, match_id: int) -> int:
        """Return who asked for a match; NotFound if nobody did."""
        statement = select(_match.c.challenger).where(_match.c.id == match_id)
        found: int | None = await self._database.read(lambda connection: connection.execute(statement).scalar())
        if found is None:
            raise NotFound(said("there is no match %(match)s that somebody asked for", match=match_id), "MATCH_UNKNOWN")
        return found

    async def cancel(self, match_id: int, note: str) -> None:
        """Give such a match up; FailedPrecondition (MATCH_OVER)."""
        of_match = (_match.c.id == match_id, _match.c.challenger.is_not(None), _match.c.state.in_(ACTIVE))
        values = {"state": MatchState.CANCELLED, "epoch": _match.c.epoch + 1, "note": note, "finished": now()}
        statement = update(_match).where(*of_match).values(values)
        if not await self._database.write(lambda connection: connection.execute(statement).rowcount):
            raise FailedPrecondition(said("match %(match)s is over", match=match_id), "MATCH_OVER")
        self._changes.tell(Topic.MATCH, match_id, state=MatchState.CANCELLED)


def check_challenger(connection: Connection, challenger: Challenger) -> None:
    """Raise ResourceExhausted (QUOTA_REACHED, CHALLENGES_TOO_FAST) if the account may not ask for another match now.

    For a person every match counts in which it sits, also one that a friend has asked for.
    """
    account, moment = challenger.account, now()
    # Of two at once, the second waits for the first.
    if account < 0:
        connection.execute(update(schema.bot).where(schema.bot.c.id == -account).values(seen=moment))
    else:
        connection.execute(select(schema.account.c.id).where(schema.account.c.id == account).with_for_update())
    own = _match.c.challenger == account
    index = schema.match_bot
    sits = _match.c.id.in_(select(index.c.match_id).where(index.c.bot_id == -account)) if account < 0 else own
    waiting = connection.execute(select(func.count()).where(sits, _match.c.state.in_(ACTIVE))).scalar_one()
    if waiting >= challenger.most_open:
        text = said_counted(
            "%(number)s match that you asked for is not over; expected at most %(most)s at a time",
            "%(number)s matches that you asked for are not over; expected at most %(most)s at a time",
            waiting,
            most=challenger.most_open,
        )
        if account < 0:
            text = said_counted(
                "%(number)s match in which you sit is not over; expected at most %(most)s at a time",
                "%(number)s matches in which you sit are not over; expected at most %(most)s at a time",
                waiting,
                most=challenger.most_open,
            )
        raise ResourceExhausted(text, "QUOTA_REACHED", retry=0.0)
    late = select(func.count(), func.min(_match.c.created)).where(own, _match.c.created > moment - _HOUR)
    asked, oldest = connection.execute(late).one()
    if asked >= challenger.hourly:
        wait = max(1.0, (oldest + _HOUR - moment).total_seconds())
        text = said(
            "you have asked for %(asked)s matches within an hour; try again in %(wait)s minutes",
            asked=asked,
            wait=f"{wait / 60:.0f}",
        )
        raise ResourceExhausted(text, "CHALLENGES_TOO_FAST", retry=wait)
