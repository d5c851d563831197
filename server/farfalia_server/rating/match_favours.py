"""Whom the cards of matches favoured, in a worker process: what is not known yet is computed from records, and kept."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

from farfalia.analysis.favours import favours
from farfalia.v1 import record_pb2
from farfalia_engine import EngineError
from farfalia_server.contract.errors import RecordError
from farfalia_server.rating.results_from_parent import KnownFavours, favours_part, keep_favours, record_of
from farfalia_server.records.codec import from_message
from farfalia_server.records.published_results import match_favours
from farfalia_tournaments import MatchFavours


@dataclass(frozen=True, slots=True)
class ReadCards:
    """What the cards of matches say, and how many of all matches have been read."""

    favours: list[MatchFavours[str]]
    read: int
    matches: int


async def read_cards(seconds: float) -> ReadCards:
    """Return whom the cards of all matches favoured that are known, or can be computed within as many seconds."""
    found: list[MatchFavours[str]] = []
    read = matches = 0
    until = time.monotonic() + seconds
    while part := await favours_part():
        matches += len(part)
        for match in part:
            known = match.favours if match.favours is not None else await _computed(match, until)
            read += known is not None
            if known:
                found.append(match_favours(match.entrants, known))
    return ReadCards(found, read, matches)


def favours_of(record: bytes) -> Sequence[Sequence[int]]:
    """Return what the cards of a serialized record say; nothing if it cannot be played again."""
    try:
        return favours(from_message(record_pb2.Record.FromString(record))).points
    except (EngineError, RecordError):
        return ()


async def _computed(match: KnownFavours, until: float) -> Sequence[Sequence[int]] | None:
    """Return what the cards of a match say, and keep it; None if there is no time left."""
    if time.monotonic() >= until:
        return None
    computed = favours_of(await record_of(match.match_id))
    await keep_favours(match.match_id, computed)
    return computed
