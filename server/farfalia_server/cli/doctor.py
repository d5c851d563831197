"""`farfalia doctor`: what is wrong with a server's surroundings, and how to fix it."""

import asyncio
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer
from rich.text import Text

from farfalia_server import settings_loading
from farfalia_server.cli.output import print_json, say
from farfalia_server.cli.remote import JsonOption
from farfalia_server.cli.server_files import ConfigOption, with_settings
from farfalia_server.contract.errors import SettingsError

if TYPE_CHECKING:  # only a command that looks at a database imports what that takes
    from farfalia_server.doctor import Finding

_STYLES = {"ok": "green", "warning": "yellow", "problem": "bold red"}


def add_to(app: typer.Typer) -> None:
    """Put the command into an app."""
    app.command()(doctor)


@with_settings
def doctor(config: ConfigOption = None, json: JsonOption = False, **options: Any) -> None:
    """Check what a server needs, and say how to fix what is wrong.

    It checks settings, ports, database, Redis, clocks, certificate, disk, open files, secrets, folders, processes, what
    a host here is given, versions and sandboxes. Give it the settings of the server, by options, environment or
    --config. It works beside the running server, and before the first start, and changes nothing. Each check is ok, a
    warning, or a problem.

    Exits with 1 if there is a problem, and otherwise with 0, even with warnings.
    """
    findings = asyncio.run(_findings(options, config))
    problems = sum(finding.state == "problem" for finding in findings)
    if json:
        print_json({"problems": problems, "findings": [asdict(finding) for finding in findings]})
    else:
        for finding in findings:
            say(Text.assemble((f"{finding.state:<8} ", _STYLES[finding.state]), f"{finding.name}: {finding.text}"))
            if finding.remedy:
                say(f"         {finding.remedy}")
    if problems:
        raise typer.Exit(1)


async def _findings(options: dict[str, Any], config: Path | None) -> "list[Finding]":
    from farfalia_server.doctor import Finding, examine

    try:
        chosen = settings_loading.load(options, config)
    except SettingsError as error:
        return [Finding.problem("settings", error, "Correct it; `farfalia serve --help` lists all settings.")]
    return [finding async for finding in examine(chosen, config)]
