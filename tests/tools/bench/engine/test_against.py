"""The engine of one checkout against that of another: the arithmetic on given slices, and a short real run."""

import os
import shutil
from dataclasses import asdict
from pathlib import Path

import pytest
from tests.tools.bench.engine.engine_loops import LOOPS

from farfalia_server.contract.errors import ComparisonError
from farfalia_tools.bench.checkouts import HERE, checkout
from farfalia_tools.bench.engine.against import compare, run, table

ROOT = Path(__file__).parents[4]


def test_a_ratio_is_the_median_over_pairs_of_the_median_over_slices() -> None:
    pairs = [
        {"clone": [(2.0, 1.0), (90.0, 30.0), (1.0, 100.0)]},
        {"clone": [(3.0, 1.0), (4.0, 1.0), (5.0, 1.0)]},
        {"clone": [(9.0, 10.0)]},
    ]
    report = compare(pairs, "elsewhere")
    (row,) = report.rows
    assert (row.ratio.value, row.ratio.low, row.ratio.high) == (2.0, 0.9, 4.0)
    assert (row.per_second, row.against_per_second) == (4.0, 1.0)
    assert (report.against, report.pairs) == ("elsewhere", 3)


def test_the_table_has_a_line_for_each_loop_with_its_interval() -> None:
    report = compare([{"clone": [(11.0, 10.0)]}, {"clone": [(12.0, 10.0)]}], "elsewhere")
    lines = table(report).splitlines()
    assert lines[1].split() == ["clone", "12", "10", "1.150", "1.100", "…", "1.200"]
    assert "faster than elsewhere" in lines[-2]
    assert "2 pairs" in lines[-1]
    assert "50%" in lines[-1]


def copy(folder: Path) -> Path:
    """A checkout with the same code, without an environment of its own."""
    for room in HERE.rooms:
        shutil.copytree(ROOT / room, folder / room, ignore=shutil.ignore_patterns("__pycache__"))
    return folder


def test_every_loop_is_measured_in_both_checkouts(tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    report = run(copy(tmp_path), 0.01, 1, pairs=2, done=lambda *progress: told.append(progress))
    assert told == [(1, 2), (2, 2)]
    assert {row.loop for row in report.rows} == LOOPS
    assert all(row.per_second > 0 and row.against_per_second > 0 for row in report.rows)
    assert all(row.ratio.low <= row.ratio.value <= row.ratio.high for row in report.rows)
    assert asdict(report)["against"] == str(tmp_path)


def test_it_is_the_engine_of_the_other_checkout_that_is_measured(tmp_path: Path) -> None:
    other = copy(tmp_path)
    (other / "engine" / "farfalia_engine" / "__init__.py").write_text("raise ImportError('another engine')")
    with pytest.raises(ComparisonError, match=rf"the loops do not run with the engine of {other}: .*another engine"):
        run(other, 0.1, 1, pairs=1)


def test_the_loops_are_ours_since_the_other_checkout_may_have_none(tmp_path: Path) -> None:
    other = copy(tmp_path)
    searched = checkout(other).environment(bench=True)["PYTHONPATH"].split(os.pathsep)
    assert {str(ROOT / "tools"), str(ROOT / "server"), str(other / "engine")} <= set(searched)


def test_a_directory_that_is_no_checkout_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ComparisonError, match="has no engine/farfalia_engine; expected another checkout of Farfalia"):
        run(tmp_path, 0.1, 1)
