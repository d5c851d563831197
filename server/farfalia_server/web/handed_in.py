"""Programs that come over HTTP are handed in as any other: by the same calls, part by part."""

from __future__ import annotations

import asyncio
import hashlib
import tarfile
import tempfile
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from io import SEEK_END, BufferedRandom
from typing import IO, Any, Final

from google.protobuf.message import Message
from starlette.datastructures import UploadFile

from farfalia.v1 import programs_pb2
from farfalia_server.contract.archive_proof import archive_proof
from farfalia_server.contract.bounds import LARGEST_ARCHIVE, LARGEST_PART
from farfalia_server.contract.errors import InvalidArgument, ResourceExhausted
from farfalia_server.contract.said import said
from farfalia_server.contract.untrusted import quoted

#: Makes a call in the name of who sends a program, with the key with which it is made once; returns the answer.
Ask = Callable[[str, Message, str], Awaitable[Any]]

#: Programs that are received at a time: each may need twice the size of an archive on disk.
_MOST_UNDER_WAY: Final = 16
#: How files begin that nothing but a program starts with, which needs the right to be executed.
_EXECUTABLE = (b"\x7fELF", b"#!")
_ZIP, _GZIP = (b"PK\x03\x04", b"PK\x05\x06"), b"\x1f\x8b"


class UnderWay:
    """The programs that are being received: one for each bot, and few in all."""

    def __init__(self) -> None:
        self._bots: set[str] = set()

    @contextmanager
    def of(self, bot: str) -> Iterator[None]:
        """Count a program while it is received; ResourceExhausted if there are too many."""
        if bot in self._bots:
            raise ResourceExhausted(
                said("another program of %(bot)s is being received; wait for it", bot=bot), retry=5.0
            )
        if len(self._bots) >= _MOST_UNDER_WAY:
            raise ResourceExhausted(
                said("%(most)s programs are being received; try again in a minute", most=_MOST_UNDER_WAY), retry=60.0
            )
        self._bots.add(bot)
        try:
            yield
        finally:
            self._bots.discard(bot)


async def check_may_hand_in(ask: Ask, bot: str) -> None:
    """Let the call that lists a bot's programs refuse those who may not hand one in, before anything is received."""
    await patiently(partial(ask, "ListPrograms", programs_pb2.ListProgramsRequest(bot=bot), ""))


async def upload(ask: Ask, bot: str, archive: BufferedRandom, *, check_only: bool) -> programs_pb2.HandInRequest:
    """Upload an archive for a bot, part by part, and return the request that hands it in; FarfaliaServerError."""
    hash, proof = await asyncio.to_thread(_hashes, bot, archive)
    size, there = archive.seek(0, SEEK_END), 0
    while there < size:
        archive.seek(there)
        part = programs_pb2.UploadProgramRequest(bot=bot, hash=hash, offset=there, part=archive.read(LARGEST_PART))
        there = (await patiently(partial(ask, "UploadProgram", part, ""))).received
    return programs_pb2.HandInRequest(bot=bot, hash=hash, proof=proof, check_only=check_only)


def _hashes(bot: str, archive: BufferedRandom) -> tuple[bytes, bytes]:
    """Return the hash of an archive, and the proof that it is there."""
    hash, proof = hashlib.sha256(), archive_proof(bot)
    archive.seek(0)
    while data := archive.read(LARGEST_PART):
        hash.update(data)
        proof.update(data)
    return hash.digest(), proof.digest()


async def hand_in(ask: Ask, request: programs_pb2.HandInRequest, key: str) -> programs_pb2.Program:
    """Hand in what was uploaded, once if it has a key, and return the program; FarfaliaServerError."""
    program: programs_pb2.Program = (await patiently(partial(ask, "HandIn", request, key))).program
    return program


