"""The pool of a benchmark without a server."""

import time
from multiprocessing import active_children

import pytest

from farfalia_tools.bench.worker_pool import WorkerPool


def test_results_come_in_the_order_of_the_arguments() -> None:
    with WorkerPool(2) as pool:
        assert list(pool.results(divmod, [7, 8, 9], [2, 3, 4])) == [(3, 1), (2, 2), (2, 1)]


def test_an_exception_in_the_block_ends_work_that_would_take_an_hour() -> None:
    with pytest.raises(KeyboardInterrupt):
        interrupt_work()
    assert active_children() == []


def interrupt_work() -> None:
    with WorkerPool(1) as pool:
        next(pool.results(time.sleep, [0, 3600, 3600]))
        raise KeyboardInterrupt
