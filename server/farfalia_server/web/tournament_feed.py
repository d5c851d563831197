"""Following tournaments for viewers, in the process that makes pages: what has changed since the last look.

Results alone are told, never a card, and each when every list of matches shows it: once no table plays its board.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections import OrderedDict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from farfalia.v1 import matches_pb2, standings_pb2, tournaments_pb2
from farfalia_server.arena.reading import Reader
from farfalia_server.contract.errors import NotReady
from farfalia_server.contract.states import TOURNAMENT_OVER
from farfalia_server.web.query_parameters import TABLE_SECONDS
from farfalia_server.web.tournament_page import pace_words, progress_words
from farfalia_server.wording.phrases import ranks, tournament_status
from farfalia_server.wording.places import reasons

#: Seconds that a question for news may wait, and between two looks at the database meanwhile.
_WAIT, _STEP = 10.0, 1.0
#: Tournaments that are kept as they stood, and of each tables and results.
_KEPT, _MATCHES = 100, 200
_EPOCH = datetime.fromtimestamp(0, UTC)
#: Matches that have ended and are read at once; most that have begun and are read one by one.
_OVERLAP = 20


@dataclass(frozen=True, slots=True)
class TournamentEvent:
    """Something that has happened, as JSON; a result has an id: since when it is shown, in milliseconds, and its
    match.
    """

    body: bytes
    id: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class TournamentNews:
    """What has happened in a tournament since `known`: `events`, and `state`, which says all to those who come now.

    `results` are the last ones, oldest first; `over` says that nothing follows.
    """

    version: int
    known: int = 0
    events: tuple[TournamentEvent, ...] = ()
    state: tuple[TournamentEvent, ...] = ()
    results: tuple[TournamentEvent, ...] = ()
    over: bool = False


@dataclass(slots=True)
class _FollowedTournament:
    """A tournament as it stood at the last look."""

    #: Counts from the time, so that nobody takes it for one of a process before.
    version: int = field(default_factory=lambda: time.time_ns() // 1_000_000)
    facts: dict[str, Any] = field(default_factory=dict)
    rows: dict[str, dict[str, Any]] = field(default_factory=dict)
    playing: dict[int, TournamentEvent] = field(default_factory=dict)
    results: dict[int, TournamentEvent] = field(default_factory=dict)
    #: Matches that are finished and whose results are withheld.
    withheld: set[int] = field(default_factory=set)
    rounds: set[tuple[int, int]] = field(default_factory=set)
    pace: str = ""
    over: bool = False

    @property
    def state(self) -> tuple[TournamentEvent, ...]:
        """Everything, for somebody who knows nothing."""
        rows = sorted(self.rows.values(), key=lambda row: int(row["place"]))
        return (
            _event("tournament", **self.facts, pace=self.pace),
            _event("standings", rows=rows),
            *self.playing.values(),
        )


class TournamentFeed:
    """The news of tournaments."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._followed: OrderedDict[int, _FollowedTournament] = OrderedDict()
        #: One at a time: what one question has seen is no news for the other.
        self._looking = asyncio.Lock()

    async def news(self, number: int, known: int) -> TournamentNews:
        """Return what is new of a tournament, as soon as there is something; NotFound.

        `known` is the version that the caller was told before, 0 for none; who knows another one than the last is told
        the state alone.
        """
        loop = asyncio.get_running_loop()
        deadline = loop.time() + _WAIT
        while True:
            async with self._looking:
                followed = self._followed.setdefault(number, _FollowedTournament())
                self._followed.move_to_end(number)
                if len(self._followed) > _KEPT:
                    self._followed.popitem(last=False)
                before = followed.version
                events = await self._look(number, followed)
            if followed.version != known or followed.over:
                told = tuple(events) if before == known else ()
                results = tuple(sorted(followed.results.values(), key=lambda event: event.id or (0, 0)))
                return TournamentNews(followed.version, before, told, followed.state, results, followed.over)
            if loop.time() >= deadline:
                return TournamentNews(known, known)
            await asyncio.sleep(_STEP)

    async def _look(self, number: int, followed: _FollowedTournament) -> list[TournamentEvent]:
        """Return what has changed since the last look, and remember it."""
        events: list[TournamentEvent] = []
        # In this order: a match that ends meanwhile is shown as being played a moment longer, not left out.
        ended = await self._ended(number, followed.results.keys() | followed.withheld)
        shown = await self._shown(ended, followed)
        now = await self._playing(number, followed.playing)
        try:
            row = await self._reader.tournament(number, wait=TABLE_SECONDS)
        except NotReady:
            row = await self._reader.tournament_alone(number)
        else:
            events += _rounds_over(row, followed)
            events += _standings_moved(row, followed)
        followed.results |= shown
        if followed.facts:
            events += shown.values()
        if len(followed.results) > 2 * _MATCHES:
            followed.results = dict(sorted(followed.results.items(), key=lambda one: one[1].id or (0, 0))[-_MATCHES:])
        events += [event for id, event in now.items() if id not in followed.playing]
        gone = followed.playing.keys() - now.keys() - followed.results.keys()
        events += [_event("gone", match=id) for id in sorted(gone)]  # void, or one of very many
        followed.playing = now
        facts = _facts(row)
        followed.pace = pace_words(row)
        if facts != followed.facts:
            followed.facts = facts
            events.insert(0, _event("tournament", **facts, pace=followed.pace))
        followed.over = row.state in TOURNAMENT_OVER and not row.baselines_missing
        if events:
            followed.version += 1
        return events

    async def _ended(self, number: int, known: Collection[int]) -> list[matches_pb2.Match]:
        """Return the last matches that have ended, as far as they are new, and a few that are known already."""
        # Each has ended after all that were known before it.
        ended: list[matches_pb2.Match] = []
        limit = _OVERLAP if known else _MATCHES
        while len(ended) < _MATCHES:
            before = ended[-1].id if ended else 0
            more = await self._matches(number, matches_pb2.MATCH_STATE_FINISHED, limit, before)
            ended += more
            if len(more) < limit or any(match.id in known for match in more):
                break
        return ended

    async def _shown(
        self, ended: Iterable[matches_pb2.Match], followed: _FollowedTournament
    ) -> dict[int, TournamentEvent]:
        """Return the results that are shown by now and were not, in the order in which they came to be shown."""
        new = {match.id: match for match in ended if match.id not in followed.results}
        since = await self._reader.results_open(new.keys() | followed.withheld)
        followed.withheld = (new.keys() | followed.withheld) - since.keys()
        shown = {}
        for id in sorted(since, key=lambda id: (since[id], id)):
            match = new.get(id)
            if match is None or not match.record_open:
                match = await self._reader.match(id)
            shown[id] = _result(match, since[id])
        return shown

    async def _playing(self, number: int, known: Mapping[int, TournamentEvent]) -> dict[int, TournamentEvent]:
        """Return the beginnings of the matches that are being played; the known ones are not read again."""
        asked = matches_pb2.ListMatchesRequest(tournament=number, state=matches_pb2.MATCH_STATE_RUNNING, limit=_MATCHES)
        playing = await self._reader.match_numbers(asked)
        new = [match for match in playing if match not in known]
        if len(new) > _OVERLAP:
            return {match.id: _begun(match) for match in await self._matches(number, asked.state, _MATCHES)}
        begun = {match: _begun(await self._reader.match(match)) for match in new}
        return {match: known.get(match) or begun[match] for match in playing}

    async def _matches(
        self, number: int, state: matches_pb2.MatchState, limit: int, before: int = 0
    ) -> list[matches_pb2.Match]:
        asked = matches_pb2.ListMatchesRequest(tournament=number, state=state, limit=limit, before=before)
        return list((await self._reader.matches(asked)).matches)


