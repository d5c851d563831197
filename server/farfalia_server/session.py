"""One stream of a bot: a reader that is never cancelled, a writer with a bounded queue, and pings.

The reader handles each frame as it comes. Whatever ends the stream is said once, to `ended`;
the handler of the call waits for that and closes the call with a status.
"""

from __future__ import annotations

import asyncio
import secrets
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from time import monotonic
from typing import Any

import grpc
import grpc.aio
import structlog
from google.protobuf.message import DecodeError

from farfalia.v1 import play_pb2
from farfalia_server.line import BotLine
from farfalia_server.loop_clock import LoopClock

log = structlog.get_logger(__name__)

#: What a stream reads at its end; the types of grpcio leave it out.
_EOF: object = vars(grpc.aio)["EOF"]
#: Frames that may wait for a bot that reads slowly.
QUEUED_FRAMES = 256
#: Seconds within which the first frame must come.
HELLO_WITHIN = 10.0
#: Round trips that are remembered; the least of them counts.
_ROUND_TRIPS = 8
#: Frames and actions without use that a stream may send in a burst, and then each second.
_USELESS_BURST, _USELESS_RATE = 1000, 100
#: A frame that waits less than this in the loop, seconds, is written at once.
_WAIT = 0.001
#: Bytes of a log line, log lines of a stream in a burst and each second.
_LOG_BYTES, _LOG_BURST, _LOG_RATE = 4096, 200, 10


@dataclass(frozen=True, slots=True)
class Ending:
    """Why a stream ends; without `code` it ends well."""

    code: grpc.StatusCode | None = None
    reason: str = ""
    text: str = ""


class Allowance:
    """A bucket of tokens: so many at once, so many a second."""

    __slots__ = ("_at", "_burst", "_rate", "_tokens")

    def __init__(self, burst: int, rate: float, now: float) -> None:
        self._burst, self._rate, self._at, self._tokens = burst, rate, now, float(burst)

    def take(self, count: int, now: float) -> bool:
        """Takes tokens; False if there are not enough."""
        self._tokens = min(self._burst, self._tokens + (now - self._at) * self._rate)
        self._at = now
        if self._tokens < count:
            return False
        self._tokens -= count
        return True


