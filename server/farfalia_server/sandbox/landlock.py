"""Landlock: programs in the host's namespaces that may open no file but a few, for machines without user namespaces.

Weaker than namespaces: a program sees which processes there are, though nothing in them, and can connect to Unix
sockets for which its user has the right. As root each program has a user of its own, which leaves it those that are
open to everybody.
"""

from __future__ import annotations

import json
import os
import shutil
import stat
import sys
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

from farfalia_server.contract.errors import ProgramError
from farfalia_server.sandbox import landlock_start
from farfalia_server.sandbox.driver import ENVIRONMENT, Launch
from farfalia_server.sandbox.process_tree import has_children_files
from farfalia_server.sandbox.program import Limits, Program
from farfalia_server.sandbox.system_calls import filter_program
from farfalia_server.sandbox.user_ids import DEFAULT_IDS, UserId
from farfalia_server.sandbox.writable import lent, use_of

_SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/proc/self")
_ETC = tuple(
    f"/etc/{name}" for name in ("ld.so.cache", "alternatives", "localtime", "passwd", "group", "hosts", "nsswitch.conf")
)
_DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")


class Landlock:
    """The driver; as root, programs get user ids of `ids`."""

    name = "landlock"

    def __init__(self, ids: Sequence[int] = DEFAULT_IDS) -> None:
        self._ids = ids

    @property
    def protects(self) -> str:
        """What it protects from."""
        seen = "Programs open no file but their own and the system's programs, have no network, and are ended at their"
        if os.geteuid() == 0:
            return f"{seen} limits; they see which processes there are."
        return f"{seen} limits; they see your processes and can connect to your programs' Unix sockets."

    def obstacle(self) -> str:
        """Return what it lacks here."""
        if not landlock_start.version():
            return "the kernel has no Landlock, or it is switched off"
        if not has_children_files():
            return "the kernel does not tell which processes a process has started (CONFIG_PROC_CHILDREN)"
        try:
            filter_program(unix_only=True)
        except ProgramError as error:
            return str(error)
        return ""

    def address(self, socket: Path) -> str:
        """Return where a program finds the server."""
        return f"unix:{socket}"

    def launch(self, program: Program, limits: Limits, socket: Path | None) -> Launch:
        """Prepare to start a program."""
        with ExitStack() as stack:
            user = stack.enter_context(UserId(self._ids)).number if os.geteuid() == 0 else None
            own = Path(tempfile.mkdtemp(prefix="farfalia-program-"))
            stack.callback(_remove, own)
            if user is not None:
                os.chown(own, user, user)
            if program.writable:
                stack.enter_context(lent(program.folder.resolve(), user))
            environment = {**ENVIRONMENT, "HOME": str(own), "TMPDIR": str(own), **program.environment}
            order = {
                "command": list(program.command),
                "folder": str(program.folder.resolve()),
                "environment": environment,
                "readable": [*_SYSTEM, *_ETC, *map(str, program.runtimes), str(program.folder.resolve())],
                "writable": [str(own), *([str(program.folder.resolve())] if program.writable else [])],
                "devices": _DEVICES,
                "user": user,
                "limits": _limits(limits, user),
                "filter": filter_program(unix_only=True).hex(),
            }
            descriptor = os.memfd_create("order")
            os.write(descriptor, json.dumps(order).encode())
            os.lseek(descriptor, 0, os.SEEK_SET)
            return Launch(
                command=[sys.executable, "-I", "-S", landlock_start.__file__, str(descriptor)],
                environment=ENVIRONMENT,
                descriptors=(descriptor,),
                own_levels=1,
                disk_use=lambda _: use_of(own, limits.files),
                stack=stack.pop_all(),
            )


def _limits(limits: Limits, user: int | None) -> dict[str, int]:
    bounds = {
        "RLIMIT_CORE": 0,
        "RLIMIT_FSIZE": limits.disk,
        "RLIMIT_NOFILE": limits.open_files,
        "RLIMIT_DATA": 2 * limits.memory + (256 << 20),
    }
    if limits.cpu_seconds is not None:
        bounds["RLIMIT_CPU"] = int(limits.cpu_seconds) + 1
    if user is not None:  # an ordinary user's other processes would count
        bounds["RLIMIT_NPROC"] = limits.processes + 8
    return bounds


def _remove(folder: Path) -> None:
    """Remove a folder, whatever rights its directories have."""
    folder.chmod(stat.S_IRWXU)
    for where, folders, _ in os.walk(folder):
        for name in folders:
            path = Path(where) / name
            if not path.is_symlink():
                path.chmod(stat.S_IRWXU)
    shutil.rmtree(folder, ignore_errors=True)
