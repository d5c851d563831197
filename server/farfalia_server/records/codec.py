"""A record in its three forms: the engine's values, the contract's message, and a file.

The file is the message in protobuf's own JSON mapping, laid out for people: one action a line, zeroes
written out, always the same bytes for the same record.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

from google.protobuf import json_format
from google.protobuf.timestamp_pb2 import Timestamp

import farfalia_engine as engine
from farfalia.v1 import record_pb2
from farfalia_server.errors import RecordError

#: Causes by number: a record has hundreds, and looking one up in the enumeration is slow.
_CAUSES = {int(cause): cause for cause in engine.Cause}
#: Messages that JSON writes as a single value.
_PLAIN = {Timestamp.DESCRIPTOR.full_name}


def seal(message: record_pb2.Record) -> record_pb2.Record:
    """The same message with its digest set."""
    # The digest asks actions for nothing but their fields, and those of the messages have the same names: hundreds
    # of them need not be copied.
    actions = cast("tuple[engine.RecordedAction, ...]", message.actions)
    message.digest = _with_actions(message, actions).computed_digest()
    return message


def to_message(record: engine.Record) -> record_pb2.Record:
    """The contract's message of a record."""
    source, control = record.source, record.time_control
    return record_pb2.Record(
        format=record.format,
        engine=record.engine,
        match=record.match,
        tournament=record.tournament,
        ruleset=record.ruleset,
        options=record.options,
        seats=[
            record_pb2.RecordSeat(
                name=seat.name, bot=seat.bot, version=seat.version, house=seat.house, nonce=seat.nonce
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
        ),
        time_control=record_pb2.TimeControl(limit_ms=control.limit_ms, bank_ms=control.bank_ms, grace=control.grace),
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
    )


def from_message(message: record_pb2.Record) -> engine.Record:
    """The engine's values of a message; RecordError if a cause is none that this version knows."""
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
    source, control = message.source, message.time_control
    return engine.Record(
        format=message.format,
        engine=message.engine,
        match=message.match,
        tournament=message.tournament,
        ruleset=message.ruleset,
        options=dict(sorted(message.options.items())),
        seats=tuple(
            engine.RecordSeat(seat.name, seat.bot, seat.version, seat.house, seat.nonce) for seat in message.seats
        ),
        source=engine.DealSource(
            source.commitment,
            tuple(source.nonces),
            source.board,
            source.board_key,
            source.secret,
            _beacon(source.beacon) if source.HasField("beacon") else None,
        ),
        time_control=engine.TimeControl(control.limit_ms, control.bank_ms, control.grace),
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
    )


def dumps(message: record_pb2.Record) -> str:
    """The text of a record's file."""
    document = json_format.MessageToDict(message, always_print_fields_with_no_presence=True)
    return "{\n" + ",\n".join(_members(_ordered(document, message.DESCRIPTOR))) + "\n}\n"


def loads(text: str | bytes, name: str = "the record") -> record_pb2.Record:
    """The record that a text holds; RecordError says in one sentence what is wrong with it, and where."""
    document = _document(text, name)
    try:
        message = json_format.ParseDict(document, record_pb2.Record())
    except json_format.ParseError as error:
        raise RecordError(f"{name} is not a record{_place(document)}: {_reason(error)}") from None
    if message.format != engine.record.FORMAT:
        raise RecordError(f"{name} has format {message.format}, expected {engine.record.FORMAT}")
    try:
        from_message(message)
    except RecordError as error:
        raise RecordError(f"{name} is not a record, {error}") from None
    return message


def write(path: Path, message: record_pb2.Record) -> None:
    """Writes a record to a file; RecordError if that cannot be done."""
    try:
        path.write_text(dumps(message), encoding="utf-8")
    except OSError as error:
        raise RecordError(f"{path} cannot be written: {error.strerror}") from None


def read(path: Path) -> record_pb2.Record:
    """Reads a record from a file; RecordError says in one sentence what is wrong with it, and where."""
    try:
        data = path.read_bytes()
    except OSError as error:
        expected = "; expected one record, such as match-1.json in it" if path.is_dir() else ""
        raise RecordError(f"{path} cannot be read: {error.strerror}{expected}") from None
    return loads(data, str(path))


def _document(text: str | bytes, name: str) -> dict[str, Any]:
    try:
        document = json.loads(text)
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise RecordError(f"{name} is not JSON, {where}: {_lowered(error.msg)}") from None
    except UnicodeDecodeError as error:
        raise RecordError(f"{name} is not a text in UTF-8, byte {error.start}: not part of a character") from None
    except RecursionError:
        raise RecordError(f"{name} is not a record: its lists are nested too deeply") from None
    if not isinstance(document, dict):
        raise RecordError(f"{name} is not a record: it holds {_kind(document)}, expected an object")
    return document


def _ordered(document: dict[str, Any], kind: Any) -> dict[str, Any]:
    """The same members in the order of the contract; the library puts zeroes last."""
    ordered = {}
    for field in kind.fields:
        value = document.get(field.json_name)
        if field.message_type is None or value is None or field.message_type.full_name in _PLAIN:
            ordered[field.json_name] = value
        elif field.message_type.GetOptions().map_entry:
            ordered[field.json_name] = dict(sorted(value.items()))
        elif isinstance(value, list):
            ordered[field.json_name] = [_ordered(row, field.message_type) for row in value]
        else:
            ordered[field.json_name] = _ordered(value, field.message_type)
    return {name: value for name, value in ordered.items() if value is not None}


def _members(document: dict[str, Any]) -> Iterator[str]:
    for key, value in document.items():
        if isinstance(value, list) and value:
            rows = ",\n".join(f"    {_line(row)}" for row in value)
            yield f"  {_line(key)}: [\n{rows}\n  ]"
        else:
            yield f"  {_line(key)}: {_line(value)}"


def _place(document: dict[str, Any]) -> str:
    """Where the first member is that cannot be read; the library says it for some errors only."""
    for key, value in document.items():
        if _readable({key: value}):
            continue
        rows = value if isinstance(value, list) else []
        for index, row in enumerate(rows):
            if not _readable({key: [row]}):
                return f", {key}[{index}]"
        return f", {key}"
    return ""


def _readable(document: dict[str, Any]) -> bool:
    try:
        json_format.ParseDict(document, record_pb2.Record())
    except json_format.ParseError:
        return False
    return True


def _reason(error: Exception) -> str:
    """The library's sentence without the places that it begins and ends with."""
    text = str(error).splitlines()[0]
    text = re.sub(r'^(Failed to parse \w+ field: )+|( at "?Record\S*)$', "", text)
    return _lowered(text.rstrip("."))


def _line(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


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


def _kind(value: object) -> str:
    names = {list: "a list", str: "a string", bool: "a truth value", type(None): "null"}
    return names.get(type(value), "a number")


def _lowered(text: str) -> str:
    return text[:1].lower() + text[1:]
