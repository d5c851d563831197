"""The options of commands that play between local bots on a private server."""

from pathlib import Path
from typing import Annotated

import typer

from farfalia_server.sandbox import NAMES
from farfalia_server.settings import Settings


def _known_sandbox(name: str) -> str:
    if name not in NAMES:
        raise typer.BadParameter(f"There is no sandbox {name!r}; expected one of {', '.join(NAMES)}.")
    return name


JsonFile = Annotated[
    str | None,
    typer.Option("--json", metavar="FILE", help="Write standings and incidents as JSON; - for standard output."),
]
LimitMs = Annotated[int, typer.Option(min=1, help="Milliseconds per decision.")]
BankMs = Annotated[
    int, typer.Option(min=0, help="Milliseconds in the time bank of a match, which pays for longer decisions.")
]
Grace = Annotated[int, typer.Option(min=0, help="Strikes that a seat survives in a match.")]
Wait = Annotated[float, typer.Option(min=0.1, help="Seconds a program may take to connect.")]
RecordsIn = Annotated[
    Path | None, typer.Option(file_okay=False, help="Write the record of every match into this directory.")
]
SandboxOption = Annotated[
    str,
    typer.Option(
        "--sandbox",
        metavar=f"[{'|'.join(NAMES)}]",
        callback=_known_sandbox,
        help="Confine the programs: auto takes the best sandbox that works here; none is for programs that you trust.",
    ),
]
Proofs = Annotated[
    bool, typer.Option("--proofs", help="Print what the deals can be checked by: secret, nonces and their hashes.")
]
Lasting = Annotated[
    bool,
    typer.Option(
        "--lasting-processes",
        help="Let programs keep their process, and play many matches at a time: sooner, for those without a memory. It "
        "is looked for first, as `farfalia conform` does.",
    ),
]
Keep = Annotated[
    Path | None, typer.Option(file_okay=False, help="Keep the server's data and the programs' output here.")
]

#: The server's defaults.
LIMIT_MS, BANK_MS, GRACE = (Settings.model_fields[name].default for name in ("limit_ms", "bank_ms", "grace"))

#: Seconds that programs have to connect.
PATIENCE = 30.0
