"""The server that `farfalia bench loop` measures, with a ticker in its loop; its settings come from the environment.

It says where bots and pages are as one line of JSON. Then each line on standard input ends a measurement, whose result
is a line of JSON, and begins another.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from dataclasses import asdict

from farfalia_server import logs, settings_loading
from farfalia_server.app import Server
from farfalia_server.net.event_loop import run
from farfalia_tools.bench.loop.ticker import Ticker


async def _main() -> None:
    chosen = settings_loading.load()
    logs.configure(chosen.log_level)
    running = asyncio.get_running_loop()
    running.add_signal_handler(signal.SIGTERM, lambda: None)  # it ends with its standard input, and its Redis with it
    async with Server(chosen) as server, Ticker() as ticker:
        _say({"bots": server.grpc_address, "pages": server.pages, "pid": os.getpid()})
        while await running.run_in_executor(None, sys.stdin.readline):
            _say(asdict(ticker.end()))
            ticker.begin()


def _say(value: object) -> None:
    print(json.dumps(value), flush=True)


if __name__ == "__main__":
    run(_main())
