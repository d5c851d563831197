"""Questions that wait for a process: the host of a handed-in program starts one for each match.

What a start takes is the arena's time, not the bot's: until the host says that the process of a match is there, the
match's questions wait uncharged, and their clocks stand still while no host plays for the bot.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable
from functools import partial
from typing import Final

from farfalia_server.play.batcher import Batcher
from farfalia_server.play.loop_clock import LoopClock, Timer
from farfalia_server.play.questions import PendingQuestion

#: Seconds that a match waits for a process, or for a host; then the clock runs.
START_SECONDS: Final = 60.0


class ProcessStarts:
    """Which matches of one bot have a process, of those in which it has `seats`; `ask` asks a question that need not
    wait for one.

    Nothing waits unless the bot's stream is a host's: `by_host`.
    """

    def __init__(
        self, clock: LoopClock, batcher: Batcher, seats: Container[int], ask: Callable[[PendingQuestion], None]
    ) -> None:
        self.by_host = False
        self._clock = clock
        self._batcher = batcher
        self._seats = seats
        self._ask = ask
        self._ready: set[int] = set()
        self._timers: dict[int, Timer] = {}

    def grace(self, seconds: float) -> float:
        """Return how long the bot keeps its seats without a stream, where others keep theirs for these seconds."""
        return max(seconds, START_SECONDS) if self.by_host else seconds

    def ask(self, question: PendingQuestion) -> None:
        """Ask a question, as soon as its match has a process."""
        if not self.by_host or question.key[0] in self._ready:
            self._ask(question)
        else:
            self._hold(question)

    def _hold(self, question: PendingQuestion) -> None:
        match = question.key[0]
        self._batcher.hold(question)
        if match not in self._timers:
            self._timers[match] = self._clock.call_later(START_SECONDS, partial(self._run_out, match))

    def ready(self, matches: Iterable[int]) -> int:
        """Note that matches have a process, ask what waits for it, and return how many had none before."""
        if not self.by_host:
            return 0
        new = {match for match in matches if match in self._seats} - self._ready
        self._ready |= new
        for match in new:
            self._cancel(match)
        self._go_on()
        return len(new)

    def _run_out(self, match: int) -> None:
        """Ask what waits for a match that has waited for too long."""
        self.ready([match])

    def stream_lost(self) -> None:
        """Let all that is unanswered wait for a host."""
        if self.by_host:
            for question in self._batcher.unanswered():
                self._batcher.hold(question)

    def stream_came(self, *, same: bool) -> None:
        """Note that the bot has another stream: of the `same` host as before, which still has the processes, or not."""
        if not same:
            self._ready.clear()
        for question in self._batcher.unanswered() if self.by_host else ():
            if question.key[0] not in self._ready:
                self._hold(question)
        self._go_on()

    def _go_on(self) -> None:
        """Ask what waits no more."""
        for question in list(self._batcher.held.values()):
            if not self.by_host or question.key[0] in self._ready:
                self._cancel(question.key[0])
                self._batcher.remove(question)
                self._ask(question)

    def forget(self, match: int) -> None:
        """Forget a match: the bot has no seat in it any more."""
        self._ready.discard(match)
        self._cancel(match)

    def _cancel(self, match: int) -> None:
        timer = self._timers.pop(match, None)
        if timer is not None:
            timer.cancel()
