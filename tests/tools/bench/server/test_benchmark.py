"""The benchmark of servers: a short real run, and what it refuses."""

import asyncio
import json
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from farfalia_server.contract.bounds import MOST_ROUNDS
from farfalia_server.contract.errors import ComparisonError
from farfalia_tools.bench.checkouts import HERE, Checkout
from farfalia_tools.bench.intervals import Estimate
from farfalia_tools.bench.server import benchmark, systems
from farfalia_tools.bench.server.benchmark import Size, run, table
from farfalia_tools.bench.server.contract_used import differing, used
from farfalia_tools.bench.server.systems import check_contract

ROOT = Path(__file__).parents[4]
EXACT = Estimate(1.25, 1.0, 1.5, 0.95)


@pytest.mark.slow
def test_servers_and_yardstick_are_measured_in_equally_many_slices(monkeypatch: pytest.MonkeyPatch) -> None:
    """At two tables, with this checkout in both places; and table and JSON hold what was measured."""
    monkeypatch.setattr(benchmark, "_SLICE", 0.2)
    monkeypatch.setattr(systems, "_MATCHES", 200)  # ten times as many as two tables play meanwhile
    (row,) = asyncio.run(run([Size(2)], 0.2, against=ROOT, starts=1))
    assert (row.tables, row.bots, row.slices) == (2, 5, 3)
    assert row.against is not None
    for found in (row.server, row.yardstick, row.against):
        assert found.decisions_per_second.median > 0
        assert found.half_rate.median > 0
        assert found.bot_cpu_ms.upper > 0
        assert found.overhead_p99_ms.median >= found.overhead_p50_ms.median > 0
        assert found.batches.mean >= 1
    assert row.yardstick.costs is None
    assert row.yardstick.longest_gap_ms is None
    assert row.server.longest_gap_ms is not None
    other = replace(row, tables=16, of_against=None, of_yardstick=replace(row.of_yardstick, server_cpu=EXACT))
    shown = table([row, other], "elsewhere")
    assert shown.splitlines()[0].split() == ["tables", "/", "bots", "2", "/", "5", "16", "/", "5"]
    assert f"{row.server.decisions_per_second.median:,.0f} (" in shown
    assert row.of_yardstick.decisions_per_second.text(2) in shown
    assert any(line.endswith("1.25 (1.00 … 1.50)") for line in shown.splitlines())
    assert "in units of elsewhere" in shown
    assert "in units of" not in table([row])
    assert json.loads(json.dumps(asdict(row)))["of_against"]["server_cpu"]["level"] == 0.95


@pytest.mark.parametrize("seconds", [1, 30, 600])
def test_the_longer_is_measured_the_more_matches_there_are(seconds: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """A tournament that ends before leaves bots without a question, which the benchmark waits for in vain."""
    begun: list[float] = []

    def begin(*_: object, seconds: float) -> object:
        begun.append(systems._matches(seconds))
        raise InterruptedError

    monkeypatch.setattr(benchmark, "server_system", begin)
    with pytest.raises(InterruptedError):
        asyncio.run(run([Size(2)], seconds))
    assert begun == [min(MOST_ROUNDS, 1000 + 100 * max(3, 2 * seconds))]


def test_a_checkout_with_the_same_contract_is_accepted() -> None:
    asyncio.run(check_contract(HERE))


def test_a_checkout_with_another_contract_is_refused_with_what_differs(tmp_path: Path) -> None:
    package = tmp_path / "farfalia" / "v1"
    package.mkdir(parents=True)
    for name in ("../__init__", "__init__"):
        (package / f"{name}.py").touch()
    for name in ("bots_pb2", "nodes_pb2", "tournaments_pb2", "play_pb2"):
        (package / f"{name}.py").write_text("class DESCRIPTOR:\n    message_types_by_name = {}\n")
    other = Checkout("elsewhere", HERE.python, {**HERE.rooms, "clients/python": tmp_path})
    with pytest.raises(ComparisonError, match=r"the contract of elsewhere differs in .*PlayRequest\.actions"):
        asyncio.run(check_contract(other))


def test_a_field_of_another_type_differs_and_one_that_only_one_side_has_does_not() -> None:
    ours = used()
    assert "Finished 1" in ours
    assert differing(ours, ours) == []
    assert differing(ours, {"Finished 1": [9, 1], "Finished 999": [9, 1], "Ping.nonce": None}) == [
        "Finished 1",
        "Ping.nonce",
    ]


def test_a_directory_that_is_no_checkout_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ComparisonError, match="expected another checkout of Farfalia"):
        asyncio.run(run([Size(1)], 0.5, against=tmp_path))
