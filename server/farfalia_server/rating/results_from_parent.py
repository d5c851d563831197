"""What a worker process computes from: the process that started it tells it a part whenever it asks for one.

All results of a ladder together, as one pickle, stop the event loop for a quarter of a second with 20,000 matches.
Nothing here imports the store, so that the worker process starts quickly.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from farfalia_server.net.worker_process import ask
from farfalia_tournaments import MatchResult, Strength

#: What a worker process asks for, and what it hands back.
RESULTS, TOURNAMENTS, FAVOURS, RECORD, KEEP = "results", "tournaments", "favours", "record", "keep"


@dataclass(frozen=True, slots=True)
class TournamentPart:
    """Some results of a tournament, with what house bots made of their boards.

    With the `last` come its `looks`, as `StrengthFit.watched` takes them, what entrants have in common with those that
    are nearly like them, and what a ladder had `known` of them before.
    """

    results: Sequence[MatchResult[str]]
    baselines: Mapping[str, Sequence[int]] = field(default_factory=dict)
    last: bool = False
    looks: tuple[int, int] | None = None
    families: Mapping[str, str] = field(default_factory=dict)
    known: Mapping[str, Strength] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class KnownFavours:
    """A match, and by how many thousandths of a point the cards of each seat favoured each other seat.

    None where that has not been computed, nothing where it cannot be.
    """

    match_id: int
    entrants: tuple[str, ...]
    favours: Sequence[Sequence[int]] | None


async def favours_part() -> Sequence[KnownFavours]:
    """Return the next of all matches; none after the last ones."""
    part: Sequence[KnownFavours] = await ask(FAVOURS)
    return part


async def record_of(match_id: int) -> bytes:
    """Return the serialized record of a match; empty if it cannot be read."""
    record: bytes = await ask(RECORD, match_id)
    return record


async def keep_favours(match_id: int, favours: Sequence[Sequence[int]]) -> None:
    """Have what was computed of a match kept."""
    await ask(KEEP, match_id, favours)


async def ladder_results() -> list[MatchResult[str]]:
    """Return all results of the ladder, or of the tournament."""
    found: list[MatchResult[str]] = []
    while part := await ask(RESULTS):
        found += part
    return found


async def tournament_part() -> TournamentPart | None:
    """Return the next part of a tournament; None after the last one of all."""
    part: TournamentPart | None = await ask(TOURNAMENTS)
    return part
