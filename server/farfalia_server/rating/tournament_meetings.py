"""What a worker process computes from a tournament; it starts quickly, since nothing here imports the store."""

from collections.abc import Mapping, Sequence

from farfalia_tournaments import MatchResult, Meeting, fit_strengths, meetings


def tournament_meetings(
    results: Sequence[MatchResult[str]], baselines: Mapping[str, Sequence[int]], wider: float
) -> list[Meeting[str]]:
    """Return a tournament's prediction for each pair, its uncertainty widened by a factor, and what the two scored."""
    return meetings(results, fit_strengths(results, baselines).widened(wider))
