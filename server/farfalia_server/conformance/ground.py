"""What an item works with: the program, the server that it plays on, and the streams that it has opened."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

from farfalia.v1 import play_pb2
from farfalia_engine import GAMES
from farfalia_server.conformance.pings import Pings
from farfalia_server.contract.clauses import COMES_BACK, HELLO, INSTANCE, Clause, Finding
from farfalia_server.hosting.examination import Asked, Broken, Examination, Seat
from farfalia_server.hosting.relay import Relay
from farfalia_server.hosting.relay_stream import RelayStream
from farfalia_server.hosting.situations import Situation, situations, variants
from farfalia_server.local.programs import Program, Programs
from farfalia_server.net.ports import loopback, with_port

#: Matches that a program may offer to play at a time, and be given.
_MATCHES: Final = 64
#: Situations of each kind of decision in each variant of a game, and matches that they are looked for in: more than
#: a hundred of every game.
_OF_A_KIND, _LOOKED_AT = 16, 6


class Ground:
    """A program that runs, its server, and the examination that asks the questions; it is welcomed as `bot`."""

    def __init__(self, seconds: float, patience: float, bot: str = "conform") -> None:
        #: Seconds that the program may take to connect, and to come back.
        self.patience = patience
        self.examination = Examination(seconds)
        self.pings = Pings()
        #: Every stream that the program has opened, in this order.
        self.streams: list[RelayStream] = []
        self._opened = asyncio.Condition()
        self._told: set[asyncio.Task[None]] = set()
        self._messages: asyncio.Queue[play_pb2.PlayRequest] = asyncio.Queue()
        self._token = secrets.token_hex(16)
        self.relay = self.examination.relay = Relay(
            bot,
            self._token,
            take=self._take,
            seats=self.examination.seats,
            again=self.examination.again,
            opened=self._note,
            refused=lambda why: self.examination.remarks.append(Finding(why, HELLO)),
            matches=_MATCHES,
            ping_interval_ms=self.pings.interval_ms,
        )
        self._host, self._port = loopback(), 0
        self.program: Program | None = None

    @asynccontextmanager
    async def running(self, programs: Programs, command: Sequence[str], output: Path) -> AsyncIterator[None]:
        """Start server and program, which are ended with the block."""
        await self.listen()
        pinging = asyncio.create_task(self.pings.send(self.relay))
        environment = {"FARFALIA_SERVER": with_port(self._host, self._port), "FARFALIA_TOKEN": self._token}
        try:
            self.program = self.examination.process = await programs.start("bot", command, environment, output)
            try:
                yield
            finally:
                await programs.end(self.program)
        finally:
            pinging.cancel()
            await self.relay.close()

    async def listen(self) -> None:
        """Start the server, the second time on the same port."""
        self._port = await self.relay.listen(with_port(self._host, self._port))

    @property
    def games(self) -> list[str]:
        """The games that the program plays."""
        return [game for game in GAMES if game in self.relay.hello.rulesets or not self.relay.hello.rulesets]

    def situations(self, game: str) -> list[Situation]:
        """Return more than a hundred decisions of a game, of all its options."""
        return [one for rules in variants(game) for one in situations(rules, _OF_A_KIND, _LOOKED_AT)]

    def few(self, number: int) -> list[Situation]:
        """Return this number of decisions, spread over the games that it plays."""
        by_game = [situations(variants(game)[0], _OF_A_KIND) for game in self.games]
        return [by_game[at % len(by_game)][at // len(by_game)] for at in range(number)]

    def unlike(self, number: int) -> list[Situation]:
        """Return up to this number of decisions, no two of which have a legal action in common."""
        found: list[Situation] = []
        for situation in (one for game in self.games for one in self.situations(game)):
            if len(found) < number and all(set(situation.legal).isdisjoint(other.legal) for other in found):
                found.append(situation)
        return found

    def seated(self, situation: Situation) -> tuple[Seat, Situation]:
        """Give the program a seat where it will be asked about this."""
        return self.examination.sit(situation.rules, situation.seat), situation

    def noted(self, situation: Situation) -> Asked:
        """Give the program a seat and return a question for it, which is not sent yet."""
        return self.examination.note(self.seated(situation)[0].question(situation), situation.text)

    def rise(self) -> None:
        """End all matches that are open."""
        for sits in list(self.examination.open.values()):
            self.examination.rise(sits)

    async def next_stream(self, after: int, why: str, clause: Clause = COMES_BACK) -> RelayStream:
        """Wait for the stream that is opened after the first `after` ones, and return it; Broken if none comes."""
        if not await self.examination.either(self._more_than(after), self.patience):
            raise Broken(Finding(f"it had opened no stream {self.patience:g} seconds after {why}", clause))
        return self.streams[after]

    async def next_message(self, seconds: float) -> play_pb2.PlayRequest | None:
        """Return the next message that the program writes from now on that is no answer; None if none comes."""
        try:
            async with asyncio.timeout(seconds):
                return await self._messages.get()
        except TimeoutError:
            return None

    def wrong_with_hellos(self) -> list[Finding]:
        """Return what is wrong with the instances that the streams have named."""
        instances = {stream.hello.instance for stream in self.streams}
        wrong = [
            Finding(f"its hello has an instance of {len(one)} bytes; expected 1 to 64", INSTANCE)
            for one in instances
            if not 1 <= len(one) <= 64
        ]
        if len(instances) > 1:
            wrong.append(Finding("it came back with another instance than before", INSTANCE))
        return wrong

    async def _more_than(self, number: int) -> None:
        async with self._opened:
            await self._opened.wait_for(lambda: len(self.streams) > number)

    def _note(self, stream: RelayStream) -> None:
        self.streams.append(stream)
        self.pings.forget()
        task = asyncio.create_task(self._tell())
        self._told.add(task)
        task.add_done_callback(self._told.discard)

    async def _tell(self) -> None:
        async with self._opened:
            self._opened.notify_all()

    def _take(self, message: play_pb2.PlayRequest) -> None:
        if message.HasField("pong"):
            self.pings.note(message.pong.nonce)
        if message.nonces or message.HasField("goodbye"):
            self._messages.put_nowait(message)
        self.examination.take(message)
