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
from farfalia_server.play.process_token import Turn
from farfalia_server.play.question_encoding import asking
from farfalia_server.play.seats import Answer, Asked, Seating, Stream
from farfalia_server.untrusted import clean

#: Ended matches that a line remembers, to tell a late answer from one to a question never asked.
_REMEMBERED = 256
#: Matches and questions that a bot can have at once at most.
MOST_AT_ONCE = 1024
#: Seconds of waiting to be flushed from which on the server is busy, and what waits is not timed.
_BUSY = 0.001


class BotLine:
    """Everything of one bot on this node.

    `hold` and `reconnect_grace` are in seconds, `most_matches` is how many the bot may have at
    once. `soon` calls back when more questions may have gathered, at the latest when all that wait now have; `changed`
    is told when the bot comes, goes or has another seat free. `away_until` says, as `monotonic` counts, until when the
    server could not let bots in: from then on they are absent.
    """

    def __init__(
        self,
        bot: int,
        *,
        hold: float,
        reconnect_grace: float,
        soon: Callable[[Callable[[], None]], None],
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
        self.turn: Turn | None = None
        self.seatings: dict[int, Seating] = {}
        #: Matches for which a seat is kept, until the table opens.
        self.kept: set[int] = set()
        #: Rulesets that the bot plays; empty for all.
        self.rulesets: frozenset[str] = frozenset()
        self.capacity_matches = 1
        self.capacity_questions = 1
        self._loop = asyncio.get_running_loop()
        self._hold = hold
        self._reconnect_grace = reconnect_grace
        self._soon = soon
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
        self._waiting: OrderedDict[tuple[int, int], Asked] = OrderedDict()
        self._outstanding: dict[tuple[int, int], Asked] = {}
        self._ended: OrderedDict[int, Seating] = OrderedDict()
        self._out = play_pb2.PlayResponse()
        self._asking: list[bytes] = []
        self._frame = 0
        self._unanswered = 0
        self._flushing = False
        #: When, by the loop clock, the line got in the queue to be flushed.
        self._flushing_since = 0.0
        self._holding: asyncio.TimerHandle | None = None
        self._bell: Timer | None = None
        self._bell_at = 0.0
        self._giving_up: Timer | None = None
        self._pardoned_until = 0.0

    # -- streams ---------------------------------------------------------------------------

    def attach(self, stream: Stream, *, resumed: bool = False) -> None:
        """A stream serves the line from now on; what is unanswered is asked again, clocks where they stand.

        `resumed` if it is of the process that the last stream was of: then a goodbye still holds.
        """
        self.stream = stream
        self.leaving = resumed and self.leaving and not self._left
        self._left = False
        if self.turn is not None:
            self.turn.came = True
        if self._giving_up is not None:
            self._giving_up.cancel()
            self._giving_up = None
        self._out = play_pb2.PlayResponse()
        self._asking = []
        self._unanswered = 0
        now = self._clock.now()
        for asked in self._waiting.values():
            # What it was charged is the time without a stream; now it waits behind the bot's capacity again.
            asked.before += max(0.0, now - asked.sent_at)
            self._start_clock(asked, now + asked.free)
        self._waiting = OrderedDict([*self._outstanding.items(), *self._waiting.items()])
        self._outstanding = {}
        self._schedule()
        self._changed()

    def detach(self) -> None:
        """The stream is lost. Clocks run on; the seats are given up if no other stream comes in time."""
        self.stream = None
        if self._holding is not None:
            self._holding.cancel()
            self._holding = None
        now = self._clock.now()
        for asked in self._waiting.values():
            asked.free = max(0.0, asked.sent_at - now)
            if asked.free:
                self._start_clock(asked, now)
        self._await_return(0.0 if self.turn is not None and self.turn.gone else self._reconnect_grace)
        self._changed()

    def abandon(self, *, last: bool) -> None:
        """The process of this turn has ended: its seat is given up at once. `last` if no other follows."""
        assert self.turn is not None
        self.turn.gone, self.turn.last = True, last
        if self.stream is not None:
            self.stream.close()  # its end is noticed soon
        elif self._giving_up is not None:
            self._giving_up.cancel()
            self._give_up()
        self._changed()

    def pardon(self) -> None:
        """The server was away: until the bot had time to come back, its clocks stand still."""
        if self.stream is None:
            self._pardoned_until = self._clock.now() + self._reconnect_grace
            self._await_return(self._reconnect_grace)

    def _await_return(self, seconds: float) -> None:
        if self._giving_up is None and self.seatings:
            self._giving_up = self._clock.call_later(seconds, self._give_up)

    def _give_up(self) -> None:
        self._giving_up = None
        left = self._away_until() + self._reconnect_grace - monotonic()
        if left > 0 and self.turn is None:
            self._await_return(left)
            return
        for seating in self.seatings.values():
            seating.gone = "the bot was not connected any more"
        for asked in [*self._outstanding.values(), *self._waiting.values()]:
            self._settle(asked, None, Cause.ABSENT, asked.seating.gone, self._clock.now())

    # -- seats -----------------------------------------------------------------------------

    @property
    def ready(self) -> bool:
        """The bot is there and takes another match."""
        if self.stream is None or self.leaving or (self.turn is not None and (self.turn.match or self.turn.spent)):
            return False
        return len(self.seatings) + len(self.kept) < min(self.capacity_matches, self._seats)

    @property
    def offered(self) -> int:
        """How many matches the bot can play at once; none if it is leaving, or here for one match alone."""
        if self.stream is None or self.leaving or self.turn is not None:
            return 0
        return min(self.capacity_matches, self._seats)

    def take_seat(self, seating: Seating) -> None:
        """The bot sits at a table; it is told so."""
        self.kept.discard(seating.match)
        self.seatings[seating.match] = seating
        self._reckon_seats()
        if self.turn is not None and not self.turn.match:
            self.turn.match = seating.match
        if self.stream is None:
            self._await_return(self._reconnect_grace)
        else:
            self._out.seated.append(seating.message)
            self._schedule()

    def leave(self, match: int) -> None:
        """The bot's seat at a match is free again."""
        seating = self.seatings.pop(match, None)
        if seating is not None:
            if self.turn is not None and self.turn.match == match:
                self.turn.over.set()
            self._ended[match] = seating
            if len(self._ended) > _REMEMBERED:
                self._ended.popitem(last=False)
            self._reckon_seats()
            self._end_if_left()
            self._go_on()
            self._changed()

    def offer(self, capacity: play_pb2.Capacity) -> bool:
        """The bot says how much it takes; whether that is another number of matches than before."""
        accepted = self.bounded(capacity)
        others = accepted.matches != self.capacity_matches
        self.capacity_matches, self.capacity_questions = accepted.matches, accepted.questions
        self._reckon_seats()
        self._go_on()
        if others:
            self._changed()
        return others

    def _reckon_seats(self) -> None:
        """How many seats the bot may have: as many as let no table wait for longer than a decision may take."""
        shortest = min((seating.clock.control.limit_ms for seating in self.seatings.values()), default=0)
        if shortest:
            self._seats = self._pace.seats(self.capacity_questions, shortest / 1000)

    def bounded(self, capacity: play_pb2.Capacity) -> play_pb2.Capacity:
        """A capacity as the server accepts it: numbers out of bounds become the nearest that is not."""
        return play_pb2.Capacity(
            matches=min(max(capacity.matches, 1), self._most_matches if self.turn is None else 1),
            questions=min(max(capacity.questions, 1), MOST_AT_ONCE),
        )

    def say_goodbye(self) -> None:
        """The bot takes no new seats; its stream ends when it holds none."""
        self.leaving = True
        self._end_if_left()

    def _end_if_left(self) -> None:
        if self.leaving and not self.seatings and self.stream is not None:
            self._flush()
            self._left = True
            self.stream.close()

    # -- questions -------------------------------------------------------------------------

    @property
    def thinking(self) -> bool:
        """The bot has questions to answer; their clocks tell how long it may be silent."""
        return bool(self._outstanding)

    def ask(self, asked: Asked) -> None:
        """Puts a question; it waits here while the bot has as many as it takes, uncharged for as long as its limit."""
        self._waiting[asked.key] = asked
        asked.free = asked.seating.clock.control.limit_ms / 1000
        now = self._clock.now()
        if self.stream is None:
            self._start_clock(asked, max(now, self._pardoned_until))
        else:
            self._start_clock(asked, now + asked.free)
            self._go_on()

    def _go_on(self) -> None:
        """Sees to it that what waits leaves: now if it is worth a frame, else within the time that a frame is held."""
        if not self._waiting or self.stream is None or len(self._outstanding) >= self.capacity_questions:
            return
        if self._unanswered == 0 and len(self._waiting) >= self._enough:
            self._schedule()
        elif self._holding is None:
            self._holding = self._loop.call_later(self._hold, self._hold_is_over)

    @property
    def _enough(self) -> int:
        """Questions that are worth a frame: most of what a bot at tables of five has to answer at any moment."""
        return max(1, min(len(self.seatings) // 7, self.capacity_questions))

    def withdraw(self, match: int) -> None:
        """Forgets the open questions of a match that is given up."""
        for asked in [a for a in (*self._outstanding.values(), *self._waiting.values()) if a.key[0] == match]:
            self._remove(asked)
        self._go_on()

    def waited(self, seconds: float) -> None:
        """The newest frame waited in the loop before it was written: that is not the bot's time."""
        for asked in self._outstanding.values():
            if asked.frame == self._frame:
                asked.sent_at += seconds
                asked.written_at += seconds
                asked.deadline += seconds

    def act(self, actions: Iterable[play_pb2.Action], arrived: float | None = None) -> int:
        """Takes the bot's actions, which arrived now unless a time is given; returns how many were of no use."""
        useless = 0
        at = self._clock.now() if arrived is None else arrived
        for action in actions:
            asked = self._outstanding.get((action.match, action.number))
            if asked is None:
                useless += 1
                if useless <= limits.REFUSALS_IN_FRAME:
                    self._refuse(action)
            elif action.failure:
                failure = clean(action.failure, limits.FAILURE)
                self._settle(asked, None, Cause.FAILURE, f"the bot failed: {failure}", at)
            elif action.action not in asked.legal:
                legal = ", ".join(map(str, asked.legal[:12])) + (", …" if len(asked.legal) > 12 else "")
                self._settle(asked, None, Cause.ILLEGAL, f"action {action.action} is not legal; legal were {legal}", at)
            else:
                self._settle(asked, action.action, Cause.BOT, "", at)
        return useless

    def _refuse(self, action: play_pb2.Action) -> None:
        """Tells the sender why an action changes nothing."""
        seating = self.seatings.get(action.match) or self._ended.get(action.match)
        if seating is None:
            status, text = play_pb2.RESULT_STATUS_NOT_ASKED, f"you have no seat at match {action.match}"
        elif not 1 <= action.number <= seating.asked:
            status = play_pb2.RESULT_STATUS_NOT_ASKED
            text = f"question {action.number} of match {action.match} has not been asked; the last was {seating.asked}"
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
        self.report(result)

    def _settle(self, asked: Asked, action: int | None, cause: Cause, text: str, at: float, least_ms: int = 0) -> None:
        self._remove(asked)
        seating = asked.seating
        took = max(self._took_ms(asked, at), least_ms)
        took = min(took, seating.clock.most_ms)  # what a late loop adds is not the bot's
        seating.clock.charge(took)
        if asked.written_at:
            self._note_pace(at - asked.written_at - self._forgiven(asked))
        if cause is not Cause.BOT:
            seating.clock.strikes += 1
            self._measures.strikes += 1
            if cause in (Cause.TIMEOUT, Cause.ABSENT):
                seating.late.add(asked.key[1])
        self._go_on()
        asked.answered(Answer(action, cause, took, text, monotonic()))

    def _remove(self, asked: Asked) -> None:
        if self._outstanding.pop(asked.key, None) is not None:
            if asked.frame == self._frame and self._unanswered:
                self._unanswered -= 1
        else:
            self._waiting.pop(asked.key, None)

    def _note_pace(self, seconds: float) -> None:
        """A decision has taken so long; a bot that turns out to be quick gets more seats."""
        full = len(self.seatings) + len(self.kept) >= self._seats
        self._pace.note(seconds)
        self._reckon_seats()
        if full and self.ready:
            self._changed()

    # -- clocks ----------------------------------------------------------------------------

    def _forgiven(self, asked: Asked) -> float:
        """Seconds of the round trip that are not charged."""
        return asked.seating.clock.forgiven(self.stream.round_trip) if self.stream else 0.0

    def _took_ms(self, asked: Asked, now: float) -> int:
        return max(0, int((asked.before + max(0.0, now - asked.sent_at) - self._forgiven(asked)) * 1000))

    def _start_clock(self, asked: Asked, at: float) -> None:
        """The clock runs from this moment on, which may be one to come."""
        asked.sent_at = at
        asked.deadline = at + asked.seating.clock.patience - asked.before + self._forgiven(asked)
        self._watch(asked.deadline)

    def _watch(self, deadline: float) -> None:
        """Rings at this moment, unless the bell is set for an earlier one: one timer serves all questions."""
        if self._bell is None or deadline < self._bell_at:
            if self._bell is not None:
                self._bell.cancel()
            self._bell_at = deadline
            self._bell = self._clock.call_at(deadline, self._ring)

    def _ring(self) -> None:
        self._bell = None
        # A timer may ring a moment early.
        now = self._clock.now() + 0.001
        # What waits for the server to flush gets its time back then, and is watched again.
        queued = self._flushing and self._clock.now() - self._flushing_since >= _BUSY
        running = [*self._outstanding.values(), *(() if queued else self._waiting.values())]
        for asked in running:
            if asked.deadline <= now:
                self._time_is_over(asked)
        left = [asked.deadline for asked in running if asked.deadline > now]
        if left:
            self._watch(min(left))

    def _time_is_over(self, asked: Asked) -> None:
        clock = asked.seating.clock
        allowed = f"{clock.control.limit_ms} ms" + (f" and {clock.bank_ms} ms of the bank" if clock.bank_ms else "")
        why = f"no answer within {allowed}" if self.stream else f"not connected, and no answer within {allowed}"
        if self.stream and asked.key in self._waiting:
            why += f", for as long as which it had waited behind the bot's capacity of {self.capacity_questions}"
        cause = Cause.TIMEOUT if self.stream else Cause.ABSENT
        self._settle(asked, None, cause, why, self._clock.now(), clock.control.limit_ms + clock.bank_ms)

    # -- frames ----------------------------------------------------------------------------

    def report(self, result: play_pb2.Result) -> None:
        """Tells what became of an action."""
        if self.stream is not None:
            self._out.results.append(result)
            self._schedule()

    def conclude(self, finished: play_pb2.Finished) -> None:
        """Tells the bot that a match is over for it, and how."""
        if self.turn is not None and self.turn.match == finished.match:
            self.turn.told = self.stream is not None
        self.tell(play_pb2.PlayResponse(finished=[finished]))

    def tell(self, frame: play_pb2.PlayResponse) -> None:
        """Adds the fields of a frame to the one that leaves next."""
        if self.stream is not None:
            self._out.MergeFrom(frame)
            self._schedule()

    def _schedule(self) -> None:
        if not self._flushing and self.stream is not None:
            self._flushing, self._flushing_since = True, self._clock.now()
            self._soon(self._flush)

    def _hold_is_over(self) -> None:
        self._holding = None
        self._unanswered = 0
        if self._waiting and self.stream is not None:
            self._put_questions(self.stream)
        self._flush()

    def _flush(self) -> None:
        if self._flushing:
            self._flushing = False
            self._excuse(self._clock.now() - self._flushing_since)
        if self.stream is None:
            return
        if self._unanswered == 0 and len(self._waiting) >= self._enough:
            self._put_questions(self.stream)
        if self._out.ByteSize():
            self._asking.append(self._out.SerializeToString())
            self._out = play_pb2.PlayResponse()
        if self._asking:
            frame, self._asking = b"".join(self._asking), []
            self.stream.send(frame)

    def _excuse(self, seconds: float) -> None:
        """The server was too busy to flush for this long: what waits did not wait for its bot."""
        if seconds >= _BUSY:
            for asked in self._waiting.values():
                self._start_clock(asked, asked.sent_at + seconds)

    def _put_questions(self, stream: Stream) -> None:
        if self._holding is not None:
            self._holding.cancel()
            self._holding = None
        now, round_trip_us = self._clock.now(), round(stream.round_trip * 1e6)
        self._frame += 1
        count = min(len(self._waiting), self.capacity_questions - len(self._outstanding))
        if count > 0:
            self._measures.frames += 1
            self._measures.asked += count
        for _ in range(count):
            _, asked = self._waiting.popitem(last=False)
            if asked.after:
                self._measures.handed.append(monotonic() - asked.after)
            again = bool(asked.frame)
            if asked.sent_at > now:  # it has not waited for too long, or was pardoned until later and is here already
                self._start_clock(asked, now)
            spent = self._took_ms(asked, now)
            asked.written_at = now
            asked.frame = self._frame
            try:
                self._asking.append(asking(asked.question, asked.seating.clock.member(round_trip_us, spent, again)))
            except Exception as error:  # its table has to know, or it would wait forever; the others go on
                asked.failed(error)
                continue
            self._outstanding[asked.key] = asked
            self._unanswered += 1
