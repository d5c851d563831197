"""Tokens that nobody has, and one that is not good any more."""

from __future__ import annotations

import asyncio
from secrets import token_urlsafe

from farfalia.v1 import bots_pb2
from farfalia_tools.torment.catalogue import torment
from farfalia_tools.torment.harness import Harness

#: Tokens that nobody has, and how many of them are shown at once.
_GUESSES, _AT_ONCE = 100, 20


@torment
async def wrong_tokens(harness: Harness) -> str:
    """Show no token, the admin's, one that is nearly right, very long ones, and many that nobody has.

    Each stream ends with TOKEN_MISSING or TOKEN_UNKNOWN; a bot with the right token is welcomed from the same address.
    """
    bot, gate = await harness.bot(), asyncio.Semaphore(_AT_ONCE)
    wrong = [harness.admin_token, bot.token[:-1], bot.token + "x", bot.token.swapcase(), "x" * 4000]
    wrong = [token for token in wrong if token] + [token_urlsafe(32) for _ in range(_GUESSES)]

    async def shown(token: str, reason: str) -> None:
        async with gate, harness.stream(token) as stream:
            await stream.ended(reason)

    async with harness.witness_playing():
        await shown("", "TOKEN_MISSING")
        await asyncio.gather(*(shown(token, "TOKEN_UNKNOWN") for token in wrong))
        async with harness.stream(bot) as stream:
            await stream.welcome()
    return f"{len(wrong)} tokens were TOKEN_UNKNOWN, none was TOKEN_MISSING, the right one was welcomed"


@torment
async def old_token(harness: Harness) -> str:
    """Stay connected while the bot gets a new token, and come back with the old one.

    The stream ends with TOKEN_REPLACED, the old token is TOKEN_UNKNOWN, and the new one is welcomed.
    """
    bot = await harness.bot()
    async with harness.stream(bot) as stream:
        await stream.welcome()
        answer = await harness.arena.ask("RotateToken", bots_pb2.RotateTokenRequest(name=bot.name))
        await stream.ended("TOKEN_REPLACED")
    async with harness.stream(bot) as stream:
        await stream.ended("TOKEN_UNKNOWN")
    async with harness.stream(answer.token) as stream:
        await stream.welcome()
    return "the stream ended with TOKEN_REPLACED, then the old token was TOKEN_UNKNOWN and the new one welcomed"
