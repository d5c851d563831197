"""The questions of a match, from its record: what a seat was asked, what it saw then, and what came of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from farfalia.v1 import record_pb2
from farfalia_engine import Cause, Kind, Observation, replay
from farfalia_server.contract.conduct import banks_left
from farfalia_server.records.codec import from_message


@dataclass(frozen=True, slots=True)
class AnsweredQuestion:
    """A choice that a seat had, with what its bot was shown, and the action that was taken.

    `cause` says who chose: the bot, or a house bot in its place or at a seat of its own. Only where the seat was a
    house bot's by then was nothing asked.
    """

    #: Place of the action in the record, from 0.
    index: int
    seat: int
    #: Number of the question within the match and seat, from 1.
    number: int
    kind: Kind
    view: Observation
    legal: tuple[int, ...]
    action: int
    cause: Cause
    took_ms: int
    #: Milliseconds in the bank, and strikes, before it was answered.
    bank_ms: int
    strikes: int

    @property
    def trick(self) -> int:
        """Number of the trick that is played, or collected from, counted from 1; 0 before the first."""
        if self.kind is Kind.PLAY:
            return len(self.view.winners) + 1
        return len(self.view.winners) if self.kind is Kind.COLLECT else 0


def answered_questions(record: record_pb2.Record) -> Iterator[AnsweredQuestion]:
    """Yield every choice of a match in the order of its actions; UnreplayableRecord if they do not follow.

    An action that was forced is none. What a seat sees does not change until it has chosen, even where several choose
    at once, so that it is what its bot was shown.
    """
    played, left = from_message(record), banks_left(record)
    incidents = {incident.action_index: incident for incident in played.incidents}
    numbers, strikes = [0] * len(played.seats), [0] * len(played.seats)
    banks = [played.time_control.bank_ms] * len(played.seats)
    states = replay(played)
    state = next(states)
    for index, action in enumerate(played.actions):
        pending, seat = state.pending, action.seat
        legal = state.legal_actions(seat)
        if pending is not None and len(legal) > 1:
            numbers[seat] += 1
            yield AnsweredQuestion(
                index,
                seat,
                numbers[seat],
                pending.kind,
                state.observation(seat),
                legal,
                action.action,
                action.cause,
                action.took_ms,
                banks[seat],
                strikes[seat],
            )
        next(states)  # the same state, one action further
        banks[seat] = left[index]
        if index in incidents:
            strikes[seat] = incidents[index].strikes
