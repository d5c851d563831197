"""Programs of bots beside a real server."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from tests.cli import forked
from tests.server.live import LiveServer

Program = subprocess.Popen[str] | forked.Bot


@contextmanager
def connected(server: LiveServer, name: str, program: Sequence[str], token: str = "") -> Iterator[Program]:
    """Run a bot's program, registered first if it has no token, until the end of the test at the latest.

    One in Python is forked off a process that has the SDK.
    """
    token = token or server.register(name)
    environment = os.environ | {"FARFALIA_SERVER": server.grpc_address, "FARFALIA_TOKEN": token}
    bot: Program
    if program[0] == sys.executable:
        bot = forked.bot(program[1:], environment)
    else:
        bot = subprocess.Popen(program, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        yield bot
    finally:
        bot.kill()
        bot.communicate()


def house(server: LiveServer, *names: str) -> list[str]:
    """Register these house bots, all greedy ones."""
    for name in names:
        server.register(name, house="greedy")
    return list(names)


def sample(name: str) -> list[str]:
    return [sys.executable, "-m", "farfalia.bots", name]
