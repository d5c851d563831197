"""`farfalia mcp`: a seat for a language model."""

import typer

from farfalia.settings import DEFAULT_SERVER
from farfalia.settings import server as settings_of
from farfalia_server.cli.bot import TokenOption
from farfalia_server.cli.remote import ServerOption
from farfalia_server.contract.errors import FarfaliaServerError
from farfalia_server.local.missing_extra import install_line


def add_to(app: typer.Typer) -> None:
    """Put the command of this module into an app."""
    app.command()(mcp)


def mcp(server: ServerOption = DEFAULT_SERVER, token: TokenOption = "") -> None:
    """Give a language model a seat, over the Model Context Protocol.

    An assistant that speaks this protocol starts the command and plays by its tools: `games`, `rules`, `play_match`,
    `next_decision` and `act`. Questions come in words, and actions go by their texts. Without a token the model plays
    matches in this process against sample bots. With FARFALIA_TOKEN it has the seats of that bot on a server; give
    tournaments for models a limit of a minute or more for each decision.

    It needs the extra 'mcp'.

    \b
    Examples:
      claude mcp add farfalia -- farfalia mcp
      FARFALIA_SERVER=arena.example FARFALIA_TOKEN=… farfalia mcp
    """
    if token:
        settings_of(server, token)
    try:
        from farfalia_server.local.model_seat import model_server
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in {"mcp", "anyio"}:
            raise
        raise FarfaliaServerError(
            f"farfalia mcp needs the package mcp, which the extra 'mcp' brings: {install_line('mcp')}"
        ) from error
    model_server(server, token).run("stdio")
