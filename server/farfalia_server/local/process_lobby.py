"""Bots whose programs start afresh for every match, so that none remembers cards: one process, one match."""

from __future__ import annotations

import asyncio
import hmac
from dataclasses import dataclass, field
from typing import Any

import grpc

from farfalia.v1 import play_pb2
from farfalia_server.play.connection import BotConnection
from farfalia_server.play.lobby import Lobby
from farfalia_server.play.questions import Seating
from farfalia_server.play.stream import Stream, StreamStatus

_SPENT = StreamStatus(
    grpc.StatusCode.UNAUTHENTICATED, "TOKEN_REPLACED", "this token was good for one match, which is over"
)


@dataclass(slots=True, eq=False)
class ProcessToken:
    """A token for one process of a bot and one match: a stream with it is accepted and gets one seat."""

    token: str
    #: It has connected.
    connected: bool = False
    #: The match in which it has a seat; 0 before that.
    match: int = 0
    #: It was sent the result of that match.
    informed: bool = False
    #: It has exited, and will not reconnect.
    exited: bool = False
    #: No other process follows, so matches need not wait for one.
    last: bool = False
    #: Set when its match is over or given up, or the seat is lost.
    finished: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def spent(self) -> bool:
        """Whether it has exited, or its match is over for it."""
        return self.exited or self.finished.is_set()


class ProcessConnection(BotConnection):
    """The connection of a bot that has a process of its own for each match; before the first one nobody is it."""

    own_tokens = True

    def __init__(self, bot: int, **settings: Any) -> None:
        super().__init__(bot, **{**settings, "most_matches": 1})
        self.process = ProcessToken("")

    def refusal(self, token: str) -> StreamStatus | None:
        """Return why a stream with this token is refused: its process is not the one whose turn it is."""
        good = hmac.compare_digest(token.encode(), self.process.token.encode()) and not self.process.spent
        return None if good else _SPENT

    def attach(self, stream: Stream, *, resumed: bool = False) -> None:
        """Serve the process through this stream from now on."""
        self.process.connected = True
        super().attach(stream, resumed=resumed)

    def end_process(self, *, last: bool) -> None:
        """Give up the seat of an exited process at once; `last` if no other process follows."""
        self.process.exited, self.process.last = True, last
        if self.stream is not None:
            self.stream.close()  # its end will be noticed soon
        elif self._give_up_timer is not None:
            self._give_up_timer.cancel()
            self._give_up_seats()
        self._changed()

    @property
    def _grace(self) -> float:
        return 0.0 if self.process.exited else super()._grace

    def _give_up_seats(self) -> None:
        self._lose_seats()  # outages of the server do not matter to a process that has exited

    @property
    def expected_soon(self) -> bool:
        """Whether the bot has a stream, or a process of it will have one."""
        return self.stream is not None or not self.process.last

    @property
    def will_not_come(self) -> bool:
        """Whether the process has exited, so that waiting for it is useless."""
        return self.process.exited

    @property
    def offered(self) -> int:
        """How many matches of others it can play: none."""
        return 0

    @property
    def tables(self) -> int:
        """How many matches it can have seats in at once: the one of its process."""
        free = self.stream is not None and not self.leaving and not self.process.match and not self.process.spent
        return 1 if free else 0

    def take_seat(self, seating: Seating) -> None:
        """Seat the process at its table, and tell it."""
        self.process.match = self.process.match or seating.match
        super().take_seat(seating)

    def leave(self, match: int) -> None:
        """Free the seat of the process: its match is over for it."""
        if match in self.seatings and self.process.match == match:
            self.process.finished.set()
        super().leave(match)

    def send_finished(self, finished: play_pb2.Finished) -> None:
        """Tell the process that its match is over for it, and how."""
        if self.process.match == finished.match:
            self.process.informed = self.stream is not None
        super().send_finished(finished)


class ProcessLobby(Lobby):
    """The lobby of a private server in which each program is started afresh for every match."""

    def _new_connection(self, bot: int, **settings: Any) -> ProcessConnection:
        return ProcessConnection(bot, **settings)

    def _of(self, bot: int) -> ProcessConnection:
        connection = self.connection(bot)
        assert isinstance(connection, ProcessConnection)
        return connection

    def admit_process(self, bot: int, token: str) -> ProcessToken:
        """Admit the process with this token as a bot for one match; the bot's matches wait for it."""
        process = self._of(bot).process = ProcessToken(token)
        return process

    def process_exited(self, bot: int, *, last: bool) -> None:
        """Note that the process has exited: matches wait for the next one or, after the last, go on with house bots."""
        self._of(bot).end_process(last=last)

    def will_not_come(self, bot: int) -> bool:
        """Return whether the bot's last process has exited, so that waiting for it is useless."""
        return self._of(bot).process.last
