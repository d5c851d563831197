"""Goodbyes of bots in a cluster: a stream ends when no match has a seat for the bot any more, on any node.

Between a seat that is reserved and the bot's first word of it lies the queue. So of a bot that says goodbye all nodes
first hear that it offers no seats, and its stream ends once none is reserved for it.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from redis.exceptions import RedisError

from farfalia_server.errors import StoreUnavailable
from farfalia_server.net.service import PeriodicService
from farfalia_server.play.bot_session import SessionDirectory
from farfalia_server.play.connection import BotConnection

#: Seconds between two looks at whether a bot that wants to leave can.
_LOOK_SECONDS = 0.25


class GatewayConnection(BotConnection):
    """The connection of a bot on a node of a cluster; `farewells` is told when the bot wants to leave."""

    def __init__(self, bot: int, farewells: Callable[[GatewayConnection], None], **settings: Any) -> None:
        super().__init__(bot, **settings)
        self._farewells = farewells
        self._may_leave = False

    def close_when_idle(self) -> None:
        """Give the bot no new seats, and close its stream when no match has one for it."""
        self._may_leave = False
        super().close_when_idle()
        self._changed()
        self._farewells(self)

    def let_go(self) -> None:
        """Close the stream of a bot that wants to leave, unless it has seats here: no others are on their way."""
        self._may_leave = True
        self._close_if_idle()

    def _close_if_idle(self) -> None:
        if self._may_leave:
            super()._close_if_idle()


class Farewells(PeriodicService):
    """The service that lets bots go; `taken` returns, by bot, how many of its seats are reserved."""

    unavailable = (StoreUnavailable, RedisError, OSError)

    def __init__(self, directory: SessionDirectory, taken: Callable[[], Awaitable[dict[int, int]]]) -> None:
        super().__init__("farewells", every=_LOOK_SECONDS)
        self._directory = directory
        self._taken = taken
        self._leaving: dict[int, GatewayConnection] = {}

    def add(self, connection: GatewayConnection) -> None:
        """Let a bot go as soon as it can."""
        self._leaving[connection.bot] = connection
        self.wake()

    def _until_next_look(self) -> float | None:
        return _LOOK_SECONDS if self._leaving else None

    async def _look(self) -> None:
        leaving = {bot: connection for bot, connection in self._leaving.items() if connection.leaving}
        self._leaving = leaving
        # What is reserved counts only once all know that the bot offers nothing.
        told = [bot for bot in leaving if (here := self._directory.here(bot)) is None or not here.offered]
        if not told:
            return
        taken = await self._taken()
        for bot in told:
            if not taken.get(bot, 0):
                self._leaving.pop(bot, leaving[bot]).let_go()
