"""A bot's command line as a program in a sandbox: which folder it sees, and which runtimes it needs."""

import os
import shutil
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import farfalia
from farfalia_server.contract.errors import ProgramError
from farfalia_server.sandbox import Limits, Program
from farfalia_server.sandbox.runtimes import installed_in, own_python, useful

#: What a bot may use on the machine of who tries it.
LOCAL_LIMITS = Limits(memory=1 << 30, processes=256, disk=256 << 20, output=4 << 20)


def confined_program(command: Sequence[str], environment: Mapping[str, str]) -> Program:
    """Return the program; it sees the folder of the first file that the command names, and works there.

    A module of Python without a file is looked for in the current directory. This environment's Python, which has the
    SDK, and the interpreter that the command names can be used. Raises ProgramError if the folder is a home directory,
    or above one.
    """
    own = own_python()
    executable = shutil.which(command[0])
    if executable is None:
        raise ProgramError(f"there is no program {command[0]}")
    is_own_file = os.sep in command[0] and not any(Path(executable).is_relative_to(prefix) for prefix in own)
    files = [Path(word).resolve() for word in command[0 if is_own_file else 1 :] if Path(word).is_file()]
    folder = _folder(command, files)
    words = [_inside(word, folder) for word in command]
    runtimes = own
    if not is_own_file:
        words[0] = str(Path(executable).absolute())
        runtimes = (*own, *installed_in(Path(executable)))
    path = os.pathsep.join(["/usr/local/bin", "/usr/bin", "/bin"])
    found = {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{path}"}
    return Program(words, folder, {**found, **environment}, useful(runtimes))


def _folder(command: Sequence[str], files: Sequence[Path]) -> Path:
    if files:
        folder = files[0].parent
    elif "farfalia.bots" in command:  # a sample bot, which is in the SDK
        return Path(farfalia.__path__[0])
    else:
        folder = Path.cwd()
    if Path.home().is_relative_to(folder):
        raise ProgramError(f"it would see all of {folder}; put it into a folder of its own")
    return folder


def _inside(word: str, folder: Path) -> str:
    """Return a word of the command as it is written in the folder."""
    path = Path(word)
    if not path.exists() or not path.resolve().is_relative_to(folder):
        return word
    return f".{os.sep}{path.resolve().relative_to(folder)}"
