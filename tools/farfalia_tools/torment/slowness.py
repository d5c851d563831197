"""Bots that answer late, never, or at the last moment, and pongs that do."""

from __future__ import annotations

import asyncio

from farfalia.v1 import play_pb2, record_pb2
from farfalia_server.play.clock import LAG_ALLOWANCE
from farfalia_tools.torment.catalogue import torment
from farfalia_tools.torment.harness import GRACE, Harness
from farfalia_tools.torment.stream import DidNotHold, Play, TormentStream, first_legal
from farfalia_tools.torment.verdicts import check_verdicts

#: Milliseconds for a decision where it has to run out, and where a bot answers just before.
_SHORT_MS, _DRIP_MS = 500, 1000
#: Seconds before the limit at which a slow bot answers.
_BEFORE = 0.25
#: Slow answers of a torment; the others come at once, so that it ends.
_SLOW = 6
#: Strikes that a bot survives which is not to lose its seat.
_ENDLESS = 1000
#: Seconds by which pongs are late, those that a bot thinks, and what measuring may be wrong by for an answer.
_PONG_AFTER, _THINKS, _TOLERANCE = 0.4, 0.3, 0.05


@torment
async def silent(harness: Harness) -> str:
    """Take a seat and never answer.

    Each question costs its time and a strike; a house bot gets the seat after one strike more than the grace, and the
    match ends.
    """
    bot = await harness.bot()
    async with harness.stream(bot) as stream:
        await stream.welcome()
        played = await harness.played(await harness.match(bot, limit_ms=_SHORT_MS), bot)
        await stream.until("the notice SEAT_TAKEN_OVER", lambda: "SEAT_TAKEN_OVER" in stream.reasons())
    late = played.number(record_pb2.CAUSE_TIMEOUT)
    if late != GRACE + 1 or played.number(record_pb2.CAUSE_BOT):
        raise DidNotHold(f"its seat was taken over after {late} strikes, not {GRACE + 1}")
    return f"its seat was taken over after {late} strikes of {_SHORT_MS} ms"


@torment
async def slow_drip(harness: Harness) -> str:
    """Answer just before the limit.

    Answers within the limit count, and each question has one verdict, that of the record; the match ends.
    """
    slowly = _answering_after(_DRIP_MS / 1000 - _BEFORE)
    stream, late = await _timed(harness, _DRIP_MS, slowly)
    if late and harness.judge_times:
        raise DidNotHold(f"{late} of its answers, {_BEFORE:g} s before the limit, were too late")
    charged = [result.charged_ms for result in stream.results()][:_SLOW]
    return f"of {_SLOW} answers {_BEFORE:g} s before the limit {late} were too late; charged {charged} ms"


@torment
async def exact_limit(harness: Harness) -> str:
    """Answer at the moment at which the time runs out.

    Each answer counts or is too late, never both, and the record says the same; the match ends.
    """
    _, late = await _timed(harness, _SHORT_MS, _answering_after(_SHORT_MS / 1000))
    return f"of {_SLOW} answers at the limit {late} were too late, and the record agrees with every verdict"


@torment
async def late_pongs(harness: Harness) -> str:
    """Delay every pong, to seem far away, and think before each answer.

    No more than the lag compensation is taken off what a decision took; the match ends with the bot's own answers.
    """
    bot = await harness.bot()
    before = await harness.metrics()
    async with harness.stream(bot, play=_answering_after(_THINKS), pong_after=_PONG_AFTER) as stream:
        await stream.welcome()
        await asyncio.sleep(2 * _PONG_AFTER)
        number = await harness.match(bot)
        played = await harness.played(number, bot)
    if played.number(record_pb2.CAUSE_BOT) != len(played.actions):
        raise DidNotHold("not all of its answers counted")
    charged = sum(action.took_ms for action in played.actions[:_SLOW]) / 1000 / _SLOW
    stalled = "farfalia_loop_stalled_seconds_total"
    stood = (await harness.metrics()).get(stalled, 0.0) - before.get(stalled, 0.0)
    if harness.judge_times and charged + stood / _SLOW < _THINKS - LAG_ALLOWANCE - _TOLERANCE:
        raise DidNotHold(f"a decision of {_THINKS * 1000:.0f} ms was charged {charged * 1000:.0f} ms")
    return f"decisions of {_THINKS * 1000:.0f} ms were charged {charged * 1000:.0f} ms on average"


@torment
async def no_pongs(harness: Harness) -> str:
    """Say hello, and answer no ping.

    The stream ends with NO_PONG after three ping intervals, and the bot may come back.
    """
    bot = await harness.bot()
    async with harness.stream(bot, pong_after=None) as stream:
        interval = (await stream.welcome()).ping_interval_ms / 1000
        await stream.ended("NO_PONG")
        pings = sum(message.HasField("ping") for message in stream.messages)
    async with harness.stream(bot) as stream:
        await stream.welcome()
    return f"the stream ended with NO_PONG after {pings} pings, one every {interval:g} s"


async def _timed(harness: Harness, limit_ms: int, play: Play) -> tuple[TormentStream, int]:
    """Play a match in this way; return the stream and how many of the slow answers were too late."""
    bot = await harness.bot()
    async with harness.stream(bot, play=play) as stream:
        await stream.welcome()
        played = await harness.played(await harness.match(bot, limit_ms=limit_ms, grace=_ENDLESS), bot)
    check_verdicts([stream], played)
    return stream, sum(action.cause == record_pb2.CAUSE_TIMEOUT for action in played.actions[:_SLOW])


def _answering_after(seconds: float) -> Play:
    """Answer the first questions so late, the others at once."""

    async def play(stream: TormentStream, question: play_pb2.Question) -> None:
        if question.number <= _SLOW:
            await asyncio.sleep(seconds)
        await first_legal(stream, question)

    return play
