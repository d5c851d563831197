"""What the database stores of a record: the packed message, the result, and the incidents for bot authors."""

import zlib
from typing import Any, cast

from google.protobuf.message import DecodeError

from farfalia.v1 import record_pb2
from farfalia_engine import Deals, Record, match_luck, missed, ruleset
from farfalia_server.contract.conduct import strikes_by_seat
from farfalia_server.contract.errors import RecordDamaged
from farfalia_server.store.matches.values import SeatResults

#: zlib's level: half the time of the default, and 3 % more bytes.
_LEVEL = 3


def pack(record: record_pb2.Record) -> bytes:
    """Return the record as bytes, without the secret, which is added once it is public."""
    kept = record_pb2.Record()
    kept.CopyFrom(record)
    if kept.HasField("source"):
        kept.source.ClearField("secret")
    return zlib.compress(kept.SerializeToString(deterministic=True), _LEVEL)


def unpack(match_id: int, data: bytes) -> record_pb2.Record:
    """Return the record that `pack` made these bytes of; RecordDamaged if they cannot be read."""
    try:
        return record_pb2.Record.FromString(zlib.decompress(data))
    except (zlib.error, DecodeError):
        raise RecordDamaged(match_id) from None


def without_cards(record: record_pb2.Record) -> record_pb2.Record:
    """Return what may be shown of a record while its board is in play: seats, times and incidents.

    Actions keep seat, cause and time but lose their order, which would tell who won which trick.
    """
    return record_pb2.Record(
        format=record.format,
        match=record.match,
        tournament=record.tournament,
        ruleset=record.ruleset,
        options=record.options,
        seats=record.seats,
        time_control=record.time_control,
        actions=[
            record_pb2.RecordAction(seat=action.seat, took_ms=action.took_ms, cause=action.cause)
            for action in sorted(record.actions, key=lambda action: (action.seat, action.took_ms, action.cause))
        ],
        incidents=[
            record_pb2.Incident(
                seat=incident.seat,
                action_index=incident.action_index,
                cause=incident.cause,
                strikes=incident.strikes,
                taken_over=incident.taken_over,
            )
            for incident in record.incidents
        ],
        started=record.started,
        finished=record.finished,
    )


def result_of(record: record_pb2.Record) -> SeatResults:
    """Return how the match ended, with each seat's strikes and luck."""
    outcome = record.outcome
    return SeatResults(
        tuple(outcome.points),
        tuple(outcome.places),
        strikes_by_seat(record),
        tuple(outcome.forfeits),
        luck_of(record),
        missed_of(record),
    )


def missed_of(record: record_pb2.Record) -> tuple[int, ...]:
    """Return the seats that were lost before their bots were asked anything."""
    return missed(cast("Record", record))  # the fields that it reads have the same names


def luck_of(record: record_pb2.Record) -> tuple[int, ...]:
    """Return each seat's luck in thousandths of a point; empty if the record names no value function.

    Also empty if it names one that this server does not have: no other may take its place.
    """
    if not record.source.value_function:
        return ()
    rules, deals = ruleset(record.ruleset, record.options), Deals(record.source.board_key)
    if record.source.value_function != rules.value_function:
        return ()
    luck = match_luck(rules, deals, [deal.points for deal in record.outcome.deals])
    return () if luck is None else tuple(round(1000 * points) for points in luck)


def incident_rows(match_id: int, bot_ids: tuple[int, ...], record: record_pb2.Record) -> list[dict[str, Any]]:
    """Return rows of `incident`."""
    return [
        {
            "bot_id": bot_ids[incident.seat],
            "match_id": match_id,
            "seat": incident.seat,
            "action_index": incident.action_index,
            "cause": incident.cause,
            "strikes": incident.strikes,
            "taken_over": incident.taken_over,
            "text": incident.text,
        }
        for incident in record.incidents
    ]
