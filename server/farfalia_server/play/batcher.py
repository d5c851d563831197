"""When a message leaves for a bot, and which questions are in it.

A message leaves when everything in the last one has been answered, or a few milliseconds after the first question began
to wait; an idle stream sends at once. Full messages save the server's time, so the less it has to do, the less
questions wait. To a bot with few tables they leave as they come: they would wait in vain for others.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Sized
from time import monotonic

import structlog

from farfalia.v1 import play_pb2
from farfalia_server.net.measures import Measures
from farfalia_server.play.deadlines import Deadlines
from farfalia_server.play.loop_clock import LoopClock
from farfalia_server.play.question_encoding import encode_question
from farfalia_server.play.questions import PendingQuestion
from farfalia_server.play.stream import Stream

log = structlog.get_logger(__name__)

#: Up to the first load of the event loop a question waits least; from the second one on it waits for the whole
#: batching delay. A loop that is idle for a third of its time can afford more messages.
_IDLE_LOAD, _FULL_LOAD = 0.45, 0.7
#: The least share of the batching delay that a question waits: one message in each turn of the loop.
_LEAST = 0.1
#: Seconds of waiting for a flush after which the server counts as busy, and what waits is not timed.
_BUSY = 0.001


class Batcher:
    """The questions on their way to one bot, and its other messages.

    `linger` is the batching delay of a busy server in seconds (`--linger-ms`, in `settings`), `schedule_flush` calls
    back when more questions may have gathered; `tables` has one element per seat of the bot, `name` returns its name.
    """

    def __init__(
        self,
        *,
        linger: float,
        schedule_flush: Callable[[Callable[[], None]], None],
        clock: LoopClock,
        deadlines: Deadlines,
        measures: Measures,
        tables: Sized,
        name: Callable[[], str],
    ) -> None:
        self._loop = asyncio.get_running_loop()
        self._linger = linger
        self._schedule_flush = schedule_flush
        self._clock = clock
        self._deadlines = deadlines
        self._measures = measures
        self._tables = tables
        self._name = name
        self._stream: Stream | None = None
        #: Most questions that the bot takes at a time.
        self.capacity = 1
        #: Questions that wait to be sent, and unanswered questions that were sent on this stream.
        self.waiting: OrderedDict[tuple[int, int], PendingQuestion] = OrderedDict()
        self.outstanding: dict[tuple[int, int], PendingQuestion] = {}
        #: Questions that wait for a process; their clocks stand still.
        self.held: dict[tuple[int, int], PendingQuestion] = {}
        self._out = play_pb2.PlayResponse()
        self._encoded: list[bytes] = []
        #: Number of the newest batch of questions, and how many of its questions are unanswered.
        self._batch = 0
        self._unanswered = 0
        self._scheduled = False
        #: When the scheduled flush was requested.
        self._scheduled_at = 0.0
        self._flush_timer: asyncio.TimerHandle | None = None

    # -- streams ---------------------------------------------------------------------------

    def attach(self, stream: Stream) -> None:
        """Send everything that is unanswered again, on this stream; clocks continue."""
        self._stream = stream
        self._out = play_pb2.PlayResponse()
        self._encoded = []
        self._unanswered = 0
        self._deadlines.attached(stream, self.waiting.values())
        self.waiting = OrderedDict([*self.outstanding.items(), *self.waiting.items()])
        self.outstanding = {}
        self._schedule()

    def detach(self) -> None:
        """Keep what waits until another stream comes; clocks keep running."""
        self._stream = None
        self._cancel_flush_timer()
        self._deadlines.detached(self.waiting.values())
        for question in self.waiting.values():
            question.after = 0.0  # from now on it is not the server that it waits for

    # -- questions -------------------------------------------------------------------------

    def add(self, question: PendingQuestion, suspended_until: float) -> None:
        """Queue a question; without a stream its clock starts now, or once the bot's clocks are no longer suspended."""
        if self._stream is None or len(self.outstanding) + len(self.waiting) >= self.capacity:
            question.after = 0.0  # it waits for its bot
        self.waiting[question.key] = question
        self._deadlines.asked(question, suspended_until)
        if self._stream is not None:
            self.flush_if_due()

    def hold(self, question: PendingQuestion) -> None:
        """Stop the clock of a question, which is not to be sent before it is added again."""
        self.remove(question)
        self._deadlines.stopped(question)
        question.after = 0.0
        self.held[question.key] = question

    def remove(self, question: PendingQuestion) -> None:
        """Remove a question that is answered or given up."""
        if self.held and self.held.pop(question.key, None) is not None:
            return
        if self.outstanding.pop(question.key, None) is not None:
            if question.batch == self._batch and self._unanswered:
                self._unanswered -= 1
        else:
            self.waiting.pop(question.key, None)

    def unanswered(self) -> list[PendingQuestion]:
        """Return all questions, sent ones first."""
        return [*self.outstanding.values(), *self.waiting.values(), *self.held.values()]

    def running(self) -> list[PendingQuestion]:
        """Return the questions whose clocks run.

        Questions that wait for a server that is too busy to flush are left out: they get that time back.
        """
        if self._scheduled and self._clock.now() - self._scheduled_at >= _BUSY:
            return list(self.outstanding.values())
        return [*self.outstanding.values(), *self.waiting.values()]

    def exclude_delay(self, seconds: float) -> None:
        """Do not charge the time for which the newest message waited in the server's loop before it was written."""
        newest = [question for question in self.outstanding.values() if question.batch == self._batch]
        self._deadlines.excluded(newest, seconds)

    # -- messages --------------------------------------------------------------------------

    def send(self, message: play_pb2.PlayResponse) -> None:
        """Add the fields of a message to the next one that leaves; without a stream they are lost."""
        if self._stream is not None:
            self._out.MergeFrom(message)
            self._schedule()

    def flush_if_due(self) -> None:
        """Send what waits: now if it fills a message, else within the batching delay."""
        if not self.waiting or self._stream is None or len(self.outstanding) >= self.capacity:
            return
        if self._is_full:
            self._schedule()
        elif self._flush_timer is None:
            self._flush_timer = self._loop.call_later(self._delay, self._on_flush_timer)

    def flush(self) -> None:
        """Hand what is ready to the stream."""
        if self._scheduled:
            self._scheduled = False
            waited = self._clock.now() - self._scheduled_at
            if waited >= _BUSY:
                self._deadlines.delayed(self.waiting.values(), waited)
        if self._stream is None:
            return
        if self._is_full:
            self._take_questions(self._stream)
        if self._out.ByteSize():
            self._encoded.append(self._out.SerializeToString())
            self._out = play_pb2.PlayResponse()
        if self._encoded:
            message, self._encoded = b"".join(self._encoded), []
            self._stream.send(message)

    @property
    def _is_full(self) -> bool:
        """Whether what waits fills a message: most of what a bot at tables of five has to answer at any moment."""
        enough = min(len(self._tables) // 7, self.capacity)
        if enough <= 1:
            return bool(self.waiting)
        return self._unanswered == 0 and len(self.waiting) >= enough

    @property
    def _delay(self) -> float:
        """The current batching delay, in seconds."""
        busy = (self._clock.load - _IDLE_LOAD) / (_FULL_LOAD - _IDLE_LOAD)
        return self._linger * max(_LEAST, min(1.0, busy))

    def _schedule(self) -> None:
        if not self._scheduled and self._stream is not None:
            self._scheduled, self._scheduled_at = True, self._clock.now()
            self._schedule_flush(self._flush_scheduled)

    def _flush_scheduled(self) -> None:
        try:
            self.flush()
        except Exception:  # of one bot; the messages of other bots come after it
            log.exception("flush_failed", bot=self._name())

    def _on_flush_timer(self) -> None:
        self._flush_timer = None
        self._unanswered = 0
        if self.waiting and self._stream is not None:
            self._take_questions(self._stream)
        self.flush()

    def _cancel_flush_timer(self) -> None:
        if self._flush_timer is not None:
            self._flush_timer.cancel()
            self._flush_timer = None

    def _take_questions(self, stream: Stream) -> None:
        """Encode as many questions as the bot takes."""
        self._cancel_flush_timer()
        now, handed, round_trip_us = self._clock.now(), monotonic(), round(stream.round_trip * 1e6)
        self._batch += 1
        count = min(len(self.waiting), self.capacity - len(self.outstanding))
        if count > 0:
            self._measures.batches += 1
            self._measures.questions += count
        for _ in range(count):
            _, question = self.waiting.popitem(last=False)
            if question.after:
                self._measures.handed.append(handed - question.after)
                question.after = 0.0  # it may have to be sent again
            resent, question.resent = question.resent, True
            spent = self._deadlines.sent(question, now)
            question.batch = self._batch
            try:
                clock = question.seating.encoded_clock(round_trip_us, spent, resent)
                self._encoded.append(encode_question(question.encoded, clock))
            except Exception as error:  # its table must know, or it would wait forever; the others go on
                question.failed(error)
                continue
            self.outstanding[question.key] = question
            self._unanswered += 1
