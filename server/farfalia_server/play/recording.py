"""The record of a match that has just ended."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

import farfalia_engine as engine
from farfalia.v1 import record_pb2
from farfalia_server.play.table import Table
from farfalia_server.records.codec import seal, to_message
from farfalia_server.store import Beacon, ClaimedMatch


def record_of(claimed: ClaimedMatch, table: Table, finished_ms: int) -> record_pb2.Record:
    """Return everything about a finished match, without the secret of its deals, with its digest."""
    match, source = claimed.match, claimed.source
    played = table.pieces.joined()
    message = to_message(
        engine.Record(
            engine=engine.__version__,
            match=match.id,
            tournament=match.tournament_id or 0,
            ruleset=match.ruleset,
            options=match.options,
            seats=tuple(
                engine.RecordSeat(
                    seat.name, bot.name, bot.version, bool(bot.house), source.given.get(bot.id, b""), bot.person
                )
                for seat, bot in zip(match.seats, claimed.bots, strict=True)
            ),
            source=engine.DealSource(
                source.commitment,
                source.nonces,
                match.board,
                engine.board_key(source.secret, source.nonces, match.board),
                beacon=None if source.beacon is None else _beacon(source.beacon),
                value_function=value_function_of(claimed),
                daily=match.daily,
            ),
            time_control=match.time_control,
            actions=(),
            outcome=_outcome(table),
            started_ms=played.started.ToMilliseconds(),
            finished_ms=finished_ms,
        )
    )
    message.MergeFrom(played)
    return seal(message)


def value_function_of(claimed: ClaimedMatch) -> bytes:
    """Return the value function of the commitment; None if it is another server's: then luck is not taken out."""
    ours = engine.ruleset(claimed.match.ruleset, claimed.match.options).value_function
    return ours if claimed.source.value_function == ours else b""


def without_texts(record: record_pb2.Record) -> record_pb2.Record:
    """Return the record without the bots' own texts, with a new digest."""
    kept = record_pb2.Record()
    kept.CopyFrom(record)
    for incident in kept.incidents:
        incident.text = ""
    return seal(kept)


def _outcome(table: Table) -> engine.Outcome:
    state, forfeits = table.core.state, tuple(table.core.forfeits)
    outcome = state.outcome
    assert outcome is not None
    return replace(outcome, places=state.rules.places(outcome.points, forfeits), forfeits=forfeits)


def _beacon(beacon: Beacon) -> engine.Beacon:
    given = 0 if beacon.given is None else _milliseconds(beacon.given)
    return engine.Beacon(beacon.source, beacon.round, beacon.value, _milliseconds(beacon.announced), given)


def _milliseconds(moment: datetime) -> int:
    return int(moment.timestamp() * 1000)
