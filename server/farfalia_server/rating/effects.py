"""What a worker process computes for the collusion report; it starts quickly, since nothing here imports the store."""

from farfalia_server.rating.told_results import ladder_results
from farfalia_tournaments import Effect, collusion


async def effects_of() -> list[Effect[str]]:
    """Return how each entrant does when each other one sits at its table, smallest p-value first."""
    return collusion(await ladder_results())
