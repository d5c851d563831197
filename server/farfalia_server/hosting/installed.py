"""The programs that a host has: fetched once, unpacked, built, and kept until there are too many."""

from __future__ import annotations

import asyncio
import hashlib
import os
import secrets
import shutil
import stat
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from farfalia_server.contract.errors import ProgramError
from farfalia_server.contract.untrusted import quoted
from farfalia_server.hosting.archives import MOST_BYTES, MOST_FILES, unpack
from farfalia_server.hosting.manifest import Manifest, read_manifest
from farfalia_server.sandbox import Limits, Program, RunningProgram, Sandbox
from farfalia_server.sandbox.runtimes import installed_in, own_python, useful

#: Programs that are kept.
_KEPT: Final = 200
#: How what is not kept yet is called, and seconds after which nobody works at it any more.
_TRIAL, _ABANDONED = "trial-", 3600.0
#: Seconds, bytes of memory and bytes written that a build may take.
_BUILD: Final = Limits(
    memory=1 << 30,
    wall_seconds=120.0,
    cpu_seconds=120.0,
    processes=64,
    disk=MOST_BYTES,
    files=2 * MOST_FILES,
    gives_way=True,
)
#: Seconds of CPU that a process may use from its start to its end.
MATCH_CPU: Final = 900.0
#: Where Python finds what the program brings, and where a build puts packages.
_PACKAGES = ".packages"


@dataclass(frozen=True, slots=True)
class Installed:
    """A program on this host: its folder, how it is started, and its number among the bot's programs."""

    folder: Path
    manifest: Manifest
    number: int = 0


class InstalledPrograms:
    """The programs in a folder; `fetch` yields the parts of an archive by its hash."""

    def __init__(self, folder: Path, sandbox: Sandbox, fetch: Callable[[bytes], AsyncIterator[bytes]]) -> None:
        self._folder = folder
        self._sandbox = sandbox
        self._fetch = fetch
        self._installing: dict[bytes, asyncio.Task[Installed]] = {}

    async def get(self, hash: bytes) -> Installed:
        """Return a program, which is fetched and built if it is not here; ProgramError."""
        task = self._installing.get(hash)
        if task is None:
            task = self._installing[hash] = asyncio.create_task(self._install(hash))
        try:
            return await asyncio.shield(task)
        finally:
            if task.done():
                self._installing.pop(hash, None)

    async def _install(self, hash: bytes) -> Installed:
        folder = self._folder / hash.hex()
        if not folder.is_dir():
            trial = await self.unpacked(hash)
            try:
                await self.build(trial, lambda line: None)
                await self.keep(trial, hash)
            finally:
                await asyncio.to_thread(shutil.rmtree, trial.folder, ignore_errors=True)
        folder.touch()
        return Installed(folder, read_manifest(folder))

    async def unpacked(self, hash: bytes) -> Installed:
        """Fetch and unpack a program beside those that are kept, and return it; ProgramError."""
        self._folder.mkdir(parents=True, exist_ok=True)
        self._folder.chmod(0o755)
        trial = self._folder / f"{_TRIAL}{secrets.token_hex(8)}"
        archive = trial.with_suffix(".archive")
        try:
            await self._download(hash, archive)
            await asyncio.to_thread(unpack, archive, trial)
            return Installed(trial, read_manifest(trial))
        except BaseException:
            await asyncio.to_thread(shutil.rmtree, trial, ignore_errors=True)
            raise
        finally:
            archive.unlink(missing_ok=True)

    async def build(self, installed: Installed, tell: Callable[[str], None]) -> bool:
        """Build an unpacked program, if its manifest says how, and return whether it does; ProgramError."""
        command = installed.manifest.build
        if not command:
            return False
        program = replace(program_of(installed, command), writable=True)
        running = self._sandbox.start(program, _BUILD, None, tell)
        ending = await running.wait()
        if ending.exit_code != 0:
            raise ProgramError(f"the build {ending}")
        await asyncio.to_thread(check_built, installed.folder)
        return True

    async def keep(self, installed: Installed, hash: bytes) -> None:
        """Keep an unpacked and built program; its folder goes there."""
        with suppress(OSError):  # it is here already
            installed.folder.rename(self._folder / hash.hex())
        await asyncio.to_thread(self._forget_old)

    def sweep(self) -> None:
        """Remove what a killed host has left behind in the middle of its work."""
        for path in self._folder.glob(f"{_TRIAL}*"):
            with suppress(OSError):
                if time.time() - path.stat().st_mtime > _ABANDONED:
                    shutil.rmtree(path) if path.is_dir() else path.unlink()

    def _forget_old(self) -> None:
        kept = sorted(self._folder.glob("?" * 64), key=lambda path: path.stat().st_mtime, reverse=True)
        for old in kept[_KEPT:]:
            shutil.rmtree(old, ignore_errors=True)

    async def _download(self, hash: bytes, archive: Path) -> None:
        found = hashlib.sha256()
        with archive.open("wb") as file:
            async for part in self._fetch(hash):
                found.update(part)
                file.write(part)
        if found.digest() != hash:
            raise ProgramError("the archive did not arrive as it was handed in")


