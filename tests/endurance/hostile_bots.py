"""The hostile bots of the long run, in a process of their own.

`python -m tests.endurance.hostile_bots ADDRESS`; the names and tokens of the bots are one line of JSON on standard
input. They are hostile until the input ends, however often the server does.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import threading
from contextlib import suppress

from farfalia_tools.torment.harness import Harness, TormentBot
from farfalia_tools.torment.hostile_bots import TRICKS, be_hostile


async def main(address: str, bots: list[tuple[str, str]]) -> None:
    harness = Harness(address, "")
    await asyncio.gather(*(_again_and_again(harness, TormentBot(*bot), at) for at, bot in enumerate(bots)))


async def _again_and_again(harness: Harness, bot: TormentBot, trick: int) -> None:
    while True:
        with suppress(Exception):  # the server has been killed, or has had enough
            await be_hostile(harness, bot, TRICKS[trick % len(TRICKS)])
        await asyncio.sleep(1)


def _leave_at_the_end() -> None:
    sys.stdin.read()
    os._exit(0)


if __name__ == "__main__":
    given = json.loads(sys.stdin.readline())
    threading.Thread(target=_leave_at_the_end, daemon=True).start()
    asyncio.run(main(sys.argv[1], given))
