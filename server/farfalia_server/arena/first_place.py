"""What a tournament's results say of its first place, and how many more rounds that takes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from farfalia.v1 import standings_pb2
from farfalia_server.organising.stage_messages import stages_stored
from farfalia_server.records.looks import looks_of
from farfalia_server.store import Match, Tournament
from farfalia_tournaments import StrengthFit, first_place
from farfalia_tournaments.stages import StageKind

#: Matches that every entrant has to have before it says something.
OPENING: Final = 5


def first_place_message(
    tournament: Tournament, matches: Sequence[Match], rows: Sequence[standings_pb2.Standing], fit: StrengthFit[str]
) -> standings_pb2.FirstPlace | None:
    """Return what is known of the first place; None while that is nothing, and where rounds do not go on alike.

    `fit` are the strengths without allowance for looks, `rows` the standings.
    """
    stages = stages_stored(tournament.stages) if tournament.stages else ()
    uneven = any(stage.kind is StageKind.KNOCKOUT or stage.until is not None for stage in stages)
    if len(stages) > 1 or uneven or min((row.matches for row in rows), default=0) < OPENING:
        return None
    planned = max(tournament.expected, len(matches))
    per_round = planned / max(1, tournament.rounds)
    rounds = sum(match.result is not None for match in matches) / per_round
    found = first_place(fit, rounds, tournament.rounds, final=looks_of(tournament, matches) is None)
    if found is None:
        return None
    return standings_pb2.FirstPlace(
        entrant=found.entrant,
        probability=found.probability,
        known=found.known,
        rounds=_whole(found.more),
        low=_whole(found.low),
        high=_whole(found.high),
        planned=max(0, round(tournament.rounds - sum(match.state.over for match in matches) / per_round)),
    )


def _whole(rounds: float) -> int | None:
    return None if math.isinf(rounds) else math.ceil(rounds)
