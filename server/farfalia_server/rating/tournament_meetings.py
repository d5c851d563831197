"""What a worker process computes from tournaments; it starts quickly, since nothing here imports the store."""

from farfalia_server.rating.told_results import tournament_part
from farfalia_tournaments import MatchResult, NextMeetings, PairBin, fit_strengths, meetings


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
        if part.wider is not None:
            if results:
                found.add(meetings(results, fit_strengths(results, baselines).widened(part.wider)))
            results, baselines = [], {}
    return found.bins()
