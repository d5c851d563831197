"""Starts one program under Landlock, limits and a filter of system calls; ends what it leaves behind.

Run as a script, with the number of a descriptor from which it reads what to do. It stays as the parent of the program
and of all that the program's processes leave behind.
"""

import ctypes
import json
import os
import resource
import signal
import sys
from typing import Any

_SET_PDEATHSIG, _SET_SECCOMP, _SET_SUBREAPER, _NO_NEW_PRIVILEGES = 1, 22, 36, 38
_SECCOMP_FILTER = 2
_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_PATH_BENEATH = 1
#: Rights on files by the version that brought them: execute, write, read, list, remove, make; refer; truncate; ioctl.
_RIGHTS = {1: (1 << 13) - 1, 2: 1 << 13, 3: 1 << 14, 5: 1 << 15}
_EXECUTE, _WRITE, _READ, _LIST, _TRUNCATE, _IOCTL = 1, 2, 4, 8, 1 << 14, 1 << 15
#: Of what a right can be given for a single file.
_OF_FILES = _EXECUTE | _WRITE | _READ | _TRUNCATE | _IOCTL
#: TCP: bind, connect; abstract sockets and signals to processes outside.
_NETWORK, _SCOPES = 3, 3

_libc = ctypes.CDLL(None, use_errno=True)


class _Ruleset(ctypes.Structure):
    _fields_ = [("files", ctypes.c_uint64), ("network", ctypes.c_uint64), ("scoped", ctypes.c_uint64)]


class _Rule(ctypes.Structure):
    _pack_ = 1
    _fields_ = [("allowed", ctypes.c_uint64), ("parent", ctypes.c_int32)]


class _Filter(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("instructions", ctypes.c_void_p)]


def version() -> int:
    """Return the version of Landlock's interface here; 0 if there is none."""
    if sys.platform != "linux":
        return 0
    return max(0, int(_libc.syscall(_CREATE_RULESET, None, 0, 1)))


def ruleset(readable: list[str], writable: list[str], devices: list[str]) -> int:
    """Return a descriptor of rules that allow to read and execute these, to write those, and nothing else."""
    abi = version()
    everything = sum(rights for since, rights in _RIGHTS.items() if since <= abi)
    attributes = _Ruleset(everything, _NETWORK if abi >= 4 else 0, _SCOPES if abi >= 6 else 0)
    size = 24 if abi >= 6 else 16 if abi >= 4 else 8
    rules = _checked(_libc.syscall(_CREATE_RULESET, ctypes.byref(attributes), size, 0))
    for paths, allowed in (
        (readable, _EXECUTE | _READ | _LIST),
        (writable, everything & ~_IOCTL & ~_EXECUTE),
        (devices, _READ | _WRITE),
    ):
        for path in paths:
            try:
                descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
            except OSError:  # not every system has it
                continue
            rights = (allowed if os.path.isdir(path) else allowed & _OF_FILES) & everything  # noqa: PTH112
            rule = _Rule(rights, descriptor)
            _checked(_libc.syscall(_ADD_RULE, rules, _PATH_BENEATH, ctypes.byref(rule), 0))
            os.close(descriptor)
    return rules


def become(order: dict[str, Any]) -> None:
    """Turn this process into the program."""
    os.setsid()
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    rules = ruleset(order["readable"], order["writable"], order["devices"])
    os.chdir(order["folder"])
    for name, value in order["limits"].items():
        resource.setrlimit(getattr(resource, name), (value, value))
    if order["user"] is not None:
        os.setgroups([])
        os.setresgid(*[order["user"]] * 3)
        os.setresuid(*[order["user"]] * 3)
    _checked(_libc.prctl(_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0))
    _checked(_libc.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0))
    _checked(_libc.syscall(_RESTRICT_SELF, rules, 0))
    code = bytes.fromhex(order["filter"])
    text = ctypes.create_string_buffer(code, len(code))
    program = _Filter(len(code) // 8, ctypes.addressof(text))
    os.closerange(3, 1 << 16)
    _checked(_libc.prctl(_SET_SECCOMP, _SECCOMP_FILTER, ctypes.byref(program), 0, 0))
    os.execvpe(order["command"][0], order["command"], order["environment"])  # noqa: S606  (what is asked for)


def children() -> list[int]:
    """Return the processes below this one that it has started or inherited."""
    with open(f"/proc/self/task/{os.getpid()}/children") as file:  # noqa: PTH123
        return [int(pid) for pid in file.read().split()]


def main(descriptor: int) -> int:
    """Start the program, wait for its end, and end what it has left; return its exit code, as a shell would."""
    with os.fdopen(descriptor) as file:
        order = json.load(file)
    _libc.prctl(_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    _checked(_libc.prctl(_SET_SUBREAPER, 1, 0, 0, 0))
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    program = os.fork()
    if not program:
        try:
            become(order)
        except OSError as error:
            print(f"{order['command'][0]} cannot be started: {error}", file=sys.stderr, flush=True)
        os._exit(127)
    status = None
    while status is None:
        pid, found = os.wait()
        if pid == program:
            status = os.waitstatus_to_exitcode(found)
    while left := children():
        for pid in left:  # what these leave behind comes to us, and is ended in the next round
            os.kill(pid, signal.SIGKILL)
        for _ in left:
            os.wait()
    return status if status >= 0 else 128 - status


def _checked(result: int) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return result


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1])))
