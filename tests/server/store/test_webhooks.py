"""Deliveries in the database: who claims one, how long it is tried, and when a webhook is turned off."""

from __future__ import annotations

from datetime import timedelta

import pytest

from farfalia_server.contract.errors import NotFound, ResourceExhausted
from farfalia_server.net.wall_clock import now
from farfalia_server.store import ClaimedDelivery, DeliveryKind, DeliveryState, Store
from farfalia_server.store.webhooks import webhooks

SECOND, HOUR = timedelta(seconds=1), timedelta(hours=1)


async def claimed(store: Store, bot_id: int) -> ClaimedDelivery:
    """The delivery that is due."""
    found = await store.webhooks.claim(bot_id, now() + HOUR)
    assert found is not None
    return found


async def test_a_delivery_is_one_claimers_and_a_late_one_changes_nothing(store: Store) -> None:
    bot, _ = await store.bots.register("ant")
    with pytest.raises(NotFound):
        await store.webhooks.test(bot)
    await store.webhooks.set(bot, "https://ci.example/", list(DeliveryKind), "whsec_AAAA")
    await store.webhooks.test(bot)
    assert await store.webhooks.ready(10) == [(bot.id, None)]
    late = await store.webhooks.claim(bot.id, now() - SECOND)
    assert late is not None
    first = await claimed(store, bot.id)
    assert await store.webhooks.claim(bot.id, now() + HOUR) is None
    await store.webhooks.delivered(late, "200")
    [still] = await store.webhooks.deliveries(bot.id)
    assert (still.state, still.tries) == (DeliveryState.WAITING, 2)
    await store.webhooks.delivered(first, "204")
    [done] = await store.webhooks.deliveries(bot.id)
    assert (done.state, done.answer) == (DeliveryState.DELIVERED, "204")
    assert await store.webhooks.ready(10) == []


async def test_what_fails_for_a_day_is_given_up_and_for_three_the_webhook_is_off(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    account, _ = await store.accounts.create("ada")
    bot, _ = await store.bots.register("ant")
    await store.webhooks.set(bot, "https://ci.example/", list(DeliveryKind), "whsec_AAAA")
    await store.webhooks.test(bot)
    assert not await store.webhooks.failed(await claimed(store, bot.id), "503", timedelta(days=2))
    assert [one.state for one in await store.webhooks.deliveries(bot.id)] == [DeliveryState.GIVEN_UP]
    later = now() + timedelta(days=4)
    monkeypatch.setattr(webhooks, "now", lambda: later)
    await store.webhooks.test(bot)
    await store.webhooks.test(bot)
    last = await store.webhooks.claim(bot.id, later + HOUR)
    assert last is not None
    assert await store.webhooks.failed(last, "503", SECOND)
    assert {one.state for one in await store.webhooks.deliveries(bot.id)} == {DeliveryState.GIVEN_UP}
    with pytest.raises(NotFound):
        await store.webhooks.test(bot)
    assert await store.webhooks.disabled(account.id) == set(), "it is nobody's bot"
    await store.webhooks.set(bot, "https://ci.example/", list(DeliveryKind), "")
    assert (await store.webhooks.test(bot)).state is DeliveryState.WAITING


async def test_few_tests_wait_at_a_time(store: Store) -> None:
    bot, _ = await store.bots.register("ant")
    await store.webhooks.set(bot, "https://ci.example/", [], "whsec_AAAA")
    for _ in range(5):
        await store.webhooks.test(bot)
    with pytest.raises(ResourceExhausted):
        await store.webhooks.test(bot)
    await store.webhooks.remove(bot)
    assert await store.webhooks.of(bot.id) is None
    assert await store.webhooks.deliveries(bot.id) == []
