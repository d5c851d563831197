"""The lobby of a node: the connections of all bots, and who is missing at its tables."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from time import monotonic
from typing import Any, Protocol

from farfalia.v1 import play_pb2
from farfalia_server.net.measures import Measures
from farfalia_server.play.connection import MOST_AT_ONCE, BotConnection
from farfalia_server.play.loop_clock import LoopClock
from farfalia_server.play.seat_connection import SeatConnection
from farfalia_server.play.stream import TOKEN_REPLACED


class PresentBot(Protocol):
    """A bot with a stream."""

    @property
    def bot(self) -> int:
        """Number of the bot."""

    @property
    def rulesets(self) -> frozenset[str]:
        """Rulesets that it plays; empty for all."""

    @property
    def offered(self) -> int:
        """How many matches it can play at a time; none if it is leaving."""

    def send(self, message: play_pb2.PlayResponse, /) -> None:
        """Send it a message."""


#: Most bots that are probed in a second because another one is not heard of; all of them are, but then less often.
_PROBES = 100


class Lobby:
    """Connections by bot. `changed` is called whenever a bot comes, goes, or has another seat free.

    `most_matches` is how many matches a bot may have at a time, `tells_failures` whether records contain the bots'
    descriptions of their failures. With `absence_is_loss` nobody is expected to come back: a bot that is not connected
    loses its seat, however few are left. That is for bots that run on the server's own machine.
    """

    def __init__(
        self,
        *,
        linger: float,
        reconnect_grace: float,
        schedule_flush: Callable[[Callable[[], None]], None],
        changed: Callable[[], None],
        measures: Measures,
        outage_end: Callable[[], float] = lambda: -math.inf,
        clock: LoopClock | None = None,
        most_matches: int = MOST_AT_ONCE,
        tells_failures: bool = False,
        absence_is_loss: bool = False,
    ) -> None:
        self.absence_is_loss = absence_is_loss
        self._linger = linger
        self._reconnect_grace = reconnect_grace
        self._schedule_flush = schedule_flush
        self._changed = changed
        self._measures = measures
        self._outage_end = outage_end
        self._clock = clock
        self._most_matches = most_matches
        self._tells_failures = tells_failures
        self._connections: dict[int, BotConnection] = {}
        self._probed_at = -math.inf
        #: By match, the bots that were waited for in vain.
        self._absent: dict[int, frozenset[int]] = {}
        #: By match that was open when the server ended, the bots that may have a seat in it.
        self._expected: dict[int, tuple[int, ...]] = {}

    def expect(self, bots: Mapping[int, tuple[int, ...]]) -> None:
        """Expect that matches in which these bots have seats will be resumed; bots by match."""
        self._expected.update(bots)
        for match, seated in bots.items():
            for bot in seated:
                self.connection(bot).expected.add(match)

    def connection(self, bot: int) -> BotConnection:
        """Return the connection of a bot, whether it has a stream or not."""
        connection = self._connections.get(bot)
        if connection is None:
            connection = self._new_connection(
                bot,
                linger=self._linger,
                reconnect_grace=self._reconnect_grace,
                schedule_flush=self._schedule_flush,
                changed=self._changed_of(bot),
                measures=self._measures,
                outage_end=self._outage_end,
                unheard=self._probe_others,
                clock=self._clock,
                most_matches=self._most_matches,
                tells_failures=self._tells_failures,
            )
            self._connections[bot] = connection
        return connection

    def _probe_others(self) -> None:
        """Find out whether the bots that need not answer now are there: perhaps one that is gone is not alone."""
        streams = [one.stream for one in self._connections.values() if one.stream is not None and not one.thinking]
        if monotonic() - self._probed_at >= max(1.0, len(streams) / _PROBES):
            self._probed_at = monotonic()
            for stream in streams:
                stream.probe()

    def _changed_of(self, bot: int) -> Callable[[], None]:
        """Return the callback for when this bot comes, goes, or has another seat free."""
        return self._changed

    def _new_connection(self, bot: int, **settings: Any) -> BotConnection:
        return BotConnection(bot, **settings)

    def seat_connection(self, bot: int) -> SeatConnection:
        """Return the connection of a bot as a table uses it."""
        return self.connection(bot)

    def tell(self, bot: int, message: play_pb2.PlayResponse) -> None:
        """Send a bot a message; without a stream it is lost."""
        self.connection(bot).send(message)

    def connected(self) -> dict[int, str]:
        """Return the bots with a stream: names by number."""
        return {
            connection.bot: connection.name
            for connection in self._connections.values()
            if connection.stream is not None
        }

    def reachable(self) -> set[int]:
        """Return the bots with a stream on which they can be heard of."""
        return {bot for bot in self.connected() if not self._connections[bot].silent}

    def present(self) -> Sequence[PresentBot]:
        """Return the connections of the bots that have a stream."""
        return [connection for connection in self._connections.values() if connection.stream is not None]

    def is_connected(self, bot: int) -> bool:
        """Return whether the bot has a stream."""
        return self.is_here(bot)

    def is_here(self, bot: int) -> bool:
        """Return whether the bot has a stream to this node."""
        connection = self._connections.get(bot)
        return connection is not None and connection.stream is not None

    def dismiss(self, name: str) -> None:
        """End the stream of the bot of this name, whose token is no longer valid."""
        for connection in self._connections.values():
            if connection.name == name and connection.stream is not None:
                connection.stream.end(TOKEN_REPLACED)

    def forward_nonce(self, bot: int, given: play_pb2.Nonce) -> bool:
        """Send a nonce to the node that has asked for it; return whether one has."""
        return False

    def known(self, bot: int) -> BotConnection | None:
        """Return the connection of a bot if it exists already."""
        return self._connections.get(bot)

    def connections(self) -> Iterable[BotConnection]:
        """Return all connections."""
        return self._connections.values()

    def offered(self, bot: int) -> int | None:
        """Return how many matches a bot can play at a time; None if it has no stream, and none is about to come."""
        connection = self.connection(bot)
        return connection.tables if connection.expected_soon else None

    def will_not_come(self, bot: int) -> bool:
        """Return whether it is known that waiting for the bot is useless."""
        del bot
        return False

    def lost_at(self, bot: int) -> float:
        """Return when the bot's last stream was lost, by the monotonic clock, as far as this node knows."""
        return self.connection(bot).lost_at

    def came_at(self, bot: int) -> float:
        """Return when a bot that has a stream came, by the monotonic clock, as far as this node knows."""
        return self.connection(bot).came_at

    def note_absent(self, match: int, bots: Collection[int]) -> None:
        """Note for which bots house bots play in a match, since they were waited for in vain."""
        if bots:
            self._absent[match] = frozenset(bots)

    def absent(self, match: int) -> frozenset[int]:
        """Return the bots for which house bots play in a match: they were absent when its seats were reserved."""
        return self._absent.get(match, frozenset())

    def forget(self, match: int) -> None:
        """Forget who is absent from a match, or expected in it: it is over here, or another node plays it."""
        self._absent.pop(match, None)
        for bot in self._expected.pop(match, ()):
            self.connection(bot).expect_no_more(match)

    def abandon(self) -> None:
        """Leave all seats at this node's tables to the nodes that take their matches up."""
