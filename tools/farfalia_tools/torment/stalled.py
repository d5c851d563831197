"""Connections that are there and say nothing."""

from __future__ import annotations

import asyncio
import socket
from contextlib import AsyncExitStack, suppress
from urllib.parse import urlsplit

from farfalia.v1 import bots_pb2, play_pb2, record_pb2
from farfalia_tools.torment.catalogue import torment
from farfalia_tools.torment.harness import Harness, TormentBot
from farfalia_tools.torment.relay import Relay
from farfalia_tools.torment.stream import DidNotHold, first_legal

#: Milliseconds for the decision of a bot that has gone silent.
_SHORT_MS = 1000
#: Silent connections to a port at most, and useless answers of a bot that never reads, in messages of a hundred.
_SILENT, _USELESS = 200, 8
#: Seconds to dial.
_DIAL = 10.0


@torment
async def half_open(harness: Harness) -> str:
    """Stop reading and sending while a question is open, with the connection still there, as with a cut cable.

    A bot that dials again is asked the same question at once; one that does not loses its seat. Both matches end.
    """
    back, gone = await harness.bot(), await harness.bot()
    async with (
        Relay(harness.server.target) as relay,
        harness.stream(back, instance=b"cut", via=relay.address) as cut,
        harness.stream(gone, via=relay.address) as lost,
    ):
        await cut.welcome()
        await lost.welcome()
        first, second = await harness.match(back), await harness.match(gone, limit_ms=_SHORT_MS, grace=0)
        asked = await cut.question()
        await lost.question()
        relay.freeze()
        async with harness.stream(back, instance=b"cut") as stream:
            again = await stream.question()
            if (again.number, again.clock.resent) != (asked.number, True):
                raise DidNotHold(f"question {asked.number} did not come again")
        async with harness.stream(back, instance=b"cut", play=first_legal):
            returned = await harness.played(first, back)
        silent = await harness.played(second, gone)
    if returned.number(record_pb2.CAUSE_BOT) != len(returned.actions):
        raise DidNotHold("the bot that dialled again had a strike")
    if silent.number(record_pb2.CAUSE_TIMEOUT) + silent.number(record_pb2.CAUSE_ABSENT) != 1:
        raise DidNotHold("the bot that did not dial again kept its seat")
    return f"{len(returned.actions)} answers over a new connection counted; the other bot lost its seat"


@torment
async def never_reads(harness: Harness) -> str:
    """Send answers that nobody asked for, and never read the stream.

    The seat goes to a house bot and the match ends; the server gives the stream up; others play on.
    """
    bot = await harness.bot()
    useless = play_pb2.PlayRequest(actions=[play_pb2.Action(match=2**63, number=1)] * 100)
    async with harness.witness_playing(), harness.stream(bot, reads=False) as stream:
        number = await harness.match(bot, limit_ms=_SHORT_MS, grace=0)
        for _ in range(_USELESS):
            await stream.send(useless)
        played = await harness.played(number, bot)
        if played.number(record_pb2.CAUSE_BOT):
            raise DidNotHold("an answer counted that the bot did not give")
        await _gone(harness, bot)
    return f"the match ended with {len(played.actions)} decisions of a house bot, and the stream was given up"


@torment
async def silent_connections(harness: Harness) -> str:
    """Open connections to both ports that never say anything.

    Other bots are welcomed and play on, and pages are answered.
    """
    async with harness.stream(harness.witness, instance=b"witness") as stream:
        pages = urlsplit((await stream.welcome()).pages)
    host, _, port = harness.server.target.rpartition(":")
    ports = [(host.strip("[]"), int(port))]
    if pages.hostname and pages.port:
        ports.append((pages.hostname, pages.port))
    async with AsyncExitStack() as stack:
        opened = 0
        for _ in range(min(harness.streams, _SILENT)):
            for where in ports:
                with suppress(OSError):  # the server may take no more of them
                    stack.enter_context(await asyncio.to_thread(socket.create_connection, where, _DIAL))
                    opened += 1
        async with harness.witness_playing():
            pass
        answered = await harness.page("/healthz") if len(ports) > 1 else ""
    return f"{opened} connections were there; a bot played a match" + (", a page was answered" if answered else "")


async def _gone(harness: Harness, bot: TormentBot) -> None:
    for _ in range(round(harness.patience / 0.2)):
        if not (await harness.arena.ask("GetBot", bots_pb2.GetBotRequest(name=bot.name))).bot.connected:
            return
        await asyncio.sleep(0.2)
    raise DidNotHold(f"after {harness.patience:g} s the bot still counts as connected")
