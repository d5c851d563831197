"""How commands reach a server: the options that they share, and one call to it."""

import asyncio
from typing import Annotated, Any

import typer
from google.protobuf.message import Message

from farfalia.arena import TIMEOUT, Arena

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

    async def answer() -> Any:
        async with Arena(server, token, timeout=timeout) as arena:
            return await arena.ask(call, request)

    return asyncio.run(answer())


def ask_all(server: str, call: str, request: Message, token: str = "") -> Any:
    """Return the answer of a call that lists something page by page, as one; ArenaError as `ask`."""

    async def answer() -> Any:
        async with Arena(server, token) as arena:
            return await arena.ask_all(call, request)

    return asyncio.run(answer())
