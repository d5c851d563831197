"""`farfalia host`: runs programs that were handed in, on this machine."""

import asyncio
import os
import signal
import socket
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from farfalia import settings
from farfalia.arena import Arena
from farfalia.errors import BadSetting
from farfalia.settings import DEFAULT_SERVER
from farfalia_server.cli.output import note
from farfalia_server.cli.remote import ServerOption
from farfalia_server.contract.errors import FarfaliaServerError

#: Seconds between two looks at whether its parent is there.
_LOOK = 0.5


def add_to(app: typer.Typer) -> None:
    """Put the command into an app."""
    app.command()(host)


def host(
    server: ServerOption = DEFAULT_SERVER,
    token: Annotated[
        str,
        typer.Option(
            envvar="FARFALIA_HOST_TOKEN", metavar="TOKEN", help="A token for hosts, which an admin's account makes."
        ),
    ] = "",
    name: Annotated[str, typer.Option(help="What the page of nodes calls it; by default the machine's name.")] = "",
    folder: Annotated[Path | None, typer.Option(help="Where it keeps programs.  [./farfalia-host]")] = None,
    slots: Annotated[
        int | None, typer.Option(min=1, help="Processes at a time; by default what cores and memory allow.")
    ] = None,
    sandbox: Annotated[str, typer.Option(metavar="NAME", help="auto, or one that `farfalia doctor` lists.")] = "auto",
    patience: Annotated[
        float, typer.Option(min=0, help="Seconds that running matches may take after Ctrl-C or SIGTERM.")
    ] = 30.0,
    with_parent: Annotated[
        bool, typer.Option("--with-parent", hidden=True, help="Leave when the process that started it ends.")
    ] = False,
) -> None:
    """Run programs that were handed in, on this machine.

    It dials out to the server as a bot does. Start as many hosts as you like, with a name each: they share the work,
    and when one is lost the others go on with its matches. Ctrl-C or SIGTERM gives its programs away; a second one
    stops at once.
    """
    # These take a second, which commands without a host need not wait for.
    from farfalia_server import logs
    from farfalia_server.hosting.host import Host, HostSettings
    from farfalia_server.net import event_loop
    from farfalia_server.net.secrecy import hide
    from farfalia_server.sandbox import choose
    from farfalia_server.settings import LogFormat, LogLevel

    hide()
    logs.configure(LogLevel.INFO, LogFormat.CONSOLE)
    if not token:
        raise typer.BadParameter("missing; expected the token of a host", param_hint="--token")
    try:
        where = settings.server(server, token)
    except BadSetting as error:
        raise FarfaliaServerError(str(error)) from None
    own = HostSettings.of_machine(name or socket.gethostname().partition(".")[0], folder or Path("farfalia-host"))
    if slots is not None:
        own = replace(own, slots=slots)

    async def work() -> None:
        chosen = await choose(sandbox)
        note(f"Programs run in the sandbox {chosen.name}: {chosen.protects}")
        async with Arena(server, token) as arena:
            running = Host(replace(own, folder=own.folder.resolve()), where, arena, chosen)
            told = 0

            def stop() -> None:
                nonlocal told
                told += 1
                if told > 1:
                    os._exit(128 + signal.SIGTERM)
                note("Giving programs away; running matches may end. Press Ctrl-C again to stop at once.")
                running.leave()

            for number in (signal.SIGINT, signal.SIGTERM):
                asyncio.get_running_loop().add_signal_handler(number, stop)
            watching = asyncio.create_task(_watch_parent(running.leave)) if with_parent else None
            try:
                await running.run(0.0 if with_parent else patience, note)
            finally:
                if watching is not None:
                    watching.cancel()

    event_loop.run(work())


async def _watch_parent(leave: Callable[[], None]) -> None:
    """Leave when the server that has started this host is gone."""
    parent = os.getppid()
    while os.getppid() == parent:  # noqa: ASYNC110  (nothing tells of it)
        await asyncio.sleep(_LOOK)
    leave()
