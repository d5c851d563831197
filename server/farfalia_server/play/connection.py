"""The line to one bot: its seats, its questions, and when a frame leaves.

A line outlives the streams that serve it. It knows nothing of gRPC: a `Stream` takes its
frames, a caller hands it the bot's actions. A frame leaves when everything in the last one
has been answered, or a few milliseconds after the first question began to wait; an idle
stream sends at once. The clock of a question starts when its frame is handed to the stream, or when
it has waited behind the bot's own capacity for as long as a decision may take; time in which the
server's own loop is late is left out.
"""

from __future__ import annotations

import asyncio
import math
from collections import OrderedDict
from collections.abc import Callable, Iterable
from time import monotonic

from farfalia.v1 import play_pb2
from farfalia_engine import Cause
from farfalia_server.net.measures import Measures
from farfalia_server.play import limits
from farfalia_server.play.bot_limits import BotLimits
from farfalia_server.play.loop_clock import LoopClock, Timer
from farfalia_server.play.pace import Pace
from farfalia_server.play.process_token import ProcessToken
from farfalia_server.play.question_encoding import encode_question
from farfalia_server.play.seats import Answer, PendingQuestion, Seating, Stream
from farfalia_server.untrusted import clean

#: Ended matches that a line remembers, to tell a late answer from one to a question never asked.
_REMEMBERED = 256
#: Matches and questions that a bot can have at once at most.
MOST_AT_ONCE = 1024
#: Seconds of waiting to be flushed from which on the server is busy, and what waits is not timed.
_BUSY = 0.001


