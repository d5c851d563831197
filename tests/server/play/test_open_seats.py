"""The seats that a welcome lists."""

from __future__ import annotations

from farfalia.v1 import play_pb2
from farfalia_engine import TimeControl
from farfalia_server.play.clock import SeatClock
from farfalia_server.play.questions import Seating, open_seats

CONTROL = TimeControl(limit_ms=5000, bank_ms=0, grace=3)


def seating(match: int, tournament: int, nonces: list[bytes]) -> Seating:
    seated = play_pb2.Seated(match=match, tournament=tournament, nonces=nonces)
    return Seating(match, 0, SeatClock(CONTROL), seated)


def test_a_welcome_has_the_nonces_of_each_tournament_once_and_of_each_ladder_match() -> None:
    first, second = [b"of the first %d" % number for number in range(2)], [b"of the second"]
    seatings = [
        seating(1, 7, first),
        seating(2, 8, second),
        seating(3, 7, first),
        seating(4, 0, [b"of match 4"]),
        seating(5, 0, [b"of match 5"]),
    ]
    seats = open_seats(seatings)
    assert [seat.match for seat in seats] == [1, 2, 3, 4, 5]
    assert [list(seat.nonces) for seat in seats] == [first, second, [], [b"of match 4"], [b"of match 5"]]
    assert list(seatings[2].message.nonces) == first, "a bot that is seated anew is told all of them"


def test_a_welcome_with_all_seats_and_500_entrants_fits_a_message_of_any_client() -> None:
    nonces = [b"%064d" % number for number in range(500)]
    welcome = play_pb2.Welcome(open=open_seats(seating(match, 7, nonces) for match in range(1, 1001)))
    assert welcome.ByteSize() < 1 << 20
