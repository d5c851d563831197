"""A chair at a table: the bot that sits there, or the house bot that plays for it."""

from __future__ import annotations

from farfalia.bot import Bot
from farfalia.v1 import play_pb2, record_pb2
from farfalia_server.play.connection import BotConnection
from farfalia_server.play.seats import Seating


class Chair:
    """A seat with a line to its bot, with a house bot, or with a house bot in the place of a bot."""

    __slots__ = ("connection", "house", "seat", "seating")

    def __init__(
        self, seat: int, *, connection: BotConnection | None, seating: Seating | None, house: Bot | None
    ) -> None:
        self.seat = seat
        self.connection = connection
        self.seating = seating
        self.house = house

    def sit(self) -> None:
        """Takes the bot's seat at its line, unless a house bot plays."""
        if self.house is None and self.connection is not None and self.seating is not None:
            self.connection.take_seat(self.seating)

    def take_over(self, house: Bot) -> None:
        """The house bot plays from here to the end; the bot's seat is free for another match."""
        self.house = house
        if self.connection is not None and self.seating is not None:
            self.connection.leave(self.seating.match)

    def notice(self) -> play_pb2.Notice:
        """What the bot is told when its seat was taken over."""
        assert self.seating is not None
        match = self.seating.match
        why = self.seating.absence or f"{self.seating.clock.strikes} strikes"
        text = f"a house bot plays your seat {self.seat} of match {match} to its end: {why}"
        return play_pb2.Notice(reason="SEAT_TAKEN_OVER", text=text, match=match)

    def leave(self) -> None:
        """The match is over or given up: the bot's seat is free."""
        if self.connection is not None and self.seating is not None:
            self.connection.withdraw(self.seating.match)
            self.connection.leave(self.seating.match)

    def send_given_up(self, match: int, *, voided: bool = False) -> None:
        """Tells the bot that its match will not be finished; `voided`, that it will be played again."""
        if self.connection is not None:
            finished = play_pb2.Finished(match=match, seat=self.seat, voided=voided)
            self.connection.send_finished(finished)

    @property
    def wants_record(self) -> bool:
        """The bot is connected and asked for records."""
        return (
            self.connection is not None
            and self.connection.stream is not None
            and "records" in self.connection.stream.features
        )

    def send_finished(self, match: int, outcome: record_pb2.MatchOutcome, record: record_pb2.Record | None) -> None:
        """Tells the bot how its match ended, and if it asked for records all of it; None while the board is in play."""
        if self.connection is None or self.connection.stream is None:
            return
        finished = play_pb2.Finished(match=match, seat=self.seat, outcome=outcome)
        if self.wants_record and record is not None:
            finished.record.CopyFrom(record)
        elif self.wants_record:
            finished.board_in_play = True
        self.connection.send_finished(finished)
