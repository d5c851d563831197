"""What a table needs of a bot's connection, wherever the bot's stream is."""

from __future__ import annotations

from typing import Protocol

from farfalia.v1 import play_pb2
from farfalia_server.play.questions import PendingQuestion, Seating


class SeatConnection(Protocol):
    """The connection of one bot, for its seats."""

    @property
    def connected(self) -> bool:
        """Whether the bot has a stream."""

    @property
    def features(self) -> frozenset[str]:
        """The features of its client; none without a stream."""

    @property
    def rulesets(self) -> frozenset[str]:
        """Rulesets that the bot plays; empty for all."""

    @property
    def will_not_come(self) -> bool:
        """Whether the bot's process has exited, so that waiting for it is useless."""

    def suspend_clocks(self) -> None:
        """Stop the bot's clocks until it has had time to come back, since the server was down."""

    def take_seat(self, seating: Seating) -> None:
        """Seat the bot at a table, and tell it."""

    def expect_no_more(self, match: int) -> None:
        """Note that the bot no longer has a seat in a match that was open when the server ended."""

    def ask(self, question: PendingQuestion) -> None:
        """Ask a question; its `answered` is called once, unless the question is withdrawn."""

    def withdraw(self, match: int) -> None:
        """Remove the open questions of a match that is given up."""

    def leave(self, match: int) -> None:
        """Free the bot's seat in a match."""

    def send(self, message: play_pb2.PlayResponse) -> None:
        """Add the fields of a message to the next message."""

    def send_finished(self, finished: play_pb2.Finished) -> None:
        """Tell the bot that a match is over for it, and how."""
