"""The `farfalia` command as a process that is forked off one that has imported everything: quick, and yet a process.

`python -m tests.cli.forked FD` reads calls from a socket and forks for each; `start` and `run` make these calls. So do
the commands that were forked themselves, for a server's worker process.
"""

from __future__ import annotations

import atexit
import gc
import json
import os
import resource
import runpy
import select
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from importlib import import_module
from io import FileIO, TextIOWrapper
from pathlib import Path
from types import ModuleType
from typing import IO, Any

from farfalia_server.__main__ import main
from farfalia_server.cli.commands import MODULES
from farfalia_server.cli.serve import work
from farfalia_server.net import worker_process
from farfalia_server.workers import group

ROOT = Path(__file__).resolve().parents[2]
_LONGEST = 1 << 16
_LOCK = threading.Lock()
#: Where calls are sent to.
_calls: socket.socket | None = None
#: Other values for some of the server's constants, in a process that was forked.
_constants: Mapping[str, float] = {}
#: What a process becomes.
_COMMAND, _PROGRAM, _WORKER, _SERVER_WORKER = "command", "program", "worker", "server worker"


class Process:
    """A process that was forked, as `subprocess.Popen` has one; it leads a session of its own."""

    def __init__(self, report: int) -> None:
        self._report = open(report, encoding="ascii")  # noqa: SIM115
        self.pid = int(self._report.readline())
        self.returncode: int | None = None

    def wait(self, timeout: float | None = None) -> int:
        """Its exit code once it has ended; raises `subprocess.TimeoutExpired`."""
        if self.returncode is None:
            ended = select.poll()
            ended.register(self._report)
            if not ended.poll(None if timeout is None else timeout * 1000):
                raise subprocess.TimeoutExpired(f"farfalia (process {self.pid})", timeout or 0)
            self.returncode = int(self._report.readline())
            self._report.close()
        return self.returncode

    def poll(self) -> int | None:
        """Its exit code, or None while it runs."""
        try:
            return self.wait(0)
        except subprocess.TimeoutExpired:
            return None

    def send_signal(self, number: int) -> None:
        """Send it a signal unless it has ended."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def terminate(self) -> None:
        """Send it SIGTERM."""
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        """Send it SIGKILL."""
        self.send_signal(signal.SIGKILL)


class Bot(Process):
    """A bot's program, whose output is read as that of `subprocess.Popen` with pipes."""

    def __init__(self, report: int, stdout: int, stderr: int) -> None:
        self.stdout = open(stdout, encoding="utf-8")  # noqa: SIM115
        self.stderr = open(stderr, encoding="utf-8")  # noqa: SIM115
        self._said = "", ""
        super().__init__(report)

    def communicate(self, timeout: float | None = None) -> tuple[str, str]:
        """What was left of its output, once it has ended; raises `subprocess.TimeoutExpired`."""
        if self.stdout.closed:
            return self._said
        with self.stdout, self.stderr, ThreadPoolExecutor() as readers:
            said = [readers.submit(file.read) for file in (self.stdout, self.stderr)]
            try:
                self.wait(timeout)
            except subprocess.TimeoutExpired:
                self.kill()  # its readers would wait forever
                raise
            self._said = said[0].result(), said[1].result()
        return self._said


def start(
    arguments: Sequence[str],
    environment: Mapping[str, str],
    stdout: int,
    stderr: int,
    *,
    stdin: int | None = None,
    folder: Path = ROOT,
    descriptors: int = 0,
    constants: Mapping[str, float] | None = None,
) -> Process:
    """Start `farfalia ARGUMENTS` in this folder with these files, with nothing to read unless there is a `stdin`.

    `descriptors` is how many files and sockets it may have open, 0 for as many as this process; `constants` are other
    values for some of the server's, such as `farfalia_server.cluster.lease._SERVER_LEASE_SECONDS`.
    """
    files = (stdin, stdout, stderr)
    words = ["farfalia", *arguments]
    return Process(_fork(_COMMAND, words, environment, folder, files, descriptors=descriptors, constants=constants))


