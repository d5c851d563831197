"""`farfalia submit`: hands in a bot's program, which the arena checks and runs."""

import hashlib
import time
from pathlib import Path
from typing import Annotated

import typer

from farfalia.arena import SyncArena
from farfalia.settings import DEFAULT_SERVER
from farfalia.v1 import programs_pb2
from farfalia_server.cli.bot import TokenOption
from farfalia_server.cli.output import Bar, note, print_json, say, table
from farfalia_server.cli.remote import AdminOption, JsonOption, ServerOption
from farfalia_server.contract.archive_proof import archive_proof
from farfalia_server.contract.bounds import LARGEST_PART
from farfalia_server.contract.errors import FarfaliaServerError
from farfalia_server.hosting.packing import pack
from farfalia_server.wording.programs import program_state, size

#: Seconds between two looks at the check.
_LOOK = 0.5


class ProgramRefused(FarfaliaServerError):
    """Raised when a program has not passed its check."""


def add_to(app: typer.Typer) -> None:
    """Put the command into an app."""
    app.command()(submit)


def submit(
    folder: Annotated[
        Path | None, typer.Argument(help="The folder with the program; what .farfaliaignore names stays here.")
    ] = None,
    bot: Annotated[str, typer.Option("--bot", metavar="NAME", help="The bot that plays with it.")] = "",
    check_only: Annotated[bool, typer.Option("--check-only", help="Check it; the bot goes on as before.")] = False,
    activate: Annotated[
        int | None,
        typer.Option(min=0, metavar="N", help="Play with program N, which was handed in before; 0: connect yourself."),
    ] = None,
    list_all: Annotated[bool, typer.Option("--list", help="List the bot's programs.")] = False,
    server: ServerOption = DEFAULT_SERVER,
    token: TokenOption = "",
    admin_token: AdminOption = "",
    json: JsonOption = False,
) -> None:
    """Hand in a bot's program, which the arena checks and runs.

    The bot plays with it once it is ready. farfalia.toml in the folder says how it is started: runtime, command, build,
    games, memory_mb. Without one, bot.py, package.json or the only executable file is started. It ends with 0 only when
    the program is ready.
    """
    if not bot:
        raise typer.BadParameter("missing; expected the name of your bot", param_hint="--bot")
    if (folder is not None) + (activate is not None) + list_all != 1:
        raise typer.BadParameter("expected one of a folder, --activate and --list", param_hint="FOLDER")
    with SyncArena(server, token or admin_token) as arena:
        if list_all:
            _list(arena, bot, json=json)
        elif activate is not None:
            _activate(arena, bot, activate, json=json)
        elif folder is not None:
            _hand_in(arena, bot, folder, check_only=check_only, json=json)


def _list(arena: SyncArena, bot: str, *, json: bool) -> None:
    answer = arena.list_programs(bot=bot)
    if json:
        print_json(answer)
        return
    rows = [
        [
            str(one.number),
            one.version,
            f"{one.submitted.ToDatetime():%Y-%m-%d %H:%M}",
            size(one.size),
            one.hash.hex()[:12],
            program_state(one),
        ]
        for one in answer.programs
    ]
    table(["number", "version", "handed in (UTC)", "size", "hash", "state"], rows)


def _activate(arena: SyncArena, bot: str, number: int, *, json: bool) -> None:
    answer = arena.activate_program(bot=bot, number=number)
    if json:
        print_json(answer)
    elif number:
        version = answer.program.version
        say(f"{bot} plays with program {number}, as version {version}, in matches that begin from now on.")
    else:
        say(f"{bot} plays with no program any more: connect it with its token.")


def _hand_in(arena: SyncArena, bot: str, folder: Path, *, check_only: bool, json: bool) -> None:
    archive = pack(folder)
    hash = hashlib.sha256(archive).digest()
    _upload(arena, bot, archive, hash)
    proof = archive_proof(bot, archive).digest()
    program = arena.hand_in(bot=bot, hash=hash, proof=proof, check_only=check_only).program
    note(f"Program {program.number} of {bot} is handed in ({size(len(archive))}, SHA-256 {hash.hex()[:12]}…).")
    program = _followed(arena, program)
    if json:
        print_json(program)
    if program.state != programs_pb2.PROGRAM_STATE_READY:
        for line in program.output:
            note(f"    {line}")
        failed = next((step for step in program.steps if not step.passed), None)
        why = f"{failed.name}: {failed.text}" if failed is not None else "its check did not end"
        raise ProgramRefused(f"program {program.number} of {bot} is refused: {why}")
    if not json:
        plays = f": {bot} plays with it, as version {program.version}" if program.active else ""
        say(f"Program {program.number} of {bot} is ready{plays}.")


def _upload(arena: SyncArena, bot: str, archive: bytes, hash: bytes) -> None:
    with Bar("uploading", len(archive)) as bar:
        there = 0
        while there < len(archive):
            part = archive[there : there + LARGEST_PART]
            there = arena.upload_program(bot=bot, hash=hash, offset=there, part=part).received
            bar.update(there, len(archive))


def _followed(arena: SyncArena, program: programs_pb2.Program) -> programs_pb2.Program:
    """Print the steps of a check as they are taken, and return the program at its end."""
    shown, waiting = 0, ""
    while True:
        for step in program.steps[shown:]:
            text = f": {step.text}" if step.text else ""
            note(f"  {'ok' if step.passed else 'FAILED':6} {step.name}{text} ({step.took_ms} ms)")
        shown = len(program.steps)
        if program.state != programs_pb2.PROGRAM_STATE_CHECKING:
            return program
        if program.waiting and program.waiting != waiting:
            note(f"  {program.waiting}")
        waiting = program.waiting
        time.sleep(_LOOK)
        program = arena.get_program(bot=program.bot, number=program.number).program
