"""How commands reach a server: the options that they share, and one call to it."""

from typing import Annotated, Any

import typer
from google.protobuf.message import Message

from farfalia.arena import TIMEOUT, SyncArena
from farfalia.arena_paging import rows

ServerOption = Annotated[
    str,
    typer.Option(
        envvar="FARFALIA_SERVER",
        metavar="ADDRESS",
        help="Where the server is: host:port, or farfalias://host:port for TLS.",
    ),
]
#: The server looks at what the token allows, so one option takes either.
AdminOption = Annotated[
    str,
    typer.Option(
        "--admin-token",
        "--account-token",
        envvar=["FARFALIA_ADMIN_TOKEN", "FARFALIA_ACCOUNT_TOKEN"],
        metavar="TOKEN",
        help="The admin token, which the server's first start printed, or that of your account.",
    ),
]
EventOption = Annotated[
    str, typer.Option("--event", metavar="NAME", help="The event that it belongs to.", show_default=False)
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON instead.")]


def ask(server: str, call: str, request: Message, token: str = "", timeout: float | None = TIMEOUT) -> Any:
    """Return the answer of one call; ArenaError if there is none within `timeout` seconds."""
    with SyncArena(server, token, timeout=timeout) as arena:
        return arena.ask(call, request)


def ask_all(server: str, call: str, request: Message, token: str = "") -> Any:
    """Return the answer of a call that lists something page by page, as one; ArenaError as `ask`."""
    with SyncArena(server, token) as arena:
        pages = arena.pages(call, request)
        whole = next(pages)
        for page in pages:
            rows(whole).extend(rows(page))
        return whole
