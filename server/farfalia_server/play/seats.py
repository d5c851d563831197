"""The seats of bots at a table, which house bots may take over; those of house bots have a state and nothing else."""

from __future__ import annotations

from farfalia.v1 import play_pb2, record_pb2
from farfalia_server.play.questions import Seating
from farfalia_server.play.seat_connection import SeatConnection


class BotSeat:
    """A seat of a bot with a connection."""

    __slots__ = ("connection", "seating")

    def __init__(self, connection: SeatConnection, seating: Seating) -> None:
        self.connection = connection
        self.seating = seating

    def sit(self) -> None:
        """Take the bot's seat at its connection, unless a house bot plays."""
        if self.seating.house is None:
            self.connection.take_seat(self.seating)
        else:
            self.connection.expect_no_more(self.seating.match)

    def lose(self) -> None:
        """Free the bot and tell it; a house bot plays its seat to the end."""
        match, seat = self.seating.match, self.seating.seat
        self.connection.leave(match)
        why = self.seating.absence or f"{self.seating.clock.strikes} strikes"
        text = f"a house bot plays your seat {seat} of match {match} to its end: {why}"
        notice = play_pb2.Notice(reason="SEAT_TAKEN_OVER", text=text, match=match)
        self.connection.send(play_pb2.PlayResponse(notices=[notice]))

    def leave(self) -> None:
        """Free the bot's seat: the match is over or given up."""
        self.connection.withdraw(self.seating.match)
        self.connection.leave(self.seating.match)

    def send_given_up(self, *, voided: bool = False) -> None:
        """Tell the bot that its match will not be finished; if `voided`, that it will be replayed."""
        finished = play_pb2.Finished(match=self.seating.match, seat=self.seating.seat, voided=voided)
        self.connection.send_finished(finished)

    @property
    def wants_record(self) -> bool:
        """Whether the bot is connected and asked for records."""
        return "records" in self.connection.features

    def send_finished(self, outcome: record_pb2.MatchOutcome, record: record_pb2.Record | None) -> None:
        """Tell the bot how its match ended, with the record if it wants records; None while the board is in play."""
        if not self.connection.connected:
            return
        finished = play_pb2.Finished(match=self.seating.match, seat=self.seating.seat, outcome=outcome)
        if self.wants_record and record is not None:
            finished.record.CopyFrom(record)
        elif self.wants_record:
            finished.board_in_play = True
        self.connection.send_finished(finished)
