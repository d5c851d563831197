"""Whether the record of a match says what the database says of the match."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from farfalia.v1 import record_pb2
from farfalia_server.errors import RecordError, StoreError
from farfalia_server.records.codec import from_message
from farfalia_server.records.verifying import verify
from farfalia_server.store import ArchivedMatch
from farfalia_server.store.archive import result_of, unpack


def problems(matches: Sequence[ArchivedMatch], bots: Mapping[int, str]) -> list[str]:
    """What is wrong with the records of these matches, a sentence for each match; `bots` are names by number.

    Of a board that is still played no sentence says what is wrong, since that may name cards.
    Every match is played again from its record, which takes some milliseconds each.
    """
    return [f"match {kept.match.id}: {problem}" for kept in matches if (problem := _problem(kept, bots))]


def _problem(kept: ArchivedMatch, bots: Mapping[int, str]) -> str:
    if kept.record is None:
        return "its record is missing"
    try:
        message = unpack(kept.match.id, kept.record)
    except StoreError:
        return "its record is damaged"
    message.source.secret = kept.secret
    try:
        problem = next(_violations(kept, bots, message), "")
    except RecordError as error:
        problem = str(error)
    if problem and not kept.record_open:
        return "its record does not hold; what is wrong with it is said once its board is not played"
    return problem


def _violations(kept: ArchivedMatch, bots: Mapping[int, str], message: record_pb2.Record) -> Iterator[str]:
    """What does not hold, as far as anybody asks."""
    match = kept.match
    if not message.digest:
        yield "its record has no digest"
    for name, said, known in (
        ("match", message.match, match.id),
        ("tournament", message.tournament, match.tournament_id or 0),
        ("ruleset", message.ruleset, match.ruleset),
        ("options", dict(message.options), dict(match.options)),
        ("board", message.source.board, match.board),
        ("entrants", [seat.name for seat in message.seats], [seat.name for seat in match.seats]),
        ("versions", [seat.version for seat in message.seats], [seat.version for seat in match.seats]),
        ("bots", [seat.bot for seat in message.seats], [bots[seat.bot_id] for seat in match.seats]),
    ):
        if said != known:
            yield f"its record has {name} {said!r}, but the match has {known!r}"
    for violation in verify(from_message(message)).violations:
        yield f"its record does not hold: {violation}"
    given = result_of(message)
    for name in ("points", "places", "strikes", "forfeits"):
        played, result = list(getattr(given, name)), list(getattr(match.result, name))
        if played != result:
            yield f"its record gives {name} {played}, but the match is kept with {result}"
