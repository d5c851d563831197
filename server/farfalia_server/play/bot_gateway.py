"""Which node serves which bot, as far as a node of a cluster knows."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass


@dataclass(frozen=True, slots=True)
class BotGateway:
    """The node at which a bot has its stream: from when the bot comes from another node, or for the first time, and
    between streams, too. Each gateway has a higher epoch than the one before.
    """

    bot: int
    epoch: int
    #: Name of the node, and its instance.
    node: str
    node_instance: str
    name: str = ""
    #: Whether the bot has a stream, and the instance that its client chose, in hexadecimal digits.
    connected: bool = False
    client: str = ""
    features: tuple[str, ...] = ()
    rulesets: tuple[str, ...] = ()
    #: How many matches the bot can play at a time; 0 if it is leaving.
    offered: int = 0
    #: Whether it owes an answer to a ping, though it does not think.
    silent: bool = False

    @classmethod
    def parse(cls, text: str | bytes) -> BotGateway:
        """Return what `str` made."""
        values = json.loads(text)
        return cls(**{**values, "features": tuple(values["features"]), "rulesets": tuple(values["rulesets"])})

    def __str__(self) -> str:
        return json.dumps(asdict(self), separators=(",", ":"))


class GatewayDirectory:
    """The gateways of all bots, as far as this node knows. Listeners are called with the number of a bot whose gateway
    has moved or changed.

    `lives` tells whether a node is alive, by name and instance: nobody serves the bots of a dead one.
    """

    def __init__(self, own: str, lives: Callable[[str, str], bool]) -> None:
        self.own = own
        self._lives = lives
        self._gateways: dict[int, BotGateway] = {}
        self._listeners: list[Callable[[int], None]] = []

    def listen(self, listener: Callable[[int], None]) -> None:
        """Call the listener from now on."""
        self._listeners.append(listener)

    def is_alive(self, gateway: BotGateway) -> bool:
        """Return whether the node is alive that is a gateway."""
        return self._lives(gateway.node, gateway.node_instance)

    def get(self, bot: int) -> BotGateway | None:
        """Return the gateway of a bot; None if no live node has it."""
        gateway = self._gateways.get(bot)
        return gateway if gateway is not None and self.is_alive(gateway) else None

    def last(self, bot: int) -> BotGateway | None:
        """Return the newest gateway of a bot, even if its node is dead."""
        return self._gateways.get(bot)

    def here(self, bot: int) -> BotGateway | None:
        """Return the gateway of a bot if this node is its gateway."""
        gateway = self.get(bot)
        return gateway if gateway is not None and gateway.node == self.own else None

    def elsewhere(self, bot: int) -> BotGateway | None:
        """Return the gateway of a bot if another node is its gateway."""
        gateway = self.get(bot)
        return gateway if gateway is not None and gateway.node != self.own else None

    def connected(self) -> Iterable[BotGateway]:
        """Return the gateways of all bots that have a stream, on any node."""
        return [s for s in self._gateways.values() if s.connected and self.is_alive(s)]

    def own_gateways(self) -> list[BotGateway]:
        """Return the gateways at this node."""
        return [gateway for bot in self._gateways if (gateway := self.here(bot)) is not None]

    def put(self, gateway: BotGateway) -> None:
        """Store a gateway, unless a newer one is known."""
        known = self._gateways.get(gateway.bot)
        if known is None or gateway.epoch >= known.epoch:
            self._gateways[gateway.bot] = gateway
            if gateway != known:
                self._tell(gateway.bot)

    def node_changed(self, node: str) -> None:
        """Note that this node has come or gone."""
        for bot in [bot for bot, gateway in self._gateways.items() if gateway.node == node]:
            self._tell(bot)

    def _tell(self, bot: int) -> None:
        for listener in self._listeners:
            listener(bot)
