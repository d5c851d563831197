"""Bots of a simulation: they keep what they are asked, answer after a while, and always come back."""

from __future__ import annotations

import asyncio
import random
from typing import TYPE_CHECKING

from tests.server.simulation.call import Call, Lost

from farfalia.v1 import play_pb2

if TYPE_CHECKING:
    from tests.server.simulation.process import ServerProcess
    from tests.server.simulation.world import World


class SimulatedBot:
    """An honest bot: it answers whatever it is asked, soon, and is never away for long."""

    honest = True
    #: It is never away for long.
    stays = True

    def __init__(self, world: World, number: int, name: str) -> None:
        self.world = world
        self.id = number
        self.name = name
        self.token = f"token of {name}"
        self.rng = random.Random(f"{world.scenario.seed}/{name}")
        self.call: Call | None = None
        self._instance = b"1"
        self._features = ["results"] if self.rng.random() < 0.5 else []
        self._capacity = self._some_capacity()

    def _some_capacity(self) -> play_pb2.Capacity:
        return play_pb2.Capacity(matches=self.rng.randint(1, 5), questions=self.rng.randint(1, 3))

    async def run(self) -> None:
        """Connect, play and come back, forever."""
        pause = 0.1
        while True:
            server = self.server()
            if server is not None:
                call = self.call = Call(self.token, self.rng.uniform(0, self.world.scenario.latency))
                server.accept(call)
                self._greet(call)
                try:
                    while True:
                        message = await self._next_message(call)
                        if message.HasField("welcome"):
                            pause = 0.1
                        self.receive(call, message)
                except Lost:
                    self.world.note(f"{self.name} is disconnected")
                self.call = None
            await asyncio.sleep(self._pause(pause))
            pause = min(self.world.scenario.away / 2, 2 * pause)

    def server(self) -> ServerProcess | None:
        """Return the process to which it comes if it connects now."""
        return self.world.reachable(self.rng)

    async def _next_message(self, call: Call) -> play_pb2.PlayResponse:
        """Return the next message; Lost where a server is silent for too long, as one is that is frozen."""
        try:
            async with asyncio.timeout(self.world.scenario.silence):
                return await call.receive()
        except TimeoutError:
            call.lose(self.rng.uniform(0, 5))
            raise Lost from None

    def _pause(self, seconds: float) -> float:
        return self.rng.uniform(seconds / 2, seconds)

    def _greet(self, call: Call) -> None:
        if self.rng.random() < 0.1:  # another process
            self._instance = b"%d" % self.rng.getrandbits(32)
            self._capacity = self._some_capacity()
        hello = play_pb2.Hello(
            client="simulation",
            instance=self._instance,
            capacity=self._capacity,
            features=self._features,
            take_over=True,
        )
        call.send(play_pb2.PlayRequest(hello=hello))

    def receive(self, call: Call, message: play_pb2.PlayResponse) -> None:
        """Handle a message."""
        witness = self.world.witness
        if message.HasField("welcome"):
            self.world.note(f"{self.name} is welcome, with {[seated.match for seated in message.welcome.open]}")
            for seated in message.welcome.open:
                witness.seated(self.name, seated)
        for seated in message.seated:
            witness.seated(self.name, seated)
        if message.HasField("ping"):
            call.send(play_pb2.PlayRequest(pong=play_pb2.Pong(nonce=message.ping.nonce)))
        for entered in message.entered:
            nonce = play_pb2.Nonce(match=entered.match, tournament=entered.tournament, nonce=self.rng.randbytes(16))
            call.send(play_pb2.PlayRequest(nonces=[nonce]))
        for question in message.questions:
            self.world.note(f"{self.name} is asked {question.match}/{question.number}")
            witness.asked(self.name, question, honest=self.honest)
            asyncio.get_running_loop().call_later(self.think(), self.answer, call, question)
        for finished in message.finished:
            witness.finished(self.name, finished, honest=self.honest)
        for result in message.results:
            witness.told(self.name, result, honest=self.honest)

    def think(self) -> float:
        """Return the seconds that a decision takes."""
        return self.rng.uniform(0, self.world.scenario.think)

    def answer(self, call: Call, question: play_pb2.Question) -> None:
        """Answer a question, now and then twice, and with an answer to an old one."""
        action = self.rng.choice(question.legal)
        actions = [play_pb2.Action(match=question.match, number=question.number, action=action)]
        self.world.witness.answered(self.name, question, action)
        if self.rng.random() < 0.05:
            actions *= 2
        if question.number > 1 and self.rng.random() < 0.05:
            actions.insert(0, play_pb2.Action(match=question.match, number=question.number - 1, action=action))
        call.send(play_pb2.PlayRequest(actions=actions))


class GarbageBot(SimulatedBot):
    """A bot that answers anything: what is not legal, for others' matches, and what is no message at all."""

    honest = False

    def answer(self, call: Call, question: play_pb2.Question) -> None:
        match, number = question.match, question.number
        what = self.rng.randrange(8)
        if what == 0:
            call.send(self.rng.randbytes(20))
        elif what == 1:
            call.send(play_pb2.PlayRequest(actions=[play_pb2.Action(match=match, number=number, action=10**6)]))
        elif what == 2:
            call.send(play_pb2.PlayRequest(actions=[play_pb2.Action(match=match, number=number, failure="\0" * 999)]))
        elif what == 3:
            others = [play_pb2.Action(match=other, number=number) for other in range(50)]
            call.send(play_pb2.PlayRequest(actions=others))
        elif what == 4:
            call.send(play_pb2.PlayRequest(goodbye=play_pb2.Goodbye(), capacity=play_pb2.Capacity(matches=10**9)))
        else:
            super().answer(call, question)


class FlakyBot(SimulatedBot):
    """A bot that is slow now and then, and away for longer than it may."""

    honest = stays = False

    def think(self) -> float:
        if self.rng.random() < 0.02:
            return self.world.scenario.control.limit_ms / 1000 * self.rng.uniform(0.9, 2)
        return super().think()

    def _pause(self, seconds: float) -> float:
        if self.rng.random() < 0.1:
            return self.world.scenario.grace * self.rng.uniform(0.5, 2)
        return super()._pause(seconds)


KINDS = {"honest": SimulatedBot, "garbage": GarbageBot, "flaky": FlakyBot}
