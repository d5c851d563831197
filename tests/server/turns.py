"""How much is done in one turn of the event loop."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager


class Turns:
    """Counts what happens in each turn of the event loop."""

    def __init__(self) -> None:
        self.now = 0
        self.most = 0
        self.total = 0

    def count(self) -> None:
        self.now += 1
        self.total += 1
        self.most = max(self.most, self.now)

    @contextmanager
    def counting(self) -> Iterator[None]:
        loop, going = asyncio.get_running_loop(), True

        def turn() -> None:
            self.now = 0
            if going:
                loop.call_soon(turn)

        turn()
        try:
            yield
        finally:
            going = False
