"""The record of a match that has just been played."""

from __future__ import annotations

from datetime import datetime

from farfalia.v1 import record_pb2
from farfalia_engine import __version__ as engine_version
from farfalia_engine import board_key
from farfalia_server.arena.messages import beacon_message
from farfalia_server.play.table import Table
from farfalia_server.records.codec import seal
from farfalia_server.store import ClaimedMatch

#: Version of the record's format.
_FORMAT = 1


def record_of(claimed: ClaimedMatch, table: Table, finished: datetime) -> record_pb2.Record:
    """Everything about a finished match, without the secret of its deals, with its digest."""
    match, control, source = claimed.match, claimed.match.time_control, claimed.source
    record = record_pb2.Record(
        format=_FORMAT,
        engine=engine_version,
        match=match.id,
        tournament=match.tournament_id or 0,
        ruleset=match.ruleset,
        options=match.options,
        seats=[
            record_pb2.RecordSeat(
                name=seat.name,
                bot=bot.name,
                version=bot.version,
                house=bool(bot.house),
                nonce=source.given.get(bot.id, b""),
            )
            for seat, bot in zip(match.seats, claimed.bots, strict=True)
        ],
        source=record_pb2.DealSource(
            commitment=source.commitment,
            nonces=source.nonces,
            board=match.board,
            board_key=board_key(source.secret, source.nonces, match.board),
            beacon=None if source.beacon is None else beacon_message(source.beacon),
        ),
        time_control=record_pb2.TimeControl(limit_ms=control.limit_ms, bank_ms=control.bank_ms, grace=control.grace),
        actions=table.actions,
        incidents=table.incidents,
        outcome=_outcome(table),
    )
    assert table.started is not None
    record.started.FromMilliseconds(int(table.started.timestamp() * 1000))
    record.finished.FromMilliseconds(int(finished.timestamp() * 1000))
    return seal(record)


def without_texts(record: record_pb2.Record) -> record_pb2.Record:
    """The same record without what bots have said; its digest is a new one."""
    kept = record_pb2.Record()
    kept.CopyFrom(record)
    for incident in kept.incidents:
        incident.text = ""
    return seal(kept)


def _outcome(table: Table) -> record_pb2.MatchOutcome:
    outcome = table.state.outcome
    assert outcome is not None
    return record_pb2.MatchOutcome(
        points=outcome.points,
        places=table.state.rules.places(outcome.points, table.forfeits),
        deals=[record_pb2.DealScore(points=points) for points in outcome.deals],
        forfeits=table.forfeits,
    )
