"""How well crosstables predicted the next meeting of each pair, counted over all finished tournaments."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from contextlib import suppress

from farfalia_server.net.worker_process import WorkerProcess
from farfalia_server.rating.tournament_meetings import tournament_meetings
from farfalia_server.records.looks import MOST_COMPARED, widening_of
from farfalia_server.records.results import baseline_without_luck, board_identity, match_result
from farfalia_server.store import Match, Store, Tournament
from farfalia_tournaments import MatchResult, NextMeetings, PairBin, TournamentError

#: Matches that are read at once: 200 held the loop for 20 ms. Tournaments are as long each.
_BATCH = 50


async def pair_reliability_of(store: Store, ladder: str, worker: WorkerProcess) -> tuple[PairBin, ...]:
    """Return how often the favourite of a pair was ahead at the next meeting, over all tournaments of a ladder's game.

    The next meeting is the next tournament with the same options in which both play in the same version. The prediction
    of a tournament is what its crosstable shows after its end.
    """
    found: NextMeetings[str] = NextMeetings()
    for tournament in await _over(store, ladder):
        matches = await _matches(store, tournament.id)
        names = _lasting_names(tournament, matches)
        results: list[MatchResult[str]] = []
        for match in matches:
            if match.result is not None:
                # Damaged records are skipped here; `ratings rebuild` reports them.
                with suppress(TournamentError):
                    results.append(match_result(match, [names[seat.name] for seat in match.seats]))
        if results and len(names) <= MOST_COMPARED:
            baselines = await store.baselines.of(tournament.id)
            called = {
                board_identity(match): baseline_without_luck(match, baselines[match.board])
                for match in matches
                if match.board in baselines
            }
            found.add(await worker.run(tournament_meetings, results, called, widening_of(tournament, matches)))
    return found.bins()


async def _over(store: Store, ladder: str) -> list[Tournament]:
    """Return the finished tournaments of a game, in the order in which they ended."""
    over: list[Tournament] = []
    before: int | None = None
    while some := await store.tournaments.all(_BATCH, before):
        over += [one for one in some if one.ruleset == ladder and one.state.over]
        before = some[-1].id
    return sorted(over, key=lambda one: (one.ended or one.created, one.id))


async def _matches(store: Store, tournament_id: int) -> list[Match]:
    found: list[Match] = []
    while some := await store.matches.of_tournament(tournament_id, found[-1].number if found else -1, _BATCH):
        found += some
    return found


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
