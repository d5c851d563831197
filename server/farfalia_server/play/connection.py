"""Everything of one bot on this node: its streams, its seats, the actions it sends.

A connection outlives the streams that serve it. `Batcher` decides when a message leaves, `Deadlines` times the
questions, `Answers` settles them.
"""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Callable
from time import monotonic

from farfalia.v1 import play_pb2
from farfalia_server.net.measures import Measures
from farfalia_server.play.answers import Answers
from farfalia_server.play.batcher import Batcher
from farfalia_server.play.deadlines import Deadlines
from farfalia_server.play.decision_pace import DecisionPace
from farfalia_server.play.expected_seats import ExpectedSeats
from farfalia_server.play.limits import BotLimits
from farfalia_server.play.loop_clock import LoopClock, Timer
from farfalia_server.play.process_starts import ProcessStarts
from farfalia_server.play.questions import PendingQuestion, Seating
from farfalia_server.play.stream import Stream, StreamStatus

#: Finished matches that a connection remembers, to tell a late answer from one to a question that was never asked.
_REMEMBERED = 256
#: Most matches, and questions, that a bot can have at a time.
MOST_AT_ONCE = 1024


class BotConnection:
    """The connection of one bot, whether it has a stream or not.

    `linger` and `reconnect_grace` are in seconds, `most_matches` is how many matches the bot may have at a time.
    `schedule_flush` calls back once the questions of this moment have gathered; `changed` is called when the bot comes,
    goes or has another seat free. `outage_end` returns until when, on the clock of `monotonic`, the server could not
    admit bots: absence counts from then. `unheard` is called when a time limit ends and nothing has come from the bot
    since it was asked. With `tells_failures` records contain the bot's descriptions of its failures.
    """

    #: Whether each of its processes has a token of its own, and takes the place of the one before.
    own_tokens = False

    def __init__(
        self,
        bot: int,
        *,
        linger: float,
        reconnect_grace: float,
        schedule_flush: Callable[[Callable[[], None]], None],
        changed: Callable[[], None],
        measures: Measures,
        outage_end: Callable[[], float] = lambda: -math.inf,
        unheard: Callable[[], None] = lambda: None,
        clock: LoopClock | None = None,
        most_matches: int = MOST_AT_ONCE,
        tells_failures: bool = False,
    ) -> None:
        self.bot = bot
        #: Name of the bot, known once it has connected.
        self.name = ""
        self.stream: Stream | None = None
        #: When the last stream was lost, by the monotonic clock.
        self.lost_at = -math.inf
        #: When it came, by the same clock; a stream that follows the last one within the grace is no new arrival.
        self.came_at = -math.inf
        self.leaving = False
        #: Whether nothing is heard of it where something is due: perhaps its network is down.
        self.silent = False
        #: Of the bot's process at the last stream.
        self.instance = b""
        #: Its rate limits, which outlive its streams.
        self.limits = BotLimits(monotonic())
        self.seatings: dict[int, Seating] = {}
        self.expected = ExpectedSeats()
        #: Rulesets that the bot plays; empty for all.
        self.rulesets: frozenset[str] = frozenset()
        self.capacity_matches = 1
        self._reconnect_grace = reconnect_grace
        self._changed = changed
        self._measures = measures
        self._outage_end = outage_end
        self._unheard = unheard
        #: The clock by which the bot is timed; without one, every second counts.
        self._clock = clock or LoopClock(measures)
        self._most_matches = most_matches
        self._deadlines = Deadlines(self._clock, lambda: self._batcher.running(), self._on_time_over)
        self._batcher = Batcher(
            linger=linger,
            schedule_flush=schedule_flush,
            clock=self._clock,
            deadlines=self._deadlines,
            measures=measures,
            tables=self.seatings,
            name=lambda: self.name,
        )
        #: Which of its matches have a process, if a host plays for it.
        self.starts = ProcessStarts(
            self._clock,
            self._batcher,
            self.seatings,
            lambda question: self._batcher.add(question, self._suspended_until),
        )
        self._pace = DecisionPace()
        self._answers = Answers(
            batcher=self._batcher,
            deadlines=self._deadlines,
            clock=self._clock,
            pace=self._pace,
            seating=self._seating,
            settled=self._apply_pace,
            tells_failures=tells_failures,
        )
        #: Handles the bot's actions.
        self.receive = self._answers.receive
        #: The shortest time limit of its tables, in seconds; 0 without a table.
        self._shortest_limit = 0.0
        #: Seats that its pace allows.
        self._seats = 1
        #: The stream was closed because the bot said goodbye.
        self._left = False
        self._ended: OrderedDict[int, Seating] = OrderedDict()
        self._give_up_timer: Timer | None = None
        self._suspended_until = 0.0

    def refusal(self, token: str) -> StreamStatus | None:
        """Return why a stream with this token of the bot is refused; None if it is not."""
        del token
        return None

    # -- streams ---------------------------------------------------------------------------

    def attach(self, stream: Stream, *, resumed: bool = False) -> None:
        """Serve the bot through this stream from now on; unanswered questions are sent again, their clocks continue.

        `resumed` if the stream belongs to the same process as the last one: then a goodbye still holds.
        """
        if self.stream is None and monotonic() - self.lost_at > self._reconnect_grace:
            self.came_at = monotonic()
        self.stream = stream
        self.silent = False
        self.leaving = resumed and self.leaving and not self._left
        self._left = False
        self._await_no_longer()
        self._batcher.attach(stream)
        self.starts.stream_came(same=resumed)
        self._changed()
        if self.leaving:
            self.close_when_idle()  # the reason for its wait may be gone

    def detach(self) -> None:
        """Note that the stream is lost. Clocks keep running; seats are given up if no other stream comes in time."""
        self.stream = None
        self.lost_at = monotonic()
        self._batcher.detach()
        self.starts.stream_lost()
        self._await_return(self._grace)
        self._changed()

    def set_silent(self, silent: bool) -> None:
        """Note whether the bot can be heard of."""
        if silent != self.silent:
            self.silent = silent
            self._changed()

    @property
    def _grace(self) -> float:
        """Seconds for which a bot without a stream keeps its seats."""
        return self.starts.grace(self._reconnect_grace)

    def suspend_clocks(self) -> None:
        """Stop the bot's clocks until it has had time to come back, since the server was down."""
        if self.stream is None:
            self._suspended_until = self._clock.now() + self._reconnect_grace
            self._await_no_longer()  # it was lost before
            self._await_return(self._reconnect_grace)

    def _await_return(self, seconds: float) -> None:
        if self._give_up_timer is None and self.seatings:
            self._give_up_timer = self._clock.call_later(seconds, self._give_up_seats)

    def _await_no_longer(self) -> None:
        """Stop the timer that would give up the bot's seats."""
        if self._give_up_timer is not None:
            self._give_up_timer.cancel()
            self._give_up_timer = None

    def _give_up_seats(self) -> None:
        self._give_up_timer = None
        left = self._outage_end() + self._reconnect_grace - monotonic()
        if left > 0:
            self._await_return(left)
        else:
            self._lose_seats()

    def _lose_seats(self) -> None:
        self._give_up_timer = None
        for seating in self.seatings.values():
            seating.absence = "the bot was not connected any more"
        self._answers.give_up()

    # -- seats -----------------------------------------------------------------------------

    @property
    def connected(self) -> bool:
        """Whether the bot has a stream."""
        return self.stream is not None

    @property
    def features(self) -> frozenset[str]:
        """The features of the bot's client; none without a stream."""
        return self.stream.features if self.stream is not None else frozenset()

    @property
    def will_not_come(self) -> bool:
        """Whether it is known that waiting for the bot is useless."""
        return False

    @property
    def expected_soon(self) -> bool:
        """Whether the bot has a stream, or it is known that it will have one."""
        return self.stream is not None

    @property
    def pace(self) -> float:
        """Seconds that this bot needs for a decision, without the network; 0 before the first measurement."""
        return self._pace.seconds

    @property
    def offered(self) -> int:
        """How many matches the bot can play at a time; none if it is leaving."""
        if self.stream is None or self.leaving:
            return 0
        return min(self.capacity_matches, self._seats)

    @property
    def tables(self) -> int:
        """How many matches the bot can have seats in at once."""
        return self.offered

    def take_seat(self, seating: Seating) -> None:
        """Seat the bot at a table, and tell it."""
        self.expected.discard(seating.match)
        known = self.seatings.get(seating.match)
        if known is not None:  # another node has taken its match over: the bot keeps its seat
            self.withdraw(seating.match)
        self.seatings[seating.match] = seating
        self._update_limit()
        if self.stream is None:
            self._await_return(self._reconnect_grace)
        elif known is None or known.message != seating.message:
            self.send(play_pb2.PlayResponse(seated=[seating.message]))

    def expect_no_more(self, match: int) -> None:
        """Note that the bot no longer has a seat in a match that was open when the server ended."""
        self.expected.discard(match)
        self._close_if_idle()

    def leave(self, match: int) -> None:
        """Free the bot's seat in a match."""
        seating = self.seatings.pop(match, None)
        self.starts.forget(match)
        if seating is not None:
            seating.message = play_pb2.Seated()  # with the nonces of a whole tournament, and never sent again
            self._ended[match] = seating
            if len(self._ended) > _REMEMBERED:
                self._ended.popitem(last=False)
            self._on_seat_freed()
            self._close_if_idle()
            self._batcher.flush_if_due()
            self._changed()

    def epoch_left(self, match: int) -> int:
        """Return at which epoch of a match the bot left its seat here; 0 if it had none, or that was long ago."""
        seating = self._ended.get(match)
        return 0 if seating is None else seating.epoch

    def newest_epoch(self, match: int) -> int:
        """Return at which epoch of a match the bot has its seat here, or left it; 0 if neither."""
        seating = self.seatings.get(match)
        return self.epoch_left(match) if seating is None else seating.epoch

    def hand_over(self, match: int) -> int:
        """Free the bot's seat in a match that continues through another connection; return what its open question
        was charged, in milliseconds.
        """
        now = self._clock.now()
        charged = [self._deadlines.took_ms(q, now) for q in self._batcher.unanswered() if q.key[0] == match]
        self.withdraw(match)
        self.starts.forget(match)
        if self.seatings.pop(match, None) is not None:
            self._on_seat_freed()
            self._changed()
        return max(charged, default=0)

    def _on_seat_freed(self) -> None:
        self._update_limit()
        if not self.seatings:  # for the next seat it has the whole time again
            self._await_no_longer()

    def set_capacity(self, capacity: play_pb2.Capacity) -> bool:
        """Set the bot's capacity; return whether its number of matches has changed."""
        accepted = self.accepted_capacity(capacity)
        others = accepted.matches != self.capacity_matches
        self.capacity_matches, self._batcher.capacity = accepted.matches, accepted.questions
        self._update_seats()
        self._batcher.flush_if_due()
        if others:
            self._changed()
        return others

    def _update_limit(self) -> None:
        """Compute the shortest time limit of the bot's tables, which change less often than it decides."""
        limits_ms = (seating.clock.control.limit_ms for seating in self.seatings.values())
        self._shortest_limit = min(limits_ms, default=0) / 1000
        self._update_seats()

    def _update_seats(self) -> None:
        """Limit the bot to as many seats as let no table wait longer than a decision may take."""
        if self._shortest_limit:
            self._seats = self._pace.seats(self._batcher.capacity, self._shortest_limit)

    def accepted_capacity(self, capacity: play_pb2.Capacity) -> play_pb2.Capacity:
        """Return a capacity within the server's bounds."""
        return play_pb2.Capacity(
            matches=min(max(capacity.matches, 1), self._most_matches),
            questions=min(max(capacity.questions, 1), MOST_AT_ONCE),
        )

    def close_when_idle(self) -> None:
        """Give the bot no new seats, and close its stream when it holds none."""
        self.leaving = True
        self._close_if_idle()

    def _close_if_idle(self) -> None:
        if self.leaving and not self.seatings and not self.expected and self.stream is not None:
            self._batcher.flush()
            self._left = True
            self.stream.close()

    # -- questions -------------------------------------------------------------------------

    @property
    def thinking(self) -> bool:
        """Whether the bot has questions to answer; their clocks limit how long it may be silent."""
        return bool(self._batcher.outstanding)

    def ask(self, question: PendingQuestion) -> None:
        """Ask a question; while the bot's capacity is full it waits, uncharged for as long as its time limit."""
        question.seating.newest = question.key[1]
        self.starts.ask(question)

    def newest_question(self, match: int) -> int:
        """Return the number of the bot's last question in a match; 0 if it was asked none."""
        seating = self._seating(match)
        return seating.newest if seating is not None else 0

    def _seating(self, match: int) -> Seating | None:
        """Return the bot's seat in a match, also in one of those that ended last."""
        return self.seatings.get(match) or self._ended.get(match)

    def withdraw(self, match: int) -> None:
        """Remove the open questions of a match that is given up."""
        for question in [a for a in self._batcher.unanswered() if a.key[0] == match]:
            self._batcher.remove(question)
        self._batcher.flush_if_due()

    def exclude_delay(self, seconds: float) -> None:
        """Do not charge this time, in which the newest message waited in the server's loop before it was written."""
        self._batcher.exclude_delay(seconds)

    def _apply_pace(self) -> None:
        """Give a quick bot more seats and a slow one fewer, once after everything in a message is settled."""
        full = len(self.seatings) >= self._seats
        self._update_seats()
        if full and len(self.seatings) < self.tables:
            self._changed()

    def _on_time_over(self, question: PendingQuestion, since: float) -> None:
        # First, since what is settled asks others, and who thinks need not answer a ping.
        if self.stream is not None and not self.stream.heard_since(since):
            self.set_silent(True)
            self._unheard()
        self._answers.end_time(question, connected=self.stream is not None)
        if self.stream is not None:
            self.stream.probe()

    # -- messages --------------------------------------------------------------------------

    def send_finished(self, finished: play_pb2.Finished) -> None:
        """Tell the bot that a match is over for it, and how."""
        self.send(play_pb2.PlayResponse(finished=[finished]))

    def send(self, message: play_pb2.PlayResponse) -> None:
        """Add the fields of a message to the next message."""
        self._batcher.send(message)
