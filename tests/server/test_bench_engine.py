import sys

import pytest

from farfalia_server.bench.contest import table
from farfalia_server.bench.engine import main, run
from farfalia_server.bench.openspiel import REFERENCE
from farfalia_server.bench.setting import OURS

LOOPS = {"play, deals included", "play from a dealt state", "clone", "observation", "play in bulk"}


def test_every_loop_of_the_engine_is_measured() -> None:
    report = run(0.05, seed=1)
    assert {row.loop for row in report.rows if row.name == OURS} == LOOPS
    assert all(row.per_second > 0 for row in report.rows)


def test_the_reference_is_compared_with_itself_where_it_is_installed() -> None:
    pytest.importorskip("pyspiel")
    report = run(0.05, seed=1)
    assert {row.loop for row in report.rows if row.name == REFERENCE} == LOOPS
    assert {row.ratio for row in report.rows if row.name == REFERENCE} == {1.0}
    assert all(row.ratio for row in report.rows)


def test_without_openspiel_the_engine_is_measured_alone_and_the_table_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    report = run(0.05, seed=1)
    assert {row.name for row in report.rows} == {OURS}
    assert {row.ratio for row in report.rows} == {None}
    assert "OpenSpiel is not installed" in table(report)


def test_the_module_prints_its_table(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "argv", ["engine", "--seconds", "0.05"])
    main()
    assert capsys.readouterr().out.splitlines()[0].split() == ["loop", "engine", "per", "second", "µs", "each", "ratio"]
