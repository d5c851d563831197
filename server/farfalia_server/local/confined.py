"""A bot's command line as a program in a sandbox: which folder it sees, and which runtimes it needs."""

import os
import shutil
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import farfalia
import farfalia_engine
from farfalia_server.contract.errors import ProgramError
from farfalia_server.sandbox import Limits, Program

#: What a bot may use on the machine of who tries it.
LOCAL_LIMITS = Limits(memory=1 << 30, processes=256, disk=256 << 20, output=4 << 20)
#: Where a system has its programs, which every sandbox shows.
_SYSTEM = Path("/usr")


def confined_program(command: Sequence[str], environment: Mapping[str, str]) -> Program:
    """Return the program; it sees the folder of the first file that the command names, and works there.

    A module of Python without a file is looked for in the current directory. This environment's Python, which has the
    SDK, and the interpreter that the command names can be used. Raises ProgramError if the folder is a home directory,
    or above one.
    """
    own = (
        *_prefixes(Path(sys.executable)),
        *(Path(package.__path__[0]).parent for package in (farfalia, farfalia_engine)),
    )
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
        runtimes = (*own, *_prefixes(Path(executable)))
    path = os.pathsep.join(["/usr/local/bin", "/usr/bin", "/bin"])
    found = {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{path}"}
    return Program(words, folder, {**found, **environment}, _useful(runtimes))


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


def _prefixes(executable: Path) -> tuple[Path, ...]:
    """Return the directories that an interpreter is installed in: several, if it is a link to another one."""
    found = []
    for path in (executable.absolute(), executable.resolve()):
        if path.parent.name == "bin":
            found.append(path.parent.parent)
    if Path(sys.prefix) in found:
        found += [Path(sys.base_prefix)]
    return tuple(found)


def _useful(runtimes: Sequence[Path]) -> tuple[Path, ...]:
    """Return each once, without those of the system, and without one that would show a home directory."""
    return tuple(
        path
        for path in dict.fromkeys(runtimes)
        if not path.is_relative_to(_SYSTEM) and not Path.home().is_relative_to(path)
    )
