"""`farfalia bridge`: a program that plays by lines of JSON."""

import shlex
from typing import Annotated

import typer

from farfalia.bridge import run_bridge
from farfalia.settings import DEFAULT_SERVER
from farfalia_server.cli.bot import TokenOption
from farfalia_server.cli.remote import ServerOption
from farfalia_server.local.bot_specs import BotSpecError, parse
from farfalia_server.local.startable import check_startable


def add_to(app: typer.Typer) -> None:
    """Put the command of this module into an app."""
    app.command()(bridge)


def bridge(
    program: Annotated[list[str], typer.Argument(metavar="-- PROGRAM", help="The program and its arguments.")],
    game: Annotated[
        list[str] | None, typer.Option(metavar="GAME", help="A game that it plays; may be repeated. All by default.")
    ] = None,
    server: ServerOption = DEFAULT_SERVER,
    token: TokenOption = "",
) -> None:
    """Let a program play by lines of JSON.

    The program, in any language, reads from its standard input and writes to its standard output. Each question is one
    line, an object with `"type": "question"`; the answer is a line with a number of its `legal`, a text of its `names`,
    or an object with `match`, `number` and `action`. Questions of several matches come one at a time. Lines of the
    types `seated`, `result`, `finished` and `notice` take no answer. Standard error is for what the program has to say.

    The bot connects as every other one, with FARFALIA_SERVER and FARFALIA_TOKEN. What is wrong with a line is said in
    one sentence, and play goes on; a wrong action is a strike. Exits with 1 if the program ends with another code than
    0, or owes an answer when it ends.

    \b
    Examples:
      farfalia run --bot "farfalia bridge -- ./mybot --fast" --bot greedy
      farfalia conform --bot "farfalia bridge -- perl mybot.pl"
      FARFALIA_TOKEN=… farfalia bridge --server arena.example -- ./mybot
    """
    words = shlex.join(program)
    try:
        (spec,) = parse([words])
        check_startable([spec])
    except BotSpecError as error:
        raise typer.BadParameter(str(error)) from error
    if not spec.own:
        raise typer.BadParameter(f"{words} is a sample bot, which plays without a bridge; expected a program.")
    run_bridge(spec.command, server, token, game or ())
