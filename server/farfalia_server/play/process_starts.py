"""Questions that wait for a process: the host of a handed-in program starts one for each match.

What a start takes is the arena's time, not the bot's: until the host says that the process of a match is there, the
match's questions wait uncharged, and their clocks stand still while no host plays for the bot.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Final

from farfalia_server.play.batcher import Batcher
from farfalia_server.play.loop_clock import LoopClock, Timer
from farfalia_server.play.questions import PendingQuestion

#: Seconds that a match waits for a process, or for a host; then the clock runs.
START_SECONDS: Final = 60.0


class ProcessStarts:
    """Which matches of one bot have a process; `ask` asks a question that need not wait any more."""

    def __init__(self, clock: LoopClock, batcher: Batcher, ask: Callable[[PendingQuestion], None]) -> None:
        self._clock = clock
        self._batcher = batcher
        self._ask = ask
        self._ready: set[int] = set()
        self._timers: dict[int, Timer] = {}

    def hold(self, question: PendingQuestion) -> bool:
        """Let a question wait if its match has no process; return whether it does."""
        match = question.key[0]
        if match in self._ready:
            return False
        self._batcher.hold(question)
        if match not in self._timers:
            self._timers[match] = self._clock.call_later(START_SECONDS, partial(self._run_out, match))
        return True

    def ready(self, matches: Iterable[int]) -> int:
        """Note that matches have a process, ask what waits for it, and return how many had none before."""
        new = set(matches) - self._ready
        self._ready |= new
        for match in new:
            self._cancel(match)
        self.go_on()
        return len(new)

    def _run_out(self, match: int) -> None:
        """Ask what waits for a match that has waited for too long."""
        self.ready([match])

    def host_lost(self) -> None:
        """Let all that is unanswered wait for a host."""
        for question in self._batcher.unanswered():
            self._batcher.hold(question)

    def host_came(self, *, same: bool) -> None:
        """Note that a host plays for the bot; the `same` as before still has the processes."""
        if not same:
            self._ready.clear()
        for question in self._batcher.unanswered():
            self.hold(question)
        self.go_on()

    def go_on(self) -> None:
        """Ask what waits no more."""
        for question in [one for one in self._batcher.held.values() if one.key[0] in self._ready]:
            self._batcher.remove(question)
            self._ask(question)

    def forget(self, match: int) -> None:
        """Forget a match: the bot has no seat in it any more."""
        self._ready.discard(match)
        self._cancel(match)

    def end(self) -> None:
        """Ask all that waits: the bot has connected by itself."""
        self.ready({match for match, _ in self._batcher.held})

    def _cancel(self, match: int) -> None:
        timer = self._timers.pop(match, None)
        if timer is not None:
            timer.cancel()
