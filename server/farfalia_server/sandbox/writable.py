"""A folder that a program may write to, such as that of a build: lent to its user, and counted."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from farfalia_server.sandbox.driver import DiskUse


@contextmanager
def lent(folder: Path, user: int | None) -> Iterator[None]:
    """Let a user write to a folder while the block lasts; None for ourselves. Then all in it is ours again."""
    if user is None:
        yield
        return
    ours = folder.stat()
    _give(folder, user, user)
    try:
        yield
    finally:
        _give(folder, ours.st_uid, ours.st_gid)


def use_of(folder: Path, most: int) -> DiskUse:
    """Return what is in a folder, as far as one file beyond `most`."""
    size = files = 0
    for where, folders, names in os.walk(folder):
        files += len(folders) + len(names)
        if files > most:
            break
        for name in names:
            try:
                size += (Path(where) / name).lstat().st_blocks * 512
            except OSError:  # it was removed meanwhile
                continue
    return DiskUse(size, files)


def _give(folder: Path, user: int, group: int) -> None:
    """Give a folder with all in it to a user; nobody becomes another user by running what is in it."""
    for where, folders, names in os.walk(folder):
        for path in (Path(where), *(Path(where) / name for name in (*folders, *names))):
            os.chown(path, user, group, follow_symlinks=False)
            mode = path.lstat().st_mode
            if mode & (stat.S_ISUID | stat.S_ISGID) and not stat.S_ISLNK(mode):
                path.chmod(stat.S_IMODE(mode) & 0o777)
