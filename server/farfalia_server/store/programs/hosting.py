"""Which host plays for which bot, and checks which program: leases, which a host renews by its reports.

A host takes what no other host has or what a lost one had, as much as is its share. Each lease of a bot has a token of
its own, with which the host opens the bot's stream: a host that has lost the lease is refused, as is anybody with an
old token.
"""

from __future__ import annotations

import math
from datetime import datetime, timedelta
from typing import Any, Final

from sqlalchemy import Connection, Row, bindparam, func, insert, or_, select, update

from farfalia_server.contract.errors import FailedPrecondition
from farfalia_server.contract.said import in_english
from farfalia_server.net.wall_clock import now
from farfalia_server.store.changes import Topic
from farfalia_server.store.part import Part
from farfalia_server.store.people.moderation import barred
from farfalia_server.store.people.tokens import new_token, token_hash
from farfalia_server.store.programs.values import Check, Host, HostedBot, ProgramState, Reported, Work
from farfalia_server.store.sql import schema

#: Seconds after its last report until a host counts as lost, and how long a check may go without a word.
LOST_AFTER: Final = 5.0
_CHECK_LASTS: Final = timedelta(seconds=15)
#: How long after the end of a lease a bot counts as being about to have another host.
_TAKEN_WITHIN = timedelta(seconds=60)
#: How long a lost host is listed.
_LISTED = timedelta(days=1)

_hosted, _program, _bot, _host = schema.hosted, schema.program, schema.bot, schema.host
#: Needed every second, so it is built once.
_LATELY = select(_hosted.c.bot_id).where(_hosted.c.until > bindparam("since", type_=_hosted.c.until.type))


class Hosting(Part):
    """The hosts, and what each is to do."""

    async def work(self, reported: Reported) -> Work:
        """Keep a host's report, and return what it is to do.

        Raises FailedPrecondition (HOST_REPLACED) if another process has its name.
        """

        def work(connection: Connection) -> tuple[Work, list[int]]:
            moment = now()
            _keep(connection, reported, moment)
            kept, changed = _renewed(connection, reported, moment)
            share = _share(connection, reported, moment)
            kept, given = _given_away(connection, reported, kept, share, moment)
            taken = _taken(connection, reported, moment, share - len(kept)) if not reported.draining else []
            check = _check(connection, reported, moment)
            return Work((*kept, *taken), check), [*changed, *given]

        made, changed = await self._database.write(work)
        for bot in changed:
            self._changes.tell(Topic.BOT, bot)
        return made

    async def hosts(self) -> list[Host]:
        """Return the hosts by name; one that is lost for a day is left out."""
        moment = now()
        statement = select(_host).where(_host.c.seen > moment - _LISTED).order_by(_host.c.name)
        rows = await self._database.read(lambda connection: connection.execute(statement).all())
        return [Host(row.name, row.report, row.seen, lost=row.seen <= _lost(moment)) for row in rows]

    async def lately(self) -> set[int]:
        """Return the bots for which a host plays or has played a moment ago: another one is about to take its place."""
        values = {"since": now() - _TAKEN_WITHIN}
        return await self._database.read(lambda connection: set(connection.execute(_LATELY, values).scalars()))

    async def waiting_checks(self) -> int:
        """Return how many programs wait for a check or are being checked."""
        statement = select(func.count()).where(_program.c.state == ProgramState.CHECKING)
        return await self._database.read(lambda connection: connection.execute(statement).scalar_one())


def _lost(moment: datetime) -> datetime:
    """Return since when a host must have been seen that is not lost."""
    return moment - timedelta(seconds=LOST_AFTER)


def _keep(connection: Connection, reported: Reported, moment: datetime) -> None:
    values: dict[str, Any] = {
        "instance": reported.instance,
        "report": reported.report,
        "slots": reported.slots,
        "draining": reported.draining,
        "seen": moment,
    }
    row = connection.execute(select(_host).where(_host.c.name == reported.name).with_for_update()).first()
    if row is None:
        connection.execute(insert(_host).values(name=reported.name, **values))
        return
    if row.instance != reported.instance and reported.seats and row.seen > _lost(moment):
        text = in_english(f"another process reports as the host {reported.name}; give each host a name of its own")
        raise FailedPrecondition(text, "HOST_REPLACED")
    connection.execute(update(_host).where(_host.c.name == reported.name).values(values))


