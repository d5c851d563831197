"""Bubblewrap: namespaces of its own for each program, with a root in which only what it needs is mounted.

As root, each program gets a user id of its own, outside of the ids of people; bubblewrap makes the mounts as root, so
that folders which only root may enter can be mounted, and all capabilities are gone before the program starts. As
another user, the program has a user namespace of its own.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import stat
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, suppress
from functools import partial
from pathlib import Path

from farfalia_server.contract.errors import ProgramError
from farfalia_server.sandbox import cgroups
from farfalia_server.sandbox.driver import ENVIRONMENT, FOLDER, SOCKET, DiskUse, Launch
from farfalia_server.sandbox.process_tree import has_children_files
from farfalia_server.sandbox.program import Limits, Program
from farfalia_server.sandbox.system_calls import filter_program
from farfalia_server.sandbox.user_ids import DEFAULT_IDS, UserId
from farfalia_server.sandbox.writable import lent, use_of

#: The user that a program believes to be, if it has a user namespace.
_USER = 1000
#: What libc looks at, and where Debian's alternatives lead.
_ETC = ("/etc/ld.so.cache", "/etc/alternatives", "/etc/localtime")
#: Where a system's programs and libraries are; links to /usr on most.
_LINKS = ("/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_ENVIRONMENT_FILE = "/run/environment"
#: Since this kernel, processes in a user namespace are counted by themselves.
_COUNTS_APART = (5, 14)


class Bubblewrap:
    """The driver; as root, programs get user ids of `ids`."""

    name = "bwrap"
    protects = (
        "Programs see no file but their own and the system's programs, no process, no network and no environment but "
        "their own, and are ended at their limits."
    )

    def __init__(self, ids: Sequence[int] = DEFAULT_IDS) -> None:
        self._ids = ids

    def obstacle(self) -> str:
        """Return what it lacks here."""
        for command, package in (("bwrap", "bubblewrap"), ("prlimit", "util-linux"), ("setpriv", "util-linux")):
            if shutil.which(command) is None:
                return f"the program {command} is missing; Debian has it in the package {package}"
        if not has_children_files():
            return "the kernel does not tell which processes a process has started (CONFIG_PROC_CHILDREN)"
        try:
            filter_program()
        except ProgramError as error:
            return str(error)
        return ""

    def address(self, socket: Path) -> str:
        """Return where a program finds the server."""
        return f"unix:{SOCKET}"

    def launch(self, program: Program, limits: Limits, socket: Path | None) -> Launch:
        """Prepare to start a program."""
        stack = ExitStack()
        try:
            user = stack.enter_context(UserId(self._ids)).number if os.geteuid() == 0 else None
            group = stack.enter_context(cgroups.Group(limits)) if cgroups.obstacle() == "" else None
            if program.writable:
                stack.enter_context(lent(program.folder.resolve(), user))
            descriptors = _Descriptors(stack)
            options = [*_namespaces(user), *_root(limits), *_system_files(user, descriptors)]
            options += _program(program, socket, user)
            environment = _shell(ENVIRONMENT | dict(program.environment))
            options += _data(descriptors.holding(environment), _ENVIRONMENT_FILE)
            # Last: whatever is mounted has made its directories, and nothing but /tmp and /dev/shm takes files.
            options += ["--remount-ro", "/dev", "--remount-ro", "/", "--chdir", FOLDER]
            information = _Information(stack, descriptors)
            options += ["--info-fd", str(information.writing)]
            options += ["--seccomp", str(descriptors.holding(filter_program()))]
            arguments = descriptors.holding(b"".join(os.fsencode(option) + b"\0" for option in options))
            inner = [*_as_user(user), *_limited(limits, user), *_with_environment(program.command)]
            launch = Launch(
                command=["bwrap", "--args", str(arguments), "--", *inner],
                environment=ENVIRONMENT,
                descriptors=descriptors.open,
                own_levels=2,
                first_process=information.first_process,
                disk_use=partial(_use_with, program.folder, limits.files) if program.writable else _disk_use,
                stack=stack,
            )
            return launch if group is None else group.around(launch)
        except BaseException:
            stack.close()
            raise


class _Descriptors:
    """Files in memory that a program inherits, the only ones."""

    def __init__(self, stack: ExitStack) -> None:
        self.open: list[int] = []

    def holding(self, data: bytes) -> int:
        """Return a descriptor from which this can be read."""
        descriptor = os.memfd_create("sandbox")
        self.open.append(descriptor)
        os.write(descriptor, data)
        os.lseek(descriptor, 0, os.SEEK_SET)
        return descriptor


class _Information:
    """What bubblewrap says of the sandbox once it is there."""

    def __init__(self, stack: ExitStack, descriptors: _Descriptors) -> None:
        self._reading, self.writing = os.pipe()
        self._text = b""
        os.set_blocking(self._reading, False)
        stack.callback(os.close, self._reading)
        descriptors.open.append(self.writing)

    def first_process(self) -> int | None:
        """Return the first process of the namespace, as we see it; None before it is there."""
        with suppress(BlockingIOError):
            self._text += os.read(self._reading, 4096)
        found = re.search(rb'"child-pid": (\d+)', self._text)
        return int(found[1]) if found else None


def _namespaces(user: int | None) -> list[str]:
    options = ["--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts", "--unshare-cgroup-try"]
    options += ["--hostname", "sandbox", "--new-session", "--die-with-parent", "--clearenv"]
    for name, value in ENVIRONMENT.items():  # for the programs on the way to the program, which then sets its own
        options += ["--setenv", name, value]
    if user is None:
        return [*options, "--unshare-user", "--uid", str(_USER), "--gid", str(_USER), "--cap-drop", "ALL"]
    # What it takes to become the user and to give up the rest.
    options += ["--cap-drop", "ALL"]
    return [*options, "--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID", "--cap-add", "CAP_SETPCAP"]


def _root(limits: Limits) -> Iterator[str]:
    for folder in ("/etc", "/run"):
        yield from ("--perms", "0755", "--dir", folder)
    yield from ("--ro-bind", "/usr", "/usr")
    for link in map(Path, _LINKS):
        if link.is_symlink():
            yield from ("--symlink", str(link.readlink()), str(link))
        elif link.exists():
            yield from ("--ro-bind", str(link), str(link))
    for path in _ETC:
        yield from ("--ro-bind-try", path, path)
    yield from ("--proc", "/proc", "--dev", "/dev")
    yield from ("--perms", "1777", "--size", str(limits.disk), "--tmpfs", "/tmp")  # noqa: S108
    yield from ("--perms", "1777", "--size", str(max(limits.disk // 4, 1 << 16)), "--tmpfs", "/dev/shm")  # noqa: S108


def _system_files(user: int | None, descriptors: _Descriptors) -> Iterator[str]:
    number = _USER if user is None else user
    files = {
        "/etc/passwd": f"root:x:0:0::/:/bin/sh\nbot:x:{number}:{number}::/tmp:/bin/sh\n",
        "/etc/group": f"root:x:0:\nbot:x:{number}:\n",
        "/etc/hosts": "127.0.0.1 localhost sandbox\n::1 localhost\n",
        "/etc/nsswitch.conf": "passwd: files\ngroup: files\nhosts: files\n",
    }
    for path, text in files.items():
        yield from _data(descriptors.holding(text.encode()), path)


def _program(program: Program, socket: Path | None, user: int | None) -> Iterator[str]:
    mounted = [runtime for runtime in program.runtimes if not runtime.is_relative_to("/usr")]
    above = {folder for runtime in mounted for folder in runtime.parents if folder != Path("/")}
    for folder in sorted(above):  # bubblewrap would make them for root alone
        yield from ("--perms", "0755", "--dir", str(folder))
    for runtime in mounted:
        yield from ("--ro-bind", str(runtime), str(runtime))
    folder = program.folder.resolve()
    others = stat.S_IROTH | stat.S_IXOTH
    if user is not None and folder.stat().st_mode & others != others:
        raise ProgramError(f"programs get a user of their own, which may not read {folder}: chmod -R o+rX {folder}")
    yield from ("--bind" if program.writable else "--ro-bind", str(folder), FOLDER)
    if socket is not None:
        yield from ("--bind", str(socket), SOCKET)


def _data(descriptor: int, path: str) -> list[str]:
    return ["--perms", "0444", "--ro-bind-data", str(descriptor), path]


def _as_user(user: int | None) -> list[str]:
    if user is None:
        return []
    ids = [f"--reuid={user}", f"--regid={user}", "--clear-groups"]
    return ["/usr/bin/setpriv", *ids, "--inh-caps=-all", "--bounding-set=-all", "--no-new-privs", "--"]


def _limited(limits: Limits, user: int | None) -> list[str]:
    """Return what sets limits for each process, which no process can raise again."""
    bounds = {
        "core": 0,
        "fsize": limits.disk,
        "nofile": limits.open_files,
        "memlock": 1 << 20,
        "msgqueue": 0,
        "sigpending": 1024,
        # Only so that not everything is taken between two looks: what it counts is not what is in use.
        "data": 2 * limits.memory + (256 << 20),
    }
    if limits.cpu_seconds is not None:
        bounds["cpu"] = int(limits.cpu_seconds) + 1
    release = tuple(int(part) for part in re.findall(r"\d+", os.uname().release)[:2])
    if user is not None or release >= _COUNTS_APART:
        # A few more than are allowed, so that it is seen who takes more.
        bounds["nproc"] = limits.processes + 8
    return ["/usr/bin/prlimit", *(f"--{name}={value}" for name, value in bounds.items()), "--"]


def _with_environment(command: Sequence[str]) -> list[str]:
    """Return what runs a command with its own environment.

    Nobody reads a token in the list of processes, and no variable such as LD_PRELOAD acts before limits and user are
    set.
    """
    return ["/bin/sh", "-c", f'. {_ENVIRONMENT_FILE}; exec "$@"', "sh", *command]


def _shell(environment: Mapping[str, str]) -> bytes:
    for name, value in environment.items():
        if not _NAME.fullmatch(name) or "\0" in value:
            raise ProgramError(f"{name!r} cannot be set in an environment: expected letters, digits and _")
    return "".join(f"export {name}={shlex.quote(value)}\n" for name, value in environment.items()).encode()


def _use_with(folder: Path, most: int, pid: int) -> DiskUse | None:
    """Return what is there and in a folder."""
    own, more = _disk_use(pid), use_of(folder, most)
    return None if own is None else DiskUse(own.bytes + more.bytes, own.files + more.files)


def _disk_use(pid: int) -> DiskUse | None:
    """Return what is in the /tmp and /dev/shm of a process."""
    root = Path("/proc") / str(pid) / "root"
    try:
        shared, own = os.statvfs(root / "dev/shm"), os.statvfs(root / "tmp")
    except OSError:  # it has ended meanwhile
        return None
    return DiskUse(
        (own.f_blocks - own.f_bfree) * own.f_frsize,
        own.f_files - own.f_ffree + shared.f_files - shared.f_ffree,
    )
