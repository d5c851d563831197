"""One stream of a bot: a reader that is never cancelled, a writer with a bounded queue, and pings.

The contents of a message are counted before they cost work: only the first entries of each list are read, and what has
no effect takes tokens out of the bot's bucket. Too many such messages end the stream.

The reader handles each message as it comes. The stream has one status, set once in `ended`; the handler of the call
waits for that and closes the call with it.
"""

from __future__ import annotations

import asyncio
import secrets
from collections import OrderedDict, deque
from collections.abc import Callable, Sequence
from functools import partial
from time import monotonic
from typing import Any

import grpc
import grpc.aio
import structlog
from google.protobuf.message import DecodeError

from farfalia.v1 import play_pb2
from farfalia_server.contract.untrusted import clean
from farfalia_server.play import limits
from farfalia_server.play.connection import BotConnection
from farfalia_server.play.loop_clock import LoopClock, Timer
from farfalia_server.play.stream import StreamStatus
from farfalia_server.store import NewLogLine

log = structlog.get_logger(__name__)

#: What a stream reads at its end; grpcio's types leave it out.
_EOF: object = vars(grpc.aio)["EOF"]
#: Most messages that wait for a slow reader, and their bytes; a single message may be larger.
QUEUED_MESSAGES, QUEUED_BYTES = 256, 8 << 20
#: Seconds within which the first message must come.
HELLO_WITHIN = 10.0
#: Round trips that are remembered, of which the shortest counts, and pings that may still be answered.
_ROUND_TRIPS, _PINGS = 8, 8
#: Ping intervals after which a pong counts as missed, and after which a silent bot counts as gone.
MISSED = 3
#: Seconds in which a bot that was struck has to answer a ping, or counts as silent; others have half an interval.
_PROBE = 1.0
#: A message that waits fewer seconds than this in the loop counts as written at once.
_WAIT = 0.001
#: The largest number that a column holds.
_NUMBERS = 2**63


TOO_FAST = StreamStatus(
    grpc.StatusCode.RESOURCE_EXHAUSTED,
    "MESSAGES_TOO_FAST",
    f"more than {limits.USELESS_RATE} messages, actions or other entries per second that change nothing",
)


