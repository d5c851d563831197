"""One match being played. The table is the only thing that touches the state of its match.

A bot's answer moves the match on at once, within the call that brings it: no task is woken for a decision. Every
action is journalled before anything that depends on it is sent: the next question waits for the journal, and so does
the result of an answer. A table whose match has a newer epoch stops, and stores nothing.
"""

from __future__ import annotations

import asyncio
from array import array
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from datetime import datetime
from functools import partial
from time import monotonic

import structlog

from farfalia import bots as house_bots
from farfalia.bot import Bot
from farfalia.v1 import journal_pb2, play_pb2, record_pb2
from farfalia_engine import Cause, Observation, Pending, State
from farfalia_server.conduct import ASKED
from farfalia_server.net.measures import Measures
from farfalia_server.play.connection import BotConnection
from farfalia_server.play.house_scheduler import HouseScheduler
from farfalia_server.play.journal import Entry, JournalCorrupt
from farfalia_server.play.match_journal import MatchJournal
from farfalia_server.play.question_encoding import QuestionEncoder
from farfalia_server.play.questions import Answer, PendingQuestion
from farfalia_server.play.seats import BotSeat, Seat

log = structlog.get_logger(__name__)

#: Decisions of house bots after which other tables get their turn.
_HOUSE_STINT = 4

_STATUS: Mapping[Cause, play_pb2.ResultStatus] = {
    Cause.BOT: play_pb2.RESULT_STATUS_ACCEPTED,
    Cause.TIMEOUT: play_pb2.RESULT_STATUS_TOO_LATE,
    Cause.ABSENT: play_pb2.RESULT_STATUS_TOO_LATE,
    Cause.ILLEGAL: play_pb2.RESULT_STATUS_ILLEGAL,
    Cause.FAILURE: play_pb2.RESULT_STATUS_FAILED,
}


class StaleEpoch(Exception):
    """Raised inside a table whose match belongs to a newer epoch."""


