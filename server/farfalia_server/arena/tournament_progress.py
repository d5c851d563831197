"""The progress of a tournament: its pace and its rounds."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from datetime import timedelta
from heapq import nlargest
from itertools import pairwise

from google.protobuf.timestamp_pb2 import Timestamp

from farfalia.v1 import tournaments_pb2
from farfalia_server.net.wall_clock import now
from farfalia_server.records.messages import timestamp
from farfalia_server.store import Match, MatchState

#: How many of the last matches the pace is computed from.
_OF_LATE = 200
#: How many gaps there must be before one of them counts as a pause, and how long that lasts at least.
_GAPS, _PAUSE = 10, timedelta(minutes=1)
#: Most boards of a round that are named.
_BOARDS = 40


def matches_per_hour(matches: Iterable[Match]) -> float:
    """Return the recent pace in matches per hour; 0 until two have ended.

    A gap between two ends that is longer than a minute, and than all others together, was a pause, or a clock that was
    set: not counted.
    """
    ends = nlargest(_OF_LATE, (match.finished for match in matches if match.finished is not None))
    gaps = [later - earlier for later, earlier in pairwise(ends)]
    took = sum(gaps, timedelta())
    if len(gaps) >= _GAPS and (longest := max(gaps)) > max(_PAUSE, took - longest):
        gaps.remove(longest)
        took -= longest
    return len(gaps) * 3600 / took.total_seconds() if took else 0.0


def expected_end(row: tournaments_pb2.Tournament) -> Timestamp | None:
    """Return when a tournament ends at its recent pace; None if it is not running."""
    running = row.state == tournaments_pb2.TOURNAMENT_STATE_RUNNING and not row.waiting
    if not (running and row.matches_per_hour):
        return None
    left = timedelta(hours=(row.matches - row.finished) / row.matches_per_hour)
    return timestamp(now() + min(left, timedelta(days=3650)))


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
