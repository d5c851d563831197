"""Unpacks what was handed in: an archive of a stranger, of which nothing lands outside of its folder."""

from __future__ import annotations

import posixpath
import stat
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO, Final

from farfalia_server.contract.errors import ProgramError
from farfalia_server.contract.untrusted import quoted

#: Most files and directories of a program, and bytes of all its files unpacked.
MOST_FILES: Final = 10_000
MOST_BYTES: Final = 250 << 20
#: Most links from a name to its file, and bytes of a link's target.
_MOST_LINKS: Final = 20
_LONGEST_LINK: Final = 4096
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


@dataclass(frozen=True)
class _Member:
    """What an archive has under a name: a file with contents, a link to another name in it, or else a directory."""

    name: str
    executable: bool = True
    contents: IO[bytes] | None = None
    link: str = ""


def _of_tar(archive: Path) -> Iterator[_Member]:
    with tarfile.open(archive) as tar:
        for member in tar:
            executable = bool(member.mode & stat.S_IXUSR)
            if member.isdir():
                yield _Member(member.name)
            elif member.isreg():
                yield _Member(member.name, executable, tar.extractfile(member))
            elif member.islnk():
                yield _Member(member.name, executable, link=member.linkname)
            elif member.issym():
                yield _Member(member.name, link=_beside(member.name, member.linkname))
            else:
                raise _device(member.name)


def _of_zip(archive: Path) -> Iterator[_Member]:
    with zipfile.ZipFile(archive) as packed:
        for member in packed.infolist():
            mode = member.external_attr >> 16
            if member.is_dir():
                yield _Member(member.filename)
                continue
            if stat.S_IFMT(mode) not in (0, stat.S_IFREG, stat.S_IFLNK):
                raise _device(member.filename)
            with packed.open(member) as contents:
                if stat.S_ISLNK(mode):
                    target = contents.read(_LONGEST_LINK).decode("utf-8", "replace")
                    yield _Member(member.filename, link=_beside(member.filename, target))
                else:
                    yield _Member(member.filename, bool(mode & stat.S_IXUSR), contents)


def _device(name: str) -> ProgramError:
    return ProgramError(f"{quoted(name)} in the archive is a device; expected files and directories")


def _beside(name: str, target: str) -> str:
    """Return the name in the archive that a link leads to."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(name), target))


def _write(members: Iterator[_Member], folder: Path) -> None:
    """Write what an archive has. Links become copies of the files that they lead to: nothing else is within reach."""
    left = MOST_BYTES
    links: dict[Path, Path] = {}
    for count, member in enumerate(members, 1):
        if count > MOST_FILES:
            raise ProgramError(f"the archive has more than {MOST_FILES} files; expected at most that")
        path = folder / _inside(member.name)
        if member.contents is None and not member.link:
            _directories(path, folder)
            continue
        if path == folder:
            raise ProgramError(f"{quoted(member.name)} in the archive is no name of a file")
        _directories(path.parent, folder)
        if member.contents is not None:
            left = _write_file(path, member.contents, member.executable, left)
        else:
            links[path] = _target(member, folder)
    for path in links:
        source = path
        for _ in range(_MOST_LINKS):
            source = links.get(source, source)
        if source in links or not source.is_file():
            name, target = (one.relative_to(folder).as_posix() for one in (path, source))
            text = f"{quoted(name)} in the archive is a link to {quoted(target)}, which is no file of it"
            raise ProgramError(text)
        with source.open("rb") as contents:
            left = _write_file(path, contents, bool(source.stat().st_mode & stat.S_IXUSR), left)


def _target(link: _Member, folder: Path) -> Path:
    try:
        return folder / _inside(link.link)
    except ProgramError:
        text = f"{quoted(link.name)} in the archive is a link out of it; expected files, and links to files of it"
        raise ProgramError(text) from None


def _write_file(path: Path, contents: IO[bytes], executable: bool, left: int) -> int:
    """Write a file, of which so many bytes may be left, and return how many are left after it."""
    with path.open("xb") as file:
        while data := contents.read(_CHUNK):
            left -= len(data)
            if left < 0:
                raise ProgramError(f"the archive has more than {MOST_BYTES >> 20} MB unpacked; expected less")
            file.write(data)
    path.chmod(0o755 if executable else 0o644)
    return left


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
