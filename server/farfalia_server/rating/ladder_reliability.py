"""How well a ladder's ratings predicted its matches: the predictions before each, and what happened."""

from __future__ import annotations

import asyncio
import contextlib
from dataclasses import replace

from farfalia_server.records.house_names import is_house
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

#: Matches that are read at a time: 200 held the loop for 20 ms.
_BATCH = 50


async def reliability_of(store: Store, ladder: str) -> tuple[ReliabilityBin, ...]:
    """Return how often the favourite of a pair was placed ahead, by how certain the ratings before the match were.

    The chain of the ladder is its source, so it covers every probability that the ladder's ratings ever implied.
    """
    found, ratings = Reliability(), None
    seq = 0
    while matches := await store.ratings.rated(seq, _BATCH, ladder):
        lines = await store.rating_chain.of_matches(match.id for match in matches)
        for match in matches:
            # Damaged records are skipped here; `ratings rebuild` reports them.
            with contextlib.suppress(KeyError, TournamentError):
                entry = read_entry(lines[match.id]).entry
                system = rating_system(entry.system)
                ratings = ratings or VersionedRatings(system, is_house)
                before = ratings.before(entry)
                ratings.learn(entry)
                result = replace(match_result(match, [seat.number for seat in entry.seats]), luck=entry.luck)
                found.add(before, result, entry.beta or system.beta)
            await asyncio.sleep(0)  # tables wait for their turn
        seq = matches[-1].rating_seq or 0
    return found.bins()
