"""Unpacks what was handed in: an archive of a stranger, of which nothing lands outside of its folder."""

from __future__ import annotations

import stat
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import IO, Final

from farfalia_server.contract.errors import ProgramError
from farfalia_server.contract.untrusted import quoted

#: Most files and directories of a program, and bytes of all its files unpacked.
MOST_FILES: Final = 10_000
MOST_BYTES: Final = 250 << 20
_CHUNK = 1 << 20
_WHAT = "a tar, compressed by gzip or not, or a zip file"


def unpack(archive: Path, folder: Path) -> None:
    """Unpack a tar or zip file into a folder that does not exist yet; ProgramError if anything in it is refused.

    Others may read what is there, since programs run as other users.
    """
    folder.mkdir(parents=True)
    folder.chmod(0o755)
    try:
        members = _of_zip(archive) if zipfile.is_zipfile(archive) else _of_tar(archive)
        _write(members, folder)
    except (tarfile.TarError, zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError) as error:
        raise ProgramError(f"the archive cannot be read ({error}); expected {_WHAT}") from error
    except OSError as error:
        raise ProgramError(f"the archive cannot be unpacked: {(error.strerror or str(error)).lower()}") from error
    _lift_single_folder(folder)


#: A name, whether it can be executed, and its contents; None for a directory.
_Member = tuple[str, bool, IO[bytes] | None]


def _of_tar(archive: Path) -> Iterator[_Member]:
    with tarfile.open(archive) as tar:
        for member in tar:
            if member.isdir():
                yield member.name, True, None
            elif member.isreg():
                contents = tar.extractfile(member)
                assert contents is not None
                yield member.name, bool(member.mode & stat.S_IXUSR), contents
            else:
                raise ProgramError(f"{quoted(member.name)} in the archive is a link or a device; expected files alone")


def _of_zip(archive: Path) -> Iterator[_Member]:
    with zipfile.ZipFile(archive) as packed:
        for member in packed.infolist():
            mode = member.external_attr >> 16
            if member.is_dir():
                yield member.filename, True, None
            elif mode and not stat.S_ISREG(mode) and stat.S_IFMT(mode):
                text = f"{quoted(member.filename)} in the archive is a link or a device; expected files alone"
                raise ProgramError(text)
            else:
                with packed.open(member) as contents:
                    yield member.filename, bool(mode & stat.S_IXUSR), contents


def _write(members: Iterator[_Member], folder: Path) -> None:
    left = MOST_BYTES
    for count, (name, executable, contents) in enumerate(members, 1):
        if count > MOST_FILES:
            raise ProgramError(f"the archive has more than {MOST_FILES} files; expected at most that")
        path = folder / _inside(name)
        if contents is None:
            _directories(path, folder)
            continue
        if path == folder:
            raise ProgramError(f"{quoted(name)} in the archive is no name of a file")
        _directories(path.parent, folder)
        with path.open("xb") as file:
            while data := contents.read(_CHUNK):
                left -= len(data)
                if left < 0:
                    raise ProgramError(f"the archive has more than {MOST_BYTES >> 20} MB unpacked; expected less")
                file.write(data)
        path.chmod(0o755 if executable else 0o644)


def _inside(name: str) -> PurePosixPath:
    """Return a name within the folder; ProgramError for one that leads out of it."""
    path = PurePosixPath(name.replace("\\", "/"))
    if path.is_absolute() or ".." in path.parts or "\0" in name or any(len(part.encode()) > 255 for part in path.parts):
        raise ProgramError(f"{quoted(name)} in the archive is no name inside of it")
    return path


def _directories(path: Path, folder: Path) -> None:
    for directory in [*reversed(path.relative_to(folder).parents), path.relative_to(folder)]:
        place = folder / directory
        place.mkdir(exist_ok=True)
        place.chmod(0o755)


def _lift_single_folder(folder: Path) -> None:
    """Take out of its folder what was packed with it."""
    entries = list(folder.iterdir())
    if len(entries) != 1 or not entries[0].is_dir():
        return
    inner = entries[0].rename(folder.parent / f"{folder.name}.inner")
    folder.rmdir()
    inner.rename(folder)
