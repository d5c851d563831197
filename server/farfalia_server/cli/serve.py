"""`farfalia serve`: the server, with every setting as an option."""

import asyncio
import os
import signal
from functools import partial
from typing import TYPE_CHECKING, Any

import typer

from farfalia_server import event_loop
from farfalia_server.cli.output import note, say
from farfalia_server.cli.server_files import ConfigOption, load, with_settings
from farfalia_server.errors import FarfaliaServerError

if TYPE_CHECKING:  # it takes a second to import, when a server starts
    from farfalia_server.app import Server

#: How long a server of which a part has failed may take to shut down.
_SHUTDOWN_SECONDS = 20.0


def add_to(app: typer.Typer) -> None:
    """Put the command into an app."""
    app.command()(serve)


@with_settings
def serve(config: ConfigOption = None, **options: Any) -> None:
    """Run the server: ladders, tournaments and web pages.

    Ctrl-C or SIGTERM lets running matches end; a second one stops immediately. Options override environment
    variables, which override the file of --config, which overrides the defaults.
    """
    chosen = load(config, **options)
    # These take a second, which commands without a server need not wait for.
    from farfalia_server.app import Server
    from farfalia_server.cli import logs

    logs.configure(chosen.log_level, chosen.log_format)

    try:
        event_loop.run(_serve(Server(chosen), token_chosen=bool(chosen.admin_token)))
    except asyncio.CancelledError:  # by SIGTERM, before it was up
        raise typer.Exit(128 + signal.SIGTERM) from None


async def _serve(server: "Server", *, token_chosen: bool) -> None:
    stop = asyncio.Event()
    signals = 0

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
        for number in (signal.SIGINT, signal.SIGTERM):
            running.add_signal_handler(number, told)
        if not await server.introduce(partial(_introduce, server, token_chosen)):
            note("Another server started at the same moment: the admin token that it shows is the valid one.")
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


def _introduce(server: "Server", token_chosen: bool, admin_token: str | None) -> None:
    """Print what a user needs first."""
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
