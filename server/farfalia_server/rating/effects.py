"""What a worker process computes for the collusion report; it starts quickly, since nothing here imports the store."""

from farfalia_tournaments import Effect, MatchResult, collusion


def effects_of(results: list[MatchResult[str]]) -> list[Effect[str]]:
    """Return how each entrant does when each other one sits at its table, smallest p-value first."""
    return collusion(results)
