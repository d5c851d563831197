"""Bot programs as processes, each in a group of its own, none of which outlives the one that started it."""

import asyncio
import os
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from farfalia_server.contract.errors import ProgramError
from farfalia_server.local import forked, reaper
from farfalia_server.local.confined import LOCAL_LIMITS, confined_program
from farfalia_server.local.forked import ForkedProcess, ForkServer, python_words
from farfalia_server.net.secrecy import hide, without_settings
from farfalia_server.sandbox import RunningProgram, Sandbox

#: Seconds between two looks at whether a process has ended.
POLL = 0.02


class Program:
    """One program that was started, and the file that all its output goes to; `running` if it is in a sandbox."""

    def __init__(
        self,
        name: str,
        command: Sequence[str],
        process: subprocess.Popen[bytes] | ForkedProcess | RunningProgram,
        output: Path,
    ) -> None:
        self.name = name
        self.command = shlex.join(command)
        self.output = output
        self.pid = process.pid
        self._process = process

    @property
    def running(self) -> RunningProgram | None:
        """The program in its sandbox, if it is in one."""
        return self._process if isinstance(self._process, RunningProgram) else None

    @property
    def exit_code(self) -> int | None:
        """Its exit code, negative for the signal that ended it; None while it runs."""
        if not isinstance(self._process, RunningProgram):
            return self._process.poll()
        ending = self._process.ending
        if ending is None:
            return None
        return ending.exit_code if ending.signal is None else -ending.signal

    @property
    def ending(self) -> str:
        """How it ended, as the end of a sentence."""
        code = self.exit_code
        if code is None:
            return "is still running"
        if self.running is not None:
            return str(self.running.ending)
        return f"was ended by signal {-code}" if code < 0 else f"ended with exit code {code}"

    async def wait(self) -> None:
        """Wait until it has ended."""
        if isinstance(self._process, RunningProgram):
            await self._process.wait()
        else:
            await _ended(self._process)

    def tail(self, lines: int = 12) -> list[str]:
        """Return the last lines that it wrote."""
        with self.output.open("rb") as file:
            file.seek(0, os.SEEK_END)
            file.seek(max(0, file.tell() - 400 * lines))
            return file.read().decode(errors="replace").splitlines()[-lines:]


