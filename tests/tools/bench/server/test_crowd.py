"""The benchmark of a crowd: a short real run."""

import asyncio
from dataclasses import asdict
from pathlib import Path

import pytest

from farfalia_tools.bench.checkouts import HERE
from farfalia_tools.bench.server import crowd, systems
from farfalia_tools.bench.server.crowd import run, table


@pytest.mark.slow
def test_a_crowd_is_let_in_waits_and_plays_at_every_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crowd, "_SETTLE", 0.0)
    monkeypatch.setattr(systems, "_MATCHES", 400)  # many times as many as four tables play meanwhile
    seen: list[tuple[int, int]] = []
    (row,) = asyncio.run(run([11], 0.5, 4, done=lambda *what: seen.append(what)))
    assert seen == [(1, 1)]
    assert (row.bots, row.tables) == (11, 4)
    assert row.connect_seconds > 0
    assert row.connect_cpu > 0
    assert row.playing.decisions_per_second.median > 0
    assert row.playing.half_rate.median > 0
    shown = table([row])
    assert "11 / 4" in shown
    assert f"{row.memory_connected / 1024:.0f}" in shown
    assert row.playing.half_rate.text(0) in shown
    assert asdict(row)["playing"]["batches"]["mean"] >= 1


@pytest.mark.slow
async def test_bots_that_are_refused_end_instead_of_being_waited_for(tmp_path: Path) -> None:
    async with (
        systems.started_server(HERE, tmp_path, max_tables=1) as started,
        started.with_bots(["wrong"], 1) as system,
    ):

        async def wait_for_bots() -> None:
            while True:
                system.check_bots()
                await asyncio.sleep(0.05)

        with pytest.raises(systems.BotsEnded, match="their last lines say why"):
            await asyncio.wait_for(wait_for_bots(), 60)
