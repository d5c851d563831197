"""Takes to webhooks what happened: soon after it, and again until it is taken, for a day."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Callable
from datetime import timedelta
from random import Random
from types import TracebackType
from typing import TYPE_CHECKING, Any, ClassVar

import structlog

from farfalia.v1 import record_pb2
from farfalia_server import __version__
from farfalia_server.contract.errors import FarfaliaServerError, NotFound
from farfalia_server.net.addresses import Addresses
from farfalia_server.net.wall_clock import now
from farfalia_server.net.webhook_urls import WebhookTargets
from farfalia_server.store import Change, ClaimedDelivery, DeliveryKind, Store, Topic
from farfalia_server.store.change_service import ChangeService

if TYPE_CHECKING:
    from farfalia_server.net.webhook_posting import WebhookPosting

log = structlog.get_logger(__name__)

#: Deliveries under way at a time: of all bots, each of which has one, and of the bots of one account.
_MOST, _MOST_OF_ACCOUNT = 16, 4
#: Bots that are looked at for one that may have a delivery now.
_LOOKED_AT = 200
#: Seconds in which nobody else makes a delivery that is under way; more than a request may take.
_LEASE_SECONDS = 60.0
#: Seconds between two looks, before each, and for what is under way when the server stops.
_EVERY, _GATHER, _LAST = 2.0, 0.1, 3.0
#: Seconds before a delivery is made again for the first time, and at most; the wait doubles.
_FIRST_WAIT, _LONGEST_WAIT = 15.0, 7200.0


class Courier(ChangeService):
    """The service that makes deliveries; on several nodes a delivery is one's that has claimed it.

    `addresses` are the public ones, which bodies link to; `chance` varies waits, so that retries spread.
    """

    topics: ClassVar[tuple[Topic, ...]] = (Topic.MATCH, Topic.TOURNAMENT, Topic.BOT)

    def __init__(
        self, store: Store, targets: WebhookTargets, addresses: Callable[[], Addresses], chance: Random
    ) -> None:
        super().__init__(store.changes, "courier", every=_EVERY, gather=_GATHER)
        self._store = store
        self._targets = targets
        self._addresses = addresses
        self._chance = chance
        self._posting: WebhookPosting | None = None
        #: What is under way, by bot, and whose bot it is.
        self._tasks: dict[int, asyncio.Task[None]] = {}
        self._accounts: dict[int, int | None] = {}

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await super().__aexit__(kind, error, trace)
        if self._tasks:
            _, late = await asyncio.wait(self._tasks.values(), timeout=_LAST)
            for task in late:
                task.cancel()
            await asyncio.gather(*late, return_exceptions=True)

    def _changed(self, change: Change) -> None:
        if change.topic is not Topic.MATCH or (change.state is not None and change.state.over):
            self.wake()

    async def _tick(self) -> None:
        ready = await self._store.webhooks.ready(_LOOKED_AT)
        under_way = Counter(self._accounts[bot] for bot in self._tasks)
        for bot, account in ready:
            if len(self._tasks) >= _MOST:
                return
            if bot in self._tasks or (account is not None and under_way[account] >= _MOST_OF_ACCOUNT):
                continue
            claimed = await self._store.webhooks.claim(bot, now() + timedelta(seconds=_LEASE_SECONDS))
            if claimed is not None:
                under_way[account] += 1
                self._begin(bot, account, claimed)

    def _begin(self, bot: int, account: int | None, claimed: ClaimedDelivery) -> None:
        task = asyncio.create_task(self._deliver(claimed), name="delivery")
        self._tasks[bot], self._accounts[bot] = task, account

        def ended(_: asyncio.Task[None]) -> None:
            del self._tasks[bot], self._accounts[bot]
            self.wake()

        task.add_done_callback(ended)

    async def _deliver(self, claimed: ClaimedDelivery) -> None:
        try:
            await self._made(claimed)
        except FarfaliaServerError as error:  # its lease ends, and somebody claims it again
            log.warning("delivery_postponed", bot=claimed.bot, error=str(error))
        except Exception:
            log.exception("service_failed", service="courier")

    async def _made(self, claimed: ClaimedDelivery) -> None:
        # It imports a client of HTTP, which a server without webhooks need not wait for.
        from farfalia_server.net.webhook_posting import PostFailed, WebhookPosting

        if self._posting is None:
            self._posting = await asyncio.to_thread(WebhookPosting, self._targets, __version__)
        told, webhooks = claimed.delivery, self._store.webhooks
        body = json.dumps(await self._body(claimed)).encode()
        try:
            answer = await self._posting.post(claimed.url, claimed.secret, str(told.id), int(now().timestamp()), body)
        except PostFailed as error:
            log.info("delivery_failed", bot=claimed.bot, kind=told.kind, tries=told.tries, error=str(error))
            wait = min(_FIRST_WAIT * 2.0 ** (told.tries - 1), _LONGEST_WAIT) * self._chance.uniform(0.5, 1.0)
            if await webhooks.failed(claimed, str(error), timedelta(seconds=wait)):
                log.warning("webhook_disabled", bot=claimed.bot, error=str(error))
        else:
            await webhooks.delivered(claimed, answer)

    async def _body(self, claimed: ClaimedDelivery) -> dict[str, Any]:
        """Return what is sent; docs/webhooks.md describes it."""
        told, pages = claimed.delivery, self._addresses().pages
        body: dict[str, Any] = {
            "version": 1,
            "id": told.id,
            "kind": told.kind.value,
            "happened": told.happened.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
            "bot": claimed.bot,
        }
        number = told.subject
        match told.kind:
            case DeliveryKind.MATCH_FINISHED | DeliveryKind.INCIDENT:
                path = f"matches/{number}"
                body |= {"match": number, **await self._of_match(told.bot_id, number)}
            case DeliveryKind.TOURNAMENT_FINISHED:
                path = f"tournaments/{number}"
                body["tournament"] = number
            case DeliveryKind.PROGRAM_REFUSED:
                path = f"account/program?name={claimed.bot}&number={number}"
                body["program"] = number
            case DeliveryKind.TEST:
                path = f"account/webhook?name={claimed.bot}"
        return body | {"page": f"{pages}{path}"}

    async def _of_match(self, bot_id: int, number: int) -> dict[str, Any]:
        try:
            match = await self._store.matches.get(number)
        except NotFound:  # a backup of before was restored
            return {}
        incidents = [one for one in await self._store.logs.incidents(bot_id) if one.match_id == number]
        return {
            "game": match.ruleset,
            "tournament": match.tournament_id,
            # None while others still play its cards.
            "results": [
                {"version": one.version, "place": one.place, "points": one.points, "strikes": one.strikes}
                for one in await self._store.seat_results.of_matches(bot_id, [number])
            ],
            "incidents": [
                {"cause": _cause(one.cause), "strikes": one.strikes, "lost_seat": one.taken_over} for one in incidents
            ],
        }


def _cause(number: int) -> str:
    """Return what happened as its name in JSON of the contract, such as CAUSE_TIMEOUT."""
    return record_pb2.Cause.Name(record_pb2.Cause.ValueType(number))
