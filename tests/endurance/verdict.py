"""What held in a long run, and what did not."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import grpc
from tests.endurance.field import HOSTILE, LIVE
from tests.endurance.memory import Memory
from tests.server.live import ADMIN, LiveServer

from farfalia.v1 import matches_pb2, ratings_pb2, record_pb2, tournaments_pb2

#: MiB in 1,000 matches by which memory may grow, and matches that it takes to tell.
_GROWS, _ENOUGH = 5.0, 1000
#: Seconds that the last ratings may take.
_RATING = 120.0


@dataclass
class Verdict:
    """Figures of one run, and what did not hold."""

    name: str
    figures: dict[str, str] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)

    @property
    def holds(self) -> bool:
        return not self.faults


def judge(
    verdict: Verdict,
    servers: Sequence[LiveServer],
    tournaments: Mapping[int, int],
    memories: Sequence[Memory],
    *,
    journals_lost: bool = False,
    honest: Collection[str] = tuple(LIVE),
) -> None:
    """Check everything that must hold after a run of one server, or of the nodes of a cluster.

    `journals_lost` says whether Redis has lost journals: then their matches may have had to be played again. The
    `honest` bots may have no strike.
    """
    server = servers[0]
    void = set[int]()
    for attempt in _void_attempts(server):
        void.add(attempt.match)
        allowed = journals_lost and attempt.reason == matches_pb2.VOID_REASON_JOURNAL_LOST
        reason = matches_pb2.VoidReason.Name(attempt.reason)
        _expect(verdict, allowed, f"match {attempt.match}, attempt {attempt.attempt}: {reason}, {attempt.text}")
    played, matches = Counter[str](), 0
    strikes = Counter[str]()
    for number, planned in tournaments.items():
        shown = server.show(number)
        _expect(verdict, shown.state == tournaments_pb2.TOURNAMENT_STATE_FINISHED, f"tournament {number} is not over")
        rows = list(_matches(server, number))
        _expect(verdict, len(rows) == planned, f"tournament {number} has {len(rows)} matches, not {planned}")
        for match in rows:
            finished = match.state == matches_pb2.MATCH_STATE_FINISHED
            _expect(verdict, finished, f"match {match.id} is {matches_pb2.MatchState.Name(match.state)}")
            if finished:
                record = _record(server, match.id)
                # A bot that was not there is not rated.
                played.update(name for seat, name in enumerate(match.entrants) if seat not in match.missed)
                strikes += _check(verdict, server, record, honest, again=match.id in void)
            matches += 1
            if matches % 500 == 0:
                print(f"{verdict.name}: {matches} records verified", flush=True)
    _check_ratings(verdict, server, played)
    memory = max(memories, key=lambda each: each.most)
    verdict.figures |= {
        "matches": f"{matches:,}",
        "matches played again": str(len(void)),
        "strikes of honest bots": str(sum(strikes[name] for name in honest)),
        "strikes of hostile ones": str(sum(strikes[name] for name in HOSTILE)),
        "strikes of the absent one": str(strikes["away"]),
        "resident set at most": f"{memory.most:.0f} MiB",
        "its slope in 1,000 matches": "too short a life",
        "  over matches of one life": f"{memory.span:,}",
    }
    if memory.slope is not None and memory.span >= _ENOUGH:
        verdict.figures["its slope in 1,000 matches"] = f"{memory.slope:+.2f} MiB"
        _expect(verdict, memory.slope <= _GROWS, f"memory grows by {memory.slope:.1f} MiB in 1,000 matches")
    for each in servers:
        for word in ("Traceback", "never retrieved"):
            _expect(verdict, word not in each.log(), f"the log of {each.folder.name} has {word!r}")


def table(verdicts: Iterable[Verdict]) -> str:
    """The figures as text, a column for each run, and below them what did not hold."""
    shown = list(verdicts)
    names = list(dict.fromkeys(name for verdict in shown for name in verdict.figures))
    rows = [("", [verdict.name for verdict in shown])]
    rows += [(name, [verdict.figures.get(name, "-") for verdict in shown]) for name in names]
    rows.append(("holds", ["yes" if verdict.holds else "NO" for verdict in shown]))
    first = max(len(name) for name, _ in rows)
    widths = [max(len(cells[at]) for _, cells in rows) + 3 for at in range(len(shown))]
    lines = [
        name.ljust(first) + "".join(cell.rjust(width) for cell, width in zip(cells, widths, strict=True))
        for name, cells in rows
    ]
    for verdict in shown:
        lines += [f"{verdict.name}: {fault}" for fault in verdict.faults[:20]]
        if len(verdict.faults) > 20:
            lines.append(f"{verdict.name}: and {len(verdict.faults) - 20} other faults")
    return "\n" + "\n".join(lines)


def _record(server: LiveServer, match: int) -> record_pb2.Record:
    """Return a record, as soon as an address that has asked for so many may have another one."""
    while True:
        try:
            return server.record(match)
        except grpc.RpcError as error:
            if error.code() is not grpc.StatusCode.RESOURCE_EXHAUSTED:
                raise
        time.sleep(1)


def _expect(verdict: Verdict, holds: bool, fault: str) -> None:
    if not holds:
        verdict.faults.append(fault)


def _matches(server: LiveServer, tournament: int) -> Iterable[matches_pb2.Match]:
    before = 0
    while True:
        request = matches_pb2.ListMatchesRequest(tournament=tournament, limit=1000, before=before)
        page = server.call("ListMatches", request).matches
        yield from page
        if len(page) < 1000:
            return
        before = page[-1].id


def _void_attempts(server: LiveServer) -> Iterable[matches_pb2.VoidAttempt]:
    before = 0
    while True:
        request = matches_pb2.ListVoidAttemptsRequest(limit=1000, before=before)
        page = server.call("ListVoidAttempts", request).attempts
        yield from page
        if len(page) < 1000:
            return
        before = page[-1].id


def _check(
    verdict: Verdict, server: LiveServer, record: record_pb2.Record, honest: Collection[str], *, again: bool
) -> Counter[str]:
    for violation in server.verify(record):
        verdict.faults.append(f"the record of match {record.match} does not hold: {violation}")
    # A second attempt has a board of its own, whose name ends in its number.
    _expect(
        verdict, again or "." not in record.source.board, f"match {record.match} was played on {record.source.board}"
    )
    strikes = Counter[str]()
    for incident in record.incidents:
        name = record.seats[incident.seat].name
        strikes[name] += 1
        cause = record_pb2.Cause.Name(incident.cause)
        _expect(verdict, name not in honest, f"{name}, match {record.match}: {cause}, {incident.text}")
    return strikes


def _check_ratings(verdict: Verdict, server: LiveServer, played: Counter[str]) -> None:
    deadline = time.monotonic() + _RATING
    while True:
        bots = server.call("ListRatings", ratings_pb2.ListRatingsRequest(ladder="four", limit=1000)).bots
        rated = {row.bot: row.rating.matches for row in bots}
        if sum(rated.values()) >= sum(played.values()) or time.monotonic() > deadline:
            break
        time.sleep(0.5)
    _expect(verdict, rated == dict(played), f"rated matches differ from those played: {rated} and {dict(played)}")
    metadata = (("authorization", f"Bearer {ADMIN}"),)
    *_, last = server.arena.RebuildRatings(ratings_pb2.RebuildRatingsRequest(), metadata=metadata)
    _expect(verdict, last.over, "the ratings were not rebuilt to the end")
    _expect(verdict, not last.problem_count, f"{last.problem_count} records cannot be rated again")
    _expect(verdict, not last.differences, f"{len(last.differences)} ratings differ from those rebuilt")
    verdict.figures["matches rated again"] = f"{last.checked:,}"
