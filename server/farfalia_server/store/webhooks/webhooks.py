"""The webhooks of bots, and the deliveries that wait for them."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, Row, bindparam, delete, func, insert, select, update

from farfalia_server.contract.errors import NotFound, ResourceExhausted
from farfalia_server.contract.said import said
from farfalia_server.net.wall_clock import now
from farfalia_server.store.changes import Topic
from farfalia_server.store.part import Part
from farfalia_server.store.people.values import Bot
from farfalia_server.store.sql import schema
from farfalia_server.store.webhooks.values import (
    FAILS_FOR,
    KEPT,
    MOST_TESTS,
    TRIED_FOR,
    ClaimedDelivery,
    Delivery,
    DeliveryKind,
    DeliveryState,
    Webhook,
)

_webhook, _delivery, _bot = schema.webhook, schema.delivery, schema.bot
_WAITS = _delivery.c.state == DeliveryState.WAITING
#: Needed after every match, so it is built once.
_READY = (
    select(_delivery.c.bot_id, _bot.c.account_id)
    .join(_bot, _bot.c.id == _delivery.c.bot_id)
    .where(_WAITS, _delivery.c.due <= bindparam("at", type_=_delivery.c.due.type))
    .group_by(_delivery.c.bot_id, _bot.c.account_id)
    .order_by(func.min(_delivery.c.due), _delivery.c.bot_id)
    .limit(bindparam("most"))
)
_IS_TEST = _delivery.c.kind == DeliveryKind.TEST
#: What is said of deliveries that waited when their webhook was turned off.
_OFF = "the webhook was turned off"


class Webhooks(Part):
    """A webhook for each bot that has one. Several nodes may claim deliveries: each try belongs to one of them."""

    async def of(self, bot_id: int) -> Webhook | None:
        """Return the webhook of a bot, if it has one."""
        statement = select(_webhook).where(_webhook.c.bot_id == bot_id)
        row = await self._database.read(lambda connection: connection.execute(statement).first())
        return None if row is None else _to_webhook(row)

    async def disabled(self, account: int) -> set[int]:
        """Return the bots of an account whose webhooks the server has turned off."""
        of_account = (_bot.c.account_id == account, _webhook.c.disabled.is_not(None))
        statement = select(_webhook.c.bot_id).join(_bot, _bot.c.id == _webhook.c.bot_id).where(*of_account)
        return await self._database.read(lambda connection: set(connection.execute(statement).scalars()))

    async def set(self, bot: Bot, url: str, kinds: Collection[DeliveryKind], secret: str) -> None:
        """Give a bot a webhook in place of the one before; an empty `secret` keeps that one's.

        NotFound if the bot was removed meanwhile, or there is no secret to keep.
        """
        values: dict[str, Any] = {"url": url, "kinds": sorted(kinds), "since": now()}
        values |= {"failing_since": None, "disabled": None} | ({"secret": secret} if secret else {})

        def work(connection: Connection) -> None:
            removed = select(_bot.c.removed).where(_bot.c.id == bot.id).with_for_update()
            if connection.execute(removed).scalar_one() is not None:
                raise NotFound(said("there is no bot %(bot)r any more", bot=bot.name), "BOT_UNKNOWN")
            change = update(_webhook).where(_webhook.c.bot_id == bot.id).values(values)
            if connection.execute(change).rowcount:
                return
            if not secret:
                raise _unknown(bot)
            connection.execute(insert(_webhook).values(bot_id=bot.id, **values))

        await self._database.write(work)

    async def remove(self, bot: Bot) -> None:
        """Take the webhook of a bot away, with all that it was told."""
        await self._database.write(lambda connection: remove_webhook(connection, bot.id))

    async def deliveries(self, bot_id: int, limit: int = KEPT) -> list[Delivery]:
        """Return what a bot's webhook was told, newest first."""
        statement = select(_delivery).where(_delivery.c.bot_id == bot_id).order_by(_delivery.c.id.desc()).limit(limit)
        return await self._database.read(lambda connection: list(map(_to_delivery, connection.execute(statement))))

    async def test(self, bot: Bot) -> Delivery:
        """Add a delivery that is a test; NotFound (WEBHOOK_UNKNOWN), ResourceExhausted (QUOTA_REACHED)."""
        waiting = select(func.count()).where(_delivery.c.bot_id == bot.id, _WAITS, _IS_TEST)
        enabled = select(_webhook.c.bot_id).where(_webhook.c.bot_id == bot.id, _webhook.c.disabled.is_(None))
        moment = now()
        values: dict[str, Any] = {"bot_id": bot.id, "kind": DeliveryKind.TEST, "subject": 0, "happened": moment}
        values |= {"state": DeliveryState.WAITING, "tries": 0, "answer": "", "due": moment}

        def work(connection: Connection) -> Delivery:
            if connection.execute(enabled.with_for_update()).first() is None:
                raise _unknown(bot)
            if connection.execute(waiting).scalar_one() >= MOST_TESTS:
                text = said(
                    "%(number)s tests of %(bot)s's webhook wait; expected at most that", number=MOST_TESTS, bot=bot.name
                )
                raise ResourceExhausted(text, "QUOTA_REACHED", retry=60.0)
            return _to_delivery(connection.execute(insert(_delivery).values(values).returning(_delivery)).one())

        made = await self._database.write(work)
        self._changes.tell(Topic.BOT, bot.id)
        return made

    async def ready(self, limit: int) -> list[tuple[int, int | None]]:
        """Return bots for which a delivery is due, the one that waits longest first, each with its account."""
        values = {"at": now(), "most": limit}
        rows = await self._database.read(lambda connection: connection.execute(_READY, values).all())
        return [(row.bot_id, row.account_id) for row in rows]

    async def claim(self, bot_id: int, until: datetime) -> ClaimedDelivery | None:
        """Take the delivery of a bot that has been due longest; others may claim it after `until`. None without one."""
        of_bot = (_delivery.c.bot_id == bot_id, _WAITS, _delivery.c.due <= now())
        first = (
            select(_delivery.c.id, _delivery.c.tries, _webhook.c.url, _webhook.c.secret, _bot.c.name)
            .join(_bot, _bot.c.id == _delivery.c.bot_id)
            .outerjoin(_webhook, _webhook.c.bot_id == _delivery.c.bot_id)
            .where(*of_bot)
            .order_by(_delivery.c.due, _delivery.c.id)
            .limit(1)
        )

        def work(connection: Connection) -> ClaimedDelivery | None:
            row = connection.execute(first).first()
            if row is None:
                return None
            if row.url is None:  # what happened while the webhook was taken away
                remove_webhook(connection, bot_id)
                return None
            claimed = (_delivery.c.id == row.id, _WAITS, _delivery.c.tries == row.tries)
            change = update(_delivery).where(*claimed).values(tries=row.tries + 1, due=until).returning(_delivery)
            found = connection.execute(change).first()
            return None if found is None else ClaimedDelivery(_to_delivery(found), row.name, row.url, row.secret)

        return await self._database.write(work)

    async def delivered(self, claimed: ClaimedDelivery, answer: str) -> None:
        """Note that a delivery was taken."""
        of_bot = _webhook.c.bot_id == claimed.delivery.bot_id

        def work(connection: Connection) -> None:
            if _end(connection, claimed, answer, DeliveryState.DELIVERED):
                connection.execute(update(_webhook).where(of_bot).values(failing_since=None))

        await self._database.write(work)

    async def failed(self, claimed: ClaimedDelivery, answer: str, wait: timedelta) -> bool:
        """Note that a delivery was not taken: it is due again after `wait`, unless its day is over by then.

        A webhook that has failed for days is turned off, with all that waits for it; return whether it was.
        """
        moment, told = now(), claimed.delivery
        of_bot = (_webhook.c.bot_id == told.bot_id, _webhook.c.url == claimed.url)
        waiting = (_delivery.c.bot_id == told.bot_id, _WAITS)

        def work(connection: Connection) -> bool:
            if moment + wait > told.happened + TRIED_FOR:
                _end(connection, claimed, answer, DeliveryState.GIVEN_UP)
            else:
                again = update(_delivery).where(*_this_try(claimed)).values(answer=answer, due=moment + wait)
                connection.execute(again)
            first = update(_webhook).where(*of_bot, _webhook.c.failing_since.is_(None))
            connection.execute(first.values(failing_since=moment))
            ripe = (_webhook.c.failing_since < moment - FAILS_FOR, _webhook.c.disabled.is_(None))
            if not connection.execute(update(_webhook).where(*of_bot, *ripe).values(disabled=moment)).rowcount:
                return False
            connection.execute(update(_delivery).where(*waiting).values(state=DeliveryState.GIVEN_UP, answer=_OFF))
            return True

        return await self._database.write(work)


