"""Running until it is done, or until Ctrl-C or SIGTERM."""

import asyncio
import signal
import sys
from collections.abc import Coroutine
from typing import Any, TypeVar

import typer

from farfalia_server.cli.output import note
from farfalia_server.net import event_loop

T = TypeVar("T")


def exit_at_sigterm() -> None:
    """Let SIGTERM end a command without an event loop as Ctrl-C does: all that it has begun is ended, too."""
    signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))


def run_until_stopped(work: Coroutine[Any, Any, T]) -> T:
    """Return the result of the work; either signal ends it gracefully, and the command with 128 and its number."""
    stopped: list[int] = []

    async def guarded() -> T:
        task = asyncio.ensure_future(work)

        def stop(number: int) -> None:
            stopped.append(number)
            task.cancel()

        for number in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(number, stop, number)
        return await task

    try:
        return event_loop.run(guarded())
    except asyncio.CancelledError:
        if not stopped:
            raise
        note("Stopped.")
        raise typer.Exit(128 + stopped[0]) from None
