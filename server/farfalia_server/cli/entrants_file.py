"""A file that names the entrants of a tournament, best seed first."""

from collections.abc import Collection, Sequence
from pathlib import Path

import typer

from farfalia_server.contract.bounds import BOT_NAME
from farfalia_server.records.house_names import HOUSE_PREFIX


def read_entrants(path: Path, given: Sequence[str]) -> list[str]:
    """Return the names in a file, one per line, `#` before comments; BadParameter names every line that is wrong.

    `given` are entrants that were named before.
    """
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except OSError as error:
        raise typer.BadParameter(f"{path} cannot be read: {error.strerror}.") from None
    except UnicodeDecodeError:
        raise typer.BadParameter(f"{path} is not UTF-8 text.") from None
    first = dict.fromkeys(given, "before the file")
    wrong: list[str] = []
    for number, line in enumerate(lines, start=1):
        name = line.partition("#")[0].strip()
        if not name:
            continue
        if not BOT_NAME.fullmatch(name):
            wrong.append(f"line {number}: {name!r} is not a valid bot name")
        elif name in first:
            wrong.append(f"line {number}: {name} is already named {first[name]}")
        else:
            first[name] = f"in line {number}"
    refuse(path, wrong)
    names = list(first)[len(set(given)) :]
    if not names:
        raise typer.BadParameter(f"{path} contains no names; expected one per line.")
    return names


def check_known(path: Path, names: Collection[str], known: Collection[str]) -> None:
    """Raise BadParameter with the lines of bots that are not registered; house bots need not be."""
    lines = path.read_text(encoding="utf-8-sig").splitlines()
    wanted = {name for name in names if name not in known and not name.startswith(HOUSE_PREFIX)}
    found = ((number, line.partition("#")[0].strip()) for number, line in enumerate(lines, start=1))
    refuse(path, [f"line {number}: there is no bot {name}" for number, name in found if name in wanted])


def refuse(path: Path, wrong: Sequence[str]) -> None:
    """Raise BadParameter if anything is wrong, with all of it."""
    if wrong:
        raise typer.BadParameter(f"{path}: " + "; ".join(wrong) + ".")
