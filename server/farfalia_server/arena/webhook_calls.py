"""The calls of webhooks: where a bot's owner is told what happened."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final
from urllib.parse import urlsplit

from farfalia.v1 import webhooks_pb2
from farfalia_server.arena.answering import Context, errors_as_status
from farfalia_server.arena.program_calls import ProgramCalls
from farfalia_server.contract.errors import FailedPrecondition, InvalidArgument
from farfalia_server.contract.said import said
from farfalia_server.contract.untrusted import quoted
from farfalia_server.net.webhook_signing import new_secret
from farfalia_server.net.webhook_urls import UrlRefused, WebhookTargets, checked_url
from farfalia_server.play.play_service import bearer_token
from farfalia_server.records.messages import timestamp
from farfalia_server.store import Bot, Delivery, DeliveryKind, DeliveryState, Webhook

#: The kinds and states in the contract.
_KINDS: Final = {
    DeliveryKind.MATCH_FINISHED: webhooks_pb2.DELIVERY_KIND_MATCH_FINISHED,
    DeliveryKind.INCIDENT: webhooks_pb2.DELIVERY_KIND_INCIDENT,
    DeliveryKind.TOURNAMENT_FINISHED: webhooks_pb2.DELIVERY_KIND_TOURNAMENT_FINISHED,
    DeliveryKind.PROGRAM_REFUSED: webhooks_pb2.DELIVERY_KIND_PROGRAM_REFUSED,
    DeliveryKind.TEST: webhooks_pb2.DELIVERY_KIND_TEST,
}
_STATES: Final = {
    DeliveryState.WAITING: webhooks_pb2.DELIVERY_STATE_WAITING,
    DeliveryState.DELIVERED: webhooks_pb2.DELIVERY_STATE_DELIVERED,
    DeliveryState.GIVEN_UP: webhooks_pb2.DELIVERY_STATE_GIVEN_UP,
}
#: What an owner can choose: a test is always delivered.
_CHOICE = [kind for kind in DeliveryKind if kind is not DeliveryKind.TEST]


class WebhookCalls(ProgramCalls):
    """A part of the arena's service: webhooks of bots, and what they were told."""

    _webhook_targets: WebhookTargets

    @errors_as_status
    async def SetWebhook(  # noqa: N802 - the contract's name
        self, request: webhooks_pb2.SetWebhookRequest, context: Context
    ) -> webhooks_pb2.SetWebhookResponse:
        """Give a bot a webhook, or none."""
        bot = await self._owned(request.bot, context)
        if not request.url:
            await self._store.webhooks.remove(bot)
            return webhooks_pb2.SetWebhookResponse()
        self._check_on()
        try:
            host = checked_url(request.url, self._webhook_targets).hostname
        except UrlRefused as error:
            raise InvalidArgument(
                "url", said("url is %(url)s: %(error)s", url=quoted(request.url), error=error.text)
            ) from None
        before = await self._store.webhooks.of(bot.id)
        # The host before knows the old one, and could sign with it what the new one believes.
        moved = before is None or urlsplit(before.url).hostname != host
        secret = new_secret() if moved or request.renew_secret else ""
        await self._store.webhooks.set(bot, request.url, _checked_kinds(request.kinds), secret)
        return webhooks_pb2.SetWebhookResponse(webhook=await self._webhook_message(bot), secret=secret)

    @errors_as_status
    async def GetWebhook(  # noqa: N802
        self, request: webhooks_pb2.GetWebhookRequest, context: Context
    ) -> webhooks_pb2.GetWebhookResponse:
        """Return a bot's webhook, and what it was told."""
        bot = await self._owned(request.bot, context)
        deliveries = map(_delivery_message, await self._store.webhooks.deliveries(bot.id))
        return webhooks_pb2.GetWebhookResponse(webhook=await self._webhook_message(bot), deliveries=deliveries)

    @errors_as_status
    async def TestWebhook(  # noqa: N802
        self, request: webhooks_pb2.TestWebhookRequest, context: Context
    ) -> webhooks_pb2.TestWebhookResponse:
        """Tell a bot's webhook that this is a test."""
        bot = await self._owned(request.bot, context)
        self._check_on()
        return webhooks_pb2.TestWebhookResponse(delivery=_delivery_message(await self._store.webhooks.test(bot)))

    async def _owned(self, name: str, context: Context) -> Bot:
        await self._access.require_owner(bearer_token(context), name)
        return await self._remaining_bot(name)

    def _check_on(self) -> None:
        if self._webhook_targets is WebhookTargets.OFF:
            raise FailedPrecondition(said("this server has no webhooks; ask who runs it"), "WEBHOOKS_OFF")

    async def _webhook_message(self, bot: Bot) -> webhooks_pb2.Webhook | None:
        webhook = await self._store.webhooks.of(bot.id)
        return None if webhook is None else _message_of(bot, webhook)


def _checked_kinds(kinds: Iterable[int]) -> list[DeliveryKind]:
    """Return what a webhook is to be told; InvalidArgument."""
    chosen = []
    for wanted in kinds:
        kind = next((one for one in _CHOICE if _KINDS[one] == wanted), None)
        if kind is None:
            expected = ", ".join(f"{_KINDS[one]} ({one})" for one in _CHOICE)
            raise InvalidArgument(
                "kinds", said("kinds has %(wanted)s; expected some of %(expected)s", wanted=wanted, expected=expected)
            )
        chosen.append(kind)
    return [*dict.fromkeys(chosen or _CHOICE), DeliveryKind.TEST]


def _message_of(bot: Bot, webhook: Webhook) -> webhooks_pb2.Webhook:
    return webhooks_pb2.Webhook(
        bot=bot.name,
        url=webhook.url,
        kinds=[_KINDS[kind] for kind in _CHOICE if kind in webhook.kinds],
        since=timestamp(webhook.since),
        failing_since=timestamp(webhook.failing_since),
        disabled=timestamp(webhook.disabled),
    )


def _delivery_message(delivery: Delivery) -> webhooks_pb2.Delivery:
    return webhooks_pb2.Delivery(
        id=delivery.id,
        kind=_KINDS[delivery.kind],
        subject=delivery.subject,
        happened=timestamp(delivery.happened),
        state=_STATES[delivery.state],
        tries=delivery.tries,
        answer=delivery.answer,
        due=timestamp(delivery.due) if delivery.state is DeliveryState.WAITING else None,
    )
