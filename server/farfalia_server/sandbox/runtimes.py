"""Where interpreters are installed: the directories that a program in a sandbox needs beside its own folder."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path

import farfalia
import farfalia_engine

#: Where a system has its programs, which every sandbox shows.
_SYSTEM = Path("/usr")


def own_python() -> tuple[Path, ...]:
    """Return the directories of this Python and of the SDK, a virtual environment or a checkout perhaps."""
    packages = (Path(package.__path__[0]).parent for package in (farfalia, farfalia_engine))
    return (*installed_in(Path(sys.executable)), *packages)


def installed_in(executable: Path) -> tuple[Path, ...]:
    """Return the directories that an interpreter is installed in: several, if it is a link to another one."""
    found = []
    for path in (executable.absolute(), executable.resolve()):
        if path.parent.name == "bin":
            found.append(path.parent.parent)
    if Path(sys.prefix) in found:
        found += [Path(sys.base_prefix)]
    return tuple(found)


def useful(runtimes: Iterable[Path]) -> tuple[Path, ...]:
    """Return each once, without those of the system, and without one that would show a home directory."""
    return tuple(
        path
        for path in dict.fromkeys(runtimes)
        if not path.is_relative_to(_SYSTEM) and not Path.home().is_relative_to(path)
    )
