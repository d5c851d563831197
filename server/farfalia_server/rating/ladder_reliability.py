"""Whether a ladder's ratings foretold its matches: what they said before each, and what happened."""

from __future__ import annotations

import asyncio
import contextlib

from farfalia_server.records.results import match_result
from farfalia_server.store import Store
from farfalia_tournaments import (
    Reliability,
    ReliabilityBin,
    TournamentError,
    VersionedRatings,
    rating_system,
    read_entry,
)

#: Matches that are read at once: 200 held the loop for 20 ms.
_BATCH = 50


async def reliability_of(store: Store, ladder: str) -> tuple[ReliabilityBin, ...]:
    """Return how often the favourite of two was placed first, by how sure the ratings before the match were.

    It follows from the chain of the ladder, so it covers every probability that its ratings have ever implied.
    """
    found, ratings = Reliability(), None
    seq = 0
    while matches := await store.ratings.rated(seq, _BATCH, ladder):
        lines = await store.rating_chain.of_matches(match.id for match in matches)
        for match in matches:
            # What is damaged says nothing; `ratings rebuild` names it.
            with contextlib.suppress(KeyError, TournamentError):
                entry = read_entry(lines[match.id]).entry
                system = rating_system(entry.system)
                ratings = ratings or VersionedRatings(system)
                before = {seat.number: ratings.of(seat.number, seat.version) for seat in entry.seats}
                ratings.learn(entry.seats)
                found.add(before, match_result(match, [seat.number for seat in entry.seats]), system.beta)
            await asyncio.sleep(0)  # tables wait for their turn
        seq = matches[-1].rating_seq or 0
    return found.bins()
