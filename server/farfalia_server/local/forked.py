"""Programs in Python that are forked from one process, which has imported the SDK: `fork_server` is that process."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from itertools import count
from pathlib import Path

from farfalia_server.contract.errors import ProgramError
from farfalia_server.local import fork_server

#: How the fork server itself is started.
COMMAND = (sys.executable, fork_server.__file__)
#: What it has in its environment, as Python looks at it only once.
ENVIRONMENT = {"PYTHONUNBUFFERED": "1"}


class ForkedProcess:
    """A process that the fork server has started, which looks after it."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        #: Its exit code, negative for the signal that ended it; None while it runs.
        self.exit_code: int | None = None

    def poll(self) -> int | None:
        """Return its exit code, or None while it runs, as that of `subprocess.Popen` does."""
        return self.exit_code


class ForkServer:
    """The fork server as seen from the process that started it, with pipes to and from it, within an event loop."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self.process = process
        self._calls, self._reports = process.stdin, process.stdout
        self._numbers = count()
        self._awaited: dict[str, asyncio.Future[ForkedProcess]] = {}
        self._running: dict[str, ForkedProcess] = {}
        self._said = b""
        self._loop = asyncio.get_running_loop()
        self._loop.add_reader(self._reports.fileno(), self._read)

    @property
    def is_there(self) -> bool:
        """Whether it can start another program."""
        return not self._reports.closed

    async def start(self, words: Sequence[str], environment: Mapping[str, str], output: Path) -> ForkedProcess:
        """Start `python WORDS` with some more environment, which adds what it writes to the output file; ProgramError
        if it cannot be started.
        """
        number = str(next(self._numbers))
        call = {"call": number, "words": list(words), "environment": dict(environment), "output": str(output)}
        started: asyncio.Future[ForkedProcess] = self._loop.create_future()
        self._awaited[number] = started
        with suppress(BrokenPipeError):  # the end of its reports will be noticed
            self._calls.write(json.dumps(call).encode() + b"\n")
        return await started

    def close(self) -> None:
        """Have it end; what it has started lives on."""
        with suppress(BrokenPipeError):
            self._calls.close()

    def _read(self) -> None:
        said = os.read(self._reports.fileno(), 65536)
        *lines, self._said = (self._said + said).split(b"\n")
        for line in lines:
            self._take(*line.decode().split(" ", 2))
        if not said:
            self._gone()

    def _take(self, what: str, who: str, value: str) -> None:
        if what == "ended":
            if who in self._running:  # otherwise it has failed before it was the program
                self._running.pop(who).exit_code = int(value)
            return
        awaited = self._awaited.pop(who)
        if what == "started":
            process = self._running[value] = ForkedProcess(int(value))
            awaited.set_result(process)
        else:
            awaited.set_exception(ProgramError(value.lower()))

    def _gone(self) -> None:
        """Give up all that it has started: it can no longer report how these end."""
        self._loop.remove_reader(self._reports.fileno())
        self._reports.close()
        self._calls.close()
        self.process.wait()  # a moment: it has closed its files
        for awaited in self._awaited.values():
            awaited.set_exception(ProgramError("the process that starts programs in Python has ended"))
        for process in self._running.values():
            process.exit_code = -signal.SIGKILL
        self._awaited, self._running = {}, {}


def python_words(command: Sequence[str]) -> Sequence[str] | None:
    """Return what follows `python` in a command that can be forked: a file, or `-m MODULE`, that this environment's
    Python runs; None for all others.
    """
    word, *words = command
    if not words or not _is_own_python(word):
        return None
    is_file = words[0].endswith(".py") and Path(words[0]).is_file()
    return words if is_file or (words[0] == "-m" and len(words) > 1) else None


def _is_own_python(word: str) -> bool:
    """Return whether it is the Python of this environment; another one's may be a link to the same file."""
    own = Path(sys.executable)
    found = Path(word if os.sep in word else shutil.which(word) or word).absolute()
    return found == own or (found.parent == own.parent and found.name in {"python", "python3"})
