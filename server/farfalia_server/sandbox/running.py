"""A program that runs in a sandbox: started, watched, and ended with all that it started."""

from __future__ import annotations

import asyncio
import os
import resource
import select
import shlex
import signal
import subprocess
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from farfalia_server.contract.errors import ProgramError
from farfalia_server.sandbox.driver import Driver, Launch
from farfalia_server.sandbox.ending import Ending, Limit
from farfalia_server.sandbox.output import Output
from farfalia_server.sandbox.process_tree import Process, send, tree
from farfalia_server.sandbox.program import Limits, Program
from farfalia_server.sandbox.watch import Watch

#: Seconds until what was killed is killed again, if it is still there.
_AGAIN = 0.1
#: Seconds in which a namespace ends.
_MOMENT = 0.002
#: Seconds between SIGTERM and SIGKILL.
PATIENCE = 1.0
#: Bytes that are read at once.
_CHUNK = 1 << 16


def start(
    driver: Driver, program: Program, limits: Limits, socket: Path | None, tell: Callable[[str], None]
) -> RunningProgram:
    """Start a program; `tell` is given each line that it writes. ProgramError if it cannot be started.

    Call it in the event loop's thread: the program is ended with the thread that started it.
    """
    launch = driver.launch(program, limits, socket)
    reading, writing = os.pipe()
    try:
        process = subprocess.Popen(  # noqa: S603  (what is asked for, in its sandbox)
            launch.command,
            stdin=subprocess.DEVNULL,
            stdout=writing,
            stderr=writing,
            cwd=launch.folder,
            env=dict(launch.environment),
            pass_fds=launch.descriptors,
            start_new_session=True,
        )
    except OSError as error:
        os.close(reading)
        launch.stack.close()
        reason = (error.strerror or str(error)).lower()
        raise ProgramError(f"{shlex.join(program.command)} cannot be started: {reason}") from error
    finally:
        os.close(writing)
        for descriptor in launch.descriptors:
            os.close(descriptor)
    return RunningProgram(process, reading, launch, limits, tell)


