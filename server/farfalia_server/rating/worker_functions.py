"""What worker processes compute of ladders and tournaments; they start quickly: nothing here imports the store."""

import math
from dataclasses import dataclass, replace

from farfalia.v1 import ratings_pb2
from farfalia_server.rating.effect_messages import effect_message
from farfalia_server.rating.match_favours import read_cards
from farfalia_server.rating.results_from_parent import ladder_results, tournament_part
from farfalia_tournaments import (
    MatchNoise,
    MatchResult,
    NextMeetings,
    PairBin,
    SkillEstimate,
    collusion,
    fit_strengths,
    fit_whole_history,
    meetings,
)


@dataclass(frozen=True, slots=True)
class LadderStrength:
    """A strength and its 95 % interval, in points per match above the mean of everybody that was rated."""

    mean: float
    low: float
    high: float


async def fits(as_played: bool) -> tuple[list[SkillEstimate[str]], dict[str, LadderStrength]]:
    """Return the whole-history fit of a ladder, by points less luck or as its matches were played, and strengths."""
    results = await ladder_results()
    rated, noise = [replace(result, luck=()) for result in results] if as_played else results, MatchNoise[str]()
    for result in rated:
        noise.add(result, dict.fromkeys(result.entrants, ""))
    return fit_whole_history(rated, luck_left=noise.luck_left) if rated else [], strengths_of(results)


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


async def predicted_pairs() -> tuple[PairBin, ...]:
    """Return how often the favourite of a pair was ahead at the next meeting, over all tournaments that it is told.

    It counts here as well: the 4,950 pairs of a hundred entrants would stop the event loop for tens of milliseconds.
    """
    found: NextMeetings[str] = NextMeetings()
    results: list[MatchResult[str]] = []
    baselines: dict[str, tuple[int, ...]] = {}
    while (part := await tournament_part()) is not None:
        results += part.results
        baselines |= {board: tuple(points) for board, points in part.baselines.items()}
        if part.last:
            if results:
                fit = fit_strengths(results, baselines, part.families, part.known)
                found.add(meetings(results, fit.watched(part.looks)))
            results, baselines = [], {}
    return found.bins()


async def collusion_report(seconds: float) -> bytes:
    """Return how each entrant does when each other one sits at its table, as a serialized ReportCollusionResponse.

    Cards that have not been read yet are, for as many seconds. As 22,000 objects, which 150 bots have after 20,000
    matches, the report stopped the event loop for 70 ms when it was unpickled, and for another 40 ms while messages
    were made of it.
    """
    results, cards = await ladder_results(), await read_cards(seconds)
    return ratings_pb2.ReportCollusionResponse(
        effects=map(effect_message, collusion(results, cards=cards.favours)), matches=cards.matches, read=cards.read
    ).SerializeToString()


async def read_all_cards() -> int:
    """Read the cards of all matches that have not been read yet, and return how many matches there are."""
    return (await read_cards(math.inf)).matches
