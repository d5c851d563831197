"""The table of other arenas beside ours: what was measured now, what was measured last, and why."""

from __future__ import annotations

import asyncio
import sys
from dataclasses import asdict, replace
from pathlib import Path

import pytest
from tests.figures.marks import blocks

from farfalia_tools.bench.checkouts import HERE
from farfalia_tools.bench.intervals import Spread
from farfalia_tools.bench.peers import environment
from farfalia_tools.bench.peers.benchmark import (
    BY_HAND,
    OURS,
    PEERS,
    QUICK,
    LoopRun,
    PeersReport,
    Transport,
    cells,
    loop_row,
    notes,
    peer_row,
    run,
    table,
)
from farfalia_tools.bench.peers.environment import Missing, interpreter, output, reason
from farfalia_tools.bench.peers.last_measured import LAST, MACHINE
from farfalia_tools.bench.peers.loops import LOOPS

DOCUMENT = Path(__file__).parents[4] / "docs" / "speed.md"
RUNS = [LoopRun(1000, 2.0, 1.0, "1.0"), LoopRun(3000, 2.0, 3.0, "1.0"), LoopRun(2000, 2.0, 1.0, "1.0")]
ROW = loop_row("Some", "hearts", Transport.NONE, RUNS)
BY_NAME = {peer.loop: peer for peer in PEERS}


def test_a_loop_counts_as_the_median_of_its_runs() -> None:
    assert ROW.decisions_per_second == Spread(1000, 750, 1250)
    assert ROW.cpu_ms == 1.0
    assert ROW.cores == 1.0
    assert (ROW.version, ROW.not_now) == ("1.0", "")


def test_every_peer_has_a_loop_or_is_run_by_hand_and_has_figures_of_another_time() -> None:
    assert BY_NAME.keys() == LAST.keys()
    assert {loop for loop, peer in BY_NAME.items() if peer.package} == LOOPS.keys() - {"farfalia"}
    assert {peer.package for peer in PEERS if peer.package} == environment.PEERS.keys()
    assert all(figures.decisions_per_second.lower <= figures.decisions_per_second.median for figures in LAST.values())


@pytest.mark.parametrize(
    ("loop", "reasons", "why"),
    [
        ("pettingzoo", {}, ""),
        ("pettingzoo", {"pettingzoo": "no index"}, "no index"),
        ("acpc", {}, BY_HAND),
    ],
)
def test_what_cannot_be_run_has_the_figures_of_another_time_and_says_why(
    loop: str, reasons: dict[str, str], why: str
) -> None:
    row = peer_row(BY_NAME[loop], {"pettingzoo": RUNS}, reasons)
    assert row.not_now == why
    assert row.decisions_per_second == (LAST[loop].decisions_per_second if why else ROW.decisions_per_second)
    assert ("†" in cells(row)[1]) == bool(why)


def test_a_row_shows_as_many_digits_as_mean_something() -> None:
    assert cells(ROW) == ("none", "1,000 (750–1,250)", "1.00", "1.00")
    once = replace(ROW, decisions_per_second=Spread(123456.7, 123456.7, 123456.7), cpu_ms=0.00456, not_now="broken")
    assert cells(once) == ("none", "123,457 †", "0.0046", "0.56")
    assert cells(replace(ROW, cpu_ms=0.0456))[2] == "0.046"


def test_the_notes_name_the_machine_and_each_reason_once() -> None:
    rows = [
        peer_row(peer, {}, {"kaggle": "no index", "kaggle-http": "no index"}) for peer in PEERS if peer.name[0] in "kA"
    ]
    text = "\n".join(notes(PeersReport("2026-01-02", "Some CPU", 4, "3.11.0", (ROW, *rows))))
    assert "2026-01-02 on 4 cores of Some CPU, Python 3.11.0" in text
    assert MACHINE in text
    assert text.count("kaggle-environments † because: no index.") == 1
    assert "ACPC" not in text


