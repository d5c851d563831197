"""How well crosstables predicted the next meeting of each pair, counted over all finished tournaments."""

from __future__ import annotations

import asyncio
import json
from collections import defaultdict, deque
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import suppress

from farfalia_server.rating.ladder_knowledge import known_entrants, known_strengths
from farfalia_server.rating.results_from_parent import TournamentPart
from farfalia_server.records.looks import MOST_COMPARED, looks_of
from farfalia_server.records.results import baseline_without_luck, board_identity, match_result
from farfalia_server.store import Match, Store, Tournament
from farfalia_tournaments import MatchResult, TournamentError

#: Matches that are read and told at a time: 200 held the loop for 20 ms. Tournaments are as long each.
_BATCH = 50


class FinishedTournaments:
    """The finished tournaments that count on a ladder, in the order in which they ended, part by part.

    The next meeting of a pair is the next tournament with the same options in which both play in the same version. The
    prediction of a tournament is what its crosstable shows after its end.
    """

    def __init__(self, store: Store, ladder: str) -> None:
        self._store = store
        self._ladder = ladder
        self._left: deque[Tournament] | None = None
        self._parts: deque[TournamentPart] = deque()

    async def part(self) -> TournamentPart | None:
        """Return the next part; None after the last one."""
        if self._left is None:
            self._left = deque(await self._over())
        while not self._parts and self._left:
            self._parts.extend([one async for one in self._parts_of(self._left.popleft())])
        return self._parts.popleft() if self._parts else None

    async def _over(self) -> list[Tournament]:
        over: list[Tournament] = []
        before: int | None = None
        while some := await self._store.tournaments.all(_BATCH, before):
            over += [one for one in some if one.ladder == self._ladder and one.state.over]
            before = some[-1].id
        return sorted(over, key=lambda one: (one.ended or one.created, one.id))

    async def _parts_of(self, tournament: Tournament) -> AsyncIterator[TournamentPart]:
        """Yield the parts of a tournament; none if it has no crosstable."""
        matches = await self._matches(tournament.id)
        names = _lasting_names(tournament, matches)
        if len(names) > MOST_COMPARED:
            return
        baselines = await self._store.baselines.of(tournament.id)
        for first in range(0, len(matches), _BATCH):
            yield _part(matches[first : first + _BATCH], names, baselines)
            await asyncio.sleep(0)  # tables wait for their turn
        entrants = [one for one in await self._store.tournaments.entrants(tournament.id) if one.name in names]
        bots = await self._store.bots.by_ids(entrant.bot_id for entrant in entrants)
        knowledge = await self._store.ladder_knowledge.of(tournament.id)
        known = known_strengths(known_entrants(entrants, knowledge, matches))
        yield TournamentPart(
            (),
            last=True,
            looks=looks_of(tournament, matches),
            families={names[one.name]: bots[one.bot_id].family for one in entrants},
            known={names[name]: own for name, own in known.items()},
        )

    async def _matches(self, tournament_id: int) -> list[Match]:
        found: list[Match] = []
        while some := await self._store.matches.of_tournament(tournament_id, found[-1].number if found else -1, _BATCH):
            found += some
        return found


def _part(matches: Sequence[Match], names: Mapping[str, str], baselines: Mapping[str, Sequence[int]]) -> TournamentPart:
    results: list[MatchResult[str]] = []
    for match in matches:
        if match.result is not None:
            # Damaged records are skipped here; `ratings rebuild` reports them.
            with suppress(TournamentError):
                results.append(match_result(match, [names[seat.name] for seat in match.seats]))
    called = {
        board_identity(match): baseline_without_luck(match, baselines[match.board])
        for match in matches
        if match.board in baselines
    }
    return TournamentPart(results, called)


def _lasting_names(tournament: Tournament, matches: Sequence[Match]) -> Mapping[str, str]:
    """Return a name for each entrant that other tournaments share: bot, version and options.

    An entrant that filled tables, or changed its version meanwhile, gets a name that no other tournament has.
    """
    seats = defaultdict(set)
    for match in matches:
        for seat in match.seats:
            if match.result is not None:
                seats[seat.name].add(("", "") if seat.filler else (seat.bot_id, seat.version))
            else:
                seats.setdefault(seat.name, set())
    options = json.dumps(dict(tournament.options), sort_keys=True)
    return {
        name: json.dumps([*next(iter(known)), options])
        if len(known) == 1 and ("", "") not in known
        else f"{name} of {tournament.id}"
        for name, known in seats.items()
    }
