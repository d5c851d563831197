"""The programs of bots: handed in, checked, and which of them each bot plays with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any, Final

from sqlalchemy import ColumnElement, Connection, Row, Select, delete, func, insert, select, update

from farfalia_server.contract.errors import FailedPrecondition, NotFound, ResourceExhausted
from farfalia_server.contract.said import in_english, said
from farfalia_server.net.wall_clock import now
from farfalia_server.store.changes import Topic
from farfalia_server.store.part import Part
from farfalia_server.store.people.values import Bot
from farfalia_server.store.programs.archives import keep_for, remove_unused
from farfalia_server.store.programs.values import Program, ProgramState, ProgramStep, version_of
from farfalia_server.store.sql import schema
from farfalia_server.store.webhooks.telling import tell
from farfalia_server.store.webhooks.values import DeliveryKind

#: Programs of a bot that wait for their check at a time, and archives that are kept for each.
_MOST_CHECKING, KEPT = 3, 10
#: Programs that a list has.
LISTED: Final = 100

_program, _hosted, _bot, _version = schema.program, schema.hosted, schema.bot, schema.bot_version

#: The states in which no bot can play with a program, as a refusal names them.
_UNREADY: Final = {ProgramState.CHECKING: said("checking"), ProgramState.REFUSED: said("refused")}


class Programs(Part):
    """The programs of all bots."""

    async def hand_in(self, bot: Bot, hash: bytes, size: int, *, activates: bool) -> Program:
        """Add a program whose archive is there; it waits for its check.

        Raises ResourceExhausted (QUOTA_REACHED), FailedPrecondition (PROGRAM_INCOMPLETE), NotFound (BOT_UNKNOWN) if the
        bot was removed meanwhile.
        """

        def work(connection: Connection) -> tuple[int, list[bytes]]:
            removed = select(_bot.c.removed).where(_bot.c.id == bot.id).with_for_update()
            if connection.execute(removed).scalar_one() is not None:
                raise NotFound(said("there is no bot %(bot)r any more", bot=bot.name), "BOT_UNKNOWN")
            keep_for(connection, hash)
            of_bot = _program.c.bot_id == bot.id
            checking = select(func.count()).where(of_bot, _program.c.state == ProgramState.CHECKING)
            if connection.execute(checking).scalar_one() >= _MOST_CHECKING:
                raise ResourceExhausted(
                    said(
                        "%(most)s programs of %(bot)s wait for their checks; wait for one of them",
                        most=_MOST_CHECKING,
                        bot=bot.name,
                    ),
                    "QUOTA_REACHED",
                    retry=10.0,
                )
            newest = connection.execute(select(func.max(_program.c.number)).where(of_bot)).scalar() or 0
            values: dict[str, Any] = {
                "bot_id": bot.id,
                "number": newest + 1,
                "hash": hash,
                "size": size,
                "submitted": now(),
                "state": ProgramState.CHECKING,
                "activates": activates,
                "steps": [],
                "output": [],
                "kept": True,
                "lease": 0,
            }
            number: int = connection.execute(insert(_program).values(values).returning(_program.c.number)).scalar_one()
            return number, _forget_old(connection, bot.id)

        number, forgotten = await self._database.write(work)
        await self._database.write(lambda connection: remove_unused(connection, forgotten))
        self._changes.tell(Topic.BOT, bot.id)
        return await self.get(bot, number)

    async def of(self, bot: Bot) -> list[Program]:
        """Return the programs of a bot, newest first, at most LISTED."""
        statement = _programs(_program.c.bot_id == bot.id).order_by(_program.c.number.desc()).limit(LISTED)
        rows = await self._database.read(lambda connection: connection.execute(statement).all())
        return [to_program(row) for row in rows]

    async def get(self, bot: Bot, number: int) -> Program:
        """Return a program of a bot, the newest for 0; NotFound (PROGRAM_UNKNOWN)."""
        statement = _programs(_program.c.bot_id == bot.id).order_by(_program.c.number.desc()).limit(1)
        if number:
            statement = statement.where(_program.c.number == number)
        row = await self._database.read(lambda connection: connection.execute(statement).first())
        if row is None:
            text = said("%(bot)s has no program; `farfalia submit` hands one in", bot=bot.name)
            if number:
                text = said(
                    "%(bot)s has no program %(number)s; `farfalia submit` hands one in", bot=bot.name, number=number
                )
            raise NotFound(text, "PROGRAM_UNKNOWN")
        return to_program(row)

    async def activate(self, bot: Bot, number: int) -> None:
        """Let a bot play with one of its programs, or with none for 0.

        Raises NotFound (PROGRAM_UNKNOWN, PROGRAM_REMOVED), FailedPrecondition (PROGRAM_NOT_READY).
        """
        program = await self.get(bot, number) if number else None
        if program is not None and program.state is not ProgramState.READY:
            text = said(
                "program %(number)s of %(bot)s is %(state)s; expected one that is ready",
                number=number,
                bot=bot.name,
                state=_UNREADY[program.state],
            )
            raise FailedPrecondition(text, "PROGRAM_NOT_READY")

        def work(connection: Connection) -> None:
            connection.execute(select(_bot.c.id).where(_bot.c.id == bot.id).with_for_update())
            if program is None:
                connection.execute(delete(_hosted).where(_hosted.c.bot_id == bot.id))
                return
            if not connection.execute(select(_program.c.kept).where(_program.c.id == program.id)).scalar():
                text = said(
                    "the archive of program %(number)s of %(bot)s was removed; hand it in again",
                    number=number,
                    bot=bot.name,
                )
                raise NotFound(text, "PROGRAM_REMOVED")
            play_with(connection, bot.id, program.id, program.number)

        await self._database.write(work)
        self._changes.tell(Topic.BOT, bot.id)

    async def report(
        self,
        check: tuple[str, int, int],
        steps: Sequence[ProgramStep],
        output: Sequence[str],
        *,
        over: bool,
        pinned: bool = False,
    ) -> Program:
        """Note how far the check of a bot's program, by its lease, has come, and return the program.

        At its end the program is ready if all steps passed, and the bot plays with it if that is wanted and its version
        is not `pinned`. Raises FailedPrecondition (CHECK_LOST) if the check has another lease.
        """
        name, number, lease = check

        def work(connection: Connection) -> Row[Any]:
            its = (_bot.c.name == name, _bot.c.id == _program.c.bot_id, _program.c.number == number)
            row = connection.execute(select(_program).where(*its).with_for_update(of=_program)).first()
            if row is None or row.lease != lease or row.state != ProgramState.CHECKING:
                text = in_english(f"the check of program {number} of {name} is another host's by now, or over")
                raise FailedPrecondition(text, "CHECK_LOST")
            values: dict[str, Any] = {"steps": [asdict(step) for step in steps], "output": list(output)}
            if over:
                passed = bool(steps) and all(step.passed for step in steps)
                values |= {"state": ProgramState.READY if passed else ProgramState.REFUSED, "until": None}
                if passed and row.activates and not pinned:
                    play_with(connection, row.bot_id, row.id, number)
                if not passed:
                    tell(connection, {row.bot_id: (DeliveryKind.PROGRAM_REFUSED,)}, number)
            connection.execute(update(_program).where(_program.c.id == row.id).values(values))
            return connection.execute(_programs(_program.c.id == row.id)).one()

        program = to_program(await self._database.write(work))
        self._changes.tell(Topic.BOT, program.bot_id)
        return program


def play_with(connection: Connection, bot_id: int, program_id: int, number: int) -> None:
    """Let a bot play with a program from now on, as the version of its number."""
    change = update(_hosted).where(_hosted.c.bot_id == bot_id).values(program_id=program_id)
    if not connection.execute(change).rowcount:
        connection.execute(insert(_hosted).values(bot_id=bot_id, program_id=program_id, lease=0))
    version = version_of(number)
    known = select(_version.c.version).where(_version.c.bot_id == bot_id, _version.c.version == version)
    if connection.execute(known).first() is None:
        connection.execute(insert(_version).values(bot_id=bot_id, version=version, created=now()))
    connection.execute(update(_bot).where(_bot.c.id == bot_id).values(version=version))


def _programs(condition: ColumnElement[bool]) -> Select[Any]:
    active = (_hosted.c.program_id == _program.c.id).label("active")
    return (
        select(_program, _bot.c.name, active)
        .join(_bot, _bot.c.id == _program.c.bot_id)
        .outerjoin(_hosted, _hosted.c.bot_id == _program.c.bot_id)
        .where(condition)
    )


def to_program(row: Row[Any]) -> Program:
    """Return the program of a row of `program` with the bot's name, and whether it is active."""
    return Program(
        row.id,
        row.bot_id,
        row.name,
        row.number,
        row.hash,
        row.size,
        row.submitted,
        ProgramState(row.state),
        activates=row.activates,
        active=bool(row.active),
        kept=row.kept,
        steps=tuple(ProgramStep(**step) for step in row.steps),
        output=tuple(row.output),
        host=row.host or "",
    )


def _forget_old(connection: Connection, bot_id: int) -> list[bytes]:
    """Keep the newest programs, and the one that the bot plays with; return the archives of those kept until now."""
    newest = select(_program.c.id).where(_program.c.bot_id == bot_id).order_by(_program.c.number.desc()).limit(KEPT)
    active = select(_hosted.c.program_id).where(_hosted.c.bot_id == bot_id)
    keep = set(connection.execute(newest).scalars()) | set(connection.execute(active).scalars())
    old = (_program.c.bot_id == bot_id) & _program.c.id.not_in(keep) & _program.c.kept
    change = update(_program).where(old).values(kept=False).returning(_program.c.hash)
    return list(connection.execute(change).scalars())


def remove_programs(connection: Connection, bot_id: int) -> None:
    """Remove all that a bot has handed in, so that no host plays for it."""
    connection.execute(delete(_hosted).where(_hosted.c.bot_id == bot_id))
    gone = delete(_program).where(_program.c.bot_id == bot_id).returning(_program.c.hash)
    remove_unused(connection, list(connection.execute(gone).scalars()))
