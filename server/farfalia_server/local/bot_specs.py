"""Who plays, as written on a command line: house bots by name, everything else a program."""

import os
import re
import shlex
import sys
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from farfalia import bots
from farfalia_server.contract.errors import FarfaliaServerError

#: Characters of a bot's name.
_LONGEST = 40


class BotSpecError(FarfaliaServerError):
    """Raised when what was written names no bot."""

    reason = "BOT_SPEC_INVALID"


@dataclass(frozen=True)
class BotSpec:
    """One bot of a tournament: a house bot, which plays inside the server, or a program.

    It is one's `own` if it is neither a house bot nor another sample; `text` is how it was written.
    """

    name: str
    house: str = ""
    command: tuple[str, ...] = ()
    own: bool = field(default=False, compare=False)
    text: str = field(default="", compare=False)


def parse(specs: Iterable[str]) -> list[BotSpec]:
    """Return entrants from `greedy`, `./mybot --fast` or `name=./mybot`, each with a name of its own; BotSpecError."""
    parsed: list[BotSpec] = []
    taken: set[str] = set()
    for spec in specs:
        given, text = _split(spec)
        house = text if text in bots.HOUSE else ""
        # What takes its time to think must not do so inside the server.
        sample = ("python", "-m", "farfalia.bots", text) if text in bots.NAMES else ()
        words = () if house else sample or _words(text)
        if given.lower() in taken:  # names differ in more than case
            raise BotSpecError(f"Two bots are called {given}; each needs a name of its own.")
        name = given or free_name(house or (text if sample else _derive(words)), taken)
        taken.add(name.lower())
        parsed.append(BotSpec(name, house, _command(words), text not in bots.NAMES, spec))
    return parsed


def _split(spec: str) -> tuple[str, str]:
    named = re.fullmatch(r"([A-Za-z0-9._-]+)=(.*)", spec.strip(), re.DOTALL)
    return (named[1], named[2].strip()) if named else ("", spec.strip())


def _words(text: str) -> tuple[str, ...]:
    try:
        words = tuple(shlex.split(text))
    except ValueError as error:
        raise BotSpecError(f"{text!r} is not a command: {str(error).lower()}.") from error
    if not words:
        raise BotSpecError(f"An empty text names no bot; expected a program, or one of {', '.join(bots.NAMES)}.")
    return words


def _command(words: tuple[str, ...]) -> tuple[str, ...]:
    """Let a Python file run with the Python that runs this, which has the SDK.

    So does `python` where no environment is activated: the machine's own Python has no SDK, as a rule.
    """
    if words and words[0].endswith(".py"):
        return (sys.executable, *words)
    activated = os.environ.get("VIRTUAL_ENV") or os.environ.get("CONDA_PREFIX")
    if words and words[0] in ("python", "python3") and not activated:
        return (sys.executable, *words[1:])
    return words


def _derive(words: tuple[str, ...]) -> str:
    """Return the name of the program, not of the interpreter that runs it."""
    arguments = words[1:]
    if "-m" in arguments[:-1]:
        source = arguments[arguments.index("-m") + 1].rpartition(".")[2]
    else:
        source = Path(next((word for word in arguments if Path(word).is_file()), words[0])).stem
    name = re.sub(r"[^A-Za-z0-9._-]+", "-", source).lstrip("._-")[:36]
    return name or "bot"


def free_name(name: str, taken: set[str]) -> str:
    """Return the name, with a number behind it if it is taken, whatever its case; a long one is cut for that."""
    number = 2
    free = name
    while free.lower() in taken:
        free = f"{name[: _LONGEST - 1 - len(str(number))]}-{number}"
        number += 1
    return free
