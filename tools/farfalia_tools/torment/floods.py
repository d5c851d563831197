"""More messages, log lines and nonces than a bot may send."""

from __future__ import annotations

import asyncio

from farfalia.v1 import play_pb2
from farfalia_tools.torment.catalogue import torment
from farfalia_tools.torment.harness import Harness, TormentBot
from farfalia_tools.torment.stream import DidNotHold

#: Entries of one message of a flood; with these it stays below 256 KiB.
_LINES, _NONCES, _ACTIONS = 100_000, 900, 10_000
#: Seconds between two attempts of a bot that is kept out.
_AGAIN = 1.0


@torment
async def flood_of_messages(harness: Harness) -> str:
    """Send empty messages as fast as they are taken.

    The stream ends with MESSAGES_TOO_FAST; for some seconds the bot is kept out, then welcomed; others play on.
    """
    bot = await harness.bot()
    sent = await _flood(harness, bot, play_pb2.PlayRequest())
    refused = 1
    while await _refused(harness, bot):
        refused += 1
        await asyncio.sleep(_AGAIN)
    return f"the stream ended after {sent} messages; the bot was welcomed again after {refused} refusals"


@torment
async def flood_of_actions(harness: Harness) -> str:
    """Send messages with thousands of answers to questions that nobody asked.

    The stream ends with MESSAGES_TOO_FAST, and another one is refused for some seconds; others play on.
    """
    action = play_pb2.Action(match=1, number=1, action=1)
    sent = await _flood(harness, await harness.bot(), play_pb2.PlayRequest(actions=[action] * _ACTIONS))
    return f"the stream ended after {sent} messages of {_ACTIONS} actions"


@torment
async def flood_of_log_lines(harness: Harness) -> str:
    """Send messages with a hundred thousand log lines each.

    The stream ends with MESSAGES_TOO_FAST, and another one is refused for some seconds; others play on.
    """
    sent = await _flood(harness, await harness.bot(), play_pb2.PlayRequest(logs=[play_pb2.LogLine()] * _LINES))
    return f"the stream ended after {sent} messages of {_LINES} lines"


@torment
async def flood_of_nonces(harness: Harness) -> str:
    """Send messages with hundreds of nonces that nobody asked for.

    The stream ends with MESSAGES_TOO_FAST; other bots are still asked for theirs, and play on.
    """
    given = [play_pb2.Nonce(tournament=number, nonce=bytes(8)) for number in range(1, _NONCES + 1)]
    asked = await harness.bot()
    await harness.plan(asked)
    sent = await _flood(harness, await harness.bot(), play_pb2.PlayRequest(nonces=given))
    async with harness.stream(asked) as stream:
        await stream.until("the question for a nonce", lambda: any(one.entered for one in stream.messages))
    return f"the stream ended after {sent} messages of {_NONCES} nonces; another bot was asked for its nonce"


@torment
async def flood_of_pongs(harness: Harness) -> str:
    """Send pongs that answer no ping, and other capacities, as fast as they are taken.

    The stream ends with MESSAGES_TOO_FAST, and another one is refused for some seconds; others play on.
    """
    useless = play_pb2.PlayRequest(
        pong=play_pb2.Pong(nonce=2**64 - 1), capacity=play_pb2.Capacity(matches=2**32 - 1, questions=0)
    )
    sent = await _flood(harness, await harness.bot(), useless)
    return f"the stream ended after {sent} messages"


async def _flood(harness: Harness, bot: TormentBot, message: play_pb2.PlayRequest) -> int:
    """Send a message until the stream ends, while the witness plays a match; return how many were sent."""
    data, sent = message.SerializeToString(), 0
    async with harness.witness_playing():
        async with harness.stream(bot) as stream:
            await stream.welcome()
            try:
                async with asyncio.timeout(harness.patience):
                    while await stream.send_bytes(data):
                        sent += 1
            except TimeoutError:
                raise DidNotHold(f"after {sent} messages in {harness.patience:g} s the stream is still open") from None
            # grpc.aio's own INTERNAL hides the reason where a message was on its way: the next stream is told it, too.
            await stream.ended("MESSAGES_TOO_FAST", "INTERNAL")
        if not await _refused(harness, bot):
            raise DidNotHold("a new stream was welcomed at once")
    return sent


async def _refused(harness: Harness, bot: TormentBot) -> bool:
    """Return whether a new stream is refused for what the bot has sent; DidNotHold if it is for another reason."""
    async with harness.stream(bot) as stream:
        await stream.until("a welcome or an end", lambda: stream.messages or stream.over)
        if stream.messages:
            return False
        await stream.ended("MESSAGES_TOO_FAST")
        return True
