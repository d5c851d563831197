"""One match in play: the shell around its core, which nothing else touches.

A bot's answer advances the match at once, within the call that brings it: no task is woken for a decision. Every event
is journalled before anything that depends on it is sent: the next question waits for the journal, and so does the
result of an answer. A table whose match has a newer epoch stops and stores nothing.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from datetime import datetime
from functools import partial
from time import monotonic

import structlog

from farfalia.v1 import play_pb2
from farfalia_engine import Incident, Kind, Observation, RecordedAction, State
from farfalia_server.net.measures import Measures
from farfalia_server.net.tracing import Decided, decisions
from farfalia_server.play.answers import result_of
from farfalia_server.play.attendance import Attendance
from farfalia_server.play.house_scheduler import HouseScheduler
from farfalia_server.play.house_search import HouseSearch
from farfalia_server.play.journal_reading import read_journal
from farfalia_server.play.match_core import MatchCore, SeatState
from farfalia_server.play.match_journal import MatchJournal
from farfalia_server.play.outboxes import Outboxes
from farfalia_server.play.question_encoding import QuestionEncoder
from farfalia_server.play.questions import Answer, PendingQuestion
from farfalia_server.play.record_pieces import RecordPieces
from farfalia_server.play.seat_connection import SeatConnection
from farfalia_server.play.seats import BotSeat
from farfalia_server.records.house_bot import HouseBot, Search

log = structlog.get_logger(__name__)

#: House bots' decisions after which other tables get their turn.
_HOUSE_STINT = 4


class StaleEpoch(Exception):
    """Raised inside a table whose match belongs to a newer epoch."""


class MatchAbandoned(Exception):
    """Raised for a match of which too few are left for a result.

    `walked_out` are the seats that were left by bots which had seen their cards, while others stayed.
    """

    def __init__(self, walked_out: frozenset[int]) -> None:
        super().__init__("too few of its bots are left for a result")
        self.walked_out = walked_out


class TakenBack(Exception):
    """Raised inside a table whose journal says that a decision is taken back: another one plays on from there."""


class Table:
    """An attempt of a match at one epoch; `play` plays it to its end, from the first card or from its journal.

    MatchAbandoned if too few are left for a result.

    `states` are those of all seats, `bots` the seats of bots by number. It is the port of its core: what the core sends
    waits in the outbox for the journal. With `takes_back` a bot may take its last decision back.
    """

    def __init__(
        self,
        match: int,
        attempt: int,
        epoch: int,
        state: State,
        states: Sequence[SeatState],
        bots: Mapping[int, BotSeat],
        journal: MatchJournal,
        *,
        replayed: bool = True,
        takes_back: bool = False,
        house: Callable[[], HouseBot],
        measures: Measures,
        now: Callable[[], datetime],
        house_scheduler: HouseScheduler | None = None,
        house_search: HouseSearch | None = None,
    ) -> None:
        self.match = match
        self.attempt = attempt
        self.epoch = epoch
        self.bots = bots
        self.pieces = RecordPieces()

        self.core = MatchCore(state, states, self, house=house, elapsed_ms=self._elapsed_ms)
        self._encoder = QuestionEncoder(match)
        self._journal = journal
        self._replayed = replayed
        self._may_take_back = takes_back
        #: Whether a decision is being taken back: nothing more happens here.
        self.takes_back = False
        self._measures = measures
        self._decided: Decided | None = None
        #: When the newest entry was given to the journal, if tracing is on.
        self._saved_at = 0.0
        #: When the last applied answer came; 0 for none.
        self._answered_at = 0.0
        self._now = now
        #: When it began, in milliseconds since 1970.
        self._started_ms = 0
        #: When it began or was resumed, and how many milliseconds it had lasted before.
        self._zero, self._before_ms = 0.0, 0
        self._is_resumed = False
        #: What to do once the journal has all events so far.
        self._outbox: list[Callable[[], None]] = []
        #: What to do once the entries that are being written are.
        self._outboxes = Outboxes()
        self._over: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._house_scheduler = house_scheduler or HouseScheduler()
        self._house_waits = False
        self._house_search = house_search or HouseSearch()
        self._searches: set[asyncio.Task[None]] = set()
        #: Whether questions may have been asked before the match was resumed.
        self._asking_again = False

    async def play(self, entries: Sequence[bytes], *, are_lost: bool = False) -> None:
        """Play from where the journal's entries end; StaleEpoch if a newer epoch owns the match.

        If they `are_lost`, the journal gets them again, before anybody is asked anything.
        """
        self._decided = decisions()
        if entries:
            self.resume(entries)
            if are_lost:
                self._write_again()
        else:
            self._started_ms = _milliseconds(self._now())
            self.pieces.start(self._started_ms)
            self._zero = monotonic()
        for seat in self.bots.values():
            seat.sit()
        self._asking_again = bool(entries)
        self._advance()
        self._asking_again = False
        try:
            with self._house_scheduler.table_with_bots() if self._has_bots else nullcontext():
                await self._over
        finally:
            for search in self._searches:
                search.cancel()

    def finished_ms(self) -> int:
        """Return when the match ends if it ends now, in milliseconds since 1970: never before its last action.

        That is as long after it began as the monotonic clock says. No such clock goes on from one process to the
        next, so a match that was resumed may end later, by the time of day.
        """
        measured = self._started_ms + self._elapsed_ms()
        return max(measured, _milliseconds(self._now())) if self._is_resumed else measured

    def close(self) -> None:
        """Release the core, which refers back to the table, so that a match's memory is free once it is over.

        The garbage collector looks for such cycles so rarely that each match would cost ten kilobytes for good.
        """
        del self.core

    def resume(self, entries: Sequence[bytes]) -> None:
        """Apply every event of the journal that stands; JournalCorrupt if that fails."""
        read = read_journal(entries)
        self._started_ms = read.started_ms
        for action, incident in read.events:
            self._skip_questions(read.taken_back)
            self.core.apply(action, incident)
        self._skip_questions(read.taken_back)
        self.pieces.closed += entries
        self._zero, self._before_ms, self._is_resumed = monotonic(), read.last_ms, True

    def _skip_questions(self, taken_back: Mapping[int, int]) -> None:
        """Skip the questions of decisions that were taken back: each was asked, and taken back at another one."""
        for seat in self.bots.values():
            seat.seating.answered += 2 * taken_back.get(self.core.events, 0)

    # -- answers ---------------------------------------------------------------------------

    def _on_answer(self, seat: int, answer: Answer) -> None:
        if self._stopped:
            return
        self._answered_at = answer.at
        if answer.take_back:
            self._take_back(seat)
            return
        try:
            number = self.core.events
            answered = self.core.answer(seat, answer.action, answer.cause, answer.took_ms, answer.text)
            if answered and answer.hinted:
                self.pieces.note_hint(number)
        except Exception as error:  # for the caller of `play`, not for the stream that brought the answer
            self.fail(error)
        else:
            self._advance()

    def _take_back(self, seat: int) -> None:
        """Journal that the seat's last decision is taken back, and end the table then."""
        self.takes_back = True
        self.pieces.take_back(self.core.seats[seat].last_decision)
        self._outbox.append(partial(self.fail, TakenBack()))
        self._save()

    @property
    def _stopped(self) -> bool:
        return self.takes_back or self._over.done()

    def _advance(self, house_moves: int = 0) -> None:
        """Play on until a bot has to answer or a house bot has to wait, and journal what happened."""
        try:
            house_waits = self.core.advance(house_moves)
            if house_waits:
                self._wait_for_house()
            if self._outbox or not house_waits:
                self._save()
        except Exception as error:  # for the caller of `play`, as in `_on_answer`
            self.fail(error)

    def _wait_for_house(self) -> None:
        if not self._house_waits:
            self._house_waits = True
            self._house_scheduler.add(self._play_house, with_bots=self._has_bots)

    def _play_house(self) -> None:
        self._house_waits = False
        if not self._stopped:  # a match that was given up is not played on
            self._advance(_HOUSE_STINT)

    async def _search(self, seat: int, search: Search) -> None:
        try:
            action = await self._house_search.decide(search)
            if not self._stopped:
                self._answered_at = 0.0  # what is asked next has not waited for the server
                self.core.house_answer(seat, action)
                self._advance()
        except Exception as error:  # for the caller of `play`, as in `_on_answer`
            self.fail(error)

    @property
    def _has_bots(self) -> bool:
        return any(seat.seating.house is None for seat in self.bots.values())

    def _elapsed_ms(self) -> int:
        return self._before_ms + int((monotonic() - self._zero) * 1000)

    # -- what the core wants done ----------------------------------------------------------

    def journal(self, action: RecordedAction, incident: Incident | None) -> None:
        """Add an event to the next entry."""
        self._measures.decisions += 1
        self.pieces.add(action, incident)
        if incident is not None:
            self._measures.strikes += 1

    def ask(self, seat: int, kind: Kind, observation: Observation, legal: Sequence[int]) -> None:
        """Ask the bot at a seat, once the journal has everything that the question shows."""
        asked = self.bots[seat]
        number = asked.seating.questions
        takes_back = self._may_take_back and asked.seating.last_decision >= 0
        encoded = self._encoder.question(number, kind, observation, legal, takes_back=takes_back)
        question = PendingQuestion(
            asked.seating,
            number,
            encoded,
            legal,
            partial(self._on_answer, seat),
            self.fail,
            self._answered_at,
            resent=self._asking_again,
            takes_back=takes_back,
            confirm=self._confirm,
        )
        self._outbox.append(partial(self._send_question, asked.connection, question))

    def search(self, seat: int, search: Search) -> None:
        """Have a house bot search in another process, while this one plays on."""
        task = asyncio.create_task(self._search(seat, search), name="search of a house bot")
        self._searches.add(task)
        task.add_done_callback(self._searches.discard)

    def tell(self, seat: int, action: RecordedAction, incident: Incident | None) -> None:
        """Tell the bot the result of its answer: always after a failure, else if it wants results."""
        told = self.bots[seat]
        if incident is None and "results" not in told.connection.features:
            return
        result = result_of(told.seating, action, incident)
        self._outbox.append(partial(told.connection.send, play_pb2.PlayResponse(results=[result])))

    def take_over(self, seat: int) -> None:
        """Free the bot and tell it, once the journal has the loss of its seat."""
        self._outbox.append(self.bots[seat].lose)

    def finish(self) -> None:
        """End the match once the journal has its last card."""
        self._outbox.append(self._end)

    def abandon(self) -> None:
        """End the match at once; `play` raises MatchAbandoned.

        On a ladder nothing is replayed: a bot that leaves after it has seen its cards loses to those who stayed.
        """
        states = list(enumerate(self.core.seats))
        left = [at for at, seat in states if seat.known is Attendance.PLAYS and not seat.absence]
        stayed = any(at not in self.bots or self.bots[at].connection.connected for at in left)
        walked_out = [at for at, seat in states if seat.attendance is Attendance.ABSENT and seat.has_seen_cards]
        if stayed and walked_out and not self._replayed:
            for at in walked_out:
                self.core.seats[at].known = Attendance.LOST
            asyncio.get_running_loop().call_soon(self._play_house)
            return
        self.fail(MatchAbandoned(frozenset(walked_out) if stayed else frozenset()))

    def _end(self) -> None:
        if not self._over.done():
            self._over.set_result(None)

    def fail(self, error: Exception) -> None:
        """End the match at once; `play` raises the error."""
        if not self._over.done():
            self._over.set_exception(error)

    def _send_question(self, connection: SeatConnection, question: PendingQuestion) -> None:
        if self._over.done():  # given up while the journal was written
            return
        if question.after:
            self._measures.ready.append(monotonic() - question.after)
            if self._decided is not None:
                asked = question.seating.seat, question.key[1]
                self._decided(question.after, self._saved_at, *asked)
        connection.ask(question)

    # -- the journal -----------------------------------------------------------------------

    def _save(self) -> None:
        """Journal what is not written yet, and then send the outbox."""
        outbox, self._outbox = self._outbox, []
        if not self.pieces.changed:
            if not self._outboxes.join(outbox):
                for send in outbox:
                    send()
            return
        payload = self.pieces.close()
        if self._decided is not None:
            self._saved_at = monotonic()
        self._append(len(self.pieces.closed), payload, outbox)

    def _write_again(self) -> None:
        """Journal every entry once more; the outbox waits for the last one."""
        for number, payload in enumerate(self.pieces.closed, 1):
            self._append(number, payload, [])

    def _append(self, number: int, payload: bytes, outbox: Sequence[Callable[[], None]]) -> None:
        self._outboxes.wait(number, outbox)
        self._journal.append(self, number, payload)

    def written(self, number: int, ok: bool) -> None:
        """Send what waits for this entry, or end the match if another node has it by now."""
        outbox = self._outboxes.take(number)
        if not ok:
            self.fail(StaleEpoch())
            return
        for send in outbox:
            send()

    def _confirm(self, send: Callable[[], None]) -> None:
        """Call back once the journal has taken the newest entry again, as it does from the owner of the match alone.

        Its answer to the entry itself may be long ago: a node that was frozen, or whose claim the database has lost in
        a failover, does not know that another one plays on.
        """
        if not self._over.done():
            number, payload = len(self.pieces.closed), self.pieces.closed[-1]
            self._append(number, payload, [send])

    def journal_so_far(self) -> list[bytes]:
        """Return every entry so far, written or not."""
        if self.pieces.changed:
            self.pieces.close()
        return self.pieces.closed

    def payloads(self, count: int) -> list[bytes]:
        """Return the first `count` entries of the journal."""
        return self.pieces.closed[:count]


def _milliseconds(moment: datetime) -> int:
    return int(moment.timestamp() * 1000)
