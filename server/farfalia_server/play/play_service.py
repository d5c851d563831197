"""The Play call: who may open a stream, and with what status it ends."""

from __future__ import annotations

import asyncio
import hmac
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from time import monotonic
from typing import Any, Protocol

import grpc
import grpc.aio
import structlog

from farfalia.v1 import play_pb2
from farfalia_engine import GAMES
from farfalia_server import __version__
from farfalia_server.contract.errors import FarfaliaServerError, StoreUnavailable
from farfalia_server.contract.statuses import abort, end
from farfalia_server.contract.untrusted import clean
from farfalia_server.play import limits
from farfalia_server.play.admission import FEATURES, objection
from farfalia_server.play.authentication import Authenticator, KnownBot
from farfalia_server.play.bot_gateway import BotGateway
from farfalia_server.play.bot_stream import TOO_FAST, BotStream
from farfalia_server.play.connection import BotConnection
from farfalia_server.play.connection_caps import CapsOf, ConnectionCaps, no_caps
from farfalia_server.play.lobby import Lobby
from farfalia_server.play.loop_clock import LoopClock
from farfalia_server.play.nonces import NonceCollector
from farfalia_server.play.questions import open_seats
from farfalia_server.play.stream import STREAM_REPLACED, StreamStatus
from farfalia_server.play.token_bucket import TokenBuckets
from farfalia_server.play.token_watch import TokenWatch
from farfalia_server.store import ConnectionCap, NewLogLine, token_hash

log = structlog.get_logger(__name__)

#: Seconds in which a stream that will be refused may send its first message.
_FIRST_MESSAGE_SECONDS = 1.0
#: Most seconds that a bot which returns to a restarted server waits for its former seats: a match can
#: need its bots before it is resumed.
_RESUMING_SECONDS = 5.0
_STOPPING = StreamStatus(grpc.StatusCode.UNAVAILABLE, "SERVER_STOPS", "the server stops; come back soon")
_STREAMS_TOO_FAST = StreamStatus(
    grpc.StatusCode.RESOURCE_EXHAUSTED,
    "STREAMS_TOO_FAST",
    f"this bot has opened more than {limits.STREAMS_BURST} streams; expected {limits.STREAMS_RATE * 60:.0f} a minute",
)


def bearer_token(context: grpc.aio.ServicerContext[Any, Any]) -> str:
    """Return the token of a call; empty if there is none."""
    for key, value in context.invocation_metadata() or ():
        if key == "authorization":
            text = value.decode("ascii", "replace") if isinstance(value, bytes) else value
            scheme, _, token = text.partition(" ")
            return token.strip() if scheme.lower() == "bearer" else ""
    return ""


class Gateways(Protocol):
    """Which node is the gateway of each bot."""

    async def open(
        self, bot: int, name: str, client: str, *, take_over: bool, caps: Sequence[ConnectionCap] = ()
    ) -> BotGateway | ConnectionCap | None:
        """Make this node the bot's gateway; None if another instance of it is connected to another node, and one of the
        caps if as many other bots of it are connected.

        Raises RedisUnavailable.
        """

    def is_here(self, gateway: BotGateway) -> bool:
        """Return whether the gateway is still the bot's."""

    def why_not_here(self, gateway: BotGateway) -> StreamStatus:
        """Return why the gateway is no longer the bot's."""

    def changed(self, bot: int) -> None:
        """Note that the gateway of a bot of this node may have changed."""


