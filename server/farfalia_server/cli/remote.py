"""How commands reach a server: the options that they share, and one call to it."""

import asyncio
from typing import Annotated, Any

import typer
from google.protobuf.message import Message

from farfalia_server.local.client import TIMEOUT, Arena

ServerOption = Annotated[
    str,
    typer.Option(envvar="FARFALIA_SERVER", metavar="ADDRESS", help="Where the server is: host:port, or https://host."),
]
AdminOption = Annotated[
    str,
    typer.Option(
        envvar="FARFALIA_ADMIN_TOKEN", metavar="TOKEN", help="The token that the server's first start printed."
    ),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON instead.")]


def ask(server: str, call: str, request: Message, token: str = "", timeout: float | None = TIMEOUT) -> Any:
    """Return the answer of one call; ArenaError if there is none within `timeout` seconds."""

    async def answer() -> Any:
        async with Arena(server, token, timeout=timeout) as arena:
            return await arena.ask(call, request)

    return asyncio.run(answer())


def ask_all(server: str, call: str, request: Message) -> Any:
    """Return the answer of a call that lists something page by page, as one; ArenaError as `ask`."""

    async def answer() -> Any:
        async with Arena(server) as arena:
            return await arena.ask_all(call, request)

    return asyncio.run(answer())
