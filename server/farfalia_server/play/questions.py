"""A bot's seat in a match, the questions it is asked there, and their answers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from farfalia.v1 import play_pb2
from farfalia_engine import Cause
from farfalia_server.play.clock import SeatClock
from farfalia_server.play.match_core import SeatState
from farfalia_server.play.question_encoding import encode_clock

#: The longest round trip that the contract can hold, in microseconds.
_LONGEST = 2**32 - 1


@dataclass(slots=True)  # not frozen: creating one would take three times as long
class Answer:
    """The answer to a question: an action, or why there is none; `at` is when it arrived, by the monotonic clock.

    `hinted` says that somebody was given a hint before, `take_back` that the seat's decision before is taken back.
    """

    action: int | None
    cause: Cause
    took_ms: int
    text: str = ""
    at: float = field(default=0.0, compare=False)
    hinted: bool = False
    take_back: bool = False


class Seating(SeatState):
    """A bot's seat in one match, as its connection needs it; `message` is sent to the bot when it sits down."""

    __slots__ = ("_clock", "_clock_shown", "epoch", "match", "message", "newest", "seat")

    def __init__(self, match: int, seat: int, clock: SeatClock, message: play_pb2.Seated, *, epoch: int = 0) -> None:
        super().__init__(clock)
        self.match = match
        #: The match's epoch.
        self.epoch = epoch
        self.seat = seat
        self.message = message
        #: The number of the newest question, asked by this node or another one.
        self.newest = 0
        self._clock_shown: tuple[int, int, int, int, bool] | None = None
        self._clock = b""

    def encoded_clock(self, round_trip_us: int, spent_ms: int, resent: bool) -> bytes:
        """Return the clock as a field of a question; it is encoded again only when it has changed."""
        clock = self.clock
        shown = (clock.bank_ms, clock.strikes, min(max(0, round_trip_us), _LONGEST), spent_ms, resent)
        if shown != self._clock_shown:
            self._clock_shown = shown
            self._clock = encode_clock(clock.control, *shown)
        return self._clock


def open_seats(seatings: Iterable[Seating]) -> list[play_pb2.Seated]:
    """Return the seats for a welcome, with the nonces of each tournament once.

    Those of 500 entrants have 32 kB: repeated for each match, a welcome would exceed what gRPC takes by default.
    """
    seats: list[play_pb2.Seated] = []
    tournaments: set[int] = set()
    for seating in seatings:
        seat = seating.message
        if seat.tournament in tournaments:
            seat = play_pb2.Seated()
            seat.CopyFrom(seating.message)
            seat.ClearField("nonces")
        elif seat.tournament:
            tournaments.add(seat.tournament)
        seats.append(seat)
    return seats


def _at_once(send: Callable[[], None]) -> None:
    send()


class PendingQuestion:
    """A question that is not answered yet: a `Question` without its clock.

    Either `answered` is called once, with the answer, or `failed`, if the server cannot send the question. `confirm`
    calls back once it is certain that the table which asks still owns its match; otherwise it ends the table.
    `spent_ms` is what it was charged elsewhere. `takes_back` says that the decision before may be taken back instead.
    """

    __slots__ = (
        "after",
        "answered",
        "batch",
        "before",
        "confirm",
        "deadline",
        "encoded",
        "failed",
        "free",
        "key",
        "legal",
        "resent",
        "seating",
        "sent_at",
        "takes_back",
        "written_at",
    )

    def __init__(
        self,
        seating: Seating,
        number: int,
        encoded: bytes,
        legal: Sequence[int],
        answered: Callable[[Answer], None],
        failed: Callable[[Exception], None],
        after: float = 0.0,
        *,
        resent: bool = False,
        spent_ms: int = 0,
        takes_back: bool = False,
        confirm: Callable[[Callable[[], None]], None] = _at_once,
    ) -> None:
        #: When the answer that led to this question came, by the monotonic clock; 0 if none did.
        self.after = after
        self.seating = seating
        self.encoded = encoded
        self.legal = legal
        self.answered = answered
        self.failed = failed
        self.confirm = confirm
        self.takes_back = takes_back
        self.batch = 0
        #: Match and number: what an action names.
        self.key = (seating.match, number)
        #: The bot may have received it before, from this server or from one that ended.
        self.resent = resent
        # Of its clock, which is the business of `Deadlines`.
        #: When it started, or will start if the question still waits, by the loop clock; 0 if neither.
        self.sent_at = 0.0
        #: Seconds that were charged before that.
        self.before = spent_ms / 1000
        #: Seconds that the question may wait behind the bot's own capacity before it starts, from when a stream came.
        self.free = 0.0
        #: When the question was last handed to a stream; 0 if it never was.
        self.written_at = 0.0
        #: Its deadline; 0 before it has started.
        self.deadline = 0.0

    @property
    def spent_ms(self) -> int:
        """The milliseconds that were charged before its clock started."""
        return round(self.before * 1000)

    def ask_again(self, spent_ms: int) -> None:
        """Reset it as if it had never been sent, except for the time it was charged: it is asked elsewhere."""
        self.resent, self.after, self.before, self.batch = True, 0.0, spent_ms / 1000, 0
        self.sent_at = self.written_at = self.deadline = 0.0
