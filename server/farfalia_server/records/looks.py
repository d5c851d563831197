"""By how much the uncertainty of a tournament is widened: anybody may look, or stop it, at any moment."""

import json
from collections.abc import Sequence

from farfalia_server.store import Match, Tournament, TournamentState
from farfalia_tournaments import stages_of

#: Entrants up to which everybody is compared with everybody: nobody reads a table of 10,000 cells.
MOST_COMPARED = 100


def looks_of(tournament: Tournament, matches: Sequence[Match]) -> tuple[int, int] | None:
    """Return how many matches are played of how many, for `StrengthFit.watched`; None once all that was planned is.

    Before that a viewer may stop looking at the most misleading moment; an organiser or a rule may have stopped there.
    """
    over, planned = sum(match.state.over for match in matches), max(tournament.expected, len(matches))
    stages = stages_of(json.loads(tournament.stages)) if tournament.stages else ()
    stopped = tournament.state is TournamentState.CANCELLED or any(stage.until is not None for stage in stages)
    if over == planned and not stopped:
        return None
    return sum(match.result is not None for match in matches), planned
