"""What workers count, asked for over their controls."""

import socket

import pytest

from farfalia_server.net.workers_metrics import NodeMetrics, merged
from farfalia_server.workers import metrics
from farfalia_server.workers.control import Control, WorkerReport
from farfalia_server.workers.metrics import MetricsFromWorker, MetricsOfWorker

ONE = """# HELP decisions_total Decisions
# TYPE decisions_total counter
decisions_total 3.0
# HELP late Seconds
# TYPE late gauge
late{quantile="0.5"} 0.25
"""


async def test_a_worker_says_what_it_counts_and_one_that_says_nothing_is_left_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(metrics, "_SECONDS", 0.05)
    here, there = socket.socketpair()
    starter, worker = await Control.open(here), await Control.open(there)
    asked, its = MetricsFromWorker(), MetricsOfWorker(worker)

    async def counts(arena: bool) -> NodeMetrics:
        return NodeMetrics("own", "arena" if arena else "")

    assert await asked.ask(starter, arena=True) == NodeMetrics(), "it does not answer"
    its.page.own = counts
    late = await worker.receive()
    assert late is not None
    its.told(late)
    answer = await starter.receive()
    assert answer is not None
    assert answer["what"] == WorkerReport.MEASURED
    assert answer["metrics"] == {"own": "own", "arena": "arena"}
    asked.said(answer)  # of a question that nobody waits for any more
    await starter.close()
    await worker.close()


def test_samples_of_several_workers_stand_together_each_with_its_name() -> None:
    text = merged({"a": ONE, "b": ONE.replace("3.0", "4.0"), "c": ""})
    assert [line for line in text.splitlines() if not line.startswith("# HELP")] == [
        "# TYPE decisions_total counter",
        'decisions_total{worker="a"} 3.0',
        'decisions_total{worker="b"} 4.0',
        "# TYPE late gauge",
        'late{quantile="0.5",worker="a"} 0.25',
        'late{quantile="0.5",worker="b"} 0.25',
    ]
