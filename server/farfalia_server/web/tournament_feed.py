"""Following tournaments for viewers: what has changed since the last look.

Results alone are told, never a card, and each when every list of matches shows it: once no table plays its board.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from farfalia.v1 import matches_pb2, tournaments_pb2
from farfalia_server.arena.reading import Reader
from farfalia_server.contract.errors import NotReady
from farfalia_server.contract.states import TOURNAMENT_OVER
from farfalia_server.web.query_parameters import TABLE_SECONDS
from farfalia_server.web.tournament_page import pace_words, page_columns, progress_words
from farfalia_server.wording.columns import cells
from farfalia_server.wording.phrases import tournament_status
from farfalia_server.wording.places import reasons

#: Seconds between two looks at the database while nothing happens.
_STEP = 1.0
#: Tables and results that are kept.
_MATCHES = 200
_EPOCH = datetime.fromtimestamp(0, UTC)
#: Matches that have ended and are read at a time; most that have begun and are read one by one.
_OVERLAP = 20


@dataclass(frozen=True, slots=True)
class TournamentEvent:
    """Something that has happened, as JSON; a result has an id: since when it is shown, in milliseconds, and its
    match.
    """

    body: bytes
    id: tuple[int, int] | None = None


class TournamentFeed:
    """What happens in a tournament: `news` since the last call, and how it stands."""

    def __init__(self, reader: Reader, number: int) -> None:
        self._reader = reader
        self._number = number
        self._facts: dict[str, Any] = {}
        self._rows: dict[str, dict[str, Any]] = {}
        self._playing: dict[int, TournamentEvent] = {}
        self._results: dict[int, TournamentEvent] = {}
        #: Matches that are finished and whose results are withheld.
        self._withheld: set[int] = set()
        self._rounds: set[tuple[int, int]] = set()
        self._pace = ""
        #: Whether nothing follows.
        self.over = False

    @property
    def state(self) -> tuple[TournamentEvent, ...]:
        """How it stands, for somebody who knows nothing."""
        rows = sorted(self._rows.values(), key=lambda row: int(row["place"]))
        return (
            _event("tournament", **self._facts, pace=self._pace),
            _event("standings", rows=rows),
            *self._playing.values(),
        )

    @property
    def results(self) -> list[TournamentEvent]:
        """The last results, oldest first."""
        return sorted(self._results.values(), key=lambda event: event.id or (0, 0))

    async def news(self) -> list[TournamentEvent]:
        """Return what is new since the last call; nothing after a moment without news; NotFound."""
        events = await self._tick()
        if not events and not self.over:
            await asyncio.sleep(_STEP)
        return events

    async def _tick(self) -> list[TournamentEvent]:
        """Return what has changed since the last look, and remember it."""
        events: list[TournamentEvent] = []
        # In this order: a match that ends meanwhile is shown as being played a moment longer, not left out.
        ended = await self._ended(self._results.keys() | self._withheld)
        shown = await self._shown(ended)
        now = await self._played()
        ready = True
        try:
            row = await self._reader.tournament(self._number, wait=TABLE_SECONDS)
        except NotReady:
            row, ready = await self._reader.tournament_alone(self._number), False
        else:
            events += self._rounds_over(row)
            events += self._standings_moved(row)
        self._results |= shown
        if self._facts:
            events += shown.values()
        if len(self._results) > 2 * _MATCHES:
            self._results = dict(sorted(self._results.items(), key=lambda one: one[1].id or (0, 0))[-_MATCHES:])
        events += [event for id, event in now.items() if id not in self._playing]
        gone = self._playing.keys() - now.keys() - self._results.keys()
        events += [_event("gone", match=id) for id in sorted(gone)]  # void, or one of very many
        self._playing = now
        facts = _facts(row)
        self._pace = pace_words(row)
        if facts != self._facts:
            self._facts = facts
            events.insert(0, _event("tournament", **facts, pace=self._pace))
        self.over = ready and row.state in TOURNAMENT_OVER and not row.baselines_missing
        return events

    async def _ended(self, known: Collection[int]) -> list[matches_pb2.Match]:
        """Return the last matches that have ended, as far as they are new, and a few that are known already."""
        # Each has ended after all that were known before it.
        ended: list[matches_pb2.Match] = []
        limit = _OVERLAP if known else _MATCHES
        while len(ended) < _MATCHES:
            before = ended[-1].id if ended else 0
            more = await self._matches(matches_pb2.MATCH_STATE_FINISHED, limit, before)
            ended += more
            if len(more) < limit or any(match.id in known for match in more):
                break
        return ended

    async def _shown(self, ended: Iterable[matches_pb2.Match]) -> dict[int, TournamentEvent]:
        """Return the results that are shown by now and were not, in the order in which they came to be shown."""
        new = {match.id: match for match in ended if match.id not in self._results}
        since = await self._reader.results_open(new.keys() | self._withheld)
        self._withheld = (new.keys() | self._withheld) - since.keys()
        shown = {}
        for id in sorted(since, key=lambda id: (since[id], id)):
            match = new.get(id)
            if match is None or not match.record_open:
                match = await self._reader.match(id)
            shown[id] = _result(match, since[id])
        return shown

    async def _played(self) -> dict[int, TournamentEvent]:
        """Return the beginnings of the matches that are being played; the known ones are not read again."""
        asked = matches_pb2.ListMatchesRequest(
            tournament=self._number, state=matches_pb2.MATCH_STATE_RUNNING, limit=_MATCHES
        )
        playing = await self._reader.match_numbers(asked)
        new = [match for match in playing if match not in self._playing]
        if len(new) > _OVERLAP:
            return {match.id: _begun(match) for match in await self._matches(asked.state, _MATCHES)}
        begun = {match: _begun(await self._reader.match(match)) for match in new}
        return {match: self._playing.get(match) or begun[match] for match in playing}

    async def _matches(self, state: matches_pb2.MatchState, limit: int, before: int = 0) -> list[matches_pb2.Match]:
        asked = matches_pb2.ListMatchesRequest(tournament=self._number, state=state, limit=limit, before=before)
        return list((await self._reader.matches(asked)).matches)

    def _rounds_over(self, row: tournaments_pb2.Tournament) -> Iterable[TournamentEvent]:
        over = {(one.stage, one.round) for one in row.schedule if one.over == one.matches}
        new, self._rounds = over - self._rounds, over
        return [_event("round", stage=stage, round=number) for stage, number in sorted(new)] if self._facts else []

    def _standings_moved(self, row: tournaments_pb2.Tournament) -> Iterable[TournamentEvent]:
        columns = page_columns(row)
        rows = {
            standing.entrant: {
                "entrant": standing.entrant,
                "place": standing.place,
                "matches": standing.matches,
                "points": standing.points,
                "adjusted": round(standing.adjusted, 2),
                "cells": cells(columns, standing) | {"why": why},
            }
            for standing, why in zip(row.standings, reasons(row), strict=True)
        }
        changed = [values for name, values in rows.items() if self._rows.get(name) != values]
        self._rows = rows
        return [_event("standings", rows=changed)] if changed else []


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
