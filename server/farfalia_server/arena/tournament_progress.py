"""The progress of a tournament: its pace, its rounds, and the tables of its knock-outs."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from heapq import nlargest

from google.protobuf.timestamp_pb2 import Timestamp

from farfalia.v1 import stages_pb2, tournaments_pb2
from farfalia_server.records.messages import timestamp
from farfalia_server.store import Match, MatchState

#: How many of the last matches the pace is computed from.
_OF_LATE = 200
#: Most boards of a round that are named.
_BOARDS = 40


def matches_per_hour(matches: Iterable[Match]) -> float:
    """Return the recent pace in matches per hour; 0 until two have ended."""
    ends = nlargest(_OF_LATE, (match.finished for match in matches if match.finished is not None))
    took = (ends[0] - ends[-1]).total_seconds() if len(ends) > 1 else 0.0
    return (len(ends) - 1) * 3600 / took if took > 0 else 0.0


def expected_end(row: tournaments_pb2.Tournament) -> Timestamp | None:
    """Return when a tournament ends at its recent pace; None if it is not running."""
    running = row.state == tournaments_pb2.TOURNAMENT_STATE_RUNNING and not row.waiting
    if not (running and row.matches_per_hour):
        return None
    left = timedelta(hours=(row.matches - row.finished) / row.matches_per_hour)
    return timestamp(datetime.now(UTC) + min(left, timedelta(days=3650)))


def schedule(matches: Iterable[Match]) -> list[tournaments_pb2.RoundProgress]:
    """Return the rounds that have been drawn, in order."""
    rounds: defaultdict[tuple[int, int], list[Match]] = defaultdict(list)
    for match in matches:
        rounds[match.stage, match.round].append(match)
    return [_round(stage, number, rounds[stage, number]) for stage, number in sorted(rounds)]


def _round(stage: int, number: int, matches: Sequence[Match]) -> tournaments_pb2.RoundProgress:
    tables = Counter(match.board for match in matches)
    shared = [board for board, several in tables.items() if several > 1][:_BOARDS]
    playing = {match.board for match in matches if not match.state.over}
    played = {match.board for match in matches if match.state is MatchState.FINISHED} - playing
    return tournaments_pb2.RoundProgress(
        stage=stage,
        round=number,
        matches=len(matches),
        over=sum(match.state.over for match in matches),
        boards=shared,
        open_boards=[board for board in shared if board in played],
    )


def knockout_tables(
    matches: Iterable[Match], standings: Iterable[stages_pb2.StageStanding]
) -> list[stages_pb2.KnockoutTable]:
    """Return the tables of a knock-out, by round and table; `matches` are those of its stage."""
    reached = {row.entrant: row.reached_round for row in standings}
    tables: defaultdict[tuple[int, int], list[Match]] = defaultdict(list)
    for match in matches:
        tables[match.round, match.table].append(match)
    return [
        stages_pb2.KnockoutTable(
            round=number,
            table=table,
            entrants=(names := sorted({seat.name for match in own for seat in match.seats})),
            advanced=[name for name in names if reached.get(name, 0) > number],
            matches=[match.id for match in own],
        )
        for (number, table), own in sorted(tables.items())
    ]
