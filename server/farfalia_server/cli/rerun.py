"""`farfalia rerun`: the questions of a seat again, and where a bot decides otherwise now."""

import re
import shlex
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from farfalia import bots as samples
from farfalia.settings import DEFAULT_SERVER
from farfalia.v1 import record_pb2
from farfalia_engine import Cause, Kind, Ruleset, ruleset
from farfalia_server.cli.local_options import PATIENCE, Wait
from farfalia_server.cli.output import note, print_json, prose, say
from farfalia_server.cli.private_server import folder
from farfalia_server.cli.record_argument import RECORD_HELP, load_valid, seat_of
from farfalia_server.cli.remote import JsonOption, ServerOption
from farfalia_server.cli.signals import run_until_stopped
from farfalia_server.contract.errors import ProgramError
from farfalia_server.local.bot_specs import BotSpec, BotSpecError, parse
from farfalia_server.local.startable import check_startable
from farfalia_server.local.watched_files import WatchedFiles, folders_of
from farfalia_server.wording.phrases import cause

if TYPE_CHECKING:  # what asks the questions takes a while to import
    from farfalia_server.conformance.rerunning import Redecided
    from farfalia_server.records.questions import AnsweredQuestion

#: What is done where a decision of each kind is made.
_DONE = {
    Kind.DISCARD: "discarded",
    Kind.DECLARE: "declared",
    Kind.PLAY: "played",
    Kind.COLLECT: "collected",
    Kind.DOUBLE: "doubled:",
    Kind.PICK_TYPE: "picked",
    Kind.BAR: "barred",
    Kind.NAME_TRUMPS: "named",
    Kind.SHOW: "showed",
}
#: Seconds for one decision, unless the match allowed more.
_SECONDS = 10.0


def add_to(app: typer.Typer) -> None:
    """Put the command into an app."""
    app.command()(rerun)


def rerun(
    record: Annotated[str, typer.Argument(help=RECORD_HELP)],
    bot: Annotated[
        str, typer.Option(metavar="BOT", help=f"A program, or one of {', '.join(samples.NAMES)}: as `run` takes it.")
    ],
    seat: Annotated[
        str, typer.Option(metavar="SEAT", help="Whose questions: the number of a seat, from 0, or who sat there.")
    ],
    start: Annotated[
        str | None, typer.Option("--from", metavar="DEAL[.TRICK]", help="Ask from there on, both counted from 1.")
    ] = None,
    watch: Annotated[
        bool, typer.Option("--watch", help="Ask again whenever a file of the program's folder changes, until Ctrl-C.")
    ] = False,
    limit: Annotated[
        float | None,
        typer.Option(
            min=0.1, help="Seconds that it may take for one decision; by default what the match allowed, at least 10."
        ),
    ] = None,
    wait: Wait = PATIENCE,
    keep: Annotated[
        Path | None, typer.Option(file_okay=False, help="Keep what the program writes here, in output.txt.")
    ] = None,
    server: ServerOption = DEFAULT_SERVER,
    json: JsonOption = False,
) -> None:
    """Ask a bot the questions of a match again.

    The command starts the program and sends it what the bot of that seat was sent in the match: the same views, legal
    actions, numbers and clocks. Each question is the one that was asked then, whatever the program answers now, so
    that every answer can be compared with what was done. Only round trips and questions that were sent twice are not
    in a record. Of a house bot's seat, you can ask its decisions, too.

    Exits with 0 if every decision is the same, with 1 if not.

    \b
    Examples:
      farfalia rerun match-7.json --seat ada --bot ./mybot
      farfalia rerun 7 --seat 2 --bot mybot.py --from 3.5 --watch
    """
    from farfalia_server.conformance.rerunning import of_seat
    from farfalia_server.conformance.rerunning import rerun as ask
    from farfalia_server.records.questions import answered_questions

    spec, files = _program(bot, watch)
    message = load_valid(record, server)
    number, rules = seat_of(message, seat), ruleset(message.ruleset, dict(message.options))
    asked = [one for one in of_seat(message, number, answered_questions(message)) if _place(one) >= _start(start)]
    if not asked:
        after = f" from {start} on" if start else ""
        raise typer.BadParameter(f"{message.seats[number].name} in seat {number} was asked nothing{after}.")
    command = spec.command or (sys.executable, "-m", "farfalia.bots", spec.house)
    allowed = (message.time_control.limit_ms + message.time_control.bank_ms) / 1000
    seconds = limit or max(_SECONDS, allowed)

    async def once(output: Path) -> bool:
        def tell(one: "Redecided") -> None:
            if not json and not one.same:
                prose(_sentence(rules, one))

        decided = await ask(command, output, message, asked, seconds=seconds, patience=wait, tell=tell)
        same = sum(one.same for one in decided)
        if json:
            print_json(_document(message, rules, number, shlex.join(command), decided))
        else:
            say(f"{same} of {len(decided)} decisions are the same.")
        return same == len(decided)

    async def again_and_again(output: Path, files: WatchedFiles) -> None:
        where = ", ".join(map(str, files.folders))
        while True:
            await files.begin()
            try:
                await once(output)
            except ProgramError as error:  # its author is about to mend it
                note(*f"farfalia: {error}".split("\n"))
            note(f"Waiting for a change in {where}; Ctrl-C ends it.")
            note(f"{(await files.changed()).name} has changed.")

    with folder(keep, "farfalia-rerun-") as data:
        output = data / "output.txt"
        if files is not None:
            run_until_stopped(again_and_again(output, files))
        elif not run_until_stopped(once(output)):
            raise typer.Exit(1)


