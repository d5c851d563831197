"""Goodbyes of bots in a cluster: a stream ends once no match on any node has a seat for the bot.

A seat is reserved before the match has gone through the queue, and the bot hears of it only afterwards. So when a bot
says goodbye, all nodes first learn that it offers no seats; its stream ends once none is reserved for it.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from redis.exceptions import RedisError

from farfalia_server.contract.errors import StoreUnavailable
from farfalia_server.net.service import PeriodicService
from farfalia_server.play.bot_gateway import GatewayDirectory
from farfalia_server.play.connection import BotConnection

#: Seconds between two checks whether a bot that wants to leave can.
_LOOK_SECONDS = 0.25


class GatewayConnection(BotConnection):
    """The connection of a bot on a node of a cluster; it tells `goodbyes` when the bot wants to leave."""

    def __init__(self, bot: int, goodbyes: Callable[[GatewayConnection], None], **settings: Any) -> None:
        super().__init__(bot, **settings)
        self._goodbyes = goodbyes
        self._may_leave = False

    def close_when_idle(self) -> None:
        """Give the bot no new seats, and close its stream when no match has one for it."""
        self._may_leave = False
        super().close_when_idle()
        self._changed()
        self._goodbyes(self)

    def close_if_free(self) -> None:
        """Close the stream of a bot that wants to leave, unless it has seats here: no more will come."""
        self._may_leave = True
        self._close_if_idle()

    def _close_if_idle(self) -> None:
        if self._may_leave:
            super()._close_if_idle()


class Goodbyes(PeriodicService):
    """The service that lets bots leave; `taken` returns, by bot, how many of its seats are reserved."""

    unavailable = (StoreUnavailable, RedisError, OSError)

    def __init__(self, directory: GatewayDirectory, taken: Callable[[], Awaitable[dict[int, int]]]) -> None:
        super().__init__("goodbyes", every=_LOOK_SECONDS)
        self._directory = directory
        self._taken = taken
        self._leaving: dict[int, GatewayConnection] = {}

    def add(self, connection: GatewayConnection) -> None:
        """Let a bot leave as soon as it can."""
        self._leaving[connection.bot] = connection
        self.wake()

    def _until_next_tick(self) -> float | None:
        return _LOOK_SECONDS if self._leaving else None

    async def _tick(self) -> None:
        leaving = {bot: connection for bot, connection in self._leaving.items() if connection.leaving}
        self._leaving = leaving
        # Reserved seats can be counted only once all nodes know that the bot offers none.
        told = [bot for bot in leaving if (here := self._directory.here(bot)) is None or not here.offered]
        if not told:
            return
        taken = await self._taken()
        for bot in told:
            if not taken.get(bot, 0):
                self._leaving.pop(bot, leaving[bot]).close_if_free()
