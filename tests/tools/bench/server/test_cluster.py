"""The benchmark of workers: a short real run."""

import asyncio
from dataclasses import asdict

import pytest

from farfalia_tools.bench.server import cluster, systems
from farfalia_tools.bench.server.cluster import run, table


@pytest.mark.slow
def test_servers_with_one_worker_and_with_two_take_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "_SLICE", 0.3)  # processor time is counted in hundredths of a second
    monkeypatch.setattr(systems, "_MATCHES", 400)  # many times as many as four tables play meanwhile
    seen: list[tuple[int, int]] = []
    rows = asyncio.run(
        run([1, 2], 0.9, tables=4, bots=10, processes=2, done=lambda *what: seen.append(what)),
    )
    assert seen == [(1, 3), (2, 3), (3, 3)]
    assert [(row.workers, row.tables, row.bots, row.slices) for row in rows] == [(1, 4, 10, 3), (2, 4, 10, 3)]
    for row in rows:
        assert row.decisions_per_second.median > 0
        assert row.cores > 0
        assert (row.server_cpu is None) == (row.matches_per_second == 0)
    assert rows[0].of_first.decisions_per_second.value == 1
    shown = table(rows)
    assert "4 / 10" in shown
    assert rows[1].decisions_per_second.text(0) in shown
    assert asdict(rows[1])["of_first"]["server_cpu"]["value"] > 0
