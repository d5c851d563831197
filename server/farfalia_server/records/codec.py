"""A record as the engine's values and as the contract's message: the one place where either becomes the other."""

from typing import cast

from google.protobuf.timestamp_pb2 import Timestamp

import farfalia_engine as engine
from farfalia.v1 import record_pb2
from farfalia_server.contract.errors import RecordError

#: Causes by number: a record has hundreds, and looking one up in the enumeration is slow.
_CAUSES = {int(cause): cause for cause in engine.Cause}


def seal(message: record_pb2.Record) -> record_pb2.Record:
    """Return the same message with its digest set."""
    # The digest asks actions for nothing but their fields, and those of the messages have the same names: hundreds
    # of them need not be copied.
    actions = cast("tuple[engine.RecordedAction, ...]", message.actions)
    message.digest = _with_actions(message, actions).computed_digest()
    return message


def to_message(record: engine.Record) -> record_pb2.Record:
    """Return the contract's message of a record."""
    source = record.source
    return record_pb2.Record(
        format=record.format,
        engine=record.engine,
        match=record.match,
        tournament=record.tournament,
        ruleset=record.ruleset,
        options=record.options,
        seats=[
            record_pb2.RecordSeat(
                name=seat.name,
                bot=seat.bot,
                version=seat.version,
                house=seat.house,
                nonce=seat.nonce,
                person=seat.person,
            )
            for seat in record.seats
        ],
        source=record_pb2.DealSource(
            commitment=source.commitment,
            nonces=source.nonces,
            board=source.board,
            board_key=source.board_key,
            secret=source.secret,
            beacon=None if source.beacon is None else _beacon_message(source.beacon),
            value_function=source.value_function,
            daily=source.daily,
        ),
        time_control=time_control_message(record.time_control),
        actions=[
            record_pb2.RecordAction(
                seat=action.seat,
                action=action.action,
                at_ms=action.at_ms,
                took_ms=action.took_ms,
                cause=int(action.cause),  # type: ignore[arg-type]  # the engine has the contract's numbers
            )
            for action in record.actions
        ],
        incidents=[
            record_pb2.Incident(
                seat=incident.seat,
                action_index=incident.action_index,
                cause=int(incident.cause),  # type: ignore[arg-type]
                strikes=incident.strikes,
                taken_over=incident.taken_over,
                text=incident.text,
            )
            for incident in record.incidents
        ],
        outcome=None if record.outcome is None else _outcome_message(record.outcome),
        started=_timestamp(record.started_ms),
        finished=_timestamp(record.finished_ms),
        digest=record.digest,
        hinted=record.hinted,
        taken_back=[
            record_pb2.TakenBack(action_index=one.action_index, decisions=one.decisions) for one in record.taken_back
        ],
    )


def from_message(message: record_pb2.Record) -> engine.Record:
    """Return the engine's values of a message; RecordError if a cause is none that this version knows."""
    actions = tuple(
        engine.RecordedAction(
            action.seat,
            action.action,
            action.at_ms,
            action.took_ms,
            _CAUSES.get(action.cause) or _cause(action.cause, f"actions[{index}]"),
        )
        for index, action in enumerate(message.actions)
    )
    return _with_actions(message, actions)


def _with_actions(message: record_pb2.Record, actions: tuple[engine.RecordedAction, ...]) -> engine.Record:
    source = message.source
    return engine.Record(
        format=message.format,
        engine=message.engine,
        match=message.match,
        tournament=message.tournament,
        ruleset=message.ruleset,
        options=dict(sorted(message.options.items())),
        seats=tuple(
            engine.RecordSeat(seat.name, seat.bot, seat.version, seat.house, seat.nonce, seat.person)
            for seat in message.seats
        ),
        source=engine.DealSource(
            source.commitment,
            tuple(source.nonces),
            source.board,
            source.board_key,
            source.secret,
            _beacon(source.beacon) if source.HasField("beacon") else None,
            source.value_function,
            source.daily,
        ),
        time_control=time_control(message.time_control),
        actions=actions,
        incidents=tuple(
            engine.Incident(
                incident.seat,
                incident.action_index,
                _cause(incident.cause, f"incidents[{index}]"),
                incident.strikes,
                incident.taken_over,
                incident.text,
            )
            for index, incident in enumerate(message.incidents)
        ),
        outcome=_outcome(message.outcome) if message.HasField("outcome") else None,
        started_ms=message.started.ToMilliseconds(),
        finished_ms=message.finished.ToMilliseconds(),
        digest=message.digest,
        hinted=tuple(message.hinted),
        taken_back=tuple(engine.TakenBack(one.action_index, one.decisions) for one in message.taken_back),
    )


def time_control_message(control: engine.TimeControl) -> record_pb2.TimeControl:
    """Return the contract's message of a time control."""
    return record_pb2.TimeControl(limit_ms=control.limit_ms, bank_ms=control.bank_ms, grace=control.grace)


def time_control(message: record_pb2.TimeControl) -> engine.TimeControl:
    """Return the engine's value of a time control."""
    return engine.TimeControl(message.limit_ms, message.bank_ms, message.grace)


def _timestamp(milliseconds: int) -> Timestamp:
    timestamp = Timestamp()
    timestamp.FromMilliseconds(milliseconds)
    return timestamp


def _beacon_message(beacon: engine.Beacon) -> record_pb2.Beacon:
    return record_pb2.Beacon(
        source=beacon.source,
        round=beacon.round,
        value=beacon.value,
        announced=_timestamp(beacon.announced_ms),
        given=_timestamp(beacon.given_ms),
    )


def _beacon(message: record_pb2.Beacon) -> engine.Beacon:
    return engine.Beacon(
        message.source,
        message.round,
        message.value,
        message.announced.ToMilliseconds(),
        message.given.ToMilliseconds(),
    )


def _outcome_message(outcome: engine.Outcome) -> record_pb2.MatchOutcome:
    return record_pb2.MatchOutcome(
        points=outcome.points,
        places=outcome.places,
        deals=[record_pb2.DealScore(points=points) for points in outcome.deals],
        forfeits=outcome.forfeits,
    )


def _outcome(message: record_pb2.MatchOutcome) -> engine.Outcome:
    return engine.Outcome(
        tuple(message.points),
        tuple(message.places),
        tuple(tuple(deal.points) for deal in message.deals),
        tuple(message.forfeits),
    )


def _cause(number: int, where: str) -> engine.Cause:
    cause = _CAUSES.get(number)
    if cause is None:
        raise RecordError(f"{where}: cause {number} is unknown, expected 0 to {max(engine.Cause)}")
    return cause
