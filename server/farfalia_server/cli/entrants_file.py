"""A file that names the entrants of a tournament, best seed first."""

from collections.abc import Collection, Sequence
from pathlib import Path

import typer

from farfalia_server.organising.entrants_text import entrants_in, unknown_in


def read_entrants(path: Path, given: Sequence[str]) -> list[str]:
    """Return the names in a file, one per line, `#` before comments; BadParameter names every line that is wrong.

    `given` are entrants that were named before.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise typer.BadParameter(f"{path} cannot be read: {error.strerror}.") from None
    except UnicodeDecodeError:
        raise typer.BadParameter(f"{path} is not UTF-8 text.") from None
    names, wrong = entrants_in(text, given)
    refuse(path, wrong)
    if not names:
        raise typer.BadParameter(f"{path} contains no names; expected one per line.")
    return names


def check_known(path: Path, known: Collection[str]) -> None:
    """Raise BadParameter with the lines of bots that are not registered; house bots need not be."""
    refuse(path, unknown_in(path.read_text(encoding="utf-8-sig"), known))


def refuse(path: Path, wrong: Sequence[str]) -> None:
    """Raise BadParameter if anything is wrong, with all of it."""
    if wrong:
        raise typer.BadParameter(f"{path}: " + "; ".join(wrong) + ".")