def bot(words: Sequence[str], environment: Mapping[str, str]) -> Bot:
    """Start `python WORDS` with nothing to read: a file, `-m MODULE` or `-c CODE`."""
    stdout, to_stdout = os.pipe()
    stderr, to_stderr = os.pipe()
    try:
        return Bot(_fork(_PROGRAM, words, environment, Path.cwd(), (None, to_stdout, to_stderr)), stdout, stderr)
    finally:
        os.close(to_stdout)
        os.close(to_stderr)


def _fork(
    kind: str,
    words: Sequence[str],
    environment: Mapping[str, str],
    folder: Path,
    files: Sequence[int | None],
    *,
    descriptors: int = 0,
    constants: Mapping[str, float] | None = None,
) -> int:
    """Fork a process; its files are standard input, output and error, and what else it gets. Returns its report."""
    call: dict[str, Any] = {
        "kind": kind,
        "words": list(words),
        "environment": dict(environment),
        "folder": str(folder),
        "descriptors": descriptors,
        "constants": dict(constants or {}),
    }
    report, reported = os.pipe()
    nothing = os.open(os.devnull, os.O_RDONLY)
    try:
        with _LOCK:
            sent = [nothing if file is None else file for file in files]
            socket.send_fds(_forker(), [json.dumps(call).encode() + b"\n"], [*sent, reported])
            os.close(reported)
            return report
    finally:
        os.close(nothing)


def watched(
    arguments: Sequence[str], environment: Mapping[str, str], folder: Path, stdout: Path
) -> tuple[Process, IO[str]]:
    """Start `farfalia ARGUMENTS`, its output into a file; returns it with what it says on standard error."""
    read, write = os.pipe()
    with stdout.open("wb") as out:
        process = start(arguments, environment, out.fileno(), write, folder=folder)
    os.close(write)
    return process, os.fdopen(read, encoding="utf-8")


def run(
    arguments: Sequence[str], folder: Path, environment: Mapping[str, str], limit: float
) -> subprocess.CompletedProcess[str]:
    """What came of `farfalia ARGUMENTS` in this folder, with nothing to read; it must end within `limit` seconds."""
    with tempfile.TemporaryFile() as stdout, tempfile.TemporaryFile() as stderr:
        process = start(arguments, environment, stdout.fileno(), stderr.fileno(), folder=folder)
        try:
            code = process.wait(limit)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            message = f"farfalia {' '.join(arguments)} took more than {limit} s:\n{_text(stdout)}\n{_text(stderr)}"
            raise AssertionError(message) from None
        return subprocess.CompletedProcess(arguments, code, _text(stdout), _text(stderr))


def _text(file: IO[bytes]) -> str:
    file.seek(0)
    return file.read().decode()


def _forker() -> socket.socket:
    """Where calls are sent to; the first one starts the process that forks, which ends with this one."""
    global _calls
    if _calls is None:
        _calls, there = socket.socketpair()
        with there:
            process = subprocess.Popen(
                [sys.executable, "-m", "tests.cli.forked", str(there.fileno())],
                cwd=ROOT,
                pass_fds=[there.fileno()],
                start_new_session=True,
            )
        atexit.register(process.wait)
        atexit.register(_calls.close)
    return _calls