def remove_webhook(connection: Connection, bot_id: int) -> None:
    """Take the webhook of a bot away, with all that it was told."""
    for table in (_delivery, _webhook):
        connection.execute(delete(table).where(table.c.bot_id == bot_id))


def _end(connection: Connection, claimed: ClaimedDelivery, answer: str, state: DeliveryState) -> bool:
    """End a delivery and forget old ones of the bot; return False if this try is no longer the last one."""
    ended = update(_delivery).where(*_this_try(claimed)).values(state=state, answer=answer)
    if not connection.execute(ended).rowcount:
        return False
    over = (_delivery.c.bot_id == claimed.delivery.bot_id, ~_WAITS)
    newest = select(_delivery.c.id).where(*over).order_by(_delivery.c.id.desc())
    oldest = newest.offset(KEPT).limit(1).scalar_subquery()
    connection.execute(delete(_delivery).where(*over, _delivery.c.id <= oldest))
    return True


def _this_try(claimed: ClaimedDelivery) -> tuple[Any, ...]:
    return _delivery.c.id == claimed.delivery.id, _WAITS, _delivery.c.tries == claimed.delivery.tries


def _unknown(bot: Bot) -> NotFound:
    return NotFound(said("%(bot)s has no webhook that is on; set its URL first", bot=bot.name), "WEBHOOK_UNKNOWN")


def _to_webhook(row: Row[Any]) -> Webhook:
    kinds = tuple(map(DeliveryKind, row.kinds))
    return Webhook(row.bot_id, row.url, kinds, row.since, row.failing_since, row.disabled)


def _to_delivery(row: Row[Any]) -> Delivery:
    kind, state = DeliveryKind(row.kind), DeliveryState(row.state)
    return Delivery(row.id, row.bot_id, kind, row.subject, row.happened, state, row.tries, row.answer, row.due)
