"""Whether the programs of a command line can be started, before a server is started for them."""

import os
import shutil
import sys
from collections.abc import Iterable
from difflib import get_close_matches
from pathlib import Path

from farfalia import bots
from farfalia_engine.hints import did_you_mean
from farfalia_server.local.bot_specs import BotSpec, BotSpecError

#: What the SDK is and imports.
_NEEDED = frozenset({"farfalia", "farfalia_engine", "google", "grpc", "numpy"})
#: Of Python's own, what is imported by now: this process has the SDK in it, and so will the bot's.
_IMPORTED = frozenset(sys.stdlib_module_names & {name.partition(".")[0] for name in sys.modules})


def check_startable(entrants: Iterable[BotSpec]) -> None:
    """Raise BotSpecError for the first program that is not there or is no program, with what to write instead."""
    for entrant in entrants:
        word, *others = entrant.command or ("",)
        if word == sys.executable and others and others[0].endswith(".py"):
            _check_file(others[0])
            _check_hidden(Path(others[0]))
        elif os.sep in word and word != sys.executable:
            _check_file(word)
            if not os.access(word, os.X_OK):
                raise BotSpecError(
                    f"{word} is not executable; `chmod +x {word}` makes it so, or name what runs it, as in "
                    f"'python {word}'."
                )
        elif word and shutil.which(word) is None:
            raise BotSpecError(_unknown(word))


def _check_file(word: str) -> None:
    path = Path(word)
    if path.is_dir():
        raise BotSpecError(f"{word} is a directory; expected a program in it.")
    if not path.exists():
        beside = {Path(name).stem: name for name in _names_in(path.parent) if Path(name).suffix == path.suffix}
        # What all names end in says nothing about which was meant.
        close = get_close_matches(path.stem.lower(), beside, 1)
        meant = f" (did you mean {beside[close[0]]}?)" if close else ""
        raise BotSpecError(f"There is no file {path.name} in {path.parent.resolve()}{meant}.")


def _check_hidden(path: Path) -> None:
    """Refuse a program whose directory, which comes first where Python looks for modules, hides one that it needs."""
    own = [path.name, *(name for name in sorted(_names_in(path.parent)) if name != path.name)]
    for name in own:
        module = Path(name).stem
        if Path(name).suffix == ".py" and (module in _NEEDED or module in _IMPORTED):
            whose = "the SDK's" if module in _NEEDED else "Python's own"
            raise BotSpecError(f"{name} in {path.parent.resolve()} hides {whose} module {module}; rename it.")


def _unknown(word: str) -> str:
    """Return why a word without a slash names no program."""
    path = Path(word)
    if path.is_dir():
        return f"{word} is a directory; expected a program in it."
    if path.is_file():
        return f"{word} is a file in this directory, not a command; expected ./{word} for it."
    samples = ", ".join(bots.NAMES)
    return f"There is no bot {word}{did_you_mean(word, bots.NAMES)}; expected a program, or a sample bot: {samples}."


def _names_in(directory: Path) -> list[str]:
    return [path.name for path in directory.iterdir()] if directory.is_dir() else []
