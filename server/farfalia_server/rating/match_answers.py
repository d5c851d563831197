"""What worker processes are told of the matches of a ladder or a tournament, a part whenever they ask for one."""

from __future__ import annotations

import contextlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any, Final

from farfalia_server.contract.errors import FailedPrecondition, NotFound, RecordError
from farfalia_server.rating.pair_reliability import FinishedTournaments
from farfalia_server.rating.results_from_parent import FAVOURS, KEEP, RECORD, RESULTS, TOURNAMENTS, KnownFavours
from farfalia_server.records.results import match_result
from farfalia_server.store import Match, Seat, Store
from farfalia_tournaments import MatchResult, TournamentError

#: Matches that are read at a time: 200 held the loop for 20 ms.
_BATCH: Final = 50


class _MatchAnswers(ABC):
    """Results and cards of matches; `results` counts the results that were told."""

    def __init__(self, store: Store, name: Callable[[Seat], str]) -> None:
        self._store = store
        self._name = name
        self.results = 0

    async def answer(self, what: str, *arguments: Any) -> Any:
        """Return the next part of what it asks for, or keep what it hands back."""
        if what == FAVOURS:
            return await self._known_favours()
        if what == RECORD:
            return await self._record(*arguments)
        if what == KEEP:
            return await self._store.favours.keep(*arguments)
        return await self._results()

    @abstractmethod
    async def _next(self, what: str) -> Sequence[Match]:
        """Return the next matches for those who ask for this; none after the last ones."""

    async def _results(self) -> list[MatchResult[str]]:
        """Return the next results that can be rated."""
        found: list[MatchResult[str]] = []
        while not found and (matches := await self._next(RESULTS)):
            for match in matches:
                if match.result is not None:
                    with contextlib.suppress(TournamentError):
                        found.append(match_result(match, [self._name(seat) for seat in match.seats]))
        self.results += len(found)
        return found

    async def _known_favours(self) -> list[KnownFavours]:
        """Return what is known of whom the cards of the next matches favoured."""
        found: list[KnownFavours] = []
        while not found and (matches := await self._next(FAVOURS)):
            finished = [match for match in matches if match.result is not None]
            known = await self._store.favours.of([match.id for match in finished])
            found += [KnownFavours(one.id, tuple(map(self._name, one.seats)), known.get(one.id)) for one in finished]
        return found

    async def _record(self, match_id: int) -> bytes:
        """Return a record, also of a board that is in play elsewhere: nothing of its cards leaves the server."""
        with contextlib.suppress(NotFound, FailedPrecondition, RecordError):
            return (await self._store.records.sealed(match_id)).SerializeToString()
        return b""


class LadderAnswers(_MatchAnswers):
    """Of the rated matches of a ladder, in rating order, and of its finished tournaments."""

    def __init__(self, store: Store, ladder: str, name: Callable[[Seat], str]) -> None:
        super().__init__(store, name)
        self._ladder = ladder
        self._last: dict[str, int] = {}
        self._tournaments = FinishedTournaments(store, ladder)

    async def answer(self, what: str, *arguments: Any) -> Any:
        """Return the next part of what it asks for, or keep what it hands back."""
        return await (self._tournaments.part() if what == TOURNAMENTS else super().answer(what, *arguments))

    async def _next(self, what: str) -> Sequence[Match]:
        matches = await self._store.ratings.rated(self._last.get(what, 0), _BATCH, self._ladder)
        if matches:
            self._last[what] = matches[-1].rating_seq or 0
        return matches


class TournamentAnswers(_MatchAnswers):
    """Of the finished matches of a tournament, as far as it has been played."""

    def __init__(self, store: Store, number: int) -> None:
        super().__init__(store, lambda seat: seat.name)
        self._number = number
        self._last: dict[str, int] = {}

    async def _next(self, what: str) -> Sequence[Match]:
        matches = await self._store.matches.of_tournament(self._number, self._last.get(what, -1), _BATCH)
        if matches:
            self._last[what] = matches[-1].number
        return matches
