"""`farfalia serve`: the server, with every setting as an option."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import sys
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import typer

from farfalia_server.cli.output import note, say
from farfalia_server.cli.server_files import ConfigOption, load, with_settings
from farfalia_server.contract.errors import FarfaliaServerError
from farfalia_server.net import event_loop, grpc_experiments
from farfalia_server.settings import Settings
from farfalia_server.workers.control import Control

if TYPE_CHECKING:  # they take a second to import, when a server starts
    from farfalia_server.app import Server
    from farfalia_server.workers.group import Workers

#: How long a server of which a part has failed may take to shut down.
_SHUTDOWN_SECONDS = 20.0


@dataclass(frozen=True, slots=True)
class _ServerToRun:
    """What serves, and how it tells the user to connect."""

    server: Server | Workers
    introduce: Callable[[], Awaitable[object]]


def add_to(app: typer.Typer) -> None:
    """Put the command into an app."""
    app.command()(serve)


@with_settings
def serve(config: ConfigOption = None, **options: Any) -> None:
    """Run the server: ladders, tournaments and web pages.

    Ctrl-C or SIGTERM lets running matches end; a second one stops immediately. Options override environment
    variables, which override the file of --config, which overrides the defaults.

    Servers with the same --database-url and the same --redis-url are one arena, on as many machines as you like. With
    --workers several processes on this machine act as one server.
    """
    chosen = load(config, **options)
    grpc_experiments.choose()
    # These take a second, which commands without a server need not wait for.
    from farfalia_server import logs
    from farfalia_server.net.secrecy import hide

    hide()
    logs.configure(chosen.log_level, chosen.log_format)
    try:
        event_loop.run(_serve(_several(chosen) if chosen.effective_workers > 1 else _one(chosen)))
    except asyncio.CancelledError:  # by SIGTERM, before it was up
        raise typer.Exit(128 + signal.SIGTERM) from None


def _one(chosen: Settings) -> _ServerToRun:
    from farfalia_server.app import Server

    server = Server(chosen)
    return _ServerToRun(server, partial(_introduce, chosen, server))


def _several(chosen: Settings) -> _ServerToRun:
    from farfalia_server.workers.group import Workers

    workers = Workers(chosen)
    return _ServerToRun(workers, workers.introduce)


async def _serve(served: _ServerToRun) -> None:
    stop = asyncio.Event()
    signals = 0
    server = served.server

    def told() -> None:
        nonlocal signals
        signals += 1
        if signals == 1:
            note("Stopping after the running matches. Press Ctrl-C again to stop immediately.")
            server.drain().add_done_callback(lambda _: stop.set())
        else:
            stop.set()

    running, starting = asyncio.get_running_loop(), asyncio.current_task()
    assert starting is not None
    running.add_signal_handler(signal.SIGTERM, starting.cancel)  # as SIGINT does, or its Redis would be left behind
    async with server:
        if starting.cancelling():  # what it waited for then came at the same moment, and the cancellation was lost
            raise asyncio.CancelledError
        for number in (signal.SIGINT, signal.SIGTERM):
            running.add_signal_handler(number, told)
        await served.introduce()
        try:
            await server.serve_until(stop)
        except FarfaliaServerError as error:
            running.call_later(_SHUTDOWN_SECONDS, _exit_now, error)
            raise


def _exit_now(error: FarfaliaServerError) -> None:
    """End a server that has failed and whose other parts do not end either."""
    note(
        f"farfalia: {error}",
        f"The rest of the server did not stop within {_SHUTDOWN_SECONDS:.0f} s; exiting without it.",
    )
    os._exit(error.exit_code)


def work(descriptor: int) -> None:
    """Be one of the workers of a server, whose end of the control has this number."""
    from farfalia_server import logs
    from farfalia_server.net.secrecy import hide
    from farfalia_server.workers import worker

    hide()
    for number in (signal.SIGINT, signal.SIGTERM):  # they reach whole terminals and units; the control says what to do
        signal.signal(number, signal.SIG_IGN)

    async def main() -> None:
        control = await Control.open(socket.socket(fileno=descriptor))
        begin = await control.receive()
        if begin is None:
            return
        chosen = Settings(**begin["settings"])
        logs.configure(chosen.log_level, chosen.log_format, worker=chosen.node)
        await worker.serve(chosen, begin["workers"], control, partial(_introduce, chosen))

    try:
        event_loop.run(main())
    except FarfaliaServerError as error:  # which the other end has been told
        sys.exit(error.exit_code)
    except asyncio.CancelledError:
        sys.exit(128 + signal.SIGTERM)


async def _introduce(chosen: Settings, server: Server) -> None:
    """Print what a user needs first, with the admin token if nobody has seen one yet."""
    if not await server.introduce(partial(_print_introduction, server, bool(chosen.admin_token))):
        note("Another server started at the same moment: the admin token that it shows is the valid one.")


def _print_introduction(server: Server, token_chosen: bool, admin_token: str | None) -> None:
    public = server.public
    say(
        f"Bots connect to {public.bots} with their token:",
        f"  FARFALIA_SERVER={public.bots} FARFALIA_TOKEN=… python mybot.py",
        f"Pages: {public.pages}",
        f"Python: install the SDK from {public.pages}downloads/",
        "Other languages: the contract and how to use it are there, too",
    )
    if public.guessed:
        say(
            "That is this machine's own name. If others cannot reach it, start the server with --public-address HOST",
            "(or set FARFALIA_PUBLIC_ADDRESS).",
        )
    if admin_token:
        say(
            f"Admin token, shown only once: {admin_token}",
            "  export FARFALIA_ADMIN_TOKEN to it, then: farfalia bot register NAME",
        )
    if not token_chosen:
        say("If you lose the admin token, start the server with --admin-token NEW.")