def _program(bot: str, watch: bool) -> tuple[BotSpec, WatchedFiles | None]:
    """Return the program, and its files if they are to be watched."""
    try:
        (spec,) = parse([bot])
        check_startable([spec])
    except BotSpecError as error:
        raise typer.BadParameter(str(error)) from error
    if not watch:
        return spec, None
    folders = [] if spec.house or "farfalia.bots" in spec.command else folders_of(spec.command)
    if not folders:
        raise typer.BadParameter(f"--watch needs a program of yours by its file, such as ./mybot; {bot} names no file.")
    return spec, WatchedFiles(folders)


def _start(text: str | None) -> tuple[int, int]:
    """Return deal and trick of `3` or `3.5`."""
    found = re.fullmatch(r"(\d{1,4})(?:\.(\d{1,3}))?", text or "0", re.ASCII)
    if found is None:
        raise typer.BadParameter(f"There is no trick {text!r}; expected a deal, and a trick in it, such as 3.5.")
    return int(found[1]), int(found[2] or 0)


def _place(question: "AnsweredQuestion") -> tuple[int, int]:
    return question.view.deal, question.trick


def _sentence(rules: Ruleset, one: "Redecided") -> str:
    """Return what was done then and what is done now."""
    then = one.question
    trick = f", trick {then.trick}" if then.trick else ""
    dummy = " for its dummy" if then.view.acting in then.view.dummies else ""
    who = f" (by a house bot: {cause(then.cause)})" if then.cause is not Cause.BOT else ""
    did = f"{_DONE[then.kind]} {_text(rules, then.action)}{dummy} then{who}"
    now = f"; now {one.failure}" if one.action is None else f", {_text(rules, one.action)} now"
    return f"Deal {then.view.deal}{trick}: {did}{now}."


def _text(rules: Ruleset, action: int) -> str:
    """Return an action without the word that says its kind: `S1,S5` for `discard=S1,S5`."""
    return rules.text(action).rpartition("=")[2].removeprefix("+")


def _document(
    record: record_pb2.Record, rules: Ruleset, seat: int, command: str, decided: Iterable["Redecided"]
) -> dict[str, Any]:
    decided = list(decided)
    return {
        "match": record.match,
        "seat": seat,
        "entrant": record.seats[seat].name,
        "bot": command,
        "decisions": len(decided),
        "same": sum(one.same for one in decided),
        "differing": [
            {
                "deal": one.question.view.deal,
                "trick": one.question.trick or None,
                "question": one.question.number,
                "kind": one.question.kind.name.lower(),
                "then": rules.text(one.question.action),
                "cause": one.question.cause.name.lower(),
                "now": None if one.action is None else rules.text(one.action),
                "failure": one.failure,
            }
            for one in decided
            if not one.same
        ],
    }
