"""The `farfalia` command as a process that is forked off one that has imported everything: quick, and yet a process.

`python -m tests.cli.forked` reads a call a line and prints its exit code; `Forks` makes these calls.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
from importlib import import_module
from pathlib import Path
from typing import Any

from farfalia_server.__main__ import main
from farfalia_server.cli.commands import MODULES

ROOT = Path(__file__).resolve().parents[2]


class Forks:
    """The process that forks; it is started by the first call."""

    def __init__(self, limit: float) -> None:
        self._limit = limit
        self._process: subprocess.Popen[str] | None = None

    def run(self, arguments: list[str], folder: Path, environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
        """What came of `farfalia ARGUMENTS` in this folder, with nothing to read."""
        if self._process is None:
            command = [sys.executable, "-m", "tests.cli.forked"]
            pipe = subprocess.PIPE
            self._process = subprocess.Popen(
                command, cwd=ROOT, stdin=pipe, stdout=pipe, text=True, start_new_session=True
            )
        process = self._process
        assert process.stdin
        assert process.stdout
        with tempfile.NamedTemporaryFile() as stdout, tempfile.NamedTemporaryFile() as stderr:
            call = {"arguments": arguments, "folder": str(folder), "environment": environment}
            watchdog = threading.Timer(self._limit, os.killpg, (process.pid, signal.SIGKILL))
            watchdog.start()
            try:
                print(json.dumps(call | {"stdout": stdout.name, "stderr": stderr.name}), file=process.stdin, flush=True)
                code = process.stdout.readline()
            finally:
                watchdog.cancel()
            out, err = (Path(file.name).read_text("utf-8") for file in (stdout, stderr))
        assert code, f"farfalia {' '.join(arguments)} took more than {self._limit} s:\n{out}\n{err}"
        return subprocess.CompletedProcess(arguments, int(code), out, err)

    def close(self) -> None:
        """End it; it may not have been started."""
        if self._process is not None:
            self._process.communicate(timeout=self._limit)


def next_call() -> dict[str, Any] | None:
    """In the process that forks: None once there are no more calls. In those that it forked: the call."""
    for line in sys.stdin:
        child = os.fork()
        if not child:
            call: dict[str, Any] = json.loads(line)
            return call
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
    return None


def become(call: dict[str, Any]) -> None:
    """Make this process what a shell would have made for the call."""
    os.environ.clear()
    os.environ.update(call["environment"])
    os.chdir(call["folder"])
    for number, path in enumerate((os.devnull, call["stdout"], call["stderr"])):
        opened = os.open(path, os.O_RDWR | os.O_TRUNC)
        os.dup2(opened, number)
        os.close(opened)
    sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115  # what was read ahead is not for this call
    sys.argv = ["farfalia", *call["arguments"]]


if __name__ == "__main__":
    for name in ("app", *(f"cli.{module}" for module in set(MODULES.values()))):
        import_module(f"farfalia_server.{name}")
    found = next_call()
    if found is not None:
        become(found)
        main()
