"""Whether other programs can look into the processes of a running server, and what those that it starts are told."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from farfalia_server import PREFIX
from farfalia_server.doctor.finding import Finding
from farfalia_server.settings import Settings

_NAME = "processes"
_PROC = Path("/proc")
#: The state of a socket that listens, in /proc/net/tcp.
_LISTENS = "0A"
#: Settings that may hold a password.
_WITH_PASSWORDS = {"database_url", "redis_url"}
_RESTART = "Restart the server with this version of it."


@dataclass(frozen=True, slots=True)
class Listener:
    """Who listens on a port: a user, and a process if it can be seen."""

    user: int
    process: int | None = None


def check_processes(settings: Settings, *, running: bool) -> Iterator[Finding]:
    """Look into the processes of the server that listens on the port of these settings, as other programs would."""
    if not running or sys.platform != "linux" or (found := listener(settings.grpc_port)) is None:
        return
    if found.process is None and found.user == os.geteuid():
        yield Finding.ok(_NAME, "Other programs of its user cannot look into the running server.")
    elif found.process is None:
        text = "The running server is another user's, so its processes cannot be seen from here."
        yield Finding.ok(_NAME, text)
    else:
        yield from _look(found.process)


def listener(port: int) -> Listener | None:
    """Return who listens on a port of this machine; None if nobody does."""
    inodes: dict[str, int] = {}
    for table in ("tcp", "tcp6"):
        with suppress(OSError):
            for line in (_PROC / "net" / table).read_text(encoding="ascii").splitlines()[1:]:
                words = line.split()
                if words[3] == _LISTENS and int(words[1].rpartition(":")[2], 16) == port:
                    inodes[f"socket:[{words[9]}]"] = int(words[7])
    if not inodes:
        return None
    for link in _PROC.glob("[0-9]*/fd/*"):
        with suppress(OSError):
            if (inode := str(link.readlink())) in inodes:
                return Listener(inodes[inode], int(link.parents[1].name))
    return Listener(next(iter(inodes.values())))


def name_of(process: int) -> str:
    """Return what a process is called; OSError if it has ended."""
    return re.sub(r"\s", "", (_PROC / str(process) / "comm").read_text(errors="replace"))


def _look(process: int) -> Iterator[Finding]:
    first = _first(process)
    below = _below(first)
    bad = False
    for pid in (first, *below):
        with suppress(OSError):  # it has ended
            called = f"process {pid} ({name_of(pid)}) of the running server"
            if _is_ours(pid) and _shows(pid):
                bad = True
                yield Finding.warning(_NAME, f"Other programs of its user can look into {called}.", _RESTART)
            if pid != first and (told := _secrets(pid)):
                bad = True
                yield Finding.warning(_NAME, f"The {called} has {', '.join(told)} in its environment.", _RESTART)
    if not bad:
        text = f"The running server has started {len(below)} processes; they were not told its secrets."
        yield Finding.ok(_NAME, text)


def _first(process: int) -> int:
    """Return the process that has started all of a server: the last one upwards that is ours."""
    with suppress(OSError):
        while _is_ours(parent := _parent(process)):
            process = parent
    return process


def _below(process: int) -> list[int]:
    parents = {}
    for folder in _PROC.glob("[0-9]*"):
        with suppress(OSError):
            parents[int(folder.name)] = _parent(int(folder.name))
    found, level = list[int](), [process]
    while level:
        level = [pid for pid, parent in parents.items() if parent in level]
        found += level
    return found


def _parent(process: int) -> int:
    return int((_PROC / str(process) / "stat").read_text(errors="replace").rpartition(")")[2].split()[1])


def _is_ours(process: int) -> bool:
    words = (_PROC / str(process) / "cmdline").read_text(errors="replace").split("\0")
    return any("farfalia" in word for word in words[1:]) and "python" in Path(words[0]).name


def _shows(process: int) -> bool:
    """Return whether programs of its user can look into a process: its files in /proc are then the user's, not root's.

    For root's own processes this cannot be found out, and root can read all of them anyway.
    """
    folder = _PROC / str(process)
    user = re.search(r"^Uid:\t\d+\t(\d+)", (folder / "status").read_text(errors="replace"), re.MULTILINE)
    return user is not None and int(user[1]) != 0 and (folder / "environ").stat().st_uid == int(user[1])


def _secrets(process: int) -> list[str]:
    """Return the names of the secret settings in the environment of a process, as far as it can be read."""
    fields = {name for name, field in Settings.model_fields.items() if not field.repr} | _WITH_PASSWORDS
    secret = {f"{PREFIX}{name.upper()}" for name in fields}
    with suppress(OSError):
        variables = (_PROC / str(process) / "environ").read_bytes().split(b"\0")
        return sorted(secret & {variable.partition(b"=")[0].decode(errors="replace") for variable in variables})
    return []