def check_built(folder: Path) -> None:
    """Check that what a build has left behind is files, and links inside of the folder; ProgramError."""
    for where, folders, names in os.walk(folder):
        for name in (*folders, *names):
            path = Path(where) / name
            mode = path.lstat().st_mode
            if stat.S_ISLNK(mode):
                if not path.resolve().is_relative_to(folder.resolve()):
                    raise ProgramError(f"the build has made {quoted(name)}, a link that leads out of the folder")
            elif not (stat.S_ISDIR(mode) or stat.S_ISREG(mode)):
                raise ProgramError(f"the build has made {quoted(name)}, which is no file")
            else:
                path.chmod(0o755 if mode & stat.S_IXUSR else 0o644)


def program_of(installed: Installed, command: tuple[str, ...], address: str = "", token: str = "") -> Program:
    """Return a program as its sandbox takes it; with an address, it connects there."""
    runtime = installed.manifest.runtime
    environment = {"FARFALIA_SERVER": address, "FARFALIA_TOKEN": token, "FARFALIA_QUIET": "1"} if address else {}
    runtimes: tuple[Path, ...] = ()
    if runtime == "python":
        runtimes = own_python()
        environment |= {"PYTHONPATH": _PACKAGES, "PYTHONUNBUFFERED": "1", "PYTHONDONTWRITEBYTECODE": "1"}
        if command[0] in ("python", "python3"):
            command = (sys.executable, *command[1:])
    elif runtime == "node" and command[0] == "node":
        node = shutil.which("node")
        if node is None:
            raise ProgramError("this host has no Node.js; expected `node` on its PATH")
        command, runtimes = (node, *command[1:]), installed_in(Path(node))
    return Program(command, installed.folder, environment, useful(runtimes))


Launch = Callable[[Installed, Path, str, Callable[[str], None]], RunningProgram]


def launcher(sandbox: Sandbox, *, gives_way: bool = False) -> Launch:
    """Return what starts a program that connects to a socket with a token, and tells each line that it writes.

    With `gives_way` the programs of other launchers go first.
    """

    def launch(installed: Installed, socket: Path, token: str, tell: Callable[[str], None]) -> RunningProgram:
        program = program_of(installed, installed.manifest.command, sandbox.address(socket), token)
        limits = Limits(memory=installed.manifest.memory_mb << 20, cpu_seconds=MATCH_CPU, gives_way=gives_way)
        return sandbox.start(program, limits, socket, tell)

    return launch


Fetch = Callable[[bytes, int], Awaitable[bytes]]


def in_parts(fetch: Fetch) -> Callable[[bytes], AsyncIterator[bytes]]:
    """Return what yields an archive, part by part, of a call that returns the part at an offset."""

    async def parts(hash: bytes) -> AsyncIterator[bytes]:
        offset = 0
        while part := await fetch(hash, offset):
            offset += len(part)
            yield part

    return parts
