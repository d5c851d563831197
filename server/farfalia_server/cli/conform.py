"""`farfalia conform`: whether a bot's program keeps the contract."""

import shlex
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.text import Text

from farfalia import bots as samples
from farfalia_server import __version__
from farfalia_server.cli.local_options import PATIENCE, Wait
from farfalia_server.cli.output import note, print_json, say
from farfalia_server.cli.private_server import folder
from farfalia_server.cli.remote import JsonOption
from farfalia_server.cli.signals import run_until_stopped
from farfalia_server.contract.errors import FarfaliaServerError
from farfalia_server.local.bot_specs import BotSpecError, parse
from farfalia_server.local.startable import check_startable

if TYPE_CHECKING:  # what asks the questions takes a while to import
    from farfalia_server.conformance.run import Seen

_STYLES = {"passed": "green", "failed": "bold red", "skipped": "yellow"}
#: Seconds for one decision.
_SECONDS = 10.0


def add_to(app: typer.Typer) -> None:
    """Put the command into an app."""
    app.command()(conform)


def conform(
    bot: Annotated[
        str, typer.Option(metavar="BOT", help=f"A program, or one of {', '.join(samples.NAMES)}: as `run` takes it.")
    ],
    limit: Annotated[float, typer.Option(min=0.1, help="Seconds that it may take for one decision.")] = _SECONDS,
    wait: Wait = PATIENCE,
    junit: Annotated[Path | None, typer.Option(dir_okay=False, help="Write a file of JUnit XML, for CI.")] = None,
    html: Annotated[
        Path | None, typer.Option(dir_okay=False, help="Write a page of one file, to show to others.")
    ] = None,
    json: JsonOption = False,
) -> None:
    """Check whether a bot keeps the contract.

    The command starts the program and a server of its own on this machine. It asks more than a hundred questions of
    each game that the program plays, with every option and every kind of decision, alone and many in one message, some
    twice. It pings it while it thinks, ends its stream, drains and kills its server, plays a void match again, and
    sends what the contract does not have yet. Each thing that is wrong comes with the sentence of the contract that
    says so. After it the program is started again, and the check goes on.

    Exits with 0 only if nothing failed. What does not apply to the program is skipped, with the reason.

    \b
    Examples:
      farfalia conform --bot ./mybot
      farfalia conform --bot "node bot.mjs" --junit conform.xml
    """
    from farfalia_server.conformance.junit import junit as as_junit
    from farfalia_server.conformance.page import page
    from farfalia_server.conformance.run import FAILED
    from farfalia_server.conformance.run import conform as look

    try:
        (spec,) = parse([bot])
        check_startable([spec])
    except BotSpecError as error:
        raise typer.BadParameter(str(error)) from error
    command = spec.command or (sys.executable, "-m", "farfalia.bots", spec.house)
    with folder(None, "farfalia-conform-") as data:
        output = data / "output.txt"
        tell = (lambda one: None) if json else _tell
        seen = run_until_stopped(look(command, output, seconds=limit, patience=wait, tell=tell))
    failed = [one for one in seen if one.state == FAILED]
    if junit is not None:
        _write(junit, as_junit(spec.text, seen))
    if html is not None:
        _write(html, page(spec.text, seen, __version__))
    if json:
        print_json({"passed": not failed, "bot": shlex.join(command), "items": [asdict(one) for one in seen]})
    else:
        counts = [(state, sum(one.state == state for one in seen)) for state in _STYLES]
        say(f"{len(seen)} items: {', '.join(f'{count} {state}' for state, count in counts if count)}.")
    if failed:
        raise typer.Exit(1)


def _tell(one: "Seen") -> None:
    """Print an item as soon as it is known."""
    say(Text.assemble((f"{one.state:<8} ", _STYLES[one.state]), f"{one.name}: {one.text} ({one.took_ms} ms)"))
    for finding in one.findings:
        say(f"         {finding.text}", f"           {finding.clause.place}: “{finding.clause.quote}”")
    if one.output:
        note("         The program wrote last:", *(f"         | {line}" for line in one.output))


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise FarfaliaServerError(f"cannot write {path}: {(error.strerror or str(error)).lower()}") from error
