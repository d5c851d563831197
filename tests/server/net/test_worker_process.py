"""Worker processes: what a function there raises reaches its caller."""

from __future__ import annotations

import pytest

from farfalia_server.contract.errors import FarfaliaServerError
from farfalia_server.net.worker_process import WorkerProcess

_ODD = """
class Odd(Exception):
    def __init__(self, name, reason):
        super().__init__(f"{name} is {reason}")
raise Odd("this", "odd")
"""


async def test_an_error_that_cannot_cross_processes_is_raised_by_its_text_and_the_worker_goes_on() -> None:
    async with WorkerProcess() as worker:
        with pytest.raises(FarfaliaServerError, match="Odd: this is odd"):
            await worker.run(exec, _ODD)
        assert await worker.run(len, "abc") == 3
