"""A match as a pure state machine: answers in, actions and questions out.

A match changes through one kind of event only: an action taken at a seat, with the incident that led to it if the seat
was at fault. The rest of its state follows from these events: the cards, how many questions each seat has answered, the
time left on its clock, its strikes, who was taken over. So a match is recovered by applying the events of its journal
again.

A seat is taken over once it has more strikes than the match's time control allows (`grace`, in `settings`).

Nothing here waits, reads a clock, or knows about connections, messages and databases.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from farfalia_engine import Cause, Incident, Kind, Observation, RecordedAction, State, TrumpHoldings
from farfalia_server.play.attendance import Attendance, is_result
from farfalia_server.play.clock import SeatClock
from farfalia_server.records.house_bot import HouseBot, Search

#: Causes of actions that followed a question to a bot; each such question has one action.
_ASKED = frozenset({Cause.BOT, Cause.TIMEOUT, Cause.ILLEGAL, Cause.FAILURE, Cause.ABSENT})


class SeatState:
    """The state of a seat; `house` is the house bot that plays there, from the start or since it took over."""

    __slots__ = (
        "absence",
        "actions",
        "answered",
        "asked",
        "clock",
        "due",
        "has_seen_cards",
        "house",
        "known",
        "last_decision",
        "late",
    )

    def __init__(self, clock: SeatClock, house: HouseBot | None = None, known: Attendance = Attendance.PLAYS) -> None:
        self.clock = clock
        self.house = house
        #: What has become of the entrant, as far as its absence does not say so.
        self.known = known
        #: What becomes of it if it is absent: LOST if nobody waits for it to come back.
        self.due = Attendance.ABSENT
        #: Whether it was asked anything.
        self.has_seen_cards = False
        #: Its actions so far, those of a house bot in its place too.
        self.actions = 0
        #: The place of the last action that was asked of its bot; -1 for none.
        self.last_decision = -1
        #: Questions that have been answered, by the bot or in its place.
        self.answered = 0
        #: Whether one more has been asked, of its bot or of a house bot that searches.
        self.asked = False
        #: Numbers of the questions that got no answer in time.
        self.late: set[int] = set()
        #: Why the match no longer waits for the bot; empty while it does.
        self.absence = ""

    @property
    def attendance(self) -> Attendance:
        """What has become of the entrant."""
        return self.due if self.absence and self.known is Attendance.PLAYS else self.known

    @property
    def questions(self) -> int:
        """How many questions the seat has been asked: the number of the newest."""
        return self.answered + self.asked

    def settle(self, cause: Cause, took_ms: int, strikes: int) -> None:
        """Note that the open question was answered, or that the fallback answered it because of `cause`."""
        self.asked = False
        self.answered += 1
        self.clock.charge(took_ms)
        self.clock.strikes = strikes
        if cause in (Cause.TIMEOUT, Cause.ABSENT):
            self.late.add(self.answered)


class Port(Protocol):
    """The effects of a match. Nothing that follows from an event may be sent before the event is journalled."""

    def journal(self, action: RecordedAction, incident: Incident | None) -> None:
        """Journal an event."""

    def ask(self, seat: int, kind: Kind, observation: Observation, legal: Sequence[int]) -> None:
        """Ask the bot at a seat its next question."""

    def search(self, seat: int, search: Search) -> None:
        """Have the house bot at a seat search; `house_answer` takes what it finds."""

    def tell(self, seat: int, action: RecordedAction, incident: Incident | None) -> None:
        """Tell the bot at a seat the result of its answer."""

    def take_over(self, seat: int) -> None:
        """Free the bot whose seat a house bot takes over."""

    def finish(self) -> None:
        """Store the result after the last action."""

    def abandon(self) -> None:
        """Give the match up: too few are left for a result."""


class MatchCore:
    """A match from its first card to its last.

    `house` returns a new house bot: the fallback, which decides where a bot did not, or one that takes a seat over.
    `elapsed_ms` returns how long ago the match began.
    """

    __slots__ = (
        "_elapsed_ms",
        "_fallback",
        "_house",
        "_port",
        "_someone_left",
        "events",
        "forfeits",
        "seats",
        "state",
        "trumps",
    )

    def __init__(
        self,
        state: State,
        seats: Sequence[SeatState],
        port: Port,
        *,
        house: Callable[[], HouseBot],
        elapsed_ms: Callable[[], int],
    ) -> None:
        self.state = state
        self.seats = seats
        #: What everybody held of trumps, in each deal so far.
        self.trumps = TrumpHoldings()
        self.trumps.look(state)
        #: Seats that were taken over, in order.
        self.forfeits: list[int] = []
        #: Number of events so far: one per action.
        self.events = 0
        self._port = port
        self._house = house
        self._elapsed_ms = elapsed_ms
        self._fallback: HouseBot | None = None
        #: Whether it is to be looked at who is left.
        self._someone_left = True

    # -- events ----------------------------------------------------------------------------

    def apply(self, action: RecordedAction, incident: Incident | None = None) -> None:
        """Apply an event, new or from the journal; EngineError if the action is not legal here."""
        seat = self.seats[action.seat]
        self.state.apply(action.action, action.seat)
        self.trumps.look(self.state)
        self.events += 1
        seat.actions += 1
        if action.cause in _ASKED:
            seat.last_decision = self.events - 1
            if incident is None or incident.strikes > seat.clock.strikes:
                seat.has_seen_cards = True
            seat.settle(action.cause, action.took_ms, seat.clock.strikes if incident is None else incident.strikes)
        if incident is not None and incident.taken_over:
            self.forfeits.append(action.seat)
            self._someone_left = True
            seat.known = seat.due if incident.cause is Cause.ABSENT else Attendance.LOST
            seat.house = self._house()

    def _counts(self) -> bool:
        """Return whether the match has a result if those who are left play it to its end."""
        self._someone_left = False
        return is_result(seat.attendance for seat in self.seats)

    # -- decisions -------------------------------------------------------------------------

    def advance(self, house_moves: int = 0) -> bool:
        """Take every action that needs no bot, and ask each bot that has to decide and was not asked yet.

        House bots make at most `house_moves` decisions; return whether one still has to decide after these. Those that
        search are asked, as bots are.
        """
        state, seats = self.state, self.seats
        while (pending := state.pending) is not None:
            if self._someone_left and not self._counts():
                self._port.abandon()
                return False
            for number in pending.seats:
                if not seats[number].asked:
                    break
            else:
                return False
            seat = seats[number]
            if seat.house is not None and not house_moves:
                return True
            legal = state.legal_actions(number)
            if len(legal) == 1:
                self._take(RecordedAction(number, legal[0], self._elapsed_ms(), 0, Cause.FORCED))
            elif seat.house is not None and seat.house.searches:
                seat.asked = True
                self._port.search(number, seat.house.search(state.observation(number), number, seat.actions))
            elif seat.house is not None:
                house_moves -= 1
                action = seat.house.decide(state.observation(number), number, self.events)
                self._take(RecordedAction(number, action, self._elapsed_ms(), 0, Cause.HOUSE))
            else:
                seat.asked = True
                if seat.absence:  # it costs the seat, without a further strike
                    self._replace(number, Cause.ABSENT, 0, seat.absence, seat.clock.strikes)
                else:
                    self._port.ask(number, pending.kind, state.observation(number), legal)
        self._port.finish()
        return False

    def answer(self, number: int, action: int | None, cause: Cause, took_ms: int, text: str = "") -> bool:
        """Settle the open question of seat `number`: by the bot's action, or by the fallback's with a strike.

        `cause` is BOT with a legal action, else why there is none, which `text` explains to the author. Return whether
        a question was open; without one nothing changes.
        """
        seat = self.seats[number]
        if not seat.asked:
            return False
        if action is None:
            unasked = cause is Cause.ABSENT and bool(seat.absence) and not took_ms
            self._replace(number, cause, took_ms, text, seat.clock.strikes + (not unasked))
        else:
            taken = RecordedAction(number, action, self._elapsed_ms(), took_ms, cause)
            self._take(taken)
            self._port.tell(number, taken, None)
        return True

    def house_answer(self, number: int, action: int) -> None:
        """Take the action that a house bot has found by a search; EngineError if it is not legal."""
        self.seats[number].asked = False
        self._take(RecordedAction(number, action, self._elapsed_ms(), 0, Cause.HOUSE))

    def _replace(self, number: int, cause: Cause, took_ms: int, text: str, strikes: int) -> None:
        """Let the fallback decide for a seat, which now has this number of strikes."""
        seat = self.seats[number]
        taken_over = bool(seat.absence) or strikes > seat.clock.control.grace
        incident = Incident(number, self.events, cause, strikes, taken_over, text)
        if self._fallback is None:
            self._fallback = self._house()
        action = self._fallback.decide(self.state.observation(number), number, self.events)
        taken = RecordedAction(number, action, self._elapsed_ms(), took_ms, cause)
        self._take(taken, incident)
        self._port.tell(number, taken, incident)
        if taken_over:
            self._port.take_over(number)

    def _take(self, action: RecordedAction, incident: Incident | None = None) -> None:
        self.apply(action, incident)
        self._port.journal(action, incident)