def _event(kind: str, **values: Any) -> TournamentEvent:
    return TournamentEvent(json.dumps({"type": kind, **values}, separators=(",", ":")).encode())


def _facts(row: tournaments_pb2.Tournament) -> dict[str, Any]:
    return {
        "state": tournament_status(row),
        "matches": row.matches,
        "finished": row.finished,
        "running": row.running,
        "waiting": row.waiting,
        "progress": progress_words(row),
    }


def _begun(match: matches_pb2.Match) -> TournamentEvent:
    return _event("started", match=match.id, **_place_of(match), entrants=list(match.entrants))


def _result(match: matches_pb2.Match, since: datetime) -> TournamentEvent:
    moment = (since - _EPOCH) // timedelta(milliseconds=1), match.id
    values = {
        "type": "result",
        "id": f"{moment[0]}.{match.id}",
        "match": match.id,
        **_place_of(match),
        "entrants": list(match.entrants),
        "places": list(match.outcome.places),
        "points": list(match.outcome.points),
    }
    return TournamentEvent(json.dumps(values, separators=(",", ":")).encode(), moment)


def _place_of(match: matches_pb2.Match) -> Mapping[str, int]:
    return {"stage": match.stage, "round": match.round}


def _rounds_over(row: tournaments_pb2.Tournament, followed: _FollowedTournament) -> Iterable[TournamentEvent]:
    over = {(one.stage, one.round) for one in row.schedule if one.over == one.matches}
    new, followed.rounds = over - followed.rounds, over
    return [_event("round", stage=stage, round=number) for stage, number in sorted(new)] if followed.facts else []


def _standings_moved(row: tournaments_pb2.Tournament, followed: _FollowedTournament) -> Iterable[TournamentEvent]:
    rows = {standing.entrant: _row(standing, why) for standing, why in zip(row.standings, reasons(row), strict=True)}
    changed = [values for name, values in rows.items() if followed.rows.get(name) != values]
    followed.rows = rows
    return [_event("standings", rows=changed)] if changed else []


def _row(standing: standings_pb2.Standing, why: str) -> dict[str, Any]:
    return {
        "entrant": standing.entrant,
        "place": standing.place,
        "ranks": ranks(standing),
        "brackets": standing.brackets,
        "matches": standing.matches,
        "adjusted": round(standing.adjusted, 2),
        "margin": round(standing.margin, 2),
        "relative": round(standing.relative, 2),
        "points": standing.points,
        "strikes": standing.strikes,
        "forfeits": standing.forfeits,
        "missed": standing.missed,
        "why": why,
    }
