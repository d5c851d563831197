"""Whether the record of a match agrees with the database."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from farfalia.v1 import record_pb2
from farfalia_engine import ruleset
from farfalia_server.contract.errors import RecordDamaged, RecordError
from farfalia_server.records.codec import from_message
from farfalia_server.records.verifying import verify
from farfalia_server.store import ArchivedMatch
from farfalia_server.store.matches.archive import result_of, unpack


class ProblemReason(StrEnum):
    """What may be wrong with the record of a match."""

    MATCH_MISSING = "match-missing"  #: no match has this position in the rating order
    MISSING = "missing"
    DAMAGED = "damaged"  #: it cannot be read
    INVALID = "invalid"  #: it breaks the rules
    DIFFERENT = "different"  #: it contradicts the database


@dataclass(frozen=True, slots=True)
class RecordProblem:
    """What is wrong with a record; also as a sentence.

    `place` is the match's position in the rating order, and `match` its number, or 0 if the match itself is missing.
    """

    match: int
    place: int
    reason: ProblemReason
    text: str


def problems(matches: Sequence[ArchivedMatch], bots: Mapping[int, str]) -> list[RecordProblem]:
    """Return what is wrong with the records of these matches, at most one problem for each; `bots` are names by number.

    Of a board that is still played no sentence says what is wrong, since that may name cards.
    Every match is played again from its record, which takes some milliseconds each.
    """
    found = []
    for kept in matches:
        if (problem := _problem(kept, bots)) is not None:
            reason, text = problem
            found.append(RecordProblem(kept.match.id, place_of(kept), reason, f"match {kept.match.id}: {text}"))
    return found


def place_of(kept: ArchivedMatch) -> int:
    """Return the place of a rated match in the order of rating."""
    assert kept.match.rating_seq is not None
    return kept.match.rating_seq


def _problem(kept: ArchivedMatch, bots: Mapping[int, str]) -> tuple[ProblemReason, str] | None:
    if kept.record is None:
        return ProblemReason.MISSING, "its record is missing"
    try:
        message = unpack(kept.match.id, kept.record)
    except RecordDamaged:
        return ProblemReason.DAMAGED, "its record is damaged"
    message.source.secret = kept.secret
    try:
        problem = next(_violations(kept, bots, message), None)
    except RecordError as error:
        problem = ProblemReason.INVALID, str(error)
    if problem is None or kept.record_open:
        return problem
    return problem[0], "its record does not hold; what is wrong with it is said once its board is not played"


def _violations(
    kept: ArchivedMatch, bots: Mapping[int, str], message: record_pb2.Record
) -> Iterator[tuple[ProblemReason, str]]:
    """Yield the violations lazily."""
    match = kept.match
    if not message.digest:
        yield ProblemReason.INVALID, "its record has no digest"
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
            yield ProblemReason.DIFFERENT, f"its record has {name} {said!r}, but the match has {known!r}"
    for violation in verify(from_message(message)).violations:
        yield ProblemReason.INVALID, f"its record does not hold: {violation}"
    given = result_of(message)
    # Under another value function, or none, luck has other values.
    by_ours = message.source.value_function == ruleset(match.ruleset, match.options).value_function
    for name in ("points", "places", "strikes", "forfeits", "missed", *(("luck",) if by_ours else ())):
        played, result = list(getattr(given, name)), list(getattr(match.result, name))
        if played != result:
            text = f"its record gives {name} {played}, but the match is kept with {result}"
            yield ProblemReason.DIFFERENT, text