class Programs:
    """The programs that were started; at the end of the block, or of this process, all of them are ended.

    With a sandbox they are started in it, and find the server at `socket` only. Without one, those in Python are forked
    from a process that has imported the SDK, which is started with the first of them.
    """

    def __init__(self, sandbox: Sandbox | None = None, socket: Path | None = None) -> None:
        self._sandbox = sandbox
        self._socket = socket
        self._reaper: subprocess.Popen[bytes] | None = None
        self._fork_server: ForkServer | None = None
        #: Tells of each program, once it has ended, whether all that it started has, too.
        self._watching: dict[Program, asyncio.Task[bool]] = {}

    async def __aenter__(self) -> Self:
        """Start the reaper process, which must be there before the first program is, and hide this one from them."""
        hide()
        self._reaper = _spawn(
            [sys.executable, "-I", "-S", reaper.__file__], stdin=subprocess.PIPE, bufsize=0, env=without_settings()
        )
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End all programs, and return when they are gone."""
        # Shielded: a second Ctrl-C while the programs are being ended must not leave some of them.
        await asyncio.shield(self._end())

    async def start(self, name: str, command: Sequence[str], environment: Mapping[str, str], output: Path) -> Program:
        """Start a program with this process's environment and some more; ProgramError if it cannot be started.

        None of our own settings is passed on, and this process is hidden: a stranger's program must not read the admin
        token, or the password of a database. What it writes is added to the output file.
        """
        output.parent.mkdir(parents=True, exist_ok=True)
        if self._sandbox is not None:
            return self._watched(self._start_in(self._sandbox, name, command, environment, output))
        words = python_words(command)
        process: subprocess.Popen[bytes] | ForkedProcess
        try:
            if words is not None:
                process = await self._forking().start(words, environment, output)
            else:
                with output.open("ab") as file:
                    process = _spawn(
                        command,
                        stdin=subprocess.DEVNULL,
                        stdout=file,
                        stderr=subprocess.STDOUT,
                        env={**without_settings(), **environment},
                    )
        except (OSError, ProgramError) as error:
            reason = ((error.strerror if isinstance(error, OSError) else None) or str(error)).lower()
            raise ProgramError(f"{name} cannot be started: {shlex.join(command)}: {reason}.") from error
        return self._watched(Program(name, command, process, output))

    def _forking(self) -> ForkServer:
        if self._fork_server is None or not self._fork_server.is_there:
            environment = {**without_settings(), **forked.ENVIRONMENT}
            pipe = subprocess.PIPE
            self._fork_server = ForkServer(_spawn(forked.COMMAND, stdin=pipe, stdout=pipe, bufsize=0, env=environment))
        return self._fork_server

    def _start_in(
        self, sandbox: Sandbox, name: str, command: Sequence[str], environment: Mapping[str, str], output: Path
    ) -> Program:
        def write(line: str) -> None:
            with output.open("a") as file:
                file.write(f"{line}\n")

        output.touch()
        try:
            confined = confined_program(command, environment)
            return Program(name, command, sandbox.start(confined, LOCAL_LIMITS, self._socket, write), output)
        except ProgramError as error:
            raise ProgramError(f"{name} cannot be started in the sandbox {sandbox.name}: {error}.") from error

    def _watched(self, program: Program) -> Program:
        self._tell(program.pid)
        self._watching[program] = asyncio.create_task(self._watch(program))
        return program

    async def end(self, program: Program) -> None:
        """End one program with all that it started: first it is told to terminate, a little later killed."""
        watching = self._watching[program]
        if program.running is not None:
            await program.running.end()
            await watching
        if not watching.done() or not watching.result():  # otherwise the number may be a stranger's by now
            deadline = time.monotonic() + reaper.PATIENCE
            alive = _send(program.pid, signal.SIGTERM)
            while alive and time.monotonic() < deadline:
                await asyncio.sleep(POLL)
                alive = _send(program.pid, 0)
            if alive:
                _send(program.pid, signal.SIGKILL)
            await asyncio.wait({watching})
            if not watching.result() and not _send(program.pid, 0):
                self._tell(-program.pid)
        del self._watching[program]

    @contextmanager
    def keeping(self, group: int) -> Iterator[None]:
        """Have a process group ended if this process dies within the block, in which others are to end it."""
        self._tell(group)
        try:
            yield
        finally:
            self._tell(-group)

    def _tell(self, group: int) -> None:
        assert self._reaper is not None
        assert self._reaper.stdin is not None
        if not self._reaper.stdin.closed:
            with suppress(BrokenPipeError):  # somebody has ended the reaper process; `_end` does its work
                self._reaper.stdin.write(b"%+d\n" % group)

    async def _watch(self, program: Program) -> bool:
        await program.wait()
        if _send(program.pid, 0):  # what it started itself may live on
            return False
        self._tell(-program.pid)  # the number may be given to a stranger from now on
        return True

    async def _end(self) -> None:
        assert self._reaper is not None
        assert self._reaper.stdin is not None
        self._reaper.stdin.close()
        await _ended(self._reaper)
        left = [program.pid for program in self._watching if program.exit_code is None]
        left = [group for group in left if _send(group, signal.SIGKILL)]
        await asyncio.gather(*self._watching.values())
        deadline = time.monotonic() + reaper.PATIENCE
        while any(_send(group, 0) for group in left) and time.monotonic() < deadline:  # noqa: ASYNC110  (as below)
            await asyncio.sleep(POLL)
        if self._fork_server is not None:
            self._fork_server.close()
            await _ended(self._fork_server.process)


def _spawn(command: Sequence[str], **how: Any) -> subprocess.Popen[bytes]:
    """Start a process in a session of its own.

    Not through the event loop: uvloop forks such that gRPC's fork handlers run, and now and then a child dies of it.
    """
    return subprocess.Popen(command, start_new_session=True, **how)  # noqa: S603  (what the user told us to run)


def _send(group: int, number: int) -> bool:
    """Send a signal to a process group; whether it is still there."""
    try:
        os.killpg(group, number)
    except (ProcessLookupError, PermissionError):
        return False
    return True


async def _ended(process: subprocess.Popen[bytes] | ForkedProcess) -> None:
    while process.poll() is None:  # noqa: ASYNC110  (no loop has started it, so none is told)
        await asyncio.sleep(POLL)
