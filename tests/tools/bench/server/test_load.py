"""What the bots of a benchmark count."""

import asyncio
from collections.abc import Sequence

from farfalia_tools.bench.server.load import Load, TimedAnswer


class SlowServer:
    """Asks the next question of a match a while after the answer to the one before."""

    def __init__(self, load: Load) -> None:
        self._load = load

    def put(self, answers: Sequence[TimedAnswer]) -> None:
        questions = [answer._replace(number=answer.number + 1) for answer in answers]
        asyncio.get_running_loop().call_later(0.05, self._load.asked, self, questions)


async def test_a_slice_goes_on_until_an_answer_was_timed() -> None:
    load = Load()
    load.asked(SlowServer(load), [TimedAnswer(1, 1, 0)])
    for rate in (None, 100.0):
        counted = await load.slice(0.0, rate, settle=0.0, servers=[], redis=[])
        assert counted.decisions > 0
        assert counted.seconds > 0
        assert counted.overhead_p99 >= counted.overhead_p50 > 0
