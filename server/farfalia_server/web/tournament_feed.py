"""Following tournaments for viewers: what has changed since the last look."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from farfalia.v1 import tournaments_pb2
from farfalia_server.arena.reading import Reader
from farfalia_server.contract.errors import NotReady
from farfalia_server.contract.states import TOURNAMENT_OVER
from farfalia_server.web.match_feed import FeedEvent, MatchFeed, event_of
from farfalia_server.web.query_parameters import TABLE_SECONDS
from farfalia_server.web.tournament_page import pace_words, progress_words
from farfalia_server.web.tournament_story import strength_bars
from farfalia_server.wording.columns import cells, standings_columns
from farfalia_server.wording.phrases import tournament_status
from farfalia_server.wording.places import reasons
from farfalia_server.wording.translating import translated


class TournamentFeed(MatchFeed):
    """What happens in a tournament: its matches, how it stands, and the rounds that are over."""

    def __init__(self, reader: Reader, number: int) -> None:
        super().__init__(reader, number)
        self._facts: dict[str, Any] = {}
        self._rows: dict[str, dict[str, Any]] = {}
        self._rounds: set[tuple[int, int]] = set()
        self._pace = ""

    @property
    def state(self) -> Sequence[FeedEvent]:
        """How it stands, for somebody who knows nothing."""
        rows = sorted(self._rows.values(), key=lambda row: int(row["place"]))
        facts = event_of("tournament", **self._facts, pace=self._pace)
        return facts, event_of("standings", rows=rows), *self._playing.values()

    async def _tick(self) -> list[FeedEvent]:
        """Return what has changed since the last look, and remember it."""
        events: list[FeedEvent] = []
        shown, now = await self._look()
        ready = True
        try:
            row = await self._reader.tournament(self._number, wait=TABLE_SECONDS)
        except NotReady:
            row, ready = await self._reader.tournament_alone(self._number), False
        else:
            events += self._rounds_over(row)
            events += self._standings_moved(row)
        events += self._keep(shown, now)
        facts = _facts(row)
        self._pace = pace_words(row)
        if facts != self._facts:
            self._facts = facts
            events.insert(0, event_of("tournament", **facts, pace=self._pace))
        self.over = ready and row.state in TOURNAMENT_OVER and not row.baselines_missing
        return events

    def _rounds_over(self, row: tournaments_pb2.Tournament) -> Iterable[FeedEvent]:
        over = {(one.stage, one.round) for one in row.schedule if one.over == one.matches}
        new, self._rounds = over - self._rounds, over
        return [event_of("round", stage=stage, round=number) for stage, number in sorted(new)] if self._looked else []

    def _standings_moved(self, row: tournaments_pb2.Tournament) -> Iterable[FeedEvent]:
        columns = standings_columns(row)
        rows = {
            standing.entrant: {
                "entrant": standing.entrant,
                "place": standing.place,
                "matches": standing.matches,
                "points": standing.points,
                "adjusted": round(standing.adjusted, 2),
                "cells": cells(columns, standing) | {"why": why},
                "bar": [bar.start, bar.width, bar.middle] if bar else None,
            }
            for standing, why, bar in zip(row.standings, reasons(row), strength_bars(row.standings), strict=True)
        }
        changed = [values for name, values in rows.items() if self._rows.get(name) != values]
        self._rows = rows
        return [event_of("standings", rows=changed)] if changed else []


def _facts(row: tournaments_pb2.Tournament) -> dict[str, Any]:
    return {
        "state": tournament_status(row),
        "matches": row.matches,
        "finished": row.finished,
        "running": row.running,
        "waiting": translated(row.waiting),
        "progress": progress_words(row),
    }
