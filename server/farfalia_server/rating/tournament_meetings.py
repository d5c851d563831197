"""What a worker process works out of a tournament; it starts soon, since nothing here needs the store."""

from collections.abc import Mapping, Sequence

from farfalia_tournaments import MatchResult, Meeting, fit_strengths, meetings


def tournament_meetings(
    results: Sequence[MatchResult[str]], baselines: Mapping[str, Sequence[int]], wider: float
) -> list[Meeting[str]]:
    """Return what a tournament says of each pair, its doubt as many times as wide, and what the two made."""
    return meetings(results, fit_strengths(results, baselines).widened(wider))
