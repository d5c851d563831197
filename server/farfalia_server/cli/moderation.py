"""What commands share that suspend, rename and remove bots and accounts."""

import sys
from typing import Annotated

import typer

ReasonOption = Annotated[str, typer.Option(metavar="TEXT", help="Why; for the log.", show_default=False)]
StrikeOption = Annotated[
    bool, typer.Option("--strike", help="Let its matches so far count on no ladder; for organisers.")
]
YesOption = Annotated[bool, typer.Option("--yes", help="Do not ask.")]


def confirm(yes: bool, question: str) -> None:
    """Ask whether it is meant, unless `yes` says so; BadParameter if there is nobody to ask."""
    if yes:
        return
    if not sys.stdin.isatty():
        raise typer.BadParameter("This cannot be undone; add --yes if it is meant.")
    typer.confirm(question, abort=True)
