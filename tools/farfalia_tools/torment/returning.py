"""Bots that come, go and come back: takeovers, lost streams, storms of streams."""

from __future__ import annotations

import asyncio
import time
from collections import Counter

from farfalia.v1 import record_pb2
from farfalia_server.play import limits
from farfalia_tools.torment.catalogue import torment
from farfalia_tools.torment.harness import Harness
from farfalia_tools.torment.stream import DidNotHold, TormentStream, first_legal
from farfalia_tools.torment.verdicts import check_verdicts

#: How often two instances take over from each other; at how many questions a bot is lost, fewer than its streams.
_FIGHTS, _LOSSES = 8, limits.STREAMS_BURST - 8
#: Streams of a storm that are opened at a time.
_AT_ONCE = 100


@torment
async def takeovers(harness: Harness) -> str:
    """Fight for a seat with two instances of a bot, each of which takes over from the other.

    The older stream ends with STREAM_REPLACED, the newer one is asked the same question again; one that does not say
    take_over gets BOT_CONNECTED. The match ends with the answers of the bot.
    """
    bot = await harness.bot()
    stream = await harness.stream(bot, instance=b"0").open()
    try:
        await stream.welcome()
        number = await harness.match(bot)
        asked = await stream.question()
        for fight in range(1, _FIGHTS + 1):
            async with harness.stream(bot, instance=b"another") as shy:
                await shy.ended("BOT_CONNECTED")
            older = stream
            stream = await harness.stream(bot, instance=b"%d" % (fight % 2), take_over=True).open()
            again = await stream.question()
            await older.ended("STREAM_REPLACED")
            await older.close()
            if (again.number, again.legal, again.clock.resent) != (asked.number, asked.legal, True):
                raise DidNotHold(f"question {asked.number} came back as question {again.number}")
    finally:
        await stream.close()
    async with harness.stream(bot, take_over=True, play=first_legal):
        played = await harness.played(number, bot)
    _check_all_its_own(played.actions)
    return f"{_FIGHTS} takeovers at question {asked.number}, then {len(played.actions)} answers counted"


@torment
async def disconnects(harness: Harness) -> str:
    """Break the stream off at every question, come back, and answer then.

    The question comes again with its number; no answer is lost or counted twice, and the match ends without a strike.
    """
    bot, streams, number, asked = await harness.bot(), [], 0, 0
    for _ in range(_LOSSES):
        async with harness.stream(bot, instance=b"lost") as stream:
            streams.append(stream)
            await stream.welcome()
            number = number or await harness.match(bot)
            if asked:
                question = await stream.question(after=asked - 1)
                if question.number != asked or not question.clock.resent:
                    raise DidNotHold(f"question {asked} did not come again after the bot had come back")
                await first_legal(stream, question)
            asked = await _next_question(stream, asked)
        if not asked:
            break
    async with harness.stream(bot, instance=b"lost", play=first_legal) as stream:
        streams.append(stream)
        played = await harness.played(number, bot)
    check_verdicts(streams, played)
    _check_all_its_own(played.actions)
    return f"{len(streams) - 1} lost streams, {len(played.actions)} answers counted, no strikes"


@torment
async def reconnect_storm(harness: Harness) -> str:
    """Open hundreds of streams of one bot, all of which say take_over, as fast as the server takes them.

    No more are welcomed than a bot may open, the others end with STREAMS_TOO_FAST; other bots are welcomed and play on.
    """
    bot = await harness.bot()
    ends: Counter[str] = Counter()
    gate = asyncio.Semaphore(_AT_ONCE)

    async def once() -> None:
        async with gate, harness.stream(bot, take_over=True) as stream:
            await stream.until("a welcome or an end", lambda: stream.messages or stream.over)
            ends["welcome" if stream.messages else stream.end.reason if stream.end else "OK"] += 1

    began = time.monotonic()
    async with harness.witness_playing(), asyncio.TaskGroup() as group:
        for _ in range(harness.streams):
            group.create_task(once())
    allowed = limits.STREAMS_BURST + limits.STREAMS_RATE * (time.monotonic() - began) + 1
    if ends["welcome"] > allowed:
        raise DidNotHold(
            f"of {harness.streams} streams {ends['welcome']} were welcomed, expected {allowed:.0f} at most"
        )
    return f"of {harness.streams} streams: " + ", ".join(f"{reason} {number}" for reason, number in ends.most_common())


async def _next_question(stream: TormentStream, after: int) -> int:
    """Return the number of the next question; 0 if the match is over."""

    def found() -> object:
        return any(one.number > after for one in stream.questions()) or any(one.finished for one in stream.messages)

    await stream.until("the next question", found)
    return next((one.number for one in stream.questions() if one.number > after), 0)


def _check_all_its_own(actions: list[record_pb2.RecordAction]) -> None:
    others = sum(action.cause != record_pb2.CAUSE_BOT for action in actions)
    if others:
        raise DidNotHold(f"{others} of its {len(actions)} answers were not its own")
