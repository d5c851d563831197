"""The benchmark of looking: a short real run, and what the database of its large arena holds."""

from __future__ import annotations

import asyncio
from dataclasses import asdict
from pathlib import Path

import pytest
from tests.server.migrated import sqlite_url

from farfalia_server.store import MatchState, Store
from farfalia_tools.bench.web import played_tables, replay, watched_table
from farfalia_tools.bench.web.benchmark import run, table
from farfalia_tools.bench.web.large_arena import Size, fill


async def test_a_large_arena_has_as_many_of_all_as_is_asked_for(tmp_path: Path) -> None:
    url = sqlite_url(tmp_path / "large.db")
    await asyncio.to_thread(fill, url, Size(bots=12, tournaments=3, matches=50))
    async with await Store.open(url) as store:
        assert await store.matches.counts() == {MatchState.FINISHED: 50}
        counts = await store.tournaments.counts([1, 2, 3])
        assert [counts[number][MatchState.FINISHED] for number in (1, 2, 3)] == [16, 16, 18]
        assert len(await store.ratings.ladder("chinkway")) == 12


@pytest.mark.slow
def test_each_scene_has_its_figures_and_what_needs_a_browser_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replay, "shutil", NoPrograms)
    for name, value in (("TABLES", 5), ("_LEAST", 1)):
        monkeypatch.setattr(watched_table, name, value)
    for name, number in (("TABLES", 2), ("_SLICE", 0.5), ("_BEGIN", 5.0)):
        monkeypatch.setattr(played_tables, name, number)
    seen: list[tuple[int, int]] = []
    size = Size(bots=12, tournaments=2, matches=200)
    report = asyncio.run(run(0.5, size, tables=2, viewers=5, people=3, done=lambda *what: seen.append(what)))
    assert seen == [(1, 5), (3, 5), (4, 5), (5, 5)]
    assert {"front", "ladder", "matches", "deal"} <= {row.page for row in report.pages}
    for row in report.pages:
        assert 0 < row.quiet_p50 <= row.quiet_p95, row
        assert row.bytes > 0
        assert (row.nodes > 0) == (not row.page.endswith("JSON"))
    assert report.viewers.events > 0
    assert report.viewers.alone > 0
    assert report.viewers.watched > 0
    assert report.people.alone > 0
    assert report.people.beside > 0
    assert report.people.decisions > 0
    shown = table(report)
    assert "200 matches, 12 bots, 2 tournaments" in shown
    assert "need Chromium, which is not on the PATH" in shown
    assert "with 5 viewers of one" in shown
    assert "beside 3 people who play" in shown
    assert asdict(report)["viewers"]["viewers"] == 5


class NoPrograms:
    """A PATH with nothing on it."""

    @staticmethod
    def which(name: str) -> None:
        return None
