"""A person's seat: the stream of the bot as which the person plays, held by the process that answers browsers.

It plays as any bot does: the same questions under the same numbers, the same clock, the same ends. What the person has
not answered when this process ends is asked again on the next stream, here or on another node.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from random import Random
from secrets import token_bytes
from typing import Final

import grpc
import structlog

from farfalia.backoff import Backoff
from farfalia.bot_stream import BotStream
from farfalia.outbox import Outbox
from farfalia.settings import Server
from farfalia.v1 import matches_pb2, play_pb2
from farfalia.view import View, from_message
from farfalia_engine import SearchResult
from farfalia_server import __version__
from farfalia_server.contract.errors import ResourceExhausted
from farfalia_server.contract.said import said

log = structlog.get_logger(__name__)

#: Most seats in this process.
_MOST: Final = 500
#: Seconds for which a seat without a match is held after its page was last asked for.
IDLE: Final = 120.0
#: Bytes of a nonce.
_NONCE: Final = 16
#: The reason of the notice that a house bot plays a seat to its end, and why a stream ends that another one replaces.
_TAKEN_OVER: Final = "SEAT_TAKEN_OVER"
_ELSEWHERE: Final = ("STREAM_REPLACED", "STREAM_MOVED")


@dataclass(frozen=True, slots=True)
class _OneMatch:
    """What a person offers: one match, one question at a time."""

    matches: int = 1
    questions: int = 1


@dataclass(slots=True)
class SeatAt:
    """Where a person sits in a match, and what it is asked; `over` says why nothing more is asked, if so."""

    seated: play_pb2.Seated
    #: The newest question, and the number of the last one that is settled.
    question: View | None = None
    settled: int = 0
    #: The last answer that was given, to be sent again if it was lost.
    answer: play_pb2.Action | None = None
    over: str = ""
    outcome: play_pb2.Finished | None = None
    #: What the server said of the last answer, if it did not take it.
    said: str = ""
    #: Number of the newest question at which a hint was asked for, 0 for none, and what was found there.
    hinted: int = 0
    hint: SearchResult | None = None
    #: Whether the decision before may be taken back at the newest question.
    takes_back: bool = False
    #: The match as it was read last, while it goes on.
    match: matches_pb2.Match | None = None

    @property
    def waits(self) -> bool:
        """Whether there is a question that has no answer yet."""
        question, answer = self.question, self.answer
        if question is None or self.over or question.number <= self.settled:
            return False
        return answer is None or answer.number != question.number


#: Why nothing more is asked.
FINISHED: Final = "finished"
VOIDED: Final = "voided"
LOST: Final = "lost"


class PersonSeat:
    """The stream of one person, and everything that it has said of the person's match."""

    def __init__(self, server: Server) -> None:
        #: Name of the bot, once a stream was welcomed.
        self.name = ""
        self.matches: dict[int, SeatAt] = {}
        #: Set at the next news; then there is another one.
        self.changed = asyncio.Event()
        #: Raised with everything that happens.
        self.revision = 0
        #: Set once the first stream was welcomed or refused.
        self.known = asyncio.Event()
        #: Why there is no stream any more; empty while there is one, or another attempt is made.
        self.refused = ""
        #: Whether another process has taken the seat.
        self.replaced = False
        #: When somebody last looked, by the event loop's clock.
        self.used = asyncio.get_running_loop().time()
        #: Browsers that follow it now.
        self.viewers = 0
        self._unknown = False
        self._server = server
        self._outbox = Outbox(_OneMatch())
        self._backoff = Backoff(Random())
        self._hello = play_pb2.Hello(
            client="farfalia-page",
            client_version=__version__,
            instance=token_bytes(16),
            features=["results"],
            take_over=True,
        )
        self._stream: BotStream | None = None
        self._task = asyncio.create_task(self._play(), name="person-seat")

    @property
    def ended(self) -> bool:
        """Whether its stream is over for good."""
        return self._task.done()

    @property
    def unknown(self) -> bool:
        """Whether the server knows no guest with this token any more."""
        return self._unknown

    @property
    def playing(self) -> bool:
        """Whether a match is open in which it may be asked."""
        return any(not one.over for one in self.matches.values())

    def look(self) -> None:
        """Note that somebody looks."""
        self.used = asyncio.get_running_loop().time()

    def answer(self, match: int, number: int, action: int) -> bool:
        """Answer a question; False, and nothing is done, unless it is open and has no answer yet."""
        at = self.matches.get(match)
        if at is None or not at.waits or at.question is None or at.question.number != number:
            return False
        hinted = at.hinted == number and at.hint is not None
        self._give(at, play_pb2.Action(match=match, number=number, action=action, hinted=hinted))
        return True

    def take_back(self, match: int, number: int) -> bool:
        """Take back the decision before a question; False, and nothing is done, unless that may be done there."""
        at = self.matches.get(match)
        if at is None or not at.waits or at.question is None or at.question.number != number or not at.takes_back:
            return False
        self._give(at, play_pb2.Action(match=match, number=number, take_back=True))
        return True

    def _give(self, at: SeatAt, answer: play_pb2.Action) -> None:
        at.answer, at.said = answer, ""
        self._outbox.add([answer])
        self._tell()

    async def news(self, revision: int, seconds: float) -> bool:
        """Wait until something has happened since this revision; False if nothing has in these seconds."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while self.revision == revision:
                    await self.changed.wait()
        return self.revision != revision

    def has_been_asked(self, match: int, number: int) -> bool:
        """Return whether the question of this number, or a later one, has come in a match, or nothing more will."""
        at = self.matches.get(match)
        return at is not None and bool(at.over or (at.question is not None and at.question.number >= number))

    async def asked(self, match: int, seconds: float) -> None:
        """Wait until the person is asked something in a match, or it is over, at most these seconds."""
        until = asyncio.get_running_loop().time() + seconds
        while (left := until - asyncio.get_running_loop().time()) > 0 and not self.ended:
            at = self.matches.get(match)
            if at is not None and (at.over or at.waits):
                return
            await self.news(self.revision, left)

    async def close(self) -> None:
        """End the stream."""
        self._task.cancel()
        if self._stream is not None:
            self._stream.abandon("nobody looks")
        with suppress(asyncio.CancelledError):
            await self._task

    async def _play(self) -> None:
        try:
            await self._play_on()
        except Exception:
            log.exception("person_seat_failed")
            self.refused = "the server failed"
        finally:
            self.known.set()
            self._tell()

    async def _play_on(self) -> None:
        while True:
            stream = self._stream = BotStream(self._server, self._outbox, self._take)
            if await stream.open(self._hello):
                await stream.serve_until_drained()
            end = stream.end
            if end is not None and (end.final or end.reason in _ELSEWHERE):
                self.refused, self.replaced = str(end), end.reason in _ELSEWHERE
                self._unknown = end.code is grpc.StatusCode.UNAUTHENTICATED
                return
            await asyncio.sleep(self._backoff.wait(stream.lived))

    async def _take(self, message: play_pb2.PlayResponse) -> None:
        """Do what the server says, in the order of the contract."""
        if message.HasField("welcome"):
            self._welcome(message.welcome)
        for seated in message.seated:
            self._sit(seated)
        for question in message.questions:
            self._ask(question)
        for result in message.results:
            if (at := self.matches.get(result.match)) is not None:
                at.settled = max(at.settled, result.number)
                at.said = result.text
        for finished in message.finished:
            if (at := self.matches.get(finished.match)) is not None:
                at.outcome, at.over = finished, VOIDED if finished.voided else FINISHED
        for notice in message.notices:
            if notice.reason == _TAKEN_OVER and (at := self.matches.get(notice.match)) is not None:
                at.over = LOST
        for entered in message.entered:
            nonce = token_bytes(_NONCE)
            self._outbox.give(play_pb2.Nonce(tournament=entered.tournament, match=entered.match, nonce=nonce))
        self._tell()

    def _welcome(self, welcome: play_pb2.Welcome) -> None:
        sitting = {seated.match: seated for seated in welcome.open}
        for match in [match for match, at in self.matches.items() if match not in sitting and not at.over]:
            del self.matches[match]  # it ended while there was no stream; the match itself says how
        for seated in welcome.open:
            self._sit(seated)
        self.name = welcome.bot
        self.known.set()

    def _sit(self, seated: play_pb2.Seated) -> None:
        """Note a seat; one that is known stays as it is unless the match is played anew."""
        at = self.matches.get(seated.match)
        if at is None or at.over or at.seated.board != seated.board:
            self.matches[seated.match] = SeatAt(seated)

    def _ask(self, question: play_pb2.Question) -> None:
        at = self.matches.get(question.match)
        if at is None:
            return
        at.question, at.takes_back = from_message(question), question.takes_back
        if at.hinted != question.number:
            at.hint = None
        answer = at.answer
        if answer is not None and answer.number == question.number:
            if question.clock.resent and (answer.take_back or answer.action in question.legal):
                self._outbox.add([answer])  # it was lost with the last stream
            else:
                at.answer = None

    def _tell(self) -> None:
        self.revision += 1
        self.changed.set()
        self.changed = asyncio.Event()


class PersonSeats:
    """The seats of persons in this process, by token; `server` returns how a stream is opened with one."""

    def __init__(self, server: Callable[[str], Awaitable[Server]]) -> None:
        self._server = server
        self._seats: OrderedDict[str, PersonSeat] = OrderedDict()
        self._opening = asyncio.Lock()

    async def of(self, token: str, *, here: bool = False) -> PersonSeat:
        """Return the seat of the person with this token, connected, or with why it is not.

        One that has ended is opened anew; one that another process has taken only if it is wanted `here`, since two
        windows would take it from each other over and over. Raises ResourceExhausted (TOO_MANY_PERSONS).
        """
        async with self._opening:
            seat = self._seats.get(token)
            if seat is None or (seat.ended and (here or not seat.replaced)):
                await self._sweep()
                if len(self._seats) >= _MOST:
                    text = said("%(most)s people play here already; try again in a moment", most=_MOST)
                    raise ResourceExhausted(text, "TOO_MANY_PERSONS", retry=30.0)
                seat = self._seats[token] = PersonSeat(await self._server(token))
        seat.look()
        with suppress(TimeoutError):
            async with asyncio.timeout(_WELCOME):
                await seat.known.wait()
        return seat

    async def close(self) -> None:
        """End all streams."""
        for seat in self._seats.values():
            await seat.close()
        self._seats.clear()

    async def _sweep(self) -> None:
        """End those that nobody looks at and that play no match."""
        now = asyncio.get_running_loop().time()
        for token, seat in list(self._seats.items()):
            idle = not seat.viewers and now - seat.used > IDLE
            if (seat.ended and not seat.replaced) or (idle and (seat.ended or not seat.playing)):
                del self._seats[token]
                await seat.close()


#: Seconds that a page waits for its stream.
_WELCOME: Final = 10.0
