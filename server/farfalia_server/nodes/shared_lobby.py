"""The lobby of a node of a cluster: its tables seat bots of other nodes, and its bots sit at other nodes' tables."""

from __future__ import annotations

import asyncio
import math
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import monotonic
from typing import Any

import structlog

from farfalia.v1 import play_pb2
from farfalia_server.nodes.forwarding import Dismiss, Item, Items, NonceGiven, SendToNode, Tell, encoded
from farfalia_server.nodes.goodbyes import GatewayConnection
from farfalia_server.nodes.remote_seats import RemoteSeats
from farfalia_server.nodes.shared_connection import AGAIN_SECONDS, SharedConnection
from farfalia_server.play.bot_gateway import BotGateway, GatewayDirectory
from farfalia_server.play.connection import BotConnection
from farfalia_server.play.lobby import Lobby, PresentBot
from farfalia_server.play.seat_connection import SeatConnection
from farfalia_server.play.stream import NODE_LOST, STREAM_MOVED, STREAM_REPLACED, StreamStatus

log = structlog.get_logger(__name__)

#: Questions for nonces that are remembered.
_REMEMBERED = 4096
_TO_HOST = frozenset({"answer", "released"})


class SharedLobby(Lobby):
    """Connections by bot, on any node; `settings` are a lobby's."""

    def __init__(self, directory: GatewayDirectory, nodes: SendToNode, **settings: Any) -> None:
        super().__init__(**settings)
        self.directory = directory
        self.remote_seats = RemoteSeats(self, nodes)
        self._nodes = nodes
        self._shared: dict[int, SharedConnection] = {}
        #: The gateway that served the bot when it was routed last.
        self._routed: dict[int, BotGateway | None] = {}
        #: Called when a bot that is connected here comes, goes, or offers another number of seats.
        self.on_change: Callable[[int], None] = lambda bot: None
        #: Called with a nonce for a match here that a bot has given to another node.
        self.on_nonce: Callable[[int, play_pb2.Nonce], None] = lambda bot, nonce: None
        #: Called when a bot that is connected here wants to leave.
        self.on_goodbye: Callable[[GatewayConnection], None] = GatewayConnection.close_if_free
        #: By bot and match, the node that waits for the bot's nonce.
        self._nonce_hosts: OrderedDict[tuple[int, int], str] = OrderedDict()
        #: When a bot was seen without a stream for the first time since its last one.
        self._lost_at: dict[int, float] = {}
        #: When a bot was seen with a stream after it had been away for longer than the grace.
        self._came_at: dict[int, float] = {}
        directory.listen(self._on_gateway)
        self._again = asyncio.get_running_loop().call_later(AGAIN_SECONDS, self._forward_again)

    def close(self) -> None:
        """Stop forwarding again."""
        self._again.cancel()

    def _new_connection(self, bot: int, **settings: Any) -> BotConnection:
        return GatewayConnection(bot, self._on_goodbye, **settings)

    def _on_goodbye(self, connection: GatewayConnection) -> None:
        self.on_goodbye(connection)

    def _changed_of(self, bot: int) -> Callable[[], None]:
        def changed() -> None:
            self.on_change(bot)
            self._changed()

        return changed

    def seat_connection(self, bot: int) -> SeatConnection:
        """Return the connection of a bot as a table of this node uses it, wherever its stream is."""
        shared = self._shared.get(bot)
        if shared is None:
            gateway = self._routed[bot] = self.directory.elsewhere(bot)
            shared = self._shared[bot] = SharedConnection(self.connection(bot), self._nodes, gateway)
        return shared

    def offered(self, bot: int) -> int | None:
        """Return how many matches a bot can play at a time; None if it has no stream."""
        gateway = self.directory.get(bot)
        return gateway.offered if gateway is not None and gateway.connected else None

    def will_not_come(self, bot: int) -> bool:
        """Return whether the bot's last process has exited: only a server of its own starts processes of bots."""
        return False

    def lost_at(self, bot: int) -> float:
        """Return when the bot's last stream was lost, by the monotonic clock, as far as this node knows."""
        return self._lost_at.get(bot, -math.inf)

    def came_at(self, bot: int) -> float:
        """Return when a bot that has a stream came, by the monotonic clock, as far as this node knows."""
        return self._came_at.get(bot, -math.inf)

    def abandon(self) -> None:
        """Leave all seats at this node's tables to the nodes that take their matches up."""
        for shared in self._shared.values():
            shared.abandon()

    def tell(self, bot: int, message: play_pb2.PlayResponse) -> None:
        """Send a bot a message; without a stream it is lost."""
        gateway = self.directory.elsewhere(bot)
        if gateway is None:
            super().tell(bot, message)
        else:
            tell = Tell(message=message.SerializeToString())
            self._nodes.send(gateway.node, encoded(Item(bot=bot, gateway=gateway.epoch, tell=tell)))

    def is_connected(self, bot: int) -> bool:
        """Return whether the bot has a stream, on any node."""
        gateway = self.directory.elsewhere(bot)
        return super().is_connected(bot) if gateway is None else gateway.connected

    def connected(self) -> dict[int, str]:
        """Return the bots with a stream, on any node: names by number."""
        return {gateway.bot: gateway.name for gateway in self.directory.connected()}

    def reachable(self) -> set[int]:
        """Return the bots with a stream on which they can be heard of, on any node."""
        return {gateway.bot for gateway in self.directory.connected() if not gateway.silent}

    def present(self) -> Sequence[PresentBot]:
        """Return the bots that have a stream, on any node."""
        return [
            self.connection(gateway.bot) if gateway.node == self.directory.own else _BotElsewhere(self, gateway)
            for gateway in self.directory.connected()
        ]

    def dismiss(self, name: str) -> None:
        """End the stream of the bot of this name, wherever it is."""
        super().dismiss(name)
        for gateway in self.directory.connected():
            if gateway.name == name and gateway.node != self.directory.own:
                item = Item(bot=gateway.bot, gateway=gateway.epoch, dismiss=Dismiss())
                self._nodes.send(gateway.node, encoded(item))

    def forward_nonce(self, bot: int, given: play_pb2.Nonce) -> bool:
        """Send a nonce to the node that has asked for it; return whether one has."""
        host = self._nonce_hosts.pop((bot, given.match), None)
        if host is not None:
            self._nodes.send(host, encoded(Item(bot=bot, match=given.match, nonce=NonceGiven(nonce=given.nonce))))
        return host is not None

    def receive(self, sender: str, data: bytes) -> None:
        """Handle an item from another node."""
        for item in Items.FromString(data).items:
            try:
                self._receive(sender, item)
            except Exception:  # of one bot; those of other bots wait here, too
                log.exception("item_failed", bot=item.bot, match=item.match, sender=sender)

    def _receive(self, sender: str, item: Item) -> None:
        what = item.WhichOneof("what")
        if what in _TO_HOST:
            shared = self._shared.get(item.bot)
            if shared is not None:
                shared.receive(item)
            return
        if what == "nonce":
            self.on_nonce(item.bot, play_pb2.Nonce(match=item.match, nonce=item.nonce.nonce))
            return
        here = self.directory.here(item.bot)
        if here is None or here.epoch != item.gateway:
            return
        if what == "tell":
            self._tell_here(sender, item)
        elif what == "dismiss":
            super().dismiss(here.name)
        else:
            self.remote_seats.receive(sender, item)

    def _tell_here(self, sender: str, item: Item) -> None:
        message = play_pb2.PlayResponse.FromString(item.tell.message)
        for entered in message.entered:
            if entered.match:
                self._nonce_hosts[item.bot, entered.match] = sender
                if len(self._nonce_hosts) > _REMEMBERED:
                    self._nonce_hosts.popitem(last=False)
        self.connection(item.bot).send(message)

    def _on_gateway(self, bot: int) -> None:
        """Serve the bot through its current gateway."""
        gateway = self.directory.get(bot)
        if gateway is not None and gateway.connected:
            lost_at = self._lost_at.pop(bot, None)
            if bot not in self._came_at or (lost_at and monotonic() - lost_at > self._reconnect_grace):
                self._came_at[bot] = monotonic()
        else:
            self._lost_at.setdefault(bot, monotonic())
        if self.directory.here(bot) is None:
            self._release(bot)
        shared = self._shared.get(bot)
        if shared is None:
            return
        before, gateway = self._routed.get(bot), self.directory.elsewhere(bot)
        left = before if before is not None and self.directory.is_alive(before) else None
        self._routed[bot] = gateway
        shared.route(gateway, left)

    def _release(self, bot: int) -> None:
        """Hand a bot over to the node that serves it now."""
        connection = self.known(bot)
        if connection is None:
            return
        self.remote_seats.release(connection)
        if connection.stream is not None:
            connection.stream.end(self.why_not_here(bot, connection.stream.instance))

    def why_not_here(self, bot: int, instance: bytes) -> StreamStatus:
        """Return why this node does not serve, or no longer serves, a bot's stream of this instance."""
        last = self.directory.last(bot)
        if last is None or last.node == self.directory.own:
            return NODE_LOST
        return STREAM_MOVED if last.client == instance.hex() else STREAM_REPLACED

    def _forward_again(self) -> None:
        for bot, shared in list(self._shared.items()):
            if shared.idle:
                del self._shared[bot], self._routed[bot]
            else:
                shared.forward_again()
        self._again = asyncio.get_running_loop().call_later(AGAIN_SECONDS, self._forward_again)


@dataclass(frozen=True, slots=True)
class _BotElsewhere:
    """A bot with a stream to another node, for ladders."""

    lobby: SharedLobby
    gateway: BotGateway

    @property
    def bot(self) -> int:
        """Number of the bot."""
        return self.gateway.bot

    @property
    def rulesets(self) -> frozenset[str]:
        """Rulesets that it plays; empty for all."""
        return frozenset(self.gateway.rulesets)

    @property
    def offered(self) -> int:
        """How many matches it can play at a time."""
        return self.gateway.offered

    def send(self, message: play_pb2.PlayResponse) -> None:
        """Send it something."""
        self.lobby.tell(self.bot, message)
