"""Keeps a bot connected and playing, over as many streams as that takes."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from random import Random, random
from secrets import token_bytes
from types import FrameType

from farfalia import report, settings
from farfalia.backoff import Backoff
from farfalia.bot import Bot
from farfalia.bot_runner import BotRunner
from farfalia.bot_stream import BotStream
from farfalia.errors import BadSetting, FarfaliaError
from farfalia.ladder_waits import LadderWaits
from farfalia.match_ends import MatchEnds
from farfalia.measured_capacity import MeasuredCapacity
from farfalia.mistakes import check_bot
from farfalia.nonces import Nonces
from farfalia.outbox import Outbox
from farfalia.settings import Server
from farfalia.v1 import play_pb2 as pb
from farfalia.watchdog import EXIT_CODE
from farfalia_engine import __version__

#: When a server stops, its bots do not all come back within the same instant.
SPREAD = 0.5
#: How often a bot tries again that is refused because of another instance, each time when the server says: a lost
#: connection is missed after three pings.
KEPT_OUT_ATTEMPTS = 4
#: Reason of the notice that a house bot plays the seat to its end.
SEAT_TAKEN_OVER = "SEAT_TAKEN_OVER"


class Client:
    """A bot and its connection; made and used within one event loop.

    `matches` and `questions` limit what the bot is sent at once. Left out, 64 matches are offered, fewer once
    the bot turns out to be a slow one, and questions as it can answer them in good time. Raises BadSetting for a bot
    that cannot work.
    """

    def __init__(
        self,
        bot: Bot,
        server: Server,
        *,
        matches: int | None = None,
        questions: int | None = None,
        take_over: bool = False,
    ) -> None:
        check_bot(bot)
        measured = MeasuredCapacity(matches, questions)
        self._bot = bot
        self._server = server
        self._outbox = Outbox(measured)
        self._runner = BotRunner(bot, self._outbox, measured)
        self._nonces = Nonces(bot, self._outbox)
        self._match_ends = MatchEnds()
        self._ladder_waits = LadderWaits()
        self._backoff = Backoff(Random())
        self._leaving = asyncio.Event()
        # Attempts in a row that another instance of this bot has stood in the way of.
        self._kept_out = 0
        # Whether any stream was ever welcomed, and attempts so far.
        self._welcomed = False
        self._attempts = 0
        self._stream: BotStream | None = None
        self._hello = pb.Hello(
            client="farfalia-python",
            client_version=__version__,
            instance=token_bytes(16),
            rulesets=bot.rulesets,
            features=bot.features,
            take_over=take_over,
        )
        #: Matches at which the bot sits.
        self.open: set[int] = set()
        bot._log = self._outbox.log

    async def play(self) -> None:
        """Play until `leave` was called and the open matches are over; raises Refused if the server refuses.

        Raises BadSetting if what is at the address can never be a server.
        """
        try:
            await self._play()
        finally:
            self._match_ends.close()
            del self._bot._log
            self._runner.close()

    def leave(self) -> None:
        """Finish the open matches and take no new ones; `play` then returns."""
        self._leaving.set()
        self._outbox.leave()
        if self._stream is not None and not self._stream.welcomed and not self.open:
            self._stream.abandon("there is nothing to finish")

    def told(self, times: int) -> None:
        """See that the program leaves even if a method of the bot hangs; may be called by a signal handler."""
        self._runner.told(times)

    @property
    def blocked(self) -> bool:
        """Whether a method of the bot runs in the main thread now; may be asked by a signal handler."""
        return self._runner.blocked

    async def _play(self) -> None:
        try:
            stream = await self._connect()
            while stream is not None:
                stream = await self._serve(stream)
        except FarfaliaError:
            await self._runner.finish()
            raise
        await self._runner.finish()

    async def _connect(self) -> BotStream | None:
        """Open streams until one is welcomed; None if the bot wants to leave and has no match to finish."""
        while not self._done:
            stream = self._stream = BotStream(self._server, self._outbox, self._take)
            if await stream.open(self._hello):
                return stream
            await self._pause(stream)
        return None

    async def _serve(self, stream: BotStream) -> BotStream | None:
        """Play on this stream; returns the next one, None if there is no need of one."""
        serving = asyncio.create_task(stream.serve())
        draining = asyncio.create_task(stream.drained.wait())
        try:
            await asyncio.wait((serving, draining), return_when=asyncio.FIRST_COMPLETED)
            if not serving.done():
                report.log.info("the server is about to stop; opening a new stream")
                await asyncio.sleep(random() * SPREAD)
                return await self._connect()
            serving.result()
        finally:
            draining.cancel()
            if not serving.done():
                stream.abandon("a new stream has taken its place")
            await asyncio.wait((serving,))
            if not serving.cancelled():
                serving.exception()  # seen: a Ctrl-C in the middle of the bot has ended the task, and ends the program
        if stream.end is None and self._leaving.is_set():
            return None
        await self._pause(stream)
        return await self._connect()

    async def _pause(self, stream: BotStream) -> None:
        """Handle the end of a stream: raise what is final, wait before what is worth another attempt."""
        end = stream.end
        if stream.welcomed:
            self._kept_out = 0
        seconds = self._backoff.wait(stream.lived)
        if end is not None and end.final:
            # What keeps this bot out may be its own last connection, which the server has not missed yet.
            if not end.kept_out or not end.retry or self._kept_out >= KEPT_OUT_ATTEMPTS:
                raise end.refusal()
            self._kept_out += 1
            seconds = end.retry
        if self._done:
            return
        self._attempts += 1
        hint = "" if end is None or self._welcomed else end.hint(self._server)
        if hint and end is not None and end.web:
            raise BadSetting(hint)
        if end is not None and end.kept_out:
            report.log.warning("%s; trying again in %g s", end.kept_out, seconds)
        else:
            lost = f"{self._server.target} cannot be reached"
            if stream.welcomed:
                lost = "connection lost"
            elif end is not None and end.full:
                lost = "the server does not let it in yet"
            report.log.warning("%s: %s; trying again in %.1f s", lost, end or "the server ended the stream", seconds)
        if hint and self._attempts == 1:
            report.log.warning("%s", hint)
        if self._leaving.is_set():
            await asyncio.sleep(seconds)
        else:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._leaving.wait(), seconds)

    @property
    def _done(self) -> bool:
        return self._leaving.is_set() and not self.open

    async def _take(self, message: pb.PlayResponse) -> None:
        """Do what the server says, in the order of the contract."""
        bot, thinker = self._bot, self._runner
        if message.HasField("welcome"):
            self._welcome(message.welcome)
        for seated in message.seated:
            self._seat(seated)
        if message.questions:
            await thinker.ask(message.questions)
        for result in message.results:
            if result.status == pb.RESULT_STATUS_TOO_LATE:
                thinker.drop(result.match, result.number)
            thinker.tell(bot.on_result, result)
        for finished in message.finished:
            self._stand_up(finished.match)
            self._match_ends.finished(finished)
            thinker.tell(self._nonces.finished, finished)
            thinker.tell(bot.on_finished, finished)
        for notice in message.notices:
            if notice.reason == SEAT_TAKEN_OVER:
                self._stand_up(notice.match)
            thinker.tell(self._nonces.notice, notice)
            if not self._ladder_waits.known(notice):
                thinker.tell(bot.on_notice, notice)
        for change in message.ratings:
            self._match_ends.rated(change)
            thinker.tell(bot.on_rating, change)
        for entered in message.entered:
            thinker.tell(self._nonces.enter, entered, "nonce")

    def _welcome(self, welcome: pb.Welcome) -> None:
        sitting = f"; open matches: {len(welcome.open)}" if welcome.open else ""
        report.log.info("connected to %s as %s%s", self._server.target, welcome.bot, sitting)
        self._welcomed = True
        self._match_ends.connected(welcome)
        self.open.clear()
        self._runner.tell(self._nonces.welcome, welcome)
        nonces: dict[int, pb.Seated] = {}
        for seated in welcome.open:
            if seated.tournament in nonces:
                seated.nonces.extend(nonces[seated.tournament].nonces)
            elif seated.tournament:
                nonces[seated.tournament] = seated
            self._seat(seated)

    def _seat(self, seated: pb.Seated) -> None:
        self.open.add(seated.match)
        self._runner.tell(self._nonces.check, seated)
        self._runner.tell(self._bot.on_seated, seated)

    def _stand_up(self, match: int) -> None:
        self.open.discard(match)
        self._runner.forget(match)


async def play(
    bot: Bot,
    server: str | None = None,
    token: str | None = None,
    *,
    tls: bool | None = None,
    ca: str | os.PathLike[str] | None = None,
    matches: int | None = None,
    questions: int | None = None,
    take_over: bool = False,
) -> None:
    """Connect and play, in an event loop of the caller's, until the task is cancelled.

    Raises BadSetting or Refused. See `run` for the arguments; `Client` can also be told to leave gracefully.

    >>> asyncio.run(play(Bot()))  # doctest: +SKIP
    """
    address = settings.server(server, token, tls, ca)
    await Client(bot, address, matches=matches, questions=questions, take_over=take_over).play()


def run(
    bot: Bot,
    server: str | None = None,
    token: str | None = None,
    *,
    tls: bool | None = None,
    ca: str | os.PathLike[str] | None = None,
    matches: int | None = None,
    questions: int | None = None,
    take_over: bool = False,
    quiet: bool | None = None,
) -> None:
    """Connect and play until told to stop: once by Ctrl-C to finish the open matches, twice to stop at once.

    `server` is host:port, or farfalias://host:port for TLS, otherwise FARFALIA_SERVER; `token` otherwise
    FARFALIA_TOKEN; `ca`, the PEM file of an authority of your own, otherwise FARFALIA_CA. `quiet` leaves out
    everything on stderr but what went wrong; otherwise FARFALIA_QUIET=1 does. A lost connection is opened again
    forever. What cannot be fixed that way is said in one sentence on stderr and ends the program with exit code 2 (a
    setting) or 3 (the server refused the bot).

    >>> run(Bot())  # doctest: +SKIP
    """

    client: Client | None = None

    async def until_told() -> None:
        nonlocal client
        check_bot(bot)
        address = settings.server(server, token, tls, ca)
        client = Client(bot, address, matches=matches, questions=questions, take_over=take_over)
        with _signals(client):
            await client.play()

    report.to_stderr(quiet=settings.quiet(quiet))
    try:
        asyncio.run(until_told())
    except FarfaliaError as error:
        print(f"farfalia: {error}", file=sys.stderr)
        raise SystemExit(error.exit_code) from None
    except (KeyboardInterrupt, asyncio.CancelledError):
        print(f"farfalia: stopped at once; open matches: {len(client.open) if client else 0}", file=sys.stderr)
        raise SystemExit(EXIT_CODE) from None


@contextmanager
def _signals(client: Client) -> Iterator[None]:
    """Leave at the first Ctrl-C or SIGTERM, stop at the second, even in the middle of a bot that never returns.

    Signals belong to the main thread: a bot that is run in another one is stopped by other means.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    loop, playing = asyncio.get_running_loop(), asyncio.current_task()
    assert playing is not None
    told = 0

    def stop(number: int, frame: FrameType | None) -> None:
        nonlocal told
        told += 1
        client.told(told)
        if told == 1:
            loop.call_soon_threadsafe(_leave, client)
        elif client.blocked:
            raise KeyboardInterrupt
        else:
            # Nothing is raised here: gRPC would swallow it, with a traceback, in the middle of a callback of its own.
            loop.call_soon_threadsafe(playing.cancel)

    before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _leave(client: Client) -> None:
    if client.open:
        report.log.info("finishing open matches: %d; press Ctrl-C again to stop immediately", len(client.open))
    client.leave()
