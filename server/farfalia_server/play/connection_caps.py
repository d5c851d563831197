"""How many bots of an owner, or of a team, events let be connected at a time."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence

import grpc

from farfalia_server.contract.errors import StoreUnavailable
from farfalia_server.contract.untrusted import clean
from farfalia_server.play import limits
from farfalia_server.play.authentication import KnownBot
from farfalia_server.play.lobby import Lobby
from farfalia_server.play.stream import StreamStatus
from farfalia_server.store import ConnectionCap

#: Returns the caps that hold for a bot, by its number.
CapsOf = Callable[[int], Awaitable[Sequence[ConnectionCap]]]


async def no_caps(bot: int) -> Sequence[ConnectionCap]:
    """Return no caps: nothing on one's own machine has any."""
    del bot
    return ()


class ConnectionCaps:
    """The caps of connections, as a node applies them to the bots that open streams; `retry` is in seconds."""

    def __init__(self, lobby: Lobby, caps_of: CapsOf, retry: float) -> None:
        self._lobby = lobby
        self._caps_of = caps_of
        self._retry = retry

    async def of(self, bot: KnownBot) -> Sequence[ConnectionCap]:
        """Return the caps that hold for a bot; none while the store is unreachable, since it can play without them."""
        try:
            return await self._caps_of(bot.id)
        except StoreUnavailable:
            return ()

    def refusal_here(self, bot: KnownBot, caps: Sequence[ConnectionCap]) -> StreamStatus | None:
        """Return why the bot gets no stream if as many others are connected to this node, which is the only one."""
        there = self._lobby.connected().keys() - {bot.id}
        return next((self.refusal(bot, cap) for cap in caps if len(cap.bots.keys() & there) >= cap.most), None)

    def refusal(self, bot: KnownBot, cap: ConnectionCap) -> StreamStatus:
        """Return the status of a stream beyond a cap."""
        there = self._lobby.connected()
        others = sorted(name for number, name in cap.bots.items() if number in there and number != bot.id)
        whose = f"the team {cap.team}" if cap.team else f"the owner of {bot.name}"
        text = (
            f"{whose} may have {cap.most} connected at a time in the event {cap.event}, and has "
            f"{clean(', '.join(others), limits.QUOTED)}; end one of them, and {bot.name} gets in"
        )
        # One of them may be a lost connection, which the pings will notice after some more intervals.
        return StreamStatus(grpc.StatusCode.RESOURCE_EXHAUSTED, "TOO_MANY_BOTS", text, retry=self._retry)