class Session:
    """The stream of one bot, from its first frame to its end.

    `log_line` takes bot, match and text, `nonces` a bot and what it gives.
    """

    def __init__(
        self,
        context: grpc.aio.ServicerContext[Any, Any],
        *,
        log_line: Callable[[int, int, str], None],
        nonces: Callable[[int, Iterable[play_pb2.Nonce]], None],
        ping_interval: float,
        clock: LoopClock,
    ) -> None:
        self.line: BotLine | None = None
        self.instance = b""
        self.round_trip = 0.0
        self.features: frozenset[str] = frozenset()
        self._loop = asyncio.get_running_loop()
        self._context = context
        self._log_line = log_line
        self._nonces = nonces
        self._ping_interval = ping_interval
        self.hello: asyncio.Future[play_pb2.PlayRequest] = self._loop.create_future()
        self.ended: asyncio.Future[Ending] = self._loop.create_future()
        self._clock = clock
        now = monotonic()
        self._heard_at = clock.now()
        self._pings: dict[int, float] = {}
        self._round_trips: deque[float] = deque(maxlen=_ROUND_TRIPS)
        self._queue: deque[bytes] = deque()
        #: When the first frame was queued that wakes the writer; None while it writes, or nothing is queued.
        self._queued_at: float | None = None
        self._writing = False
        self._wake = asyncio.Event()
        self._closing = False
        self._useless = Allowance(_USELESS_BURST, _USELESS_RATE, now)
        self._log_lines = Allowance(_LOG_BURST, _LOG_RATE, now)
        self._tasks = [
            asyncio.create_task(self._read(), name="session-reader"),
            asyncio.create_task(self._write(), name="session-writer"),
        ]
        self._timer = clock.call_later(HELLO_WITHIN, self._hello_is_late)

    async def first_frame(self) -> play_pb2.PlayRequest | None:
        """The frame with the hello; None if the stream ends before it."""
        either: list[asyncio.Future[Any]] = [self.hello, self.ended]
        await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
        return self.hello.result() if self.hello.done() and not self.hello.cancelled() else None

    def end(self, ending: Ending) -> None:
        """Ends the stream; the first reason given is the one that counts."""
        if not self.ended.done():
            self.ended.set_result(ending)
            if not self.hello.done():
                self.hello.cancel()
            self._timer.cancel()
            self._wake.set()

    def serve(self, line: BotLine) -> None:
        """The bot is known: from here on its frames go to its line, and it is pinged."""
        self.line = line
        self._timer.cancel()
        self._ping()

    # -- down ------------------------------------------------------------------------------

    def send(self, frame: bytes) -> None:
        """Queues a frame, a `PlayResponse`; a bot that lets too many wait loses its stream."""
        if self.ended.done():
            return
        if len(self._queue) >= QUEUED_FRAMES:
            text = f"{QUEUED_FRAMES} frames wait for this bot; read the stream while you think"
            self.end(Ending(grpc.StatusCode.RESOURCE_EXHAUSTED, "READS_TOO_SLOWLY", text))
            return
        if not self._queue and not self._writing:
            self._queued_at = self._clock.now()
        self._queue.append(frame)
        self._wake.set()

    def close(self) -> None:
        """Ends the stream well, once the frames that wait are written."""
        self._closing = True
        self._wake.set()

    async def _write(self) -> None:
        try:
            while not self.ended.done():
                await self._wake.wait()
                self._wake.clear()
                self._writing = True
                self._excuse_waiting()
                while self._queue and not self.ended.done():
                    await self._context.write(self._queue.popleft())
                self._writing = False
                if self._closing:
                    self.end(Ending())
        except (grpc.RpcError, grpc.aio.BaseError, asyncio.InvalidStateError):
            self.end(Ending())  # the peer is gone; the reader sees it as well

    def _excuse_waiting(self) -> None:
        """The loop was busy when a frame waited for this task only; behind another frame it may wait for its bot."""
        if self._queued_at is not None and self.line is not None:
            waited = self._clock.now() - self._queued_at
            if waited >= _WAIT:
                self.line.waited(waited)
        self._queued_at = None

    def _ping(self) -> None:
        if self.ended.done() or self.line is None:
            return
        now = self._clock.now()
        if now - self._heard_at > 3 * self._ping_interval and not self.line.thinking:
            silent = f"nothing was heard for {now - self._heard_at:.0f} s"
            self.end(Ending(grpc.StatusCode.UNAVAILABLE, "NO_PONG", silent))
            return
        nonce = secrets.randbits(32)
        self._pings[nonce] = now
        self.send(play_pb2.PlayResponse(ping=play_pb2.Ping(nonce=nonce)).SerializeToString())
        self._timer = self._clock.call_later(self._ping_interval, self._ping)

    def _hello_is_late(self) -> None:
        text = f"no hello came within {HELLO_WITHIN:.0f} s"
        self.end(Ending(grpc.StatusCode.INVALID_ARGUMENT, "HELLO_MISSING", text))

    # -- up --------------------------------------------------------------------------------

    async def _read(self) -> None:
        try:
            while not self.ended.done():
                frame = await self._context.read()
                if frame is _EOF:
                    break
                self._hear(frame)
        except (grpc.RpcError, grpc.aio.BaseError, asyncio.InvalidStateError):
            pass  # the call is over
        except asyncio.CancelledError:
            self.end(Ending())
            raise
        self.end(Ending())

    def _hear(self, data: bytes) -> None:
        now = monotonic()
        self._heard_at = arrived = self._clock.arrived()
        try:
            frame = play_pb2.PlayRequest.FromString(data)
        except DecodeError:
            text = f"a frame of {len(data)} bytes is no PlayRequest"
            self.end(Ending(grpc.StatusCode.INVALID_ARGUMENT, "FRAME_UNREADABLE", text))
            return
        if not self.hello.done():
            self._greet(frame)
            return
        if frame.HasField("hello"):
            self.end(Ending(grpc.StatusCode.INVALID_ARGUMENT, "HELLO_INVALID", "hello is for the first frame only"))
            return
        if self.line is None:
            return  # the stream is being refused
        useless = 0 if frame.actions or frame.logs else 1
        if frame.actions:
            useless += self.line.act(frame.actions, arrived)
        if frame.HasField("capacity"):
            self.line.offer(frame.capacity)
        if frame.HasField("pong"):
            self._pong(frame.pong.nonce, arrived)
        for entry in frame.logs:
            if self._log_lines.take(1, now):
                cut = entry.text.encode()[:_LOG_BYTES].decode(errors="ignore")
                self._log_line(self.line.bot, entry.match, cut)
        if frame.nonces:
            self._nonces(self.line.bot, frame.nonces)
            useless += len(frame.nonces)  # nobody is asked for as many as these might be
        if frame.HasField("goodbye"):
            self.line.say_goodbye()
        if useless and not self._useless.take(useless, now):
            text = f"more than {_USELESS_RATE} frames or actions a second that change nothing"
            self.end(Ending(grpc.StatusCode.RESOURCE_EXHAUSTED, "FRAMES_TOO_FAST", text))

    def _greet(self, frame: play_pb2.PlayRequest) -> None:
        if not frame.HasField("hello"):
            text = "the first frame must hold a hello"
            self.end(Ending(grpc.StatusCode.INVALID_ARGUMENT, "HELLO_MISSING", text))
        else:
            self.hello.set_result(frame)

    def _pong(self, nonce: int, now: float) -> None:
        sent = self._pings.pop(nonce, None)
        if sent is not None:
            self._round_trips.append(max(0.0, now - sent))
            self.round_trip = min(self._round_trips)
            for old in [n for n, at in self._pings.items() if at < sent]:
                del self._pings[old]
