"""Packs a folder with a program: what `.farfaliaignore` does not name, the same archive for the same contents."""

from __future__ import annotations

import fnmatch
import gzip
import io
import os
import tarfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from farfalia_server.contract.bounds import LARGEST_ARCHIVE
from farfalia_server.contract.errors import ProgramError

IGNORE: Final = ".farfaliaignore"
#: What nobody means to hand in.
_NEVER = (".git", ".hg", ".venv", "venv", "__pycache__", "*.pyc", ".mypy_cache", ".ruff_cache", ".pytest_cache", ".env")


def pack(folder: Path) -> bytes:
    """Return a folder as a tar compressed by gzip; ProgramError if it is empty, too large, or cannot be read."""
    if not folder.is_dir():
        what = "a file" if folder.exists() else "not there"
        raise ProgramError(f"{folder} is {what}; expected the folder with the program")
    packed = io.BytesIO()
    with (
        gzip.GzipFile(fileobj=packed, mode="wb", mtime=0) as compressed,
        tarfile.open(fileobj=compressed, mode="w", format=tarfile.PAX_FORMAT) as tar,
    ):
        count = 0
        for path, name in _files(folder, _patterns(folder)):
            count += 1
            _add(tar, path, name)
            if packed.tell() > LARGEST_ARCHIVE:
                most = f"more than {LARGEST_ARCHIVE >> 20} MB packed"
                raise ProgramError(f"{folder} has {most}; name in {IGNORE} what the program does not need")
    if not count:
        raise ProgramError(f"{folder} has no file to hand in")
    return packed.getvalue()


def _patterns(folder: Path) -> list[str]:
    path = folder / IGNORE
    try:
        lines = path.read_text("utf-8").splitlines() if path.is_file() else []
    except (OSError, UnicodeDecodeError) as error:
        raise ProgramError(f"{path} cannot be read: {error}") from None
    return [*_NEVER, *(line.strip().rstrip("/") for line in lines if line.strip() and not line.startswith("#"))]


def _files(folder: Path, patterns: list[str]) -> Iterator[tuple[Path, str]]:
    """Yield files with their names in the archive, in order."""
    for root, directories, files in os.walk(folder):
        at = Path(root).relative_to(folder)
        directories[:] = sorted(name for name in directories if not _ignored((at / name).as_posix(), patterns))
        for name in sorted(files):
            inside = (at / name).as_posix()
            path = Path(root) / name
            if not _ignored(inside, patterns) and path.is_file():
                yield path, inside


def _ignored(name: str, patterns: list[str]) -> bool:
    own = name.rpartition("/")[2]
    return any(
        fnmatch.fnmatchcase(name, pattern.lstrip("/")) or ("/" not in pattern and fnmatch.fnmatchcase(own, pattern))
        for pattern in patterns
    )


def _add(tar: tarfile.TarFile, path: Path, name: str) -> None:
    """Add a file; of its metadata only whether it can be executed."""
    try:
        contents = path.read_bytes()
    except OSError as error:
        raise ProgramError(f"{path} cannot be read: {(error.strerror or str(error)).lower()}") from None
    info = tarfile.TarInfo(name)
    info.size = len(contents)
    info.mode = 0o755 if os.access(path, os.X_OK) else 0o644
    tar.addfile(info, io.BytesIO(contents))
