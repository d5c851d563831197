"""How the matches of ladders are rated: without luck or as they were played, and how noisy they are."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

from farfalia_server.records.results import match_result
from farfalia_server.store import Match, Store
from farfalia_tournaments import MatchNoise, MatchResult, TournamentError, read_entry

#: Matches that are read at a time: 200 held the loop for 20 ms.
_BATCH = 50


class LadderHabits:
    """How each ladder rates; what a ladder is set to is read once."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._set: dict[str, bool] = {}

    async def as_played(self, ladder: str, line: str | None = None) -> bool:
        """Return whether a match is rated as it was played, luck included: what its entry in the chain says, if there
        is one that can be read, or what the ladder is set to.
        """
        if line is not None:
            with suppress(TournamentError):
                return read_entry(line).entry.beta is None
        if ladder not in self._set:
            kept = await self._store.ladders.find(ladder)
            self._set[ladder] = kept is not None and kept.as_played
        return self._set[ladder]


class LadderNoises:
    """How noisy the next match of each ladder is, by what its chain has; kept from one batch to the next."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._basis = ""
        self._noises: dict[str, MatchNoise[int]] = {}

    async def of(self, ladder: str, basis: str) -> MatchNoise[int]:
        """Return the noise of a ladder, to which the caller adds what it rates. It is read anew if that was not stored
        in the end, or if `basis`, what all ratings rest on, has changed.
        """
        if basis != self._basis:
            self._noises, self._basis = {}, basis
        count = await self._store.rating_chain.count(ladder)
        known = self._noises.get(ladder)
        if known is None or known.count != count:
            known = self._noises[ladder] = await self._read(ladder, count)
        return known

    async def _read(self, ladder: str, count: int) -> MatchNoise[int]:
        noise, habits = MatchNoise[int](MatchNoise.start(count)), LadderHabits(self._store)
        while noise.count < count:
            limit = min(_BATCH, count - noise.count)
            matches = await self._store.rating_chain.matches(ladder, noise.count, limit)
            lines = await self._store.rating_chain.of_matches(match.id for match in matches)
            for match in matches:
                as_played = await habits.as_played(ladder, lines.get(match.id))
                noise.add(_result(match, as_played), {seat.bot_id: seat.version for seat in match.seats})
            if len(matches) < limit:  # somebody replaces the chain, and what is rated meanwhile is not stored
                break
        return noise


def _result(match: Match, as_played: bool) -> MatchResult[int] | None:
    """Return the result by which a match was rated, None if it has none that can be rated."""
    with suppress(TournamentError):
        if match.result is not None:
            result = match_result(match, match.bot_ids)
            return replace(result, luck=()) if as_played else result
    return None