class RunningProgram:
    """A program that was started, until it has ended and nothing is left of it."""

    def __init__(
        self,
        process: subprocess.Popen[bytes],
        reading: int,
        launch: Launch,
        limits: Limits,
        tell: Callable[[str], None],
    ) -> None:
        #: The process at the top; it is the leader of a process group.
        self.pid = process.pid
        #: How it has ended; None while it runs.
        self.ending: Ending | None = None
        self._process = process
        self._reading = reading
        self._launch = launch
        self._limits = limits
        self._output = Output(limits.output, tell)
        self._watch = Watch(limits, launch)
        self._flooded = False
        self._stopped = False
        self._began = time.monotonic()
        #: Set when there is a reason to look at once.
        self._awake = asyncio.Event()
        self._ended = os.pidfd_open(process.pid)
        os.set_blocking(reading, False)
        loop = asyncio.get_running_loop()
        loop.add_reader(reading, self._read)
        loop.add_reader(self._ended, self._notice_end)
        self._task = asyncio.create_task(self._follow())

    @property
    def cpu_seconds(self) -> float:
        """Seconds of CPU that it had used when it was looked at last."""
        return self._watch.cpu

    async def wait(self) -> Ending:
        """Return how it ended, as soon as nothing that it started is left."""
        return await asyncio.shield(self._task)

    async def end(self) -> Ending:
        """End it and all that it started: SIGTERM, and what is left a moment later is killed."""
        if self.ending is None:
            self._stopped = True
            send(self._own(), signal.SIGTERM)
            send(self._own(), signal.SIGCONT)
            await asyncio.wait({self._task}, timeout=PATIENCE)
            if not self._task.done():
                self._kill()
        return await self.wait()

    def _own(self) -> list[Process]:
        """Return the program's processes, without those of the driver."""
        return [one for one in tree(self.pid) if one.depth >= self._launch.own_levels]

    def _kill(self) -> None:
        """Kill the program with all that it started; the driver's topmost process then ends, too."""
        self._launch.kill()
        if first := self._launch.first_process():
            with suppress(ProcessLookupError):
                os.kill(first, signal.SIGKILL)
            return
        # Without a namespace whatever forks must not get away meanwhile. Before there is a program, nothing of a
        # stranger runs yet.
        send(self._own(), signal.SIGSTOP)
        send(self._own() or tree(self.pid), signal.SIGKILL)

    async def _follow(self) -> Ending:
        try:
            return await self._until_ended()
        except asyncio.CancelledError:  # the event loop is closing
            self._kill()
            with suppress(ProcessLookupError):
                os.killpg(self.pid, signal.SIGKILL)
            raise
        finally:
            loop = asyncio.get_running_loop()
            for descriptor in (self._reading, self._ended):
                loop.remove_reader(descriptor)
                os.close(descriptor)
            self._launch.stack.close()

    async def _until_ended(self) -> Ending:
        while (ended := self._look_for_end()) is None:
            if self._watch.limit is None:
                self._watch.look(self.pid, time.monotonic() - self._began)
                if self._flooded:
                    self._watch.reach(Limit.OUTPUT)
            if self._watch.limit is not None:
                self._kill()
            with suppress(TimeoutError):
                await asyncio.wait_for(self._awake.wait(), _AGAIN if self._watch.limit else self._watch.pause)
            self._awake.clear()
        await self._until_namespace_ended()
        out_of_memory = self._launch.out_of_memory()
        status, usage = ended
        self._drain()
        code, number = self._decode(os.waitstatus_to_exitcode(status))
        cpu = max(self._watch.cpu, usage.ru_utime + usage.ru_stime)
        if out_of_memory:
            self._watch.reach(Limit.MEMORY)
        limit = self._watch.limit or self._limit_of(number, cpu, failed=code != 0)
        self.ending = Ending(
            exit_code=code,
            signal=number,
            tail=tuple(self._output.tail),
            peak_memory=self._watch.peak_memory,
            cpu_seconds=cpu,
            limit=limit,
            reason="" if limit is None else self._watch.reason_of(limit),
            stopped=self._stopped,
        )
        return self.ending

    async def _until_namespace_ended(self) -> None:
        """Wait for the first process of the namespace, which the driver's topmost one does not always do."""
        first = self._launch.first_process()
        if first is None:
            return
        try:
            descriptor = os.pidfd_open(first)
        except ProcessLookupError:
            return
        try:
            while not select.select([descriptor], [], [], 0)[0]:  # noqa: ASYNC110  (it takes a moment at most)
                await asyncio.sleep(_MOMENT)
        finally:
            os.close(descriptor)

    def _look_for_end(self) -> tuple[int, resource.struct_rusage] | None:
        """Return status and use of the process at the top once it has ended."""
        pid, status, usage = os.wait4(self.pid, os.WNOHANG)
        if not pid:
            return None
        self._process.returncode = os.waitstatus_to_exitcode(status)  # `Popen` would wait for it again, and find none
        return status, usage

    def _decode(self, code: int) -> tuple[int | None, int | None]:
        """Return exit code and signal, one of which is None."""
        if code < 0:
            return None, -code
        if self._launch.signals_as_codes and 128 < code < 128 + signal.NSIG:
            return None, code - 128
        return code, None

    def _limit_of(self, number: int | None, cpu: float, *, failed: bool) -> Limit | None:
        """Return the limit that the kernel has enforced between two looks, if any."""
        if number == signal.SIGXFSZ:
            return Limit.FILE_SIZE
        if number == signal.SIGXCPU:
            return Limit.CPU
        if self._stopped or not failed:
            return None
        if self._flooded:
            return Limit.OUTPUT
        if self._limits.cpu_seconds is not None and cpu >= self._limits.cpu_seconds:
            return Limit.CPU
        return None

    def _read(self) -> bool:
        """Take what was written; whether there may be more."""
        try:
            data = os.read(self._reading, _CHUNK)
        except OSError:
            return False
        if not data:
            asyncio.get_running_loop().remove_reader(self._reading)
            return False
        if not self._output.take(data) and not self._flooded:
            self._flooded = True
            self._awake.set()
        return True

    def _notice_end(self) -> None:
        asyncio.get_running_loop().remove_reader(self._ended)
        self._awake.set()

    def _drain(self) -> None:
        while self._read() and not self._flooded:
            pass
        self._output.finish()