class Table:
    """An attempt of a match at one epoch; `play` plays it to its end, from the first card or from its journal."""

    def __init__(
        self,
        match: int,
        attempt: int,
        epoch: int,
        state: State,
        seats: Sequence[Seat],
        journal: MatchJournal,
        *,
        house: str,
        seed: int,
        measures: Measures,
        now: Callable[[], datetime],
        house_scheduler: HouseScheduler | None = None,
    ) -> None:
        self.match = match
        self.attempt = attempt
        self.epoch = epoch
        self.seats = seats
        self.bot_seats = [seat for seat in seats if isinstance(seat, BotSeat)]
        self.state = state
        self.actions: list[record_pb2.RecordAction] = []
        self.incidents: list[record_pb2.Incident] = []
        self.forfeits: list[int] = []
        self.started: datetime | None = None
        self._encoder = QuestionEncoder(match)
        self._journal = journal
        self._house = house
        self._seed = seed
        self._measures = measures
        #: When the answer came that was applied last; 0 for none.
        self._answered_at = 0.0
        self._now = now
        self._loop = asyncio.get_running_loop()
        self._zero = 0.0
        #: By entry of the journal, how many actions and how many incidents there are up to its end.
        self._actions_upto, self._incidents_upto = array("L"), array("L")
        #: What waits for the write under way; None if there is none.
        self._after: list[Callable[[], None]] | None = None
        #: What is sent to bots after the next write.
        self._outbox: list[tuple[BotConnection, play_pb2.PlayResponse]] = []
        self._fallback: Bot | None = None
        self._over: asyncio.Future[None] = self._loop.create_future()
        #: Seats that have been asked and have not answered.
        self._asked_seats: set[int] = set()
        self._house_scheduler = house_scheduler or HouseScheduler()
        self._house_waits = False
        #: Decisions that house bots may make before the next wait.
        self._house_moves = 0

    async def play(self, entries: Sequence[bytes]) -> None:
        """Play from where the journal's entries end; StaleEpoch if a newer epoch owns the match."""
        if entries:
            self._recover(entries)
        else:
            self.started = self._now()
            self._zero = monotonic()
        for seat in self.bot_seats:
            seat.sit()
        self._advance()
        with self._house_scheduler.table_with_bots() if self._has_bots else nullcontext():
            await self._over

    # -- decisions -------------------------------------------------------------------------

    def _advance(self) -> None:
        """Take every action that needs no bot, and ask for the next that does."""
        try:
            self._step()
        except Exception as error:  # for whatever awaits `play`, not for the stream whose answer came last
            self._end(error)

    def _step(self) -> None:
        state, seats, asked = self.state, self.seats, self._asked_seats
        while (pending := state.pending) is not None:
            for seat in pending.seats:
                if seat not in asked:
                    break
            else:
                return  # everybody who has to decide has been asked
            player = seats[seat]
            if player.house is not None and not self._house_moves:
                self._wait_for_house()
                return
            legal = state.legal_actions(seat)
            if len(legal) == 1:
                self._apply(seat, legal[0], Cause.FORCED, 0)
            elif player.house is None:
                self._ask(player, pending, legal)
            else:
                self._apply(seat, player.house.decide(state.observation(seat)), Cause.HOUSE, 0)
                self._house_moves -= 1
        self._save(self._end)

    @property
    def _has_bots(self) -> bool:
        return any(seat.house is None for seat in self.bot_seats)

    def _wait_for_house(self) -> None:
        if not self._house_waits:
            self._house_waits = True
            self._house_scheduler.add(self._play_house, with_bots=self._has_bots)

    def _play_house(self) -> None:
        self._house_waits = False
        if not self._over.done():  # a match that was given up is not played on
            self._house_moves = _HOUSE_STINT
            self._advance()
            self._house_moves = 0

    def _ask(self, player: BotSeat, pending: Pending, legal: Sequence[int]) -> None:
        seating, connection = player.seating, player.connection
        seating.questions += 1
        if seating.absence:
            seating.late.add(seating.questions)
            self._apply_answer(player, Answer(None, Cause.ABSENT, 0, seating.absence))
            return
        encoded = self._encoder.question(seating.questions, pending.kind, self.state.observation(player.seat), legal)
        self._asked_seats.add(player.seat)
        question = PendingQuestion(
            seating, encoded, legal, partial(self._on_answer, player), self._end, self._answered_at
        )
        self._save(partial(self._send_question, connection, question))

    def _on_answer(self, player: BotSeat, answer: Answer) -> None:
        if self._over.done():
            return
        self._asked_seats.discard(player.seat)
        try:
            self._apply_answer(player, answer)
        except Exception as error:  # for whatever awaits `play`, not for the stream that brought the answer
            self._end(error)
        else:
            self._advance()

    def fail(self, error: Exception) -> None:
        """End the match here and now; `play` raises the error."""
        self._end(error)

    def _end(self, error: Exception | None = None) -> None:
        if self._over.done():
            return
        if error is None:
            self._over.set_result(None)
        else:
            self._over.set_exception(error)

    def _send_question(self, connection: BotConnection, question: PendingQuestion) -> None:
        if question.after:
            self._measures.ready.append(monotonic() - question.after)
        connection.ask(question)

    def _apply_answer(self, player: BotSeat, answer: Answer) -> None:
        """Apply the answer to a question: the bot's action, or the fallback's and a strike."""
        seating, connection = player.seating, player.connection
        number = seating.questions
        self._answered_at = answer.at
        if answer.cause is Cause.BOT and answer.action is not None:
            self._apply(player.seat, answer.action, Cause.BOT, answer.took_ms)
        else:
            observation = self.state.observation(player.seat)
            self._record_incident(player, answer)
            self._apply(player.seat, self._fallback_action(observation), answer.cause, answer.took_ms)
        if answer.cause is not Cause.BOT or (connection.stream is not None and "results" in connection.stream.features):
            result = play_pb2.Result(
                match=self.match,
                number=number,
                status=_STATUS[answer.cause],
                text=answer.text,
                charged_ms=answer.took_ms,
                bank_ms=seating.clock.bank_ms,
                strikes=seating.clock.strikes,
            )
            self._outbox.append((connection, play_pb2.PlayResponse(results=[result])))

    def _fallback_action(self, observation: Observation) -> int:
        if self._fallback is None:
            self._fallback = house_bots.create(self._house, self._seed)
        return self._fallback.decide(observation)

    def _apply(self, seat: int, action: int, cause: Cause, took_ms: int) -> None:
        self.state.apply(action, seat)
        self._measures.decisions += 1
        at_ms = int((monotonic() - self._zero) * 1000)
        self.actions.append(
            record_pb2.RecordAction(
                seat=seat,
                action=action,
                at_ms=at_ms,
                took_ms=took_ms,
                cause=cause,  # type: ignore[arg-type]  # the engine's numbers are the contract's
            )
        )

    def _record_incident(self, player: BotSeat, answer: Answer) -> None:
        seating, connection = player.seating, player.connection
        taken_over = bool(seating.absence) or seating.clock.out_of_grace
        self.incidents.append(
            record_pb2.Incident(
                seat=player.seat,
                action_index=len(self.actions),
                cause=answer.cause,  # type: ignore[arg-type]  # the engine's numbers are the contract's
                strikes=seating.clock.strikes,
                taken_over=taken_over,
                text=answer.text,
            )
        )
        if taken_over:
            self._take_over(player)
            self._outbox.append((connection, play_pb2.PlayResponse(notices=[player.notice()])))

    def _take_over(self, player: BotSeat) -> None:
        self.forfeits.append(player.seat)
        player.take_over(house_bots.create(self._house, self._seed + 1 + player.seat))

    # -- the journal -----------------------------------------------------------------------

    def _save(self, then: Callable[[], None]) -> None:
        """Journal what is not written yet; afterwards send the outbox, and call `then`."""
        if self._actions_upto and self._actions_upto[-1] == len(self.actions):
            if self._after is None:
                then()
            else:
                self._after.append(then)
            return
        number = self._close_entry()
        outbox, self._outbox = self._outbox, []
        after = self._after = [then]

        def written(ok: bool) -> None:
            if self._after is after:
                self._after = None
            if not ok:
                self._end(StaleEpoch())
                return
            for connection, message in outbox:
                connection.send(message)
            for go_on in after:
                go_on()

        self._journal.append(Entry(self, number, self._payload(number), written))

    def _close_entry(self) -> int:
        """Put all that has happened and is in no entry yet into the next one; return its number."""
        self._actions_upto.append(len(self.actions))
        self._incidents_upto.append(len(self.incidents))
        return len(self._actions_upto)

    def journal_so_far(self) -> list[bytes]:
        """Return every entry up to now, whether it was written or not."""
        if self._actions_upto[-1] < len(self.actions):
            self._close_entry()
        return self.payloads(len(self._actions_upto))

    def payloads(self, count: int) -> list[bytes]:
        """Return the first `count` entries of the journal, made again from what is known here."""
        return [self._payload(number) for number in range(1, count + 1)]

    def _payload(self, number: int) -> bytes:
        """Return the entry of this number: what has happened since the one before it."""
        index = number - 1
        entry = journal_pb2.JournalEntry()
        if index == 0:
            assert self.started is not None
            entry.started.FromDatetime(self.started)
        actions_from, incidents_from = (
            (0, 0)
            if index == 0
            else (
                self._actions_upto[index - 1],
                self._incidents_upto[index - 1],
            )
        )
        entry.actions.extend(self.actions[actions_from : self._actions_upto[index]])
        entry.incidents.extend(self.incidents[incidents_from : self._incidents_upto[index]])
        return entry.SerializeToString()

    def _recover(self, entries: Sequence[bytes]) -> None:
        """Replay the journal to where it ends; JournalCorrupt if that fails."""
        for payload in entries:
            self._replay_entry(journal_pb2.JournalEntry.FromString(payload))
        last_ms = self.actions[-1].at_ms if self.actions else 0
        self._zero = monotonic() - last_ms / 1000

    def _replay_entry(self, entry: journal_pb2.JournalEntry) -> None:
        """Apply everything in an entry again."""
        if self.started is None:
            if not entry.HasField("started"):
                raise JournalCorrupt("the beginning of the journal is missing")
            self.started = entry.started.ToDatetime(self._now().tzinfo)
        for incident in entry.incidents:
            self._replay_incident(incident)
        for action in entry.actions:
            self.state.apply(action.action, action.seat)
            self.actions.append(action)
            self._replay_charge(action)
        self._close_entry()

    def _replay_charge(self, action: record_pb2.RecordAction) -> None:
        player = self.seats[action.seat]
        if isinstance(player, BotSeat) and action.cause in ASKED:
            seating = player.seating
            seating.questions += 1
            seating.clock.charge(action.took_ms)
            if action.cause in (record_pb2.CAUSE_TIMEOUT, record_pb2.CAUSE_ABSENT):
                seating.late.add(seating.questions)

    def _replay_incident(self, incident: record_pb2.Incident) -> None:
        self.incidents.append(incident)
        player = self.seats[incident.seat]
        if isinstance(player, BotSeat):
            player.seating.clock.strikes = incident.strikes
            if incident.taken_over:
                self._take_over(player)
