"""What a worker process works out for the report on collusion; it starts soon, since nothing here needs the store."""

from farfalia_tournaments import Effect, MatchResult, collusion


def effects_of(results: list[MatchResult[str]]) -> list[Effect[str]]:
    """Return how each entrant does when each other one sits at its table, smallest p-value first."""
    return collusion(results)