class BotStream:
    """The stream of one bot, from its first message to its end.

    `log_line` is called with a bot and its line; `nonces` with a bot and its nonces, and returns the cost in tokens.
    """

    def __init__(
        self,
        context: grpc.aio.ServicerContext[Any, Any],
        *,
        log_line: Callable[[int, NewLogLine], None],
        nonces: Callable[[int, Sequence[play_pb2.Nonce]], int],
        ping_interval: float,
        clock: LoopClock,
    ) -> None:
        self.connection: BotConnection | None = None
        self.instance = b""
        self.round_trip = 0.0
        self.features: frozenset[str] = frozenset()
        self._loop = asyncio.get_running_loop()
        self._context = context
        self._log_line = log_line
        self._receive_nonces = nonces
        self._ping_interval = ping_interval
        self.hello: asyncio.Future[play_pb2.PlayRequest] = self._loop.create_future()
        self.ended: asyncio.Future[StreamStatus] = self._loop.create_future()
        self._clock = clock
        self._received_at = clock.now()
        self._pings: OrderedDict[int, float] = OrderedDict()
        #: Looks whether the bot has been heard of since it was pinged, and when it will.
        self._probe: Timer | None = None
        self._probe_at = 0.0
        self._round_trips: deque[float] = deque(maxlen=_ROUND_TRIPS)
        self._queue: deque[bytes] = deque()
        self._queued_bytes = 0
        #: When the message that wakes the writer was queued; None while it writes or nothing is queued.
        self._queued_at: float | None = None
        self._writing = False
        #: What the writer waits for while nothing is queued; a future of its own costs less than an event.
        self._idle: asyncio.Future[None] | None = None
        self._closing = False
        #: Messages between the hello and the welcome, and their bytes.
        self._early: list[play_pb2.PlayRequest] = []
        self._early_bytes = 0
        self._tasks = [
            asyncio.create_task(self._read(), name="stream-reader"),
            asyncio.create_task(self._write(), name="stream-writer"),
        ]
        self._timer: Timer | asyncio.TimerHandle = clock.call_later(HELLO_WITHIN, self._on_hello_timeout)

    async def first_message(self) -> play_pb2.PlayRequest | None:
        """Return the hello's message; None if the stream ends first."""
        either: list[asyncio.Future[Any]] = [self.hello, self.ended]
        await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
        return self.hello.result() if self.hello.done() and not self.hello.cancelled() else None

    async def status(self) -> StreamStatus:
        """Wait for the end of the stream and return its status; who stops waiting does not end it."""
        return await asyncio.shield(self.ended)

    def end(self, status: StreamStatus) -> None:
        """End the stream; the first status counts."""
        if not self.ended.done():
            self.ended.set_result(status)
            if not self.hello.done():
                self.hello.cancel()
            self._timer.cancel()
            if self._probe is not None:
                self._probe.cancel()
            self._wake_writer()

    def serve(self, connection: BotConnection) -> None:
        """Ping the bot and hand its messages to its connection, starting with those that came early."""
        self.connection = connection
        self._timer.cancel()
        self._ping()
        first = self.hello.result()
        first.ClearField("hello")
        if first.ByteSize():
            self._early.insert(0, first)
        early, self._early = self._early, []
        for message in early:
            if not self.ended.done():
                self._handle(connection, message, self._clock.now())

    # -- down ------------------------------------------------------------------------------

    def send(self, message: bytes) -> None:
        """Queue a message, a `PlayResponse`; a bot with too many unread messages loses its stream."""
        if self.ended.done():
            return
        waiting = self._queued_bytes + len(message)
        if len(self._queue) >= QUEUED_MESSAGES or (self._queue and waiting > QUEUED_BYTES):
            count, size = len(self._queue), self._queued_bytes >> 10
            text = f"{count} messages of {size} KiB wait for this bot; read the stream while you think"
            self.end(StreamStatus(grpc.StatusCode.RESOURCE_EXHAUSTED, "READS_TOO_SLOWLY", text))
            return
        if not self._queue and not self._writing:
            self._queued_at = self._clock.now()
        self._queue.append(message)
        self._queued_bytes = waiting
        self._wake_writer()

    def close(self) -> None:
        """Close the stream gracefully once all queued messages are written."""
        self._closing = True
        self._wake_writer()

    def _wake_writer(self) -> None:
        if self._idle is not None and not self._idle.done():
            self._idle.set_result(None)

    async def _write(self) -> None:
        try:
            while not self.ended.done():
                if not self._queue and not self._closing:
                    self._idle = self._loop.create_future()
                    await self._idle
                self._writing = True
                self._exclude_delay()
                while self._queue and not self.ended.done():
                    message = self._queue.popleft()
                    self._queued_bytes -= len(message)
                    await self._context.write(message)
                self._writing = False
                if self._closing:
                    self.end(StreamStatus())
        except (grpc.RpcError, grpc.aio.BaseError, asyncio.InvalidStateError):
            self.end(StreamStatus())  # the peer is gone; the reader notices it, too

    def _exclude_delay(self) -> None:
        """Do not charge the time for which a message waited for this task; behind another one it waits for its bot."""
        if self._queued_at is not None and self.connection is not None:
            waited = self._clock.now() - self._queued_at
            if waited >= _WAIT:
                self.connection.exclude_delay(waited)
        self._queued_at = None

    def _ping(self) -> None:
        if self.ended.done() or self.connection is None:
            return
        now = self._clock.now()
        if now - self._received_at > MISSED * self._ping_interval and not self.connection.thinking:
            silent = f"nothing was heard for {now - self._received_at:.0f} s"
            self.end(StreamStatus(grpc.StatusCode.UNAVAILABLE, "NO_PONG", silent))
            return
        self._send_ping()
        self._expect_pong(self._ping_interval / 2)
        # Real time: bots give up a stream without pings, and our clock is slow on a busy processor.
        self._timer = asyncio.get_running_loop().call_later(self._ping_interval, self._ping)

    def heard_since(self, moment: float) -> bool:
        """Return whether anything has come from the bot since this moment of the loop's clock."""
        return self._received_at >= moment

    def probe(self) -> None:
        """Find out soon whether the bot can be heard of at all."""
        if not self.ended.done():
            self._send_ping()
            self._expect_pong(_PROBE)

    def _expect_pong(self, seconds: float) -> None:
        """Note that a bot which does not think now is silent, if nothing is heard of it within so many seconds."""
        now = self._clock.now()
        if self._probe is not None:
            if self._probe_at <= now + seconds:
                return  # an earlier ping will tell sooner
            self._probe.cancel()
        self._probe_at = now + seconds
        # A bot that thinks may be silent: many read nothing meanwhile. One that waits reads the ping before a question.
        due = self.connection is not None and not self.connection.thinking
        self._probe = self._clock.call_later(seconds, partial(self._on_probed, now, due))

    def _on_probed(self, asked: float, due: bool) -> None:
        self._probe = None
        if due and self.connection is not None and not self.heard_since(asked):
            self.connection.set_silent(True)

    def _send_ping(self) -> None:
        nonce = secrets.randbits(32)
        self._pings[nonce] = self._clock.now()
        if len(self._pings) > _PINGS:
            self._pings.popitem(last=False)
        self.send(play_pb2.PlayResponse(ping=play_pb2.Ping(nonce=nonce)).SerializeToString())

    def _on_hello_timeout(self) -> None:
        text = f"no hello came within {HELLO_WITHIN:.0f} s"
        # The server itself may have read it too late.
        self.end(StreamStatus(grpc.StatusCode.UNAVAILABLE, "HELLO_LATE", text))

    # -- up --------------------------------------------------------------------------------

    async def _read(self) -> None:
        try:
            while not self.ended.done():
                message = await self._context.read()
                if message is _EOF:
                    break
                self._receive(message)
        except (grpc.RpcError, grpc.aio.BaseError, asyncio.InvalidStateError):
            pass  # the call is over
        except asyncio.CancelledError:
            self.end(StreamStatus())
            raise
        except Exception:
            log.exception("stream_failed", bot=self.connection.name if self.connection is not None else "")
            text = "the server failed at a message of this bot; its log says why"
            self.end(StreamStatus(grpc.StatusCode.INTERNAL, "INTERNAL", text))
        self.end(StreamStatus())

    def _receive(self, data: bytes) -> None:
        self._received_at = arrived = self._clock.arrived()
        if self.connection is not None and self.connection.silent:
            self.connection.set_silent(False)
        try:
            message = play_pb2.PlayRequest.FromString(data)
        except DecodeError:
            text = f"a message of {len(data)} bytes is no PlayRequest"
            self.end(StreamStatus(grpc.StatusCode.INVALID_ARGUMENT, "MESSAGE_UNREADABLE", text))
            return
        if not self.hello.done():
            self._receive_hello(message)
            return
        if message.HasField("hello"):
            self.end(
                StreamStatus(grpc.StatusCode.INVALID_ARGUMENT, "HELLO_INVALID", "hello is for the first message only")
            )
            return
        if self.connection is None:
            self._keep_early(message, len(data))
        else:
            self._handle(self.connection, message, arrived)

    def _keep_early(self, message: play_pb2.PlayRequest, size: int) -> None:
        """Keep a message that comes before the welcome until then; if the stream is refused it is dropped."""
        self._early_bytes += size
        if len(self._early) >= limits.EARLY_MESSAGES or self._early_bytes > limits.EARLY_BYTES:
            self.end(TOO_FAST)
        else:
            self._early.append(message)

    def _handle(self, connection: BotConnection, message: play_pb2.PlayRequest, arrived: float) -> None:
        """Handle the fields of a message in order; `cost` is in tokens, `useful` counts fields that are free."""
        now = monotonic()
        cost = useful = 0
        if message.logs:  # before the answers, which lead to the next questions
            kept = self._keep_logs(connection, message.logs, now)
            cost += len(message.logs) - kept
            useful += kept
        if message.actions:
            on_failure = partial(self._keep_failure, connection)
            useless = connection.receive(message.actions[: limits.ACTIONS_IN_MESSAGE], arrived, on_failure)
            useless += max(0, len(message.actions) - limits.ACTIONS_IN_MESSAGE)
            cost += useless
            useful += len(message.actions) - useless
        if message.HasField("capacity"):
            cost += limits.MATCHES_COST if connection.set_capacity(message.capacity) else 1
        if message.HasField("pong"):
            useful += self._pong(message.pong.nonce, arrived)
        if message.nonces:
            costs = self._receive_nonces(connection.bot, message.nonces)
            cost += costs
            useful += not costs
        if message.ready:
            useful += connection.starts.ready(message.ready[: limits.ACTIONS_IN_MESSAGE])
        if message.HasField("goodbye"):
            useful += not connection.leaving
            connection.close_when_idle()
        if not useful:
            cost = max(cost, 1)
        if cost and not connection.limits.useless.take(cost, now):
            connection.limits.useless.overdraw(now)
            self.end(TOO_FAST)

    def _keep_failure(self, connection: BotConnection, action: play_pb2.Action, text: str) -> None:
        """Log a bot's description of a failure for its owner; it counts as one of its log lines."""
        if connection.limits.logs.take(1, monotonic()):
            text = f"question {action.number} failed: {text}"
            self._log_line(connection.bot, NewLogLine(action.match, text, action.number))

    def _keep_logs(self, connection: BotConnection, logs: Sequence[play_pb2.LogLine], now: float) -> int:
        """Store log lines, as many as the bot may send; return how many."""
        for kept, entry in enumerate(logs[: limits.LOGS_IN_MESSAGE]):
            if not connection.limits.logs.take(1, now):
                return kept
            text = entry.text.encode()[: limits.LOG_LINE_BYTES].decode(errors="ignore")
            match = entry.match if entry.match < _NUMBERS else 0
            text = clean(text, limits.LOG_LINE_BYTES, lines=True)
            self._log_line(connection.bot, NewLogLine(match, text, connection.newest_question(match)))
        return min(len(logs), limits.LOGS_IN_MESSAGE)

    def _receive_hello(self, message: play_pb2.PlayRequest) -> None:
        if not message.HasField("hello"):
            text = "the first message must hold a hello"
            self.end(StreamStatus(grpc.StatusCode.INVALID_ARGUMENT, "HELLO_MISSING", text))
        else:
            self.hello.set_result(message)

    def _pong(self, nonce: int, now: float) -> bool:
        """Handle a pong; return False if there is no such ping, or the pong is too late to count."""
        sent = self._pings.pop(nonce, None)
        if sent is None or now - sent > MISSED * self._ping_interval:
            return False
        self._round_trips.append(max(0.0, now - sent))
        self.round_trip = min(self._round_trips)
        for old in [n for n, at in self._pings.items() if at < sent]:
            del self._pings[old]
        return True
