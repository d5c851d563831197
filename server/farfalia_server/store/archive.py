"""What is kept of a record: the packed message, the result, and the incidents for the bots' authors."""

import zlib
from typing import Any

from farfalia.v1 import record_pb2
from farfalia_engine import Deals, match_luck, ruleset
from farfalia_server.conduct import strikes_by_seat
from farfalia_server.errors import StoreError
from farfalia_server.store.values import SeatResults

#: Of zlib: half the time of the usual level, and 3 % more bytes.
_LEVEL = 3


def pack(record: record_pb2.Record) -> bytes:
    """Return the record as bytes, without the secret: that is added once it is public."""
    kept = record_pb2.Record()
    kept.CopyFrom(record)
    if kept.HasField("source"):
        kept.source.ClearField("secret")
    return zlib.compress(kept.SerializeToString(deterministic=True), _LEVEL)


def unpack(match_id: int, data: bytes) -> record_pb2.Record:
    """Return the opposite of `pack`; StoreError if the bytes are damaged."""
    try:
        return record_pb2.Record.FromString(zlib.decompress(data))
    except (zlib.error, ValueError):  # protobuf's DecodeError is a ValueError
        raise StoreError(f"the record of match {match_id} in the database is damaged") from None


def without_cards(record: record_pb2.Record) -> record_pb2.Record:
    """Return what may be shown of a record whose board is still played: who sat where, the result, and times.

    Actions keep seat, cause and time and lose their order, from which it would follow who won which trick.
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
        outcome=record_pb2.MatchOutcome(
            points=record.outcome.points, places=record.outcome.places, forfeits=record.outcome.forfeits
        ),
        started=record.started,
        finished=record.finished,
    )


def result_of(record: record_pb2.Record) -> SeatResults:
    """Return how the match ended, with the strikes of every seat, and what the cards gave it."""
    outcome = record.outcome
    return SeatResults(
        tuple(outcome.points), tuple(outcome.places), strikes_by_seat(record), tuple(outcome.forfeits), luck_of(record)
    )


def luck_of(record: record_pb2.Record) -> tuple[int, ...]:
    """Return what the cards gave, in thousandths of a point by seat; nothing if the record names no value function.

    Nothing either if it names one that this server does not have: no other one may take its place.
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
