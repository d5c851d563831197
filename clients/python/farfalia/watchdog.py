"""Says which method of a bot does not return, and where it hangs.

It runs in a thread of its own: a method that hangs in the event loop holds up everything else that could say so.
"""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Callable
from queue import Empty, SimpleQueue
from threading import Thread, get_ident, main_thread
from time import monotonic
from types import FrameType
from typing import NamedTuple

from farfalia import report
from farfalia.answers import method_of
from farfalia.v1 import play_pb2 as pb

#: Seconds between two looks.
POLL = 0.5
#: Seconds beyond the limit of a decision, and those of any other call, after which a method is suspected to hang. The
#: bank may last for longer, but an author who looks at a silent screen should not have to wait for its end.
PATIENCE = 5.0
#: Seconds after which a bot that was told to leave hears what keeps it.
LEAVING = 1.0

#: Seconds after which a program ends that was told to stop at once, and whose bot does not let it.
STOPPING = 3.0
#: Of a program that was stopped at once.
EXIT_CODE = 130

#: Frames of these files are the client's way to the author's method.
_OURS = tuple(__file__.replace("watchdog.py", name) for name in ("bot_runner.py", "bot.py"))


class Call(NamedTuple):
    """A call of one of the bot's methods."""

    name: str
    message: object
    thread: int
    started: float


class Watchdog:
    """A watch over the calls of a bot, of which there is one at a time; `log` takes a line for the bot's owner."""

    def __init__(self, log: Callable[[int, str], None]) -> None:
        self._log = log
        self._call: Call | None = None
        self._seen: Call | None = None
        # How often the program was told to stop, None for the end. Other than an event, a queue may be filled by a
        # signal handler.
        self._signals: SimpleQueue[int | None] = SimpleQueue()
        Thread(target=self._watch, name="farfalia-watchdog", daemon=True).start()

    def begin(self, message: object, name: str = "") -> None:
        """Note that a method is called with this message; without a name, the one that answers that question."""
        self._call = Call(name, message, get_ident(), monotonic())

    def end(self) -> None:
        """Note that it has returned."""
        self._call = None

    @property
    def calls_in_main_thread(self) -> bool:
        """Whether a method of the bot runs in the main thread now; safe to ask from a signal handler."""
        call = self._call
        return call is not None and call.thread == main_thread().ident

    def told(self, times: int) -> None:
        """Note that the program was told to stop for the nth time; safe to call from a signal handler."""
        self._signals.put(times)

    def close(self) -> None:
        """Watch no more."""
        self._signals.put(None)

    def _watch(self) -> None:
        leaving = stopping = 0.0
        while True:
            try:
                times = self._signals.get(timeout=POLL)
            except Empty:
                pass
            else:
                if times is None:
                    return
                if times == 1:
                    leaving = monotonic()
                elif not stopping:
                    stopping = monotonic()
            now, call = monotonic(), self._call
            if stopping and now - stopping > STOPPING:
                sentence = f"{_sentence(call)}; " if call else ""
                os.write(2, f"farfalia: {sentence}stopped at once\n".encode())
                os._exit(EXIT_CODE)
            if call is None or stopping:
                continue
            if leaving and now - max(leaving, call.started) > LEAVING:
                leaving = 0.0
                report.log.warning("told to stop, but %s; press Ctrl-C again to stop immediately", _sentence(call))
            elif call is not self._seen and now - call.started > _bound(call.message):
                self._seen = call
                self._tell(call)

    def _tell(self, call: Call) -> None:
        stack = _stack(call.thread)
        if self._call is not call:
            return  # it has returned meanwhile
        text = f"{_where(call)}{_sentence(call)}. It is here:\n{stack}"
        report.log.error("%s", text)
        self._log(getattr(call.message, "match", 0), text)


def _sentence(call: Call) -> str:
    name = call.name
    if isinstance(call.message, pb.Question):
        name = name or method_of(call.message.kind)
    return f"{name}() has not returned for {monotonic() - call.started:.0f} s"


def _where(call: Call) -> str:
    if isinstance(call.message, pb.Question):
        return f"match {call.message.match}, question {call.message.number}: "
    match = getattr(call.message, "match", 0)
    return f"match {match}: " if match else ""


def _bound(message: object) -> float:
    if not isinstance(message, pb.Question):
        return PATIENCE
    clock = message.clock
    return max(0, clock.limit_ms - clock.spent_ms) / 1000 + min(clock.bank_ms / 1000, PATIENCE)


def _stack(thread: int) -> str:
    """Return the author's part of the stack of a thread, the innermost call last."""
    frame: FrameType | None = sys._current_frames().get(thread)
    summary = traceback.extract_stack(frame) if frame is not None else traceback.StackSummary()
    del frame  # it refers to everything that the bot's method holds
    ours = [place for place, each in enumerate(summary) if each.filename in _OURS]
    theirs = summary[ours[-1] + 1 if ours else 0 :]
    return "".join(traceback.StackSummary.from_list(theirs or summary).format()).rstrip()
