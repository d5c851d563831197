"""Whether the programs of a command line can be started, before a server is started for them."""

import os
import shutil
import sys
from collections.abc import Iterable
from pathlib import Path

from farfalia import bots
from farfalia_engine.hints import did_you_mean
from farfalia_server.running.entrants import Entrant, EntrantError


def check_startable(entrants: Iterable[Entrant]) -> None:
    """EntrantError for the first program that is not there or is no program, with what to write instead."""
    for entrant in entrants:
        word, *others = entrant.command or ("",)
        if word == sys.executable and others and others[0].endswith(".py"):
            _check_file(others[0])
        elif os.sep in word and word != sys.executable:
            _check_file(word)
            if not os.access(word, os.X_OK):
                raise EntrantError(
                    f"{word} is not executable; `chmod +x {word}` makes it so, or name what runs it, as in "
                    f"'python {word}'."
                )
        elif word and shutil.which(word) is None:
            raise EntrantError(_unknown(word))


def _check_file(word: str) -> None:
    path = Path(word)
    if path.is_dir():
        raise EntrantError(f"{word} is a directory; expected a program in it.")
    if not path.exists():
        beside = [str(path.with_name(name)) for name in _names_in(path.parent)]
        raise EntrantError(f"There is no file {word}{did_you_mean(str(path), beside)}.")


def _unknown(word: str) -> str:
    """Why a word without a slash names no program."""
    path = Path(word)
    if path.is_dir():
        return f"{word} is a directory; expected a program in it."
    if path.is_file():
        return f"{word} is a file of this directory and no command; expected ./{word} for it."
    samples = ", ".join(bots.NAMES)
    return f"There is no bot {word}{did_you_mean(word, bots.NAMES)}; expected a program, or a sample bot: {samples}."


def _names_in(directory: Path) -> list[str]:
    return [path.name for path in directory.iterdir()] if directory.is_dir() else []
