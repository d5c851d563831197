"""Which node serves which bot, as far as a node of a cluster knows."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass


@dataclass(frozen=True, slots=True)
class BotSession:
    """A bot's session at a node, its gateway: it begins when the bot comes from another node or for the first time, and
    outlives the streams there. Each session has a higher epoch than the one before.
    """

    bot: int
    epoch: int
    #: Name of the gateway, and its instance.
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
    def parse(cls, text: str | bytes) -> BotSession:
        """Return what `str` made."""
        values = json.loads(text)
        return cls(**{**values, "features": tuple(values["features"]), "rulesets": tuple(values["rulesets"])})

    def __str__(self) -> str:
        return json.dumps(asdict(self), separators=(",", ":"))


class SessionDirectory:
    """The sessions of all bots, as far as this node knows. Listeners are called with the number of a bot whose session
    has moved or changed.

    `lives` tells whether a node is alive, by name and instance: nobody serves the bots of a dead one.
    """

    def __init__(self, own: str, lives: Callable[[str, str], bool]) -> None:
        self.own = own
        self._lives = lives
        self._sessions: dict[int, BotSession] = {}
        self._listeners: list[Callable[[int], None]] = []

    def listen(self, listener: Callable[[int], None]) -> None:
        """Call the listener from now on."""
        self._listeners.append(listener)

    def is_alive(self, session: BotSession) -> bool:
        """Return whether the node of a session is alive."""
        return self._lives(session.node, session.node_instance)

    def get(self, bot: int) -> BotSession | None:
        """Return the session of a bot; None if no live node has it."""
        session = self._sessions.get(bot)
        return session if session is not None and self.is_alive(session) else None

    def last(self, bot: int) -> BotSession | None:
        """Return the newest session of a bot, even if its node is dead."""
        return self._sessions.get(bot)

    def here(self, bot: int) -> BotSession | None:
        """Return the session of a bot if this node is its gateway."""
        session = self.get(bot)
        return session if session is not None and session.node == self.own else None

    def elsewhere(self, bot: int) -> BotSession | None:
        """Return the session of a bot if another node is its gateway."""
        session = self.get(bot)
        return session if session is not None and session.node != self.own else None

    def connected(self) -> Iterable[BotSession]:
        """Return the sessions of all bots that have a stream, on any node."""
        return [s for s in self._sessions.values() if s.connected and self.is_alive(s)]

    def own_sessions(self) -> list[BotSession]:
        """Return the sessions at this node."""
        return [session for bot in self._sessions if (session := self.here(bot)) is not None]

    def put(self, session: BotSession) -> None:
        """Store a session, unless a newer one is known."""
        known = self._sessions.get(session.bot)
        if known is None or session.epoch >= known.epoch:
            self._sessions[session.bot] = session
            if session != known:
                self._tell(session.bot)

    def node_changed(self, node: str) -> None:
        """Note that this node has come or gone."""
        for bot in [bot for bot, session in self._sessions.items() if session.node == node]:
            self._tell(bot)

    def _tell(self, bot: int) -> None:
        for listener in self._listeners:
            listener(bot)
