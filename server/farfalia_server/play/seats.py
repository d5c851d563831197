"""The seats at a table: those of bots, which house bots may take over, and those of house bots."""

from __future__ import annotations

from farfalia.bot import Bot
from farfalia.v1 import play_pb2, record_pb2
from farfalia_server.play.connection import BotConnection
from farfalia_server.play.questions import Seating


class HouseSeat:
    """A seat that a house bot plays from the first card to the last."""

    __slots__ = ("house", "seat")

    def __init__(self, seat: int, house: Bot) -> None:
        self.seat = seat
        self.house = house


class BotSeat:
    """A seat of a bot with a connection; `house` is the house bot that has taken it over, if one has."""

    __slots__ = ("connection", "house", "seat", "seating")

    def __init__(self, seat: int, connection: BotConnection, seating: Seating) -> None:
        self.seat = seat
        self.connection = connection
        self.seating = seating
        self.house: Bot | None = None

    def sit(self) -> None:
        """Take the bot's seat at its connection, unless a house bot plays."""
        if self.house is None:
            self.connection.take_seat(self.seating)

    def take_over(self, house: Bot) -> None:
        """Let a house bot play from here to the end; the bot's seat is free for another match."""
        self.house = house
        self.connection.leave(self.seating.match)

    def notice(self) -> play_pb2.Notice:
        """Return what the bot is told when its seat was taken over."""
        match = self.seating.match
        why = self.seating.absence or f"{self.seating.clock.strikes} strikes"
        text = f"a house bot plays your seat {self.seat} of match {match} to its end: {why}"
        return play_pb2.Notice(reason="SEAT_TAKEN_OVER", text=text, match=match)

    def leave(self) -> None:
        """Free the bot's seat: the match is over or given up."""
        self.connection.withdraw(self.seating.match)
        self.connection.leave(self.seating.match)

    def send_given_up(self, *, voided: bool = False) -> None:
        """Tell the bot that its match will not be finished; `voided`, that it will be played again."""
        finished = play_pb2.Finished(match=self.seating.match, seat=self.seat, voided=voided)
        self.connection.send_finished(finished)

    @property
    def wants_record(self) -> bool:
        """Whether the bot is connected and asked for records."""
        return self.connection.stream is not None and "records" in self.connection.stream.features

    def send_finished(self, outcome: record_pb2.MatchOutcome, record: record_pb2.Record | None) -> None:
        """Tell the bot how its match ended, and if it asked for records all of it; None while the board is in play."""
        if self.connection.stream is None:
            return
        finished = play_pb2.Finished(match=self.seating.match, seat=self.seat, outcome=outcome)
        if self.wants_record and record is not None:
            finished.record.CopyFrom(record)
        elif self.wants_record:
            finished.board_in_play = True
        self.connection.send_finished(finished)


Seat = BotSeat | HouseSeat
