"""What a worker process computes from: the process that started it tells it a part whenever it asks for one.

All results of a ladder together, as one pickle, stop the event loop for a quarter of a second with 20,000 matches.
Nothing here imports the store, so that the worker process starts quickly.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from farfalia_server.net.worker_process import ask
from farfalia_tournaments import MatchResult, Strength

#: What a worker process asks for.
LADDER, TOURNAMENTS = "ladder", "tournaments"


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


async def ladder_results() -> list[MatchResult[str]]:
    """Return all results of the ladder."""
    found: list[MatchResult[str]] = []
    while part := await ask(LADDER):
        found += part
    return found


async def tournament_part() -> TournamentPart | None:
    """Return the next part of a tournament; None after the last one of all."""
    part: TournamentPart | None = await ask(TOURNAMENTS)
    return part
