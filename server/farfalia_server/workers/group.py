"""The workers of one machine, as the process that was started sees them."""

from __future__ import annotations

import asyncio
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack, suppress
from dataclasses import asdict
from types import TracebackType
from typing import Any, Self

import structlog

from farfalia_server.contract.errors import FarfaliaServerError, SettingsError
from farfalia_server.net.backoff import backoff
from farfalia_server.net.embedded_redis import EmbeddedRedis
from farfalia_server.net.ports import bind, try_both
from farfalia_server.net.secrecy import without_settings
from farfalia_server.net.supervision import Supervisor
from farfalia_server.net.workers_metrics import NodeMetrics
from farfalia_server.settings import Settings
from farfalia_server.workers.control import Control, WorkerCommand, WorkerReport
from farfalia_server.workers.metrics import MetricsFromWorker

log = structlog.get_logger(__name__)

#: Seconds before a worker that has died is started again, doubled each time up to the longest; and for how many it has
#: to have served for the first of these to count again.
_FIRST_WAIT, _LONGEST_WAIT, _SERVED = 0.5, 30.0, 60.0
#: Characters of a worker's name before its number.
_LONGEST_NAME = 75
#: Seconds that workers may take to stop once nothing is played any more.
_STOP_SECONDS = 30.0


class WorkerFailed(FarfaliaServerError):
    """Raised when a worker has ended before it served; exits with the worker's own code."""

    reason = "WORKER_FAILED"

    def __init__(self, text: str, exit_code: int) -> None:
        super().__init__(text)
        self.exit_code = exit_code


class _Worker:
    """One worker: its process, one after the other, and what it has said."""

    def __init__(self, name: str, settings: Settings, names: Sequence[str], asks: Callable[[_Worker], object]) -> None:
        self.name = name
        #: Called when it asks for the metrics of all.
        self._asks = asks
        self._metrics = MetricsFromWorker()
        self._begin = {
            "settings": _of_worker(settings, name).model_dump(mode="json"),
            "workers": list(names),
        }
        self._process: subprocess.Popen[bytes]
        self._control: Control
        self._reported: dict[WorkerReport, asyncio.Event] = {}
        self._problem: tuple[str, int] | None = None
        self._listening: asyncio.Task[None] | None = None
        self._served_since = 0.0

    @property
    def is_up(self) -> bool:
        """Whether it serves."""
        return self.is_running and self._reported[WorkerReport.UP].is_set()

    @property
    def is_running(self) -> bool:
        """Whether its process runs."""
        return self._listening is not None and not self._listening.done()

    @property
    def served_seconds(self) -> float:
        """How long it has served, or had when it ended."""
        return time.monotonic() - self._served_since if self._reported[WorkerReport.UP].is_set() else 0.0

    async def start(self) -> None:
        """Start the process and wait until it serves; WorkerFailed with its sentence if it ends before."""
        here, there = socket.socketpair()
        with there:
            self._process = _spawn(there.fileno())
        self._control = await Control.open(here)
        self._reported, self._problem = {report: asyncio.Event() for report in WorkerReport}, None
        self._control.send(WorkerCommand.BEGIN, **self._begin)
        self._listening = asyncio.create_task(self._listen(), name=self.name)
        await self.until(WorkerReport.UP)
        if not self._reported[WorkerReport.UP].is_set():
            raise WorkerFailed(*self._end())
        self._served_since = time.monotonic()
        log.info("worker_started", worker=self.name, process=self._process.pid)

    async def introduce(self) -> bool:
        """Let it tell the user how to connect; return whether it has, and did not end instead."""
        self.tell(WorkerCommand.INTRODUCE)
        await self.until(WorkerReport.INTRODUCED)
        return self._reported[WorkerReport.INTRODUCED].is_set()

    def tell(self, what: WorkerCommand, **more: object) -> None:
        """Tell it what to do, if it runs."""
        if self.is_running:
            self._control.send(what, **more)

    async def metrics(self, *, arena: bool) -> NodeMetrics:
        """Return what it counts, and what it knows of the arena if that is wanted; empty if it does not answer."""
        return await self._metrics.ask(self._control, arena=arena)

    async def until(self, report: WorkerReport) -> None:
        """Wait until it has reported this, or has ended."""
        if self.is_running:
            assert self._listening is not None
            saying = asyncio.create_task(self._reported[report].wait())
            await asyncio.wait((saying, self._listening), return_when=asyncio.FIRST_COMPLETED)
            saying.cancel()

    async def ended(self) -> WorkerFailed:
        """Wait until the process, which was started, has ended; return why."""
        assert self._listening is not None
        await asyncio.wait((self._listening,))
        return WorkerFailed(*self._end())

    def kill(self) -> None:
        """End the process at once."""
        if self.is_running:
            self._process.kill()

    async def _listen(self) -> None:
        while (line := await self._control.receive()) is not None:
            if line["what"] == WorkerReport.FAILED:
                self._problem = line["error"], line["exit_code"]
            elif line["what"] == WorkerReport.MEASURED:
                self._metrics.said(line)
            elif line["what"] == WorkerReport.ASKS:
                self._asks(self)
            else:
                self._reported[WorkerReport(line["what"])].set()
        await self._control.close()
        await asyncio.to_thread(self._process.wait)

    def _end(self) -> tuple[str, int]:
        """Return what ended it, a sentence, and its exit code."""
        if self._problem is not None:
            return self._problem
        code = self._process.returncode
        how = f"was killed by signal {-code}" if code < 0 else f"ended with exit code {code}"
        return f"worker {self.name} {how}; its log says more", code if code > 0 else 5