class BotConnection:
    """Everything of one bot on this node.

    `linger` and `reconnect_grace` are in seconds, `most_matches` is how many matches the bot may have at once.
    `schedule_flush` calls back when more questions may have gathered, at the latest when all that wait now have;
    `changed` is called when the bot comes, goes or has another seat free. `away_until` says, as `monotonic` counts,
    until when the server could not let bots in: from then on they are absent.
    """

    def __init__(
        self,
        bot: int,
        *,
        linger: float,
        reconnect_grace: float,
        schedule_flush: Callable[[Callable[[], None]], None],
        changed: Callable[[], None],
        measures: Measures,
        away_until: Callable[[], float] = lambda: -math.inf,
        clock: LoopClock | None = None,
        most_matches: int = MOST_AT_ONCE,
    ) -> None:
        self.bot = bot
        #: Name of the bot, known once it has connected.
        self.name = ""
        self.stream: Stream | None = None
        self.leaving = False
        #: Of the process that the last stream was of.
        self.instance = b""
        #: What the bot may send; outlives its streams.
        self.limits = BotLimits(monotonic())
        #: Set for a bot that has a process of its own for each match.
        self.process: ProcessToken | None = None
        self.seatings: dict[int, Seating] = {}
        #: Matches for which a seat is kept, until the table opens.
        self.reserved: set[int] = set()
        #: Rulesets that the bot plays; empty for all.
        self.rulesets: frozenset[str] = frozenset()
        self.capacity_matches = 1
        self.capacity_questions = 1
        self._loop = asyncio.get_running_loop()
        self._linger = linger
        self._reconnect_grace = reconnect_grace
        self._schedule_flush = schedule_flush
        self._changed = changed
        self._measures = measures
        self._away_until = away_until
        #: What the bot is timed by; without one, by all seconds.
        self._clock = clock or LoopClock(measures)
        self._most_matches = most_matches
        self._pace = Pace()
        #: Seats that the pace is good for.
        self._seats = 1
        #: The goodbye has been answered with the end of a stream.
        self._left = False
        self._waiting: OrderedDict[tuple[int, int], PendingQuestion] = OrderedDict()
        self._outstanding: dict[tuple[int, int], PendingQuestion] = {}
        self._ended: OrderedDict[int, Seating] = OrderedDict()
        self._out = play_pb2.PlayResponse()
        self._encoded: list[bytes] = []
        self._batch = 0
        self._unanswered = 0
        self._flushing = False
        #: When, by the loop clock, the line got in the queue to be flushed.
        self._flushing_since = 0.0
        self._flush_timer: asyncio.TimerHandle | None = None
        self._timer: Timer | None = None
        self._timer_at = 0.0
        self._give_up_timer: Timer | None = None
        self._suspended_until = 0.0

    # -- streams ---------------------------------------------------------------------------

    def attach(self, stream: Stream, *, resumed: bool = False) -> None:
        """A stream serves the line from now on; what is unanswered is asked again, clocks where they stand.

        `resumed` if it is of the process that the last stream was of: then a goodbye still holds.
        """
        self.stream = stream
        self.leaving = resumed and self.leaving and not self._left
        self._left = False
        if self.process is not None:
            self.process.connected = True
        if self._give_up_timer is not None:
            self._give_up_timer.cancel()
            self._give_up_timer = None
        self._out = play_pb2.PlayResponse()
        self._encoded = []
        self._unanswered = 0
        now = self._clock.now()
        for question in self._waiting.values():
            # What it was charged is the time without a stream; now it waits behind the bot's capacity again.
            question.before += max(0.0, now - question.sent_at)
            self._start_clock(question, now + question.free)
        self._waiting = OrderedDict([*self._outstanding.items(), *self._waiting.items()])
        self._outstanding = {}
        self._schedule()
        self._changed()

    def detach(self) -> None:
        """The stream is lost. Clocks run on; the seats are given up if no other stream comes in time."""
        self.stream = None
        if self._flush_timer is not None:
            self._flush_timer.cancel()
            self._flush_timer = None
        now = self._clock.now()
        for question in self._waiting.values():
            question.free = max(0.0, question.sent_at - now)
            if question.free:
                self._start_clock(question, now)
        self._await_return(0.0 if self.process is not None and self.process.exited else self._reconnect_grace)
        self._changed()

    def end_process(self, *, last: bool) -> None:
        """The process of this turn has ended: its seat is given up at once. `last` if no other follows."""
        assert self.process is not None
        self.process.exited, self.process.last = True, last
        if self.stream is not None:
            self.stream.close()  # its end is noticed soon
        elif self._give_up_timer is not None:
            self._give_up_timer.cancel()
            self._give_up_seats()
        self._changed()

    def suspend_clocks(self) -> None:
        """The server was away: until the bot had time to come back, its clocks stand still."""
        if self.stream is None:
            self._suspended_until = self._clock.now() + self._reconnect_grace
            self._await_return(self._reconnect_grace)

    def _await_return(self, seconds: float) -> None:
        if self._give_up_timer is None and self.seatings:
            self._give_up_timer = self._clock.call_later(seconds, self._give_up_seats)

    def _give_up_seats(self) -> None:
        self._give_up_timer = None
        left = self._away_until() + self._reconnect_grace - monotonic()
        if left > 0 and self.process is None:
            self._await_return(left)
            return
        for seating in self.seatings.values():
            seating.absence = "the bot was not connected any more"
        for question in [*self._outstanding.values(), *self._waiting.values()]:
            self._settle(question, None, Cause.ABSENT, question.seating.absence, self._clock.now())

    # -- seats -----------------------------------------------------------------------------

    @property
    def ready(self) -> bool:
        """The bot is there and takes another match."""
        if (
            self.stream is None
            or self.leaving
            or (self.process is not None and (self.process.match or self.process.spent))
        ):
            return False
        return len(self.seatings) + len(self.reserved) < min(self.capacity_matches, self._seats)

    @property
    def offered(self) -> int:
        """How many matches the bot can play at once; none if it is leaving, or here for one match alone."""
        if self.stream is None or self.leaving or self.process is not None:
            return 0
        return min(self.capacity_matches, self._seats)

    def take_seat(self, seating: Seating) -> None:
        """The bot sits at a table; it is told so."""
        self.reserved.discard(seating.match)
        self.seatings[seating.match] = seating
        self._update_seats()
        if self.process is not None and not self.process.match:
            self.process.match = seating.match
        if self.stream is None:
            self._await_return(self._reconnect_grace)
        else:
            self._out.seated.append(seating.message)
            self._schedule()

    def leave(self, match: int) -> None:
        """The bot's seat at a match is free again."""
        seating = self.seatings.pop(match, None)
        if seating is not None:
            if self.process is not None and self.process.match == match:
                self.process.finished.set()
            self._ended[match] = seating
            if len(self._ended) > _REMEMBERED:
                self._ended.popitem(last=False)
            self._update_seats()
            self._close_if_idle()
            self._go_on()
            self._changed()

    def set_capacity(self, capacity: play_pb2.Capacity) -> bool:
        """The bot says how much it takes; whether that is another number of matches than before."""
        accepted = self.accepted_capacity(capacity)
        others = accepted.matches != self.capacity_matches
        self.capacity_matches, self.capacity_questions = accepted.matches, accepted.questions
        self._update_seats()
        self._go_on()
        if others:
            self._changed()
        return others

    def _update_seats(self) -> None:
        """How many seats the bot may have: as many as let no table wait for longer than a decision may take."""
        shortest = min((seating.clock.control.limit_ms for seating in self.seatings.values()), default=0)
        if shortest:
            self._seats = self._pace.seats(self.capacity_questions, shortest / 1000)

    def accepted_capacity(self, capacity: play_pb2.Capacity) -> play_pb2.Capacity:
        """A capacity as the server accepts it: numbers out of bounds become the nearest that is not."""
        return play_pb2.Capacity(
            matches=min(max(capacity.matches, 1), self._most_matches if self.process is None else 1),
            questions=min(max(capacity.questions, 1), MOST_AT_ONCE),
        )

    def close_when_idle(self) -> None:
        """The bot takes no new seats; its stream ends when it holds none."""
        self.leaving = True
        self._close_if_idle()

    def _close_if_idle(self) -> None:
        if self.leaving and not self.seatings and self.stream is not None:
            self._flush()
            self._left = True
            self.stream.close()

    # -- questions -------------------------------------------------------------------------

    @property
    def thinking(self) -> bool:
        """The bot has questions to answer; their clocks tell how long it may be silent."""
        return bool(self._outstanding)

    def ask(self, question: PendingQuestion) -> None:
        """Puts a question; it waits here while the bot has as many as it takes, uncharged for as long as its limit."""
        self._waiting[question.key] = question
        question.free = question.seating.clock.control.limit_ms / 1000
        now = self._clock.now()
        if self.stream is None:
            self._start_clock(question, max(now, self._suspended_until))
        else:
            self._start_clock(question, now + question.free)
            self._go_on()

    def _go_on(self) -> None:
        """Sees to it that what waits leaves: now if it is worth a frame, else within the time that a frame is held."""
        if not self._waiting or self.stream is None or len(self._outstanding) >= self.capacity_questions:
            return
        if self._unanswered == 0 and len(self._waiting) >= self._enough:
            self._schedule()
        elif self._flush_timer is None:
            self._flush_timer = self._loop.call_later(self._linger, self._on_flush_timer)

    @property
    def _enough(self) -> int:
        """Questions that are worth a frame: most of what a bot at tables of five has to answer at any moment."""
        return max(1, min(len(self.seatings) // 7, self.capacity_questions))

    def withdraw(self, match: int) -> None:
        """Forgets the open questions of a match that is given up."""
        for question in [a for a in (*self._outstanding.values(), *self._waiting.values()) if a.key[0] == match]:
            self._remove(question)
        self._go_on()

    def exclude_delay(self, seconds: float) -> None:
        """The newest frame waited in the loop before it was written: that is not the bot's time."""
        for question in self._outstanding.values():
            if question.batch == self._batch:
                question.sent_at += seconds
                question.written_at += seconds
                question.deadline += seconds

    def receive(self, actions: Iterable[play_pb2.Action], arrived: float | None = None) -> int:
        """Takes the bot's actions, which arrived now unless a time is given; returns how many were of no use."""
        useless = 0
        at = self._clock.now() if arrived is None else arrived
        for action in actions:
            question = self._outstanding.get((action.match, action.number))
            if question is None:
                useless += 1
                if useless <= limits.REFUSALS_IN_MESSAGE:
                    self._send_refusal(action)
            elif action.failure:
                failure = clean(action.failure, limits.FAILURE)
                self._settle(question, None, Cause.FAILURE, f"the bot failed: {failure}", at)
            elif action.action not in question.legal:
                legal = ", ".join(map(str, question.legal[:12])) + (", …" if len(question.legal) > 12 else "")
                self._settle(
                    question, None, Cause.ILLEGAL, f"action {action.action} is not legal; legal were {legal}", at
                )
            else:
                self._settle(question, action.action, Cause.BOT, "", at)
        return useless

    def _send_refusal(self, action: play_pb2.Action) -> None:
        """Tells the sender why an action changes nothing."""
        seating = self.seatings.get(action.match) or self._ended.get(action.match)
        if seating is None:
            status, text = play_pb2.RESULT_STATUS_NOT_ASKED, f"you have no seat at match {action.match}"
        elif not 1 <= action.number <= seating.questions:
            status = play_pb2.RESULT_STATUS_NOT_ASKED
            text = (
                f"question {action.number} of match {action.match} has not been asked; the last was {seating.questions}"
            )
        elif (action.match, action.number) in self._waiting:
            status = play_pb2.RESULT_STATUS_NOT_ASKED
            text = f"question {action.number} of match {action.match} has not been sent on this stream yet"
        elif action.number in seating.late:
            status = play_pb2.RESULT_STATUS_TOO_LATE
            text = f"the time for question {action.number} was over; a house bot answered it"
        else:
            status = play_pb2.RESULT_STATUS_DUPLICATE
            text = f"question {action.number} was answered before; the first answer stands"
        result = play_pb2.Result(match=action.match, number=action.number, status=status, text=text)
        if seating is not None:
            result.bank_ms, result.strikes = seating.clock.bank_ms, seating.clock.strikes
        self.send_result(result)

    def _settle(
        self, question: PendingQuestion, action: int | None, cause: Cause, text: str, at: float, least_ms: int = 0
    ) -> None:
        self._remove(question)
        seating = question.seating
        took = max(self._took_ms(question, at), least_ms)
        took = min(took, seating.clock.max_ms)  # what a late loop adds is not the bot's
        seating.clock.charge(took)
        if question.written_at:
            self._record_pace(at - question.written_at - self._lag_compensation(question))
        if cause is not Cause.BOT:
            seating.clock.strikes += 1
            self._measures.strikes += 1
            if cause in (Cause.TIMEOUT, Cause.ABSENT):
                seating.late.add(question.key[1])
        self._go_on()
        question.answered(Answer(action, cause, took, text, monotonic()))

    def _remove(self, question: PendingQuestion) -> None:
        if self._outstanding.pop(question.key, None) is not None:
            if question.batch == self._batch and self._unanswered:
                self._unanswered -= 1
        else:
            self._waiting.pop(question.key, None)

    def _record_pace(self, seconds: float) -> None:
        """A decision has taken so long; a bot that turns out to be quick gets more seats."""
        full = len(self.seatings) + len(self.reserved) >= self._seats
        self._pace.note(seconds)
        self._update_seats()
        if full and self.ready:
            self._changed()

    # -- clocks ----------------------------------------------------------------------------

    def _lag_compensation(self, question: PendingQuestion) -> float:
        """Seconds of the round trip that are not charged."""
        return question.seating.clock.lag_compensation(self.stream.round_trip) if self.stream else 0.0

    def _took_ms(self, question: PendingQuestion, now: float) -> int:
        return max(
            0, int((question.before + max(0.0, now - question.sent_at) - self._lag_compensation(question)) * 1000)
        )

    def _start_clock(self, question: PendingQuestion, at: float) -> None:
        """The clock runs from this moment on, which may be one to come."""
        question.sent_at = at
        question.deadline = at + question.seating.clock.max_seconds - question.before + self._lag_compensation(question)
        self._arm_timer(question.deadline)

    def _arm_timer(self, deadline: float) -> None:
        """Rings at this moment, unless the bell is set for an earlier one: one timer serves all questions."""
        if self._timer is None or deadline < self._timer_at:
            if self._timer is not None:
                self._timer.cancel()
            self._timer_at = deadline
            self._timer = self._clock.call_at(deadline, self._on_deadline)

    def _on_deadline(self) -> None:
        self._timer = None
        # A timer may ring a moment early.
        now = self._clock.now() + 0.001
        # What waits for the server to flush gets its time back then, and is watched again.
        queued = self._flushing and self._clock.now() - self._flushing_since >= _BUSY
        running = [*self._outstanding.values(), *(() if queued else self._waiting.values())]
        for question in running:
            if question.deadline <= now:
                self._on_time_over(question)
        left = [question.deadline for question in running if question.deadline > now]
        if left:
            self._arm_timer(min(left))

    def _on_time_over(self, question: PendingQuestion) -> None:
        clock = question.seating.clock
        allowed = f"{clock.control.limit_ms} ms" + (f" and {clock.bank_ms} ms of the bank" if clock.bank_ms else "")
        why = f"no answer within {allowed}" if self.stream else f"not connected, and no answer within {allowed}"
        if self.stream and question.key in self._waiting:
            why += f", for as long as which it had waited behind the bot's capacity of {self.capacity_questions}"
        cause = Cause.TIMEOUT if self.stream else Cause.ABSENT
        self._settle(question, None, cause, why, self._clock.now(), clock.control.limit_ms + clock.bank_ms)

    # -- frames ----------------------------------------------------------------------------

    def send_result(self, result: play_pb2.Result) -> None:
        """Tells what became of an action."""
        if self.stream is not None:
            self._out.results.append(result)
            self._schedule()

    def send_finished(self, finished: play_pb2.Finished) -> None:
        """Tells the bot that a match is over for it, and how."""
        if self.process is not None and self.process.match == finished.match:
            self.process.informed = self.stream is not None
        self.send(play_pb2.PlayResponse(finished=[finished]))

    def send(self, message: play_pb2.PlayResponse) -> None:
        """Adds the fields of a frame to the one that leaves next."""
        if self.stream is not None:
            self._out.MergeFrom(message)
            self._schedule()

    def _schedule(self) -> None:
        if not self._flushing and self.stream is not None:
            self._flushing, self._flushing_since = True, self._clock.now()
            self._schedule_flush(self._flush)

    def _on_flush_timer(self) -> None:
        self._flush_timer = None
        self._unanswered = 0
        if self._waiting and self.stream is not None:
            self._send_questions(self.stream)
        self._flush()

    def _flush(self) -> None:
        if self._flushing:
            self._flushing = False
            self._exclude_delay(self._clock.now() - self._flushing_since)
        if self.stream is None:
            return
        if self._unanswered == 0 and len(self._waiting) >= self._enough:
            self._send_questions(self.stream)
        if self._out.ByteSize():
            self._encoded.append(self._out.SerializeToString())
            self._out = play_pb2.PlayResponse()
        if self._encoded:
            message, self._encoded = b"".join(self._encoded), []
            self.stream.send(message)

    def _exclude_delay(self, seconds: float) -> None:
        """The server was too busy to flush for this long: what waits did not wait for its bot."""
        if seconds >= _BUSY:
            for question in self._waiting.values():
                self._start_clock(question, question.sent_at + seconds)

    def _send_questions(self, stream: Stream) -> None:
        if self._flush_timer is not None:
            self._flush_timer.cancel()
            self._flush_timer = None
        now, round_trip_us = self._clock.now(), round(stream.round_trip * 1e6)
        self._batch += 1
        count = min(len(self._waiting), self.capacity_questions - len(self._outstanding))
        if count > 0:
            self._measures.batches += 1
            self._measures.questions += count
        for _ in range(count):
            _, question = self._waiting.popitem(last=False)
            if question.after:
                self._measures.handed.append(monotonic() - question.after)
            again = bool(question.batch)
            if question.sent_at > now:  # it has not waited for too long, or its clock was suspended until later
                self._start_clock(question, now)
            spent = self._took_ms(question, now)
            question.written_at = now
            question.batch = self._batch
            try:
                self._encoded.append(
                    encode_question(question.encoded, question.seating.clock.encoded(round_trip_us, spent, again))
                )
            except Exception as error:  # its table has to know, or it would wait forever; the others go on
                question.failed(error)
                continue
            self._outstanding[question.key] = question
            self._unanswered += 1