def _renewed(connection: Connection, reported: Reported, moment: datetime) -> tuple[list[HostedBot], list[int]]:
    """Renew the leases that the host has, free those that it does not know of, and return both."""
    kept, freed = [], []
    for row in connection.execute(_of_hosts().where(_hosted.c.host == reported.name, ~barred())):
        if (row.name, row.lease) in reported.seats:
            kept.append(HostedBot(row.name, row.lease, "", row.number, row.hash))
        else:
            freed.append(row.bot_id)
    if kept:
        own = (_hosted.c.host == reported.name) & _hosted.c.bot_id.not_in(freed)
        until = moment + timedelta(seconds=LOST_AFTER)
        connection.execute(update(_hosted).where(own).values(until=until))
    _free(connection, freed, moment)
    return kept, freed


def _of_hosts() -> Any:
    columns = (_hosted.c.bot_id, _hosted.c.lease, _hosted.c.host, _bot.c.name, _program.c.number, _program.c.hash)
    return (
        select(*columns)
        .join(_bot, _bot.c.id == _hosted.c.bot_id)
        .join(_program, _program.c.id == _hosted.c.program_id)
        .order_by(_hosted.c.bot_id)
    )


def _share(connection: Connection, reported: Reported, moment: datetime) -> int:
    """Return how many bots the host is to play for: as many of all as it has of all slots."""
    alive = (_host.c.seen > _lost(moment), _host.c.draining.is_(False))
    slots = connection.execute(select(func.sum(_host.c.slots)).where(*alive)).scalar() or 0
    bots = connection.execute(select(func.count()).select_from(_hosted)).scalar_one()
    return math.ceil(bots * reported.slots / slots) if slots else 0


def _given_away(
    connection: Connection, reported: Reported, kept: list[HostedBot], share: int, moment: datetime
) -> tuple[list[HostedBot], list[int]]:
    """Leave bots without a seat to others if the host has more than its share, or is draining."""
    surplus = len(kept) if reported.draining else len(kept) - share
    idle = [bot for bot in kept if not reported.seats[bot.bot, bot.lease]][: max(0, surplus)]
    names = {bot.bot for bot in idle}
    of_names = select(_bot.c.id).where(_bot.c.name.in_(names))
    given = list(connection.execute(of_names).scalars()) if names else []
    _free(connection, given, moment)
    return [bot for bot in kept if bot.bot not in names], given


def _free(connection: Connection, bots: list[int], moment: datetime) -> None:
    if bots:
        nobody = {"host": None, "until": moment, "token_hash": None}
        connection.execute(update(_hosted).where(_hosted.c.bot_id.in_(bots)).values(nobody))


def _taken(connection: Connection, reported: Reported, moment: datetime, most: int) -> list[HostedBot]:
    """Take bots that no host plays for, `most` of them at the most."""
    free = or_(_hosted.c.host.is_(None), _hosted.c.until < moment)
    taken: list[HostedBot] = []
    for row in connection.execute(_of_hosts().where(free, ~barred()).limit(max(0, most))).all():
        if (held := _took(connection, reported.name, row, moment)) is not None:
            taken.append(held)
    return taken


def _took(connection: Connection, host: str, row: Row[Any], moment: datetime) -> HostedBot | None:
    token = new_token()
    values = {
        "lease": row.lease + 1,
        "host": host,
        "until": moment + timedelta(seconds=LOST_AFTER),
        "token_hash": token_hash(token),
    }
    same = (_hosted.c.bot_id == row.bot_id) & (_hosted.c.lease == row.lease)
    if not connection.execute(update(_hosted).where(same).values(values)).rowcount:
        return None  # another host was quicker
    return HostedBot(row.name, row.lease + 1, token, row.number, row.hash)


def _check(connection: Connection, reported: Reported, moment: datetime) -> Check | None:
    """Renew the checks that the host makes, and return one more program to check, if it takes one."""
    until = moment + _CHECK_LASTS
    for name, number, lease in reported.checks:
        its = (_program.c.number == number, _program.c.lease == lease, _program.c.state == ProgramState.CHECKING)
        of_bot = select(_bot.c.id).where(_bot.c.name == name).scalar_subquery()
        connection.execute(update(_program).where(_program.c.bot_id == of_bot, *its).values(until=until))
    if not reported.takes_check or reported.draining:
        return None
    free = or_(_program.c.until.is_(None), _program.c.until < moment)
    columns = (_program.c.id, _program.c.number, _program.c.hash, _program.c.lease, _bot.c.name)
    statement = select(*columns).join(_bot, _bot.c.id == _program.c.bot_id)
    statement = statement.where(_program.c.state == ProgramState.CHECKING, free).order_by(_program.c.id).limit(1)
    row = connection.execute(statement).first()
    if row is None:
        return None
    same = (_program.c.id == row.id) & (_program.c.lease == row.lease)
    values = {"lease": row.lease + 1, "host": reported.name, "until": until, "steps": [], "output": []}
    if not connection.execute(update(_program).where(same).values(values)).rowcount:
        return None
    return Check(row.name, row.number, row.hash, row.lease + 1)