class Workers:
    """The workers of one command, and the Redis that they share if none is named; `async with` starts and ends all.

    Raises SettingsError if a port or the data directory cannot be used, WorkerFailed if a worker cannot be
    started: at the start, or later while no other one serves.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._stack = AsyncExitStack()
        self._supervisor = Supervisor()
        self._workers: list[_Worker] = []
        self._keeping: list[asyncio.Task[None]] = []
        #: Metrics that are being collected.
        self._collecting = set[asyncio.Task[None]]()
        self._leaving = False

    async def __aenter__(self) -> Self:
        try:
            with self._supervisor.adopting():
                await self._start()
        except BaseException:
            await self._close()
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._close()

    async def _start(self) -> None:
        settings = self._settings
        try_both(settings.host, settings.grpc_port, settings.http_port)
        ports = [
            # Kept, so that no other server takes the ports while no worker listens.
            self._stack.enter_context(bind(settings.host, port, use, shared=True)).getsockname()[1]
            for port, use in ((settings.grpc_port, "gRPC"), (settings.http_port, "web pages"))
        ]
        redis_url = settings.redis_url
        if not redis_url:
            try:
                settings.data_dir.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise SettingsError(f"data_dir {settings.data_dir} cannot be created: {error.strerror}") from None
            redis_url = (await self._stack.enter_async_context(EmbeddedRedis(settings.redis_dir))).url
        common: dict[str, Any] = {
            "grpc_port": ports[0],
            "http_port": ports[1],
            "database_url": settings.effective_database_url,
            "redis_url": redis_url,
            "program_archives": settings.effective_program_archives,
        }
        shared = settings.model_copy(update=common)
        name = shared.effective_node[:_LONGEST_NAME]
        names = [f"{name}-{number}" for number in range(1, settings.effective_workers + 1)]
        self._workers = [_Worker(name, shared, names, self._tell_metrics) for name in names]
        first, *others = self._workers
        await first.start()  # alone: it migrates the database, and what is wrong is said once
        for failed in await asyncio.gather(*(worker.start() for worker in others), return_exceptions=True):
            if failed is not None:
                raise failed
        self._keeping = [self._supervisor.start(self._keep(worker), worker.name, ends=True) for worker in self._workers]

    async def _keep(self, worker: _Worker) -> None:
        """Start a worker again whenever it has ended, as long as it should run."""
        waits = backoff(_FIRST_WAIT, _LONGEST_WAIT)
        while True:
            failed = await worker.ended()
            if self._leaving:
                return
            if worker.served_seconds > _SERVED:
                waits = backoff(_FIRST_WAIT, _LONGEST_WAIT)
            seconds = next(waits)
            log.error("worker_ended", worker=worker.name, error=str(failed), retry_seconds=round(seconds, 1))
            await asyncio.sleep(seconds)
            if self._leaving:
                return
            with suppress(WorkerFailed):  # `ended` tells of it
                await worker.start()
                continue
            if not any(other.is_up for other in self._workers):
                raise await worker.ended()

    def _tell_metrics(self, asking: _Worker) -> None:
        async def collect() -> None:
            up = [worker for worker in self._workers if worker.is_up]
            # One knows since when somebody waits only if it is asked again and again: as long as it is up, the first.
            found = await asyncio.gather(*(worker.metrics(arena=worker is up[0]) for worker in up))
            metrics = {worker.name: asdict(its) for worker, its in zip(up, found, strict=True)}
            asking.tell(WorkerCommand.METRICS, metrics=metrics)

        self._collecting.add(collecting := asyncio.create_task(collect(), name="metrics"))
        collecting.add_done_callback(self._collecting.discard)

    async def introduce(self) -> None:
        """Let one of the workers tell the user how to connect, and the next one if it ends before it has.

        Raises what the whole has to end with if no worker can be started again meanwhile.
        """
        async with self._supervisor.guarding():
            while not self._leaving:
                for worker in self._workers:
                    if worker.is_up and await worker.introduce():
                        return
                await asyncio.sleep(_FIRST_WAIT)

    async def serve_until(self, stop: asyncio.Event) -> None:
        """Serve until the event is set; raises what the whole has to end with as soon as that is so."""
        async with self._supervisor.guarding():
            await stop.wait()

    def drain(self) -> asyncio.Task[None]:
        """Start no new matches, and wait until those under way are over."""
        self._leaving = True
        for worker in self._workers:
            worker.tell(WorkerCommand.DRAIN)

        async def all_idle() -> None:
            await asyncio.gather(*(worker.until(WorkerReport.IDLE) for worker in self._workers))

        return self._supervisor.start(all_idle(), "drain", ends=True)

    async def _close(self) -> None:
        self._leaving = True
        self._supervisor.close()
        for task in (*self._keeping, *self._collecting):
            task.cancel()
        for worker in self._workers:
            worker.tell(WorkerCommand.STOP)
        stopping = [asyncio.create_task(worker.ended()) for worker in self._workers if worker.is_running]
        if stopping:
            _, late = await asyncio.wait(stopping, timeout=_STOP_SECONDS)
            for worker in self._workers:
                worker.kill()
            if late:
                await asyncio.wait(late)
        await self._stack.aclose()


def _spawn(descriptor: int) -> subprocess.Popen[bytes]:
    """Start a worker, whose end of the control has this number; not through the event loop, as `worker_process`."""
    return subprocess.Popen(  # noqa: S603  (ourselves)
        [
            sys.executable,
            "-P",  # nothing in the working directory replaces a module
            "-c",
            f"from farfalia_server.cli.serve import work; work({descriptor})",
        ],
        stdin=subprocess.DEVNULL,
        env=without_settings(),  # it is told its settings
        pass_fds=(descriptor,),
    )


def _of_worker(settings: Settings, name: str) -> Settings:
    """Return the settings of a worker: of all, the first alone starts the host."""
    first = name.endswith("-1")
    return settings.model_copy(update={"node": name, "host_programs": settings.host_programs and first})
