"""What this machine has for programs of other people: the sandboxes that work, and what they are built on."""

from __future__ import annotations

import asyncio
import os
import shutil
from collections.abc import AsyncIterator
from pathlib import Path

from farfalia_server.contract.errors import ProgramError
from farfalia_server.doctor.finding import Finding
from farfalia_server.sandbox import cgroups, choose
from farfalia_server.sandbox.landlock_start import version as landlock_version
from farfalia_server.sandbox.system_calls import filter_program


async def check_sandbox() -> AsyncIterator[Finding]:
    """Say which sandbox programs would run in, after a trial of each better one, and why not in a better one."""
    parts = "; ".join([await _bwrap(), _user_namespaces(), _cgroups(), _landlock(), _seccomp()])
    try:
        chosen = await choose()
    except ProgramError as error:
        yield Finding.warning(
            "sandbox",
            f"Programs of other people cannot be run safely here: {error}. ({parts}.)",
            "Install bubblewrap, where user namespaces are allowed; docs/sandboxes.md says what each sandbox needs.",
        )
        return
    better = "".join(f" {name} would be better, but {why}." for name, why in chosen.passed_over.items())
    yield Finding.ok("sandbox", f"Programs of other people run in {chosen.name}.{better} ({parts}.)")


async def _bwrap() -> str:
    if shutil.which("bwrap") is None:
        return "bubblewrap: missing"
    asked = await asyncio.create_subprocess_exec("bwrap", "--version", stdout=asyncio.subprocess.PIPE)
    said, _ = await asked.communicate()
    return said.decode().strip()


def _user_namespaces() -> str:
    try:
        most = int(Path("/proc/sys/user/max_user_namespaces").read_text())
    except (OSError, ValueError):
        return "user namespaces: none"
    closed = [
        name
        for name, open_at in (
            ("kernel/unprivileged_userns_clone", "1"),
            ("kernel/apparmor_restrict_unprivileged_userns", "0"),
        )
        if (path := Path("/proc/sys") / name).exists() and path.read_text().strip() != open_at
    ]
    if not most or (closed and os.geteuid() != 0):
        return f"user namespaces: closed ({closed[0].replace('/', '.') if closed else 'user.max_user_namespaces is 0'})"
    return "user namespaces: open"


def _cgroups() -> str:
    """Say what `cgroups.obstacle` would, without moving any process."""
    why = cgroups.obstacle(change=False)
    return f"cgroup v2: {'not used, as ' + why if why else 'delegated'}"


def _landlock() -> str:
    version = landlock_version()
    return f"Landlock: version {version}" if version else "Landlock: none"


def _seccomp() -> str:
    try:
        filter_program()
    except ProgramError as error:
        return f"seccomp: {error}"
    return "seccomp: there"