class PlayService:
    """The service `farfalia.v1.PlayService`; it takes bytes, so that garbage is refused with a sentence."""

    def __init__(
        self,
        lobby: Lobby,
        *,
        server_name: str,
        bot_by_token: Callable[[str], Awaitable[KnownBot | None]],
        token_hashes: Callable[[], Awaitable[frozenset[bytes]]],
        is_persons_token: Callable[[str], Awaitable[bool]],
        ratings: Callable[[int], Awaitable[list[play_pb2.Rating]]],
        log_line: Callable[[int, NewLogLine], None],
        nonces: NonceCollector,
        ping_interval: float,
        reconnect_grace: float,
        clock: LoopClock,
        pages: Callable[[], str],
        gateways: Gateways | None = None,
        caps_of: CapsOf = no_caps,
    ) -> None:
        self._lobby = lobby
        self._gateways = gateways
        self._caps = ConnectionCaps(lobby, caps_of, retry=ping_interval)
        self._pages = pages
        self._server_name = server_name
        self._authenticator = Authenticator(bot_by_token, token_hashes, is_persons_token)
        #: The streams that each bot has opened; connecting to another node does not reset them.
        self.streams = TokenBuckets(limits.STREAMS_BURST, limits.STREAMS_RATE)
        #: While it runs, it ends the streams whose tokens are no longer valid.
        self.tokens = TokenWatch(token_hashes)
        self._ratings = ratings
        self._log_line = log_line
        self._nonces = nonces
        self._ping_interval = ping_interval
        self._reconnect_grace = reconnect_grace
        #: Admitted bots, with the hashes of their tokens: those with seats may return while the store is down.
        self._admitted: dict[int, tuple[bytes, KnownBot]] = {}
        self._clock = clock
        self._open_streams: set[BotStream] = set()
        self._draining = False

    @property
    def wrong_tokens(self) -> TokenBuckets:
        """The wrong tokens of each address."""
        return self._authenticator.wrong_tokens

    def handler(self) -> grpc.GenericRpcHandler:
        """Return what the gRPC server registers."""
        play: Any = grpc.stream_stream_rpc_method_handler(self._play)
        return grpc.method_handlers_generic_handler("farfalia.v1.PlayService", {"Play": play})

    def forget_token(self, bot: int) -> None:
        """Look a bot's token up again, which may have changed."""
        self._admitted.pop(bot, None)
        self.tokens.changed(bot)

    def forget_all_tokens(self) -> None:
        """Look all tokens up again: any of them may have changed."""
        self._admitted.clear()
        self.tokens.changed_all()

    async def drain(self, seconds: float) -> None:
        """Accept no new streams, ask all bots to reconnect elsewhere, and wait for that, at most these seconds."""
        self._draining = True
        drain = play_pb2.PlayResponse(drain=play_pb2.Drain(grace_ms=round(seconds * 1000))).SerializeToString()
        for stream in self._open_streams:
            if stream.connection is None:  # it would be welcomed here
                stream.end(_STOPPING)
            else:
                stream.send(drain)
        ends = [stream.ended for stream in self._open_streams]
        if ends:
            await asyncio.wait(ends, timeout=seconds)

    def stop(self) -> None:
        """End all streams, and accept no new ones."""
        self._draining = True
        for stream in list(self._open_streams):
            stream.end(_STOPPING)

    async def _play(self, _: object, context: grpc.aio.ServicerContext[Any, Any]) -> None:
        try:
            await self._stream(context)
        except FarfaliaServerError as error:  # the database is unreachable
            await abort(context, error)

    async def _stream(self, context: grpc.aio.ServicerContext[Any, Any]) -> None:
        token = bearer_token(context)
        recalled = self._authenticator.recall(token)
        if recalled is not None and self._opens_too_fast(recalled):
            await _refuse_late(context)
            return
        since = self.tokens.changes
        bot = await self._known(token, context.peer()) if token and not self._draining else None
        if bot is None or self._draining:  # meanwhile
            # A client whose first message is cut off may report an error of its own instead of our status.
            await asyncio.wait([asyncio.ensure_future(_read_one(context))], timeout=_FIRST_MESSAGE_SECONDS)
            await _end(context, _STOPPING if self._draining else await self._unauthenticated(token, context.peer()))
            return
        if recalled is None and self._opens_too_fast(bot.id):
            # Many streams came at the same time with a token that was new.
            await _refuse_late(context)
            return
        try:
            # If the stream ended at once, with the first message still on its way, the status would be lost.
            await context.send_initial_metadata(())
        except (grpc.RpcError, grpc.aio.BaseError, asyncio.InvalidStateError):
            return  # the call is over
        if self._draining:
            await _end(context, _STOPPING)
            return
        stream = BotStream(
            context,
            log_line=self._log_line,
            nonces=self._nonces.receive,
            ping_interval=self._ping_interval,
            clock=self._clock,
        )
        self._open_streams.add(stream)
        if not self._lobby.connection(bot.id).own_tokens:
            self.tokens.add(stream, bot.id, token_hash(token), since)
        try:
            status = await self._serve(stream, bot, token)
        except asyncio.CancelledError:  # the bot's process or its connection is gone
            log.info("stream_ended", bot=bot.name, reason="closed", text="")
            raise
        finally:
            self._open_streams.discard(stream)
            self.tokens.discard(stream)
            stream.end(StreamStatus())
            if stream.connection is not None and stream.connection.stream is stream:
                stream.connection.detach()
        log.info("stream_ended", bot=bot.name, reason=status.reason or "closed", text=status.text)
        await _end(context, status)

    async def _known(self, token: str, peer: str) -> KnownBot | None:
        """Return the bot with this token; while the store is unreachable, only an admitted bot that has a seat."""
        hashed, since = token_hash(token), self.tokens.changes
        try:
            bot = await self._authenticator.bot(token, peer)
        except StoreUnavailable:
            for number, (known, bot) in self._admitted.items():
                if hmac.compare_digest(known, hashed) and self._lobby.connection(number).seatings:
                    log.warning("bot_authenticated_from_memory", bot=bot.name)
                    return bot
            raise
        if bot is not None and since == self.tokens.changes:
            self._admitted[bot.id] = (hashed, bot)
        return bot

    async def _ratings_or_none(self, bot: int) -> list[play_pb2.Rating]:
        """Return the ratings of a bot; none while the store is unreachable, since it can play without them."""
        try:
            return await self._ratings(bot)
        except StoreUnavailable:
            return []

    def _opens_too_fast(self, bot: int) -> bool:
        """Return whether the bot opens streams faster than it may; bots with a token per process may."""
        return not self._lobby.connection(bot).own_tokens and bool(self.streams.take(str(bot), monotonic()))

    async def _unauthenticated(self, token: str, peer: str) -> StreamStatus:
        if not token:
            text = "send your token as metadata: authorization: Bearer TOKEN"
            return StreamStatus(grpc.StatusCode.UNAUTHENTICATED, "TOKEN_MISSING", text)
        if await self._authenticator.is_persons(token, peer):
            text = (
                "this is the admin token or an account's; a bot has a token of its own, "
                "which `farfalia bot register` prints"
            )
        else:
            text = "this server knows no bot with this token; register one, or ask for a new token"
        return StreamStatus(grpc.StatusCode.UNAUTHENTICATED, "TOKEN_UNKNOWN", text)

    async def _serve(self, stream: BotStream, bot: KnownBot, token: str) -> StreamStatus:
        message = await stream.first_message()
        if message is None:
            return await stream.status()
        connection = self._lobby.connection(bot.id)
        connection.name = bot.name
        if connection.limits.useless.in_debt(monotonic()):
            return TOO_FAST
        ratings, caps = await self._ratings_or_none(bot.id), await self._caps.of(bot)
        await connection.expected.none_left(_RESUMING_SECONDS)
        if stream.ended.done():
            return stream.ended.result()
        refusal = connection.refusal(token) or self._admit(connection, bot, message.hello)
        if refusal is None and self._gateways is not None:
            refusal = await self._open_gateway(self._gateways, stream, connection, bot, message.hello, caps)
        elif refusal is None:
            refusal = self._caps.refusal_here(bot, caps)
        # No await from here on: of two instances that come at the same time, the second finds the first attached.
        if refusal is not None:
            return refusal
        self._replace(connection)
        hello = play_pb2.Hello()
        hello.CopyFrom(message.hello)
        resumed, connection.instance = hello.instance == connection.instance, hello.instance
        stream.instance = hello.instance
        stream.features = frozenset(hello.features[: limits.NAMES_IN_HELLO]) & set(FEATURES)
        connection.starts.by_host = bot.by_host
        connection.rulesets = frozenset(hello.rulesets[: limits.NAMES_IN_HELLO]) & set(GAMES)
        stream.send(self._welcome(connection, hello, ratings).SerializeToString())
        connection.attach(stream, resumed=resumed)
        connection.set_capacity(hello.capacity)
        self._nonces.on_connect(bot.id)
        client = f"{clean(hello.client, limits.CLIENT)} {clean(hello.client_version, limits.CLIENT_VERSION)}"
        log.info("bot_connected", bot=bot.name, client=client.strip())
        stream.serve(connection)
        return await stream.status()

    async def _open_gateway(
        self,
        gateways: Gateways,
        stream: BotStream,
        connection: BotConnection,
        bot: KnownBot,
        hello: play_pb2.Hello,
        caps: Sequence[ConnectionCap],
    ) -> StreamStatus | None:
        """Make this node the bot's gateway; return the status if it cannot be."""
        opened = await gateways.open(bot.id, bot.name, hello.instance.hex(), take_over=hello.take_over, caps=caps)
        if opened is None:
            return self._connected_elsewhere(bot)
        if isinstance(opened, ConnectionCap):
            return self._caps.refusal(bot, opened)
        refusal = self._admit(connection, bot, hello)  # another stream may have come meanwhile
        if refusal is None and not gateways.is_here(opened):
            refusal = gateways.why_not_here(opened)
        if refusal is None and stream.ended.done():
            refusal = stream.ended.result()
        if refusal is not None:
            gateways.changed(bot.id)
        return refusal

    def _admit(self, connection: BotConnection, bot: KnownBot, hello: play_pb2.Hello) -> StreamStatus | None:
        if (refusal := objection(bot, hello)) is not None:
            return refusal
        other = connection.stream
        # The stream of one process may end a moment after that of the next one begins.
        take_over = hello.take_over or connection.own_tokens
        if other is not None and other.instance != hello.instance and not take_over:
            return self._connected_elsewhere(bot)
        return None

    def _connected_elsewhere(self, bot: KnownBot) -> StreamStatus:
        text = f"another instance of {bot.name} is connected; stop it, or say take_over in the hello"
        # It may be a lost connection, which the pings will notice after some more intervals.
        return StreamStatus(grpc.StatusCode.ALREADY_EXISTS, "BOT_CONNECTED", text, retry=self._ping_interval)

    def _replace(self, connection: BotConnection) -> None:
        if connection.stream is not None:
            connection.stream.end(STREAM_REPLACED)

    def _welcome(
        self, connection: BotConnection, hello: play_pb2.Hello, ratings: list[play_pb2.Rating]
    ) -> play_pb2.PlayResponse:
        welcome = play_pb2.Welcome(
            bot=connection.name,
            server=self._server_name,
            server_version=__version__,
            features=FEATURES,
            ping_interval_ms=round(self._ping_interval * 1000),
            reconnect_grace_ms=round(self._reconnect_grace * 1000),
            open=open_seats(connection.seatings.values()),
            ratings=ratings,
            capacity=connection.accepted_capacity(hello.capacity),
            pages=self._pages(),
        )
        return play_pb2.PlayResponse(welcome=welcome)


async def _refuse_late(context: grpc.aio.ServicerContext[Any, Any]) -> None:
    """Refuse a stream after a pause: a client that reconnects at once would cost more than one that plays."""
    await asyncio.sleep(limits.STREAM_REFUSED_AFTER)
    await _end(context, _STREAMS_TOO_FAST)


async def _read_one(context: grpc.aio.ServicerContext[Any, Any]) -> None:
    with suppress(grpc.RpcError, grpc.aio.BaseError):  # the call is over
        await context.read()


async def _end(context: grpc.aio.ServicerContext[Any, Any], status: StreamStatus) -> None:
    if status.code is not None:
        try:
            await end(context, status.code, status.reason, status.text, retry=status.retry or None)
        except grpc.aio.AbortError:
            raise
        except grpc.aio.BaseError:
            log.debug("peer_already_gone", reason=status.reason)