def _next_call(calls: socket.socket) -> tuple[dict[str, Any], list[int]] | None:
    """In the process that forks: None once there are no more calls. In those that it forked: the call and its files."""
    global _calls
    # What was forked calls on a socket of its own: the end of the other one is the end of the tests.
    _calls, later_calls = socket.socketpair(type=socket.SOCK_DGRAM)
    while True:
        (source, *_), _, _ = select.select([calls, later_calls], [], [])
        said, files, _, _ = socket.recv_fds(source, _LONGEST, 6)
        with suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        if not said:
            return None
        while not said.endswith(b"\n"):
            said += calls.recv(_LONGEST)
        *files, report = files
        if not os.fork():  # this one tells of its child: the process that forks has others to fork meanwhile
            calls.close()
            later_calls.close()
            os.setsid()
            child = os.fork()
            if not child:
                os.setsid()  # before anybody knows the process, who might send its group a signal
                os.write(report, f"{os.getpid()}\n".encode())
                os.close(report)
                call: dict[str, Any] = json.loads(said)
                return call, files
            for file in files:
                os.close(file)
            code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
            with suppress(BrokenPipeError):  # who has started it may be gone
                os.write(report, f"{code}\n".encode())
            os._exit(0)
        for file in (*files, report):
            os.close(file)


def _become(call: dict[str, Any], files: list[int]) -> None:
    """Make this process what a shell would have made for the call, and be that."""
    global _constants
    os.environ.clear()
    os.environ.update(call["environment"])
    _constants = call["constants"]
    os.chdir(call["folder"])
    if call["descriptors"]:
        resource.setrlimit(resource.RLIMIT_NOFILE, (call["descriptors"], call["descriptors"]))
    for name, value in call["constants"].items():
        module, _, constant = name.rpartition(".")
        setattr(import_module(module), constant, value)
    for number, file in enumerate(files[:3]):
        os.dup2(file, number)
        os.close(file)
    at_once = "PYTHONUNBUFFERED" in os.environ
    sys.stdout = (
        TextIOWrapper(FileIO(1, "w", closefd=False), "utf-8", write_through=True)
        if at_once
        else open(  # noqa: SIM115
            1, "w", encoding="utf-8", closefd=False
        )
    )
    sys.stderr = open(2, "w", 1, encoding="utf-8", errors="backslashreplace", closefd=False)  # noqa: SIM115
    sys.argv = call["words"]
    match call["kind"]:
        case "command":
            worker_process._spawn = _spawn_worker  # type: ignore[assignment]
            group._spawn = _spawn_server_worker  # type: ignore[assignment]
            main()
        case "program":
            _run_program(call["words"])
        case "worker":
            worker_process.serve(*files[3:])
        case "server worker":
            worker_process._spawn = _spawn_worker  # type: ignore[assignment]
            work(files[3])


def _spawn_worker(*descriptors: int) -> Process:
    """In a server that was forked: start its worker process."""
    return Process(_fork(_WORKER, [], os.environ, Path.cwd(), (None, 2, 2, *descriptors), constants=_constants))


def _spawn_server_worker(descriptor: int) -> Process:
    """In a server of several workers that was forked: start one."""
    return Process(_fork(_SERVER_WORKER, [], os.environ, Path.cwd(), (None, 1, 2, descriptor)))


def _run_program(words: list[str]) -> None:
    """Be `python WORDS`."""
    global _calls
    _calls = None
    if words[0] == "-m":
        sys.argv = words[1:]
        sys.path[0] = str(Path.cwd())
        runpy.run_module(words[1], run_name="__main__", alter_sys=True)
        return
    module = sys.modules["__main__"] = ModuleType("__main__")
    if words[0] == "-c":
        sys.path[0] = ""
        code = compile(words[1], "<string>", "exec")
    else:
        path = Path(words[0])
        sys.path[0] = str(path.parent.absolute())
        module.__file__ = words[0]
        code = compile(path.read_bytes(), path, "exec")
    exec(code, module.__dict__)


if __name__ == "__main__":
    for name in (
        "farfalia_server.app",
        "farfalia_server.logs",
        "farfalia_server.net.event_loop",
        "farfalia_server.workers.worker",
        *set(MODULES.values()),
    ):
        import_module(name)
    for name in ("trueskill", "uvicorn.lifespan.off"):  # what a server imports as late as it can
        import_module(name)
    gc.freeze()  # what was imported need not be copied
    found = _next_call(socket.socket(fileno=int(sys.argv[1])))
    if found is not None:
        _become(*found)
