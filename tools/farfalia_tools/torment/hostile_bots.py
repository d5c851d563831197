"""Bots of the field that are never done with what they do: each connects again as long as it is let live."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from farfalia.v1 import play_pb2
from farfalia_tools.torment.harness import Harness, TormentBot
from farfalia_tools.torment.stream import DidNotHold, TormentStream, first_legal

#: What a hostile bot does with a question.
_Trick = Callable[[TormentStream, play_pb2.Question], Awaitable[None]]
#: Seconds until a hostile bot connects again, and those by which a late one is too late.
_AGAIN, _LATE = 1.0, 0.2


async def _never_answers(stream: TormentStream, question: play_pb2.Question) -> None:
    pass


async def _answers_late(stream: TormentStream, question: play_pb2.Question) -> None:
    await asyncio.sleep(question.clock.limit_ms / 1000 + _LATE)
    await first_legal(stream, question)


async def _answers_illegally(stream: TormentStream, question: play_pb2.Question) -> None:
    await stream.act(question.match, question.number, 2**32 - 1)


async def _sends_garbage(stream: TormentStream, question: play_pb2.Question) -> None:
    await first_legal(stream, question)
    if question.number % 5 == 0:
        await stream.send_bytes(b"\xff\xfe garbage \x00" * 99)


async def _floods(stream: TormentStream, question: play_pb2.Question) -> None:
    flood = play_pb2.PlayRequest(logs=[play_pb2.LogLine()] * 20_000).SerializeToString()
    while await stream.send_bytes(flood):
        pass


async def _breaks_off(stream: TormentStream, question: play_pb2.Question) -> None:
    await first_legal(stream, question)
    stream.cancel()


async def _answers_again_and_again(stream: TormentStream, question: play_pb2.Question) -> None:
    for _ in range(3):
        for number in (question.number, question.number + 1):
            await stream.send_action(question.match, number, question.legal[0])


#: In the order in which a field gets them.
TRICKS: tuple[_Trick, ...] = (
    _never_answers,
    _floods,
    _breaks_off,
    _sends_garbage,
    _answers_illegally,
    _answers_again_and_again,
    _answers_late,
)


async def be_hostile(harness: Harness, bot: TormentBot, trick: _Trick) -> None:
    """Play the bot in this way until the task is cancelled."""

    async def play(stream: TormentStream, question: play_pb2.Question) -> None:
        await trick(stream, question)

    while True:
        async with harness.stream(bot, take_over=True, play=play) as stream:
            try:
                await stream.until("the end of the stream", lambda: stream.over)
            except DidNotHold:
                continue  # it has been there for long: a new one does as well
        await asyncio.sleep(_AGAIN)
