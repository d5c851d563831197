"""Podman and Docker: each program in a container of its own, from an image that has its runtime."""

from __future__ import annotations

import os
import re
import secrets
import shutil
import sys
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from pathlib import Path
from threading import Thread

from farfalia_server.contract.errors import ProgramError
from farfalia_server.sandbox.driver import FOLDER, SOCKET, Launch
from farfalia_server.sandbox.left_containers import remove, remove_left, starter
from farfalia_server.sandbox.program import Limits, Program
from farfalia_server.sandbox.writable import lent

#: Where no image is named: the one that the repository's Dockerfile makes, which has Python and the SDK.
DEFAULT_IMAGE = "farfalia"
#: A user without a name in any image.
_USER = 65532
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
#: What the engine's own client finds in its environment.
_CLIENT = ("PATH", "HOME", "XDG_RUNTIME_DIR", "DOCKER_HOST", "CONTAINER_HOST")
#: Shares of a CPU for a container that gives way; 1024 is an ordinary one's.
_FEW_SHARES = 256


class Container:
    """The driver for an engine, Podman or Docker. The engine counts memory, CPU and processes.

    It does not say which of them ended a program: that was signal 9.
    """

    def __init__(self, engine: str) -> None:
        self._engine = engine

    @property
    def name(self) -> str:
        """What it is called, which is the engine's name."""
        return self._engine

    @property
    def protects(self) -> str:
        """What it protects from."""
        return (
            f"Programs run in containers of {self._engine}: they see the image and their own folder, no network, and "
            "are ended at their limits."
        )

    def obstacle(self) -> str:
        """Return what it lacks here; what a server that was killed has left running is removed."""
        if shutil.which(self._engine) is None:
            return f"the program {self._engine} is missing"
        remove_left(self._engine)
        return ""

    def address(self, socket: Path) -> str:
        """Return where a program finds the server."""
        return f"unix:{SOCKET}"

    def launch(self, program: Program, limits: Limits, socket: Path | None) -> Launch:
        """Prepare to start a program."""
        stack = ExitStack()
        variables = os.memfd_create("environment")
        # An image has its own interpreters, and a PATH to them.
        environment = {name: value for name, value in program.environment.items() if name != "PATH"}
        os.write(variables, _variables(environment))
        os.lseek(variables, 0, os.SEEK_SET)
        name = f"farfalia-{secrets.token_hex(8)}"
        command = [self._engine, "run", "--rm", "--pull", "never", "--name", name, "--label", starter()]
        command += ["--env-file", f"/dev/fd/{variables}"]
        command += ["--network", "none", "--read-only", "--cap-drop", "all", "--security-opt", "no-new-privileges"]
        command += ["--user", f"{_USER}:{_USER}", "--hostname", "sandbox", "--log-driver", "none"]
        command += ["--memory", str(limits.memory + limits.disk), "--memory-swap", str(limits.memory + limits.disk)]
        command += ["--cpus", f"{limits.cpu_share:g}", "--pids-limit", str(limits.processes)]
        if limits.gives_way:
            command += ["--cpu-shares", str(_FEW_SHARES)]
        command += ["--ulimit", f"nofile={limits.open_files}:{limits.open_files}", "--ulimit", "core=0:0"]
        command += ["--ulimit", f"fsize={limits.disk}:{limits.disk}"]
        if limits.cpu_seconds is not None:
            command += ["--ulimit", f"cpu={int(limits.cpu_seconds) + 1}:{int(limits.cpu_seconds) + 1}"]
        command += ["--tmpfs", f"/tmp:rw,nosuid,nodev,mode=1777,size={limits.disk}"]  # noqa: S108
        command += ["--env", "HOME=/tmp", "--env", "TMPDIR=/tmp"]
        if program.writable:
            stack.enter_context(lent(program.folder.resolve(), _USER if os.geteuid() == 0 else None))
        access = "rw" if program.writable else "ro"
        command += ["--volume", f"{program.folder.resolve()}:{FOLDER}:{access}", "--workdir", FOLDER]
        if socket is not None:
            command += ["--volume", f"{socket}:{SOCKET}"]
        image = program.image or DEFAULT_IMAGE
        command += ["--entrypoint", _in_image(program.command[0]), image, *program.command[1:]]
        return Launch(
            command=command,
            environment={name: os.environ[name] for name in _CLIENT if name in os.environ},
            descriptors=(variables,),
            kill=_killer(self._engine, name),
            stack=stack,
            own_processes_seen=False,
        )


def _in_image(executable: str) -> str:
    """Return what is called in an image what this machine has at that place; a program's own file stays what it is."""
    if executable == sys.executable:
        return "python"
    return Path(executable).name if Path(executable).is_absolute() else executable


def _variables(environment: Mapping[str, str]) -> bytes:
    for name, value in environment.items():
        if not _NAME.fullmatch(name) or "\n" in value or "\0" in value:
            raise ProgramError(f"{name!r} cannot be set in a container: expected letters, digits and _, and one line")
    return "".join(f"{name}={value}\n" for name, value in environment.items()).encode()


def _killer(engine: str, name: str) -> Callable[[], None]:
    """Return what ends a container; in a thread, since an engine takes its time, and one at a time."""
    last: list[Thread] = []

    def kill() -> None:
        if not any(thread.is_alive() for thread in last):
            last[:] = [Thread(target=remove, args=(engine, name), daemon=True)]
            last[0].start()

    return kill