async def patiently(make: Callable[[], Awaitable[Any]]) -> Any:
    """Return what a call answers, made again where calls come too fast: one archive takes hundreds of them."""
    while True:
        try:
            return await make()
        except ResourceExhausted as error:
            if error.reason != "CALLS_TOO_FAST":
                raise
            await asyncio.sleep(error.retry or 1.0)


async def kept(parts: AsyncGenerator[bytes, None]) -> BufferedRandom:
    """Return a body as a file on disk, which the caller closes."""
    file = tempfile.TemporaryFile()  # noqa: SIM115 - the caller closes it
    try:
        async for part in parts:
            file.write(part)
    except BaseException:
        file.close()
        raise
    return file


def check_is_archive(file: IO[bytes], field: str) -> None:
    """Raise InvalidArgument unless a file begins as an archive does that can be handed in."""
    if not is_archive(file):
        size = file.seek(0, SEEK_END)
        raise InvalidArgument(
            field,
            said("the %(field)s is no archive; expected a tar, compressed by gzip or not, or a zip file", field=field)
            if size
            else said("the %(field)s is empty; expected a tar, compressed by gzip or not, or a zip file", field=field),
        )


def is_archive(file: IO[bytes]) -> bool:
    """Return whether a file begins as a zip file, a gzip file or a tar does."""
    file.seek(0)
    if file.read(4).startswith((*_ZIP, _GZIP)):
        return True
    file.seek(0)
    try:
        tarfile.open(fileobj=file, mode="r:").close()
    except tarfile.TarError:
        return False
    return True


def suffix_of(beginning: bytes) -> str:
    """Return what a file is called that begins like this."""
    return ".zip" if beginning.startswith(_ZIP) else ".tar.gz" if beginning.startswith(_GZIP) else ".tar"


def packed(files: Sequence[UploadFile]) -> BufferedRandom:
    """Return the files that somebody chose as an archive, which the caller closes: the only one that is an archive
    as it is, others in a tar. InvalidArgument if they cannot be in one.
    """
    chosen = [file for file in files if file.filename]
    if not chosen:
        raise InvalidArgument("files", said("no file is chosen; expected your program's files, or an archive of them"))
    archive = tempfile.TemporaryFile()  # noqa: SIM115 - the caller closes it
    try:
        if len(chosen) == 1 and is_archive(chosen[0].file):
            chosen[0].file.seek(0)
            while part := chosen[0].file.read(LARGEST_PART):
                archive.write(part)
            return archive
        with tarfile.open(fileobj=archive, mode="w", format=tarfile.PAX_FORMAT) as tar:
            for name, file in _named(chosen).items():
                _add(tar, name, file.file)
        if archive.tell() > LARGEST_ARCHIVE:
            raise InvalidArgument(
                "files", said("the files have more than %(most)s MB; expected at most that", most=LARGEST_ARCHIVE >> 20)
            )
    except BaseException:
        archive.close()
        raise
    return archive


def _named(files: Sequence[UploadFile]) -> dict[str, UploadFile]:
    """Return files by their names, of which a browser may send the folder, too."""
    named: dict[str, UploadFile] = {}
    for file in files:
        name = (file.filename or "").replace("\\", "/").rpartition("/")[2]
        if name in ("", ".", "..") or "\0" in name:
            raise InvalidArgument("files", said("%(name)s is no name of a file", name=quoted(file.filename or "")))
        if name in named:
            raise InvalidArgument(
                "files", said("two files are called %(name)s; hand in an archive of the folder", name=quoted(name))
            )
        named[name] = file
    return dict(sorted(named.items()))


def _add(tar: tarfile.TarFile, name: str, file: IO[bytes]) -> None:
    """Add a file with nothing but its contents: the same files give the same archive."""
    info = tarfile.TarInfo(name)
    info.size = file.seek(0, SEEK_END)
    file.seek(0)
    info.mode = 0o755 if file.read(4).startswith(_EXECUTABLE) else 0o644
    file.seek(0)
    tar.addfile(info, file)
