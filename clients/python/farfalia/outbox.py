"""What waits to be written: one message takes all of it, so a busy stream sends larger messages, not later ones."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Protocol

from farfalia.v1 import play_pb2 as pb

_LOGS_KEPT = 256
_LOGS_IN_MESSAGE = 16
_LOG_BYTES = 4096
#: Lines that the server keeps at once and a second, less a little: what is more would be a flood, and end the stream.
_LOGS_BURST, _LOGS_RATE = 180, 9


class OfferedCapacity(Protocol):
    """How much the bot offers to take at once; may change."""

    @property
    def matches(self) -> int:
        """Matches."""

    @property
    def questions(self) -> int:
        """Questions."""


class Outbox:
    """Answers, log lines and the rest that wait for a stream, whichever is the newest."""

    def __init__(self, measured: OfferedCapacity) -> None:
        self.filled = asyncio.Event()
        self._loop = asyncio.get_running_loop()
        self._measured = measured
        self._capacity = (0, 0)
        self._actions: list[pb.Action] = []
        self._nonces: list[pb.Nonce] = []
        self._logs: deque[pb.LogLine] = deque(maxlen=_LOGS_KEPT)
        self._log_tokens, self._logs_at, self._logs_wait = float(_LOGS_BURST), self._loop.time(), False
        self._leaving = False

    def add(self, actions: Iterable[pb.Action]) -> None:
        """Send these answers."""
        self._actions += actions
        self.filled.set()

    def add_from_thread(self, actions: list[pb.Action]) -> None:
        """Send these answers, from a thread that is not the event loop's."""
        self._call(self.add, actions)

    def give(self, nonce: pb.Nonce) -> None:
        """Send a nonce, from any thread."""
        self._nonces.append(nonce)
        self._call(self.filled.set)

    def log(self, match: int, text: str) -> None:
        """Send a line to the bot's owner, from any thread; long text is cut, too many lines lose the oldest."""
        text = text.encode(errors="replace")[:_LOG_BYTES].decode(errors="ignore")
        self._logs.append(pb.LogLine(match=match, text=text))
        self._call(self.filled.set)

    def leave(self) -> None:
        """Send a goodbye, on this stream and on any that follows."""
        self._leaving = True
        self.filled.set()

    def hello(self, hello: pb.Hello) -> pb.PlayRequest:
        """Return the first message of a stream; all else follows in the next one."""
        self._capacity = (self._measured.matches, self._measured.questions)
        hello.capacity.matches, hello.capacity.questions = self._capacity
        if self._leaving:
            self.filled.set()
        return pb.PlayRequest(hello=hello)

    def drop_answers(self) -> None:
        """Forget answers that no stream has taken: on a new one the server asks again, and knows no question before."""
        self._actions = []

    def message(self) -> pb.PlayRequest:
        """Return everything that waits, and the capacity if it has changed."""
        self.filled.clear()
        nonces, self._nonces = self._nonces, []
        message = pb.PlayRequest(actions=self._actions, nonces=nonces)
        self._actions = []
        capacity = (self._measured.matches, self._measured.questions)
        if capacity != self._capacity:
            self._capacity = capacity
            message.capacity.matches, message.capacity.questions = capacity
        self._add_logs(message)
        if self._leaving:
            message.goodbye.SetInParent()
        return message

    def _add_logs(self, message: pb.PlayRequest) -> None:
        """Add log lines, no more than the server keeps; what is too much waits, and calls again when its time comes."""
        now = self._loop.time()
        self._log_tokens = min(_LOGS_BURST, self._log_tokens + (now - self._logs_at) * _LOGS_RATE)
        self._logs_at = now
        while self._logs and len(message.logs) < _LOGS_IN_MESSAGE and self._log_tokens >= 1:
            message.logs.append(self._logs.popleft())
            self._log_tokens -= 1
        if not self._logs:
            return
        if self._log_tokens >= 1:
            self.filled.set()
        elif not self._logs_wait:
            self._logs_wait = True
            # A little later than need be, so that no empty message leaves.
            self._loop.call_later((1 - self._log_tokens) / _LOGS_RATE + 0.01, self._logs_may_go)

    def _logs_may_go(self) -> None:
        self._logs_wait = False
        self.filled.set()

    def _call(self, callback: Callable[..., object], *arguments: object) -> None:
        # Once the loop is closed, the program ends and nothing will be written any more.
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(callback, *arguments)
