"""Whether programs may keep their process where every board is played from each seat."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import typer

from farfalia_engine import Ruleset
from farfalia_server.cli.output import note
from farfalia_server.cli.signals import run_until_stopped
from farfalia_server.contract.errors import ProgramError
from farfalia_server.local.bot_specs import BotSpec
from farfalia_server.sandbox import NO_SANDBOX


def check_lasting(entrants: Iterable[BotSpec], rules: Ruleset, data: Path, sandbox: str, patience: float) -> None:
    """Ask each program about the same boards twice; ProgramError for the first that answers otherwise the second time.

    Programs of strangers, which need a sandbox, are refused: one that wants to win by it can hide a memory.
    """
    if sandbox != NO_SANDBOX:
        raise typer.BadParameter(
            "--lasting-processes trusts programs to hide no memory, and --sandbox is for those that you do not trust; "
            "expected one of them."
        )
    # What asks the questions takes a while to import.
    from farfalia_server.conformance.memory import memory_in
    from farfalia_server.conformance.run import PASSED, conform
    from farfalia_server.hosting.examination import DECIDES_WITHIN

    programs = {entrant.command: entrant for entrant in entrants if entrant.command}
    for command, entrant in programs.items():
        output = data / f"memory-{entrant.name}.log"
        chosen = [memory_in(rules)]
        look = conform(command, output, seconds=DECIDES_WITHIN, patience=patience, tell=lambda _: None, chosen=chosen)
        last = run_until_stopped(look)[-1]
        if last.state != PASSED:
            raise ProgramError(
                f"{entrant.name} needs a process for each match: {last.text}; leave --lasting-processes out"
            )
        note(f"{entrant.name} may keep its process: {last.text}.")
