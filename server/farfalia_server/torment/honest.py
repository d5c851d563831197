"""Sample bots that play without fault, all in one process. Run by `farfalia torment`.

The first line of the input is JSON: `{"server": ADDRESS, "bots": [[SAMPLE, TOKEN], …]}`. They play until the input
ends, by a close or by the death of the process that started them. A bot that cannot play ends all with a sentence on
standard output.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import threading

from farfalia import bots, settings
from farfalia.client import Client
from farfalia.errors import FarfaliaError


async def _play(server: str, chosen: list[tuple[str, str]]) -> None:
    async with asyncio.TaskGroup() as group:
        for seed, (sample, token) in enumerate(chosen):
            client = Client(bots.create(sample, seed), settings.server(server, token), matches=64, questions=64)
            group.create_task(client.play())


def _leave_at_the_end() -> None:
    sys.stdin.read()
    os._exit(0)


def main() -> None:
    """Play until the input ends."""
    asked = json.loads(sys.stdin.readline())
    threading.Thread(target=_leave_at_the_end, daemon=True).start()
    try:
        asyncio.run(_play(asked["server"], asked["bots"]))
    except* FarfaliaError as errors:
        print(*errors.exceptions, sep="; ", flush=True)


if __name__ == "__main__":
    main()
