"""The files beside a program, and whether its author has changed them."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

#: Seconds between two looks.
_POLL: Final = 0.3
#: Folders of what others have written; hidden ones are left out, too.
_OTHERS: Final = frozenset({"__pycache__", "node_modules", "site-packages"})

Looked = dict[Path, tuple[int, int]]


def folders_of(command: Sequence[str]) -> list[Path]:
    """Return the folders of the files that a command names; empty if it names none but its interpreter.

    A module that Python runs is looked for where the command is called.
    """
    named = [Path(word) for word in command[1:] if Path(word).is_file()]
    if "-m" in command[1:-1]:
        named.append(Path("module"))
    if not named and command[0] != sys.executable and Path(command[0]).is_file():
        named.append(Path(command[0]))
    return sorted({file.parent.resolve() for file in named})


class WatchedFiles:
    """All files of these folders, which the program may write to as well.

    A file that changes while the program runs, twice in a row, is the program's own and tells nothing from then on.
    """

    def __init__(self, folders: Sequence[Path]) -> None:
        self.folders = folders
        self._before: Looked = {}
        self._own: set[Path] = set()
        self._written: set[Path] = set()

    async def begin(self) -> None:
        """Note how the files are before the program runs."""
        self._before = await asyncio.to_thread(self._look)

    async def changed(self) -> Path:
        """Wait until a file has changed since the beginning, and return one, after a run of the program."""
        now = await asyncio.to_thread(self._look)
        written = _differing(self._before, now)
        self._own |= written & self._written
        self._written = written
        while not (found := _differing(self._before, now) - self._own):
            await asyncio.sleep(_POLL)
            now = await asyncio.to_thread(self._look)
        return min(found)

    def _look(self) -> Looked:
        return dict(found for folder in self.folders for found in _files(folder))


def _files(folder: Path) -> Iterator[tuple[Path, tuple[int, int]]]:
    """Yield each file with when it was changed, in nanoseconds, and its size."""
    for where, below, names in os.walk(folder):
        below[:] = [name for name in below if name not in _OTHERS and not name.startswith(".")]
        for name in names:
            with suppress(OSError):  # it is gone by now
                found = Path(where, name).stat()
                yield Path(where, name), (found.st_mtime_ns, found.st_size)


def _differing(before: Looked, now: Looked) -> set[Path]:
    return {path for path in before.keys() | now.keys() if before.get(path) != now.get(path)}