@pytest.mark.parametrize(("cpu_ms", "busy"), [(0.95, False), (0.5, True)])
def test_a_busy_machine_is_a_sentence_below_the_table(cpu_ms: float, busy: bool) -> None:
    elsewhere = peer_row(BY_NAME["openspiel-rl"], {}, {"openspiel-rl": "no index"})
    report = PeersReport("2026-01-02", "Some CPU", 4, "3.11.0", (replace(ROW, cpu_ms=cpu_ms), elsewhere))
    assert any("a loop got 0.5 of a core" in note for note in notes(report)) == busy
    assert all("Other programs" not in note for note in notes(replace(report, rows=(elsewhere,))))


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (
            "WARNING: Retrying\nERROR: Could not find a version that satisfies the requirement rlcard==1.2.0 "
            "(from versions: none)\nERROR: No matching distribution found for rlcard==1.2.0\n",
            "pip found no rlcard==1.2.0; does it reach a package index?",
        ),
        ("ERROR: No matching distribution found for a==9\n\n", "No matching distribution found for a==9"),
        (
            "Traceback:\nModuleNotFoundError: No module named 'rlcard'\n",
            "ModuleNotFoundError: No module named 'rlcard'",
        ),
        ("", "it said nothing"),
        ("x" * 500, "x" * 160),
    ],
)
def test_what_has_failed_says_so_in_a_few_words(text: str, why: str) -> None:
    assert reason(text) == why


def test_a_process_that_fails_or_takes_too_long_says_why() -> None:
    with pytest.raises(Missing, match=r"No module named farfalia_no_such$"):
        asyncio.run(output(HERE, "farfalia_no_such", seconds=60))
    with pytest.raises(Missing, match=r"^farfalia_tools\.bench\.peers\.http_bots took more than 0 s$"):
        asyncio.run(output(HERE, "farfalia_tools.bench.peers.http_bots", seconds=0.3))
    assert asyncio.run(output(HERE, "platform", seconds=60))


def test_the_tools_are_all_of_ours_that_a_peer_sees() -> None:
    found = interpreter(Path(sys.executable)).environment()["PYTHONPATH"]
    assert [Path(one).name for one in found.split(":")] == ["tools"]


@pytest.mark.slow
def test_an_index_out_of_reach_keeps_every_peer_away_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/")
    monkeypatch.delenv("PIP_FIND_LINKS", raising=False)

    async def missing() -> dict[str, str]:
        async with environment.environment() as (there, reasons):
            assert Path(there.python).exists()
            return dict(reasons)

    found = asyncio.run(missing())
    assert found.keys() == environment.PEERS.keys()
    assert all("does it reach a package index?" in why for why in found.values()), found


@pytest.mark.slow
def test_a_trial_measures_ours_and_what_is_installed_here() -> None:
    seen: list[tuple[int, int]] = []
    report = asyncio.run(run(QUICK, python=Path(sys.executable), done=lambda *what: seen.append(what)))
    assert seen[-1][0] == seen[-1][1] == len(seen)
    ours = [row for row in report.rows if row.name == OURS]
    assert [row.transport for row in ours] == [Transport.GRPC, Transport.NONE]
    # These are installed for tests of their own; RLCard and kaggle-environments are not.
    now = {row.name for row in report.rows if not row.not_now}
    assert {OURS, "grpc.aio alone", "OpenSpiel"} <= now
    assert "No module named 'rlcard'" in "\n".join(notes(report))
    for row in report.rows:
        assert row.decisions_per_second.median > 0
        assert row.cpu_ms > 0
    assert all(peer.run in table(report) for peer in PEERS)
    assert asdict(report)["rows"][0]["name"] == OURS


def test_the_page_has_a_row_for_each_peer() -> None:
    rows = [line.split(" | ") for line in blocks(DOCUMENT.read_text("utf-8"))["peers"].splitlines() if " | " in line]
    shown = {(row[0].removeprefix("| "), row[2]) for row in rows}
    assert {(peer.name, peer.run) for peer in PEERS} <= shown
