"""The benchmark of the event loop: a short real run."""

import asyncio

import pytest

from farfalia_tools.bench.loop.benchmark import Scale, run, table


@pytest.mark.slow
def test_every_scene_has_its_rows_with_figures() -> None:
    rows = asyncio.run(run(0.5, Scale(bots=6, archive=200, tables=2)))
    assert [row.scene for row in rows] == [
        "6 bots connect",
        "6 bots wait for a seat",
        "200 matches, its pages and JSON",
        "200 matches, calls of a client",
        "2 tables of house bots",
    ]
    assert all(row.gaps.longest >= row.gaps.p999 > 0 for row in rows)
    shown = table(rows)
    assert f"{rows[-1].gaps.longest * 1000:.1f}" in shown
