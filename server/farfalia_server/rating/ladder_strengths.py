"""What a worker process fits to all results of a ladder; it starts quickly, since nothing here imports the store."""

from dataclasses import dataclass

from farfalia_server.rating.told_results import ladder_results
from farfalia_tournaments import MatchResult, SkillEstimate, fit_strengths, fit_whole_history


@dataclass(frozen=True, slots=True)
class LadderStrength:
    """A strength and its 95 % interval, in points per match above the mean of everybody that was rated."""

    mean: float
    low: float
    high: float


async def fits() -> tuple[list[SkillEstimate[str]], dict[str, LadderStrength]]:
    """Return the whole-history fit of a ladder, and strengths by points."""
    results = await ladder_results()
    return fit_whole_history(results) if results else [], strengths_of(results)


def strengths_of(results: list[MatchResult[str]]) -> dict[str, LadderStrength]:
    """Return the strength of each rated entrant, by one model of all results."""
    fit = fit_strengths(results)
    rated = {one for result in results for one, counts in zip(result.entrants, result.rated, strict=True) if counts}
    middle = sum(fit.strength(entrant).mean for entrant in sorted(rated)) / len(rated) if rated else 0.0
    found = {}
    for entrant in sorted(rated):
        low, high = fit.interval(entrant)
        found[entrant] = LadderStrength(fit.strength(entrant).mean - middle, low - middle, high - middle)
    return found
