"""Sample bots that play without fault, all in one process. Run by `farfalia torment`.

The first line of the input is JSON: `{"server": ADDRESS, "bots": [[SAMPLE, TOKEN], …], "matches": AT_A_TIME}`. For each
further line standard output has one with the number of decisions so far. They play until the input ends, by a close or
by the death of the process that started them. A bot that cannot play ends all with a sentence on standard output.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import threading

from farfalia import bots, settings
from farfalia.bot import Bot
from farfalia.client import Client
from farfalia.errors import FarfaliaError
from farfalia_engine import Observation


class _Counted(Bot):
    """A bot whose decisions are counted, together with those of the others."""

    decisions = 0

    def __init__(self, bot: Bot) -> None:
        self._bot = bot

    def decide(self, view: Observation) -> int:
        _Counted.decisions += 1
        return self._bot.decide(view)


async def _play(server: str, chosen: list[tuple[str, str]], matches: int) -> None:
    async with asyncio.TaskGroup() as group:
        for seed, (sample, token) in enumerate(chosen):
            bot = _Counted(bots.create(sample, seed))
            client = Client(bot, settings.server(server, token), matches=matches, questions=64)
            group.create_task(client.play())


def _tell_until_the_end() -> None:
    for _ in sys.stdin:
        print(_Counted.decisions, flush=True)
    os._exit(0)


def main() -> None:
    """Play until the input ends."""
    asked = json.loads(sys.stdin.readline())
    threading.Thread(target=_tell_until_the_end, daemon=True).start()
    try:
        asyncio.run(_play(asked["server"], asked["bots"], asked["matches"]))
    except* FarfaliaError as errors:
        print(*errors.exceptions, sep="; ", flush=True)


if __name__ == "__main__":
    main()
