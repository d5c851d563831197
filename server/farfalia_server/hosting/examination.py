"""Asks a program questions, as a table would, and says what is wrong with its answers."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

from farfalia.v1 import play_pb2, record_pb2
from farfalia_engine import Deals, Kind, Observation, Ruleset, TimeControl
from farfalia_server.contract.errors import ProgramError
from farfalia_server.hosting.relay import Relay
from farfalia_server.play.question_encoding import QuestionEncoder, encode_clock, encode_question
from farfalia_server.records.house_bot import HouseBot
from farfalia_server.sandbox import RunningProgram

#: Seconds for one decision.
DECIDES_WITHIN: Final = 10.0
#: Situations of each kind of decision in each game, and matches that they are looked for in.
_OF_A_KIND, _LOOKED_AT = 2, 3
#: The house bot that plays the other seats.
_OPPONENT = "random"
_CONTROL = TimeControl(int(DECIDES_WITHIN * 1000), 0, 0)


@dataclass(frozen=True, slots=True)
class Situation:
    """A decision to make: what the seat sees, and what it may do."""

    rules: Ruleset
    seat: int
    kind: Kind
    view: Observation
    legal: tuple[int, ...]


def situations(rules: Ruleset) -> list[Situation]:
    """Return decisions of each kind in a game, the same each time."""
    found: dict[Kind, list[Situation]] = {}
    for number in range(_LOOKED_AT):
        chance = random.Random(number)
        for situation in _decisions(rules, number):
            of_kind = found.setdefault(situation.kind, [])
            if len(of_kind) < _OF_A_KIND and chance.random() < 0.2:
                of_kind.append(situation)
    return [one for of_kind in found.values() for one in of_kind]


def _decisions(rules: Ruleset, number: int) -> Iterator[Situation]:
    deals = Deals(sha256(b"farfalia situations %d" % number).digest())
    house = HouseBot(_OPPONENT, deals)
    state, actions = rules.new_match(deals), 0
    while (pending := state.pending) is not None:
        seat, legal = pending.seats[0], state.legal_actions()
        view = state.observation(seat)
        if len(legal) > 1:
            yield Situation(rules, seat, pending.kind, view, tuple(legal))
        state.apply(house.decide(view, seat, actions) if len(legal) > 1 else legal[0], seat)
        actions += 1


class Examination:
    """The questions that one process is asked, through its relay."""

    relay: Relay
    process: RunningProgram

    def __init__(self) -> None:
        #: By number, what it has not answered.
        self.unanswered: dict[int, play_pb2.Question] = {}
        self._answers: dict[int, asyncio.Future[play_pb2.Action]] = {}
        self._match = 0
        self._number = 0

    def take(self, message: play_pb2.PlayRequest) -> None:
        """Note the answers of the process."""
        for action in message.actions:
            waiting = self._answers.get(action.number) if action.match == self._match else None
            if waiting is not None and not waiting.done():
                waiting.set_result(action)

    async def either(self, waiting: Awaitable[object], seconds: float) -> bool:
        """Wait for something, `seconds` at most, and return whether it came; ProgramError if the process ends first."""
        wanted, ended = asyncio.ensure_future(waiting), asyncio.ensure_future(self.process.wait())
        try:
            await asyncio.wait({wanted, ended}, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
            if wanted.done():
                return True
            if ended.done():
                raise ProgramError(f"it {ended.result()}")
            return False
        finally:
            wanted.cancel()
            ended.cancel()

    async def answer_all(self, asked: Sequence[Situation]) -> int:
        """Have all situations answered, those of each game in one match; ProgramError names the first bad answer."""
        rules = None
        for situation in asked:
            if situation.rules is not rules:
                rules = situation.rules
                self._begin(rules, situation.seat)
            await self._ask(situation)
        return len(asked)

    async def play(self, rules: Ruleset, seat: int) -> int:
        """Have the process play a match in a seat against house bots, and return its points; ProgramError."""
        deals = Deals(sha256(b"farfalia check %d" % seat).digest())
        house = HouseBot(_OPPONENT, deals)
        self._begin(rules, seat)
        state, actions = rules.new_match(deals), 0
        while (pending := state.pending) is not None:
            decides, legal = pending.seats[0], state.legal_actions()
            view = state.observation(decides)
            if len(legal) == 1:
                action = legal[0]
            elif decides == seat:
                action = await self._ask(Situation(rules, seat, pending.kind, view, tuple(legal)))
            else:
                action = house.decide(view, decides, actions)
            state.apply(action, decides)
            actions += 1
        assert state.outcome is not None
        finished = play_pb2.Finished(match=self._match, seat=seat)
        finished.outcome.points.extend(state.outcome.points)
        self.relay.send(play_pb2.PlayResponse(finished=[finished]))
        return int(state.outcome.points[seat])

    def _begin(self, rules: Ruleset, seat: int) -> None:
        self._match += 1
        self._number = 0
        self._encoder = QuestionEncoder(self._match)
        seated = play_pb2.Seated(
            match=self._match,
            ruleset=rules.name,
            options=rules.options,
            seat=seat,
            seats=rules.seats,
            board=f"check-{self._match}",
            commitment=bytes(32),
            time_control=record_pb2.TimeControl(limit_ms=_CONTROL.limit_ms),
        )
        self.relay.send(play_pb2.PlayResponse(seated=[seated]))

    async def _ask(self, situation: Situation) -> int:
        """Return the answer to a situation; ProgramError if it is illegal, does not come, or the process ends."""
        self._number += 1
        number, kind = self._number, situation.kind.name.lower()
        encoded = self._encoder.question(number, situation.kind, situation.view, situation.legal)
        message = play_pb2.PlayResponse.FromString(encode_question(encoded, encode_clock(_CONTROL, 0, 0, 0, 0, False)))
        waiting = self._answers[number] = asyncio.get_running_loop().create_future()
        self.unanswered[number] = message.questions[0]
        self.relay.send(message)
        where = f"the question {number} of a match of {situation.rules.name} ({kind})"
        try:
            if not await self.either(asyncio.shield(waiting), DECIDES_WITHIN):
                raise ProgramError(f"it did not answer {where} within {DECIDES_WITHIN:g} seconds")
        finally:
            del self.unanswered[number], self._answers[number]
        action = waiting.result()
        if action.failure:
            raise ProgramError(f"it failed at {where}: {action.failure[:200]}")
        if action.action not in situation.legal:
            legal = ", ".join(map(str, situation.legal[:12]))
            raise ProgramError(f"it answered {where} with {action.action}, which is not legal; legal were {legal}")
        return int(action.action)
