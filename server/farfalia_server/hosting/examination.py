"""Asks a program questions, as a table would, and says what is wrong with its answers."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Iterable, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import groupby
from typing import Final, Protocol

from farfalia.v1 import play_pb2, record_pb2
from farfalia_engine import Deals, Ruleset
from farfalia_server.contract.clauses import (
    ANSWER,
    ANSWERED_TWICE,
    FAILURE,
    LEGAL,
    ONE_PROCESS,
    Clause,
    Finding,
)
from farfalia_server.contract.errors import ProgramError
from farfalia_server.hosting.relay import Relay
from farfalia_server.hosting.situations import OPPONENT, Situation
from farfalia_server.play.question_encoding import QuestionEncoder, encode_clock, encode_question
from farfalia_server.records.codec import time_control
from farfalia_server.records.house_bot import HouseBot

#: Seconds for one decision.
DECIDES_WITHIN: Final = 10.0
#: Legal actions that a sentence lists.
_LISTED: Final = 12


class Broken(ProgramError):
    """Raised when a program breaks the contract: each finding says how."""

    def __init__(self, *findings: Finding) -> None:
        super().__init__(findings[0].text)
        self.findings = findings


class Examined(Protocol):
    """A program that runs."""

    @property
    def ending(self) -> object:
        """How it ended, as the end of a sentence."""

    async def wait(self) -> object:
        """Wait until it has ended."""


class Seat:
    """A seat of the program at a match, as it was told of it."""

    def __init__(self, seated: play_pb2.Seated) -> None:
        self.seated = seated
        self.match = seated.match
        #: The number of the newest question.
        self.number = 0
        self._encoder = QuestionEncoder(seated.match)
        self._control = time_control(seated.time_control)

    def question(
        self, situation: Situation, *, number: int = 0, bank_ms: int = 0, strikes: int = 0
    ) -> play_pb2.Question:
        """Return a question of the match about this situation, the next one unless it has a number of its own."""
        self.number = number or self.number + 1
        encoded = self._encoder.question(self.number, situation.kind, situation.view, situation.legal)
        clock = encode_clock(self._control, bank_ms, strikes, 0, 0, False)
        return play_pb2.PlayResponse.FromString(encode_question(encoded, clock)).questions[0]


@dataclass(eq=False, slots=True)
class Asked:
    """A question, how often it was sent, and what has been answered."""

    question: play_pb2.Question
    #: What it is about, for sentences.
    about: str
    sent: int = 0
    answers: list[play_pb2.Action] = field(default_factory=list)
    answered: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def key(self) -> tuple[int, int]:
        """Its match and number."""
        return self.question.match, self.question.number

    @property
    def name(self) -> str:
        """How a sentence calls it."""
        return f"the question {self.question.number} of a match of {self.about}"


class Examination:
    """The questions that one process is asked, through its relay, each to be answered within `seconds`."""

    relay: Relay
    process: Examined

    def __init__(self, seconds: float = DECIDES_WITHIN) -> None:
        self.seconds = seconds
        #: By match, where it sits.
        self.open: dict[int, Seat] = {}
        #: What it has said that nothing asked for.
        self.remarks: list[Finding] = []
        self._asked: dict[tuple[int, int], Asked] = {}
        self._over: dict[tuple[int, int], Asked] = {}
        self._match = 0
        self._begun = False

    # -- what the relay asks and tells ----------------------------------------------------------

    def take(self, message: play_pb2.PlayRequest) -> None:
        """Note the answers of the process."""
        for action in message.actions:
            key = action.match, action.number
            asked = self._asked.get(key) or self._over.get(key)
            if asked is None:
                text = f"it answered the question {action.number} of match {action.match}, which nobody had asked"
                self.remarks.append(Finding(text, ANSWERED_TWICE))
                continue
            asked.answers.append(action)
            asked.answered.set()
            if len(asked.answers) == asked.sent + 1:
                times = f"{asked.sent + 1} times, but was asked {asked.sent}"
                self.remarks.append(Finding(f"it answered {asked.name} {times}", ANSWERED_TWICE))

    def seats(self) -> list[play_pb2.Seated]:
        """Return the seats that it is welcomed with."""
        return [seat.seated for seat in self.open.values()]

    def again(self) -> list[play_pb2.Question]:
        """Return what it has not answered, as it is asked again on a new stream."""
        questions = []
        for asked in self._asked.values():
            if not asked.answered.is_set():
                asked.sent += 1
                asked.question.clock.resent = True
                questions.append(asked.question)
        return questions

    # -- seats ----------------------------------------------------------------------------------

    def sit(self, rules: Ruleset, seat: int, *, match: int = 0, board: str = "") -> Seat:
        """Give it a seat at a new match, or at one that is played again, and tell it so; each has a board of its own,
        unless one is named."""
        self._match += 1
        return self.give(
            play_pb2.Seated(
                match=match or self._match,
                ruleset=rules.name,
                options=rules.options,
                seat=seat,
                seats=rules.seats,
                board=board or f"check-{self._match}",
                commitment=bytes(32),
                time_control=record_pb2.TimeControl(limit_ms=round(self.seconds * 1000)),
            )
        )

    def give(self, seated: play_pb2.Seated) -> Seat:
        """Give it this seat, and tell it so."""
        sits = self.open[seated.match] = Seat(seated)
        self.relay.send(play_pb2.PlayResponse(seated=[seated]))
        return sits

    def rise(self, sits: Seat, outcome: record_pb2.MatchOutcome | None = None, *, voided: bool = False) -> None:
        """End a match; without an outcome it was given up."""
        del self.open[sits.match]
        finished = play_pb2.Finished(match=sits.match, seat=sits.seated.seat, outcome=outcome, voided=voided)
        self.relay.send(play_pb2.PlayResponse(finished=[finished]))

    # -- questions ------------------------------------------------------------------------------

    def note(self, question: play_pb2.Question, about: str) -> Asked:
        """Expect answers to a question, which is not sent yet."""
        asked = Asked(question, about)
        self._asked[asked.key] = asked
        self._over.pop(asked.key, None)
        return asked

    def send(self, asked: Iterable[Asked], more: play_pb2.PlayResponse | None = None) -> None:
        """Ask questions in one message, which may hold more; without a stream they wait for the next one."""
        message = more or play_pb2.PlayResponse()
        for one in asked:
            if self.relay.has_stream:
                one.sent += 1
            message.questions.append(one.question)
        self.relay.send(message)

    async def answers(self, asked: Sequence[Asked], clause: Clause = ANSWER) -> list[int]:
        """Wait for an answer to each of these; Broken says which are wrong, and which do not come."""
        try:
            await self.either(_all(one.answered.wait() for one in asked), self.seconds)
        finally:
            for one in asked:
                self._over[one.key] = self._asked.pop(one.key, one)
        wrong = [finding for one in asked for finding in self._wrong(one, clause)]
        if wrong:
            raise Broken(*wrong)
        return [one.answers[0].action for one in asked]

    async def ask(self, batch: Sequence[tuple[Seat, Situation]]) -> list[int]:
        """Ask questions of different matches in one message, and return the answers; Broken."""
        asked = [self.note(sits.question(situation), situation.text) for sits, situation in batch]
        self.send(asked)
        return await self.answers(asked)

    async def answer_all(self, asked: Sequence[Situation]) -> int:
        """Have all situations answered, as many at a time as the process takes; Broken has the first bad answers.

        The situations of one seat in one match are asked as such, one after the other.
        """
        ordered = sorted(asked, key=lambda one: (one.rules.name, str(one.rules.options), one.match, one.seat))
        waiting = deque(deque(group) for _, group in groupby(ordered, _place))
        sitting: deque[tuple[Seat, deque[Situation]]] = deque()
        while waiting or sitting:
            while waiting and len(sitting) < self.relay.capacity.matches:
                group = waiting.popleft()
                sitting.append((self.sit(group[0].rules, group[0].seat), group))
            # The first answer comes alone: a slow bot then offers to take fewer at once.
            at_once = min(len(sitting), self.relay.capacity.questions if self._begun else 1)
            batch = [sitting.popleft() for _ in range(at_once)]
            await self.ask([(sits, group.popleft()) for sits, group in batch])
            self._begun = True
            for sits, group in batch:
                if group:
                    sitting.append((sits, group))
                else:
                    self.rise(sits)
        return len(asked)

    async def play(self, rules: Ruleset, seat: int) -> int:
        """Have the process play a match in a seat against house bots, and return its points; Broken."""
        deals = Deals(sha256(b"farfalia check %d" % seat).digest())
        house = HouseBot(OPPONENT, deals)
        sits = self.sit(rules, seat)
        state, actions = rules.new_match(deals), 0
        while (pending := state.pending) is not None:
            decides, legal = pending.seats[0], state.legal_actions()
            view = state.observation(decides)
            if len(legal) == 1:
                action = legal[0]
            elif decides == seat:
                (action,) = await self.ask([(sits, Situation(rules, 0, seat, pending.kind, view, tuple(legal)))])
            else:
                action = house.decide(view, decides, actions)
            state.apply(action, decides)
            actions += 1
        assert state.outcome is not None
        self.rise(sits, record_pb2.MatchOutcome(points=state.outcome.points))
        return int(state.outcome.points[seat])

    async def either(self, waiting: Awaitable[object], seconds: float) -> bool:
        """Wait for something, `seconds` at most, and return whether it came; Broken if the process ends first."""
        wanted, ended = asyncio.ensure_future(waiting), asyncio.ensure_future(self.process.wait())
        try:
            await asyncio.wait({wanted, ended}, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
            if wanted.done():
                return True
            if ended.done():
                raise Broken(Finding(f"it {self.process.ending}", ONE_PROCESS))
            return False
        finally:
            wanted.cancel()
            ended.cancel()

    def _wrong(self, asked: Asked, clause: Clause) -> list[Finding]:
        if not asked.answers:
            return [Finding(f"it did not answer {asked.name} within {self.seconds:g} seconds", clause)]
        wrong = []
        for action in asked.answers[: asked.sent]:
            if action.failure:
                text = f"it failed at {asked.name}: {action.failure[:200]}"
                wrong.append(Finding(text, FAILURE))
            elif action.action not in asked.question.legal:
                legal = ", ".join(map(str, asked.question.legal[:_LISTED]))
                text = f"it answered {asked.name} with {action.action}, which is not legal; legal were {legal}"
                wrong.append(Finding(text, LEGAL))
        return wrong


def _place(situation: Situation) -> tuple[str, str, int, int]:
    return situation.rules.name, str(situation.rules.options), situation.match, situation.seat


async def _all(waiting: Iterable[Awaitable[object]]) -> None:
    await asyncio.gather(*waiting)
