"""A worker process: its computations do not delay the bots whose clocks run in this process."""

from __future__ import annotations

import asyncio
import ctypes
import inspect
import itertools
import os
import pickle
import signal
import socket
import struct
import subprocess
import sys
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from types import TracebackType
from typing import Any, NoReturn, Self, TypeVar, overload

from farfalia_server.contract.errors import FarfaliaServerError
from farfalia_server.net.event_loop import new_event_loop
from farfalia_server.net.secrecy import hide, without_settings

T = TypeVar("T")

#: Niceness of the worker process, below that of processes that play. If all cores are busy it gets a quarter of one;
#: at 19 it would get a hundredth, and commands that wait for a table would give up.
_NICENESS = 5
#: PR_SET_PDEATHSIG of <linux/prctl.h>.
_DEATH_SIGNAL = 1
#: Length of the payload, kind, number of the call.
_HEADER = struct.Struct("<IBI")
_CALL, _RESULT, _ERROR = range(3)
_DIED = "the worker process died before it had answered"

#: What a worker process may ask the process that started it: a name and arguments.
Answers = Callable[..., Awaitable[Any]]


class _Peer:
    """One end of a connection on which each side may call the other; messages are pickles."""

    def __init__(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, serve: Callable[[Any], Awaitable[Any]]
    ) -> None:
        self._reader = reader
        self._writer = writer
        self._serve = serve
        self._numbers = itertools.count()
        self._pending: dict[int, asyncio.Future[Any]] = {}
        self._serving: set[asyncio.Task[None]] = set()

    async def call(self, request: Any) -> Any:
        """Return what the other side returns; raises what it raises, and FarfaliaServerError if it has died."""
        done: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        number = self.tell(request)
        self._pending[number] = done
        try:
            return await done
        finally:
            self._pending.pop(number, None)

    def tell(self, request: Any) -> int:
        """Send a request and return its number; raises FarfaliaServerError if the other side has died."""
        number = next(self._numbers) & 0xFFFFFFFF
        self._send(_CALL, number, request)
        return number

    async def listen(self) -> None:
        """Serve the other side until it ends."""
        try:
            while True:
                size, kind, number = _HEADER.unpack(await self._reader.readexactly(_HEADER.size))
                value = pickle.loads(await self._reader.readexactly(size))  # noqa: S301 - written by ourselves
                if kind == _CALL:
                    task = asyncio.create_task(self._respond(number, value))
                    self._serving.add(task)
                    task.add_done_callback(self._serving.discard)
                elif (done := self._pending.get(number)) is not None and not done.done():
                    if kind == _RESULT:
                        done.set_result(value)
                    else:
                        done.set_exception(value)
        except (asyncio.IncompleteReadError, OSError):
            pass
        finally:
            self.close()

    def close(self) -> None:
        """End the connection and all calls that are still under way."""
        self._writer.close()
        for task in self._serving:
            task.cancel()
        for done in self._pending.values():
            if not done.done():
                done.set_exception(FarfaliaServerError(_DIED))

    async def _respond(self, number: int, request: Any) -> None:
        try:
            kind, value = _RESULT, await self._serve(request)
        except Exception as error:
            kind, value = _ERROR, _portable(error)
        self._send(kind, number, value)

    def _send(self, kind: int, number: int, value: Any) -> None:
        if self._writer.is_closing():
            raise FarfaliaServerError(_DIED)
        data = pickle.dumps(value)
        self._writer.write(_HEADER.pack(len(data), kind, number))
        self._writer.write(data)


def _portable(error: Exception) -> Exception:
    """Return the error, or its text if it cannot be pickled and unpickled, which would end the connection."""
    try:
        pickle.loads(pickle.dumps(error))  # noqa: S301 - written by ourselves
    except Exception:
        return FarfaliaServerError(f"{type(error).__name__}: {error}")
    return error


class WorkerProcess:
    """A process with a low priority that runs functions; `async with` ends it, whatever it is doing.

    It starts with the first call, and again with the next call if it has died. It ends by itself if this process is
    killed. `answers` is called with what the functions ask this process. It inherits the `listener`, if there is one.
    """

    def __init__(self, answers: Answers | None = None, listener: socket.socket | None = None) -> None:
        self._answers = answers
        self._listener = listener
        self._starting = asyncio.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._peer: _Peer | None = None
        self._listening: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._end()

    @overload
    async def run(self, function: Callable[..., Awaitable[T]], *arguments: object) -> T: ...

    @overload
    async def run(self, function: Callable[..., T], *arguments: object) -> T: ...

    async def run(self, function: Callable[..., Any], *arguments: object) -> Any:
        """Return what a function of some module returns for these arguments; raises what it raises.

        Coroutine functions run beside each other, all others one after another.
        """
        return await (await self._running()).call((function, arguments))

    def tell(self, function: Callable[..., Any], *arguments: object) -> None:
        """Have a function run if the process has been started; nobody learns what comes of it."""
        if self._peer is not None:
            with suppress(FarfaliaServerError):  # it has died
                self._peer.tell((function, arguments))

    async def responds(self, seconds: float) -> bool:
        """Return whether the process does something, and be it to end, within this many seconds."""
        response = asyncio.ensure_future(self.run(_respond))
        for _ in range(2):  # if this process was stopped meanwhile, the response has come and is not read yet
            await asyncio.wait((response,), timeout=seconds / 2)
        if response.cancel():
            return False
        response.exception()
        return True

    def kill(self) -> None:
        """End the process at once; what it was doing fails."""
        if self._process is not None:
            self._process.kill()

    async def _running(self) -> _Peer:
        async with self._starting:
            if self._peer is None or self._listening is None or self._listening.done():
                await self._end()
                await self._start()
            assert self._peer is not None
            return self._peer

    async def _start(self) -> None:
        here, there = socket.socketpair()
        with there:
            listener = () if self._listener is None else (self._listener.fileno(),)
            self._process = _spawn(there.fileno(), *listener)
        reader, writer = await asyncio.open_unix_connection(sock=here, limit=2**20)
        self._peer = _Peer(reader, writer, self._on_request)
        self._listening = asyncio.create_task(self._peer.listen(), name="worker process")

    async def _on_request(self, request: tuple[Any, ...]) -> Any:
        assert self._answers is not None
        return await self._answers(*request)

    async def _end(self) -> None:
        process, peer, listening = self._process, self._peer, self._listening
        self._process = self._peer = self._listening = None
        if process is not None:
            process.kill()
            await asyncio.to_thread(process.wait)
        if peer is not None:
            peer.close()
        if listening is not None:
            listening.cancel()
            with suppress(asyncio.CancelledError):
                await listening


def _spawn(*descriptors: int) -> subprocess.Popen[bytes]:
    """Start a worker process, which inherits these: its end of the connection, and the listener if there is one.

    Not through the event loop: uvloop forks in a way that runs gRPC's fork handlers, which sometimes kill the child.
    """
    return subprocess.Popen(  # noqa: S603  (ourselves)
        [
            sys.executable,
            "-P",  # nothing in the working directory replaces a module
            "-c",
            f"from farfalia_server.net.worker_process import serve; serve{descriptors}",
        ],
        stdin=subprocess.DEVNULL,
        stdout=2,  # standard output is for what a command prints
        env=without_settings(),  # it reads what strangers send
        pass_fds=descriptors,
    )


_parent: _Peer | None = None
_listener = -1


async def ask(*request: object) -> Any:
    """Ask, in a worker process, the process that started it, and return its answer."""
    assert _parent is not None
    return await _parent.call(request)


def inherited_listener() -> socket.socket:
    """Return, in a worker process, the listener that it has inherited; whoever closes it closes a copy."""
    return socket.socket(fileno=os.dup(_listener))


async def _respond() -> None:
    """Show that the worker process does something."""


def serve(descriptor: int, listener: int = -1) -> None:
    """Run a worker process; its end of the connection and its listener have these numbers."""
    global _listener
    _listener = listener
    hide()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches every process of the terminal
    if sys.platform == "linux":  # whatever it is doing: it would keep the port from the next server
        ctypes.CDLL(None).prctl(_DEATH_SIGNAL, signal.SIGKILL, 0, 0, 0)
    os.nice(_NICENESS)
    with asyncio.Runner(loop_factory=new_event_loop) as runner:
        runner.run(_serve(socket.socket(fileno=descriptor)))


async def _serve(connection: socket.socket) -> NoReturn:
    global _parent
    loop, thread = asyncio.get_running_loop(), ThreadPoolExecutor(1)

    async def run(request: tuple[Callable[..., Any], tuple[object, ...]]) -> Any:
        function, arguments = request
        if inspect.iscoroutinefunction(function):
            return await function(*arguments)
        return await loop.run_in_executor(thread, _run, function, arguments)

    reader, writer = await asyncio.open_unix_connection(sock=connection, limit=2**20)
    _parent = _Peer(reader, writer, run)
    await _parent.listen()
    os._exit(0)  # a thread that is still computing is not waited for


def _run(function: Callable[..., Any], arguments: tuple[object, ...]) -> Any:
    try:
        return function(*arguments)
    except Exception:
        raise
    except BaseException:  # it wants to end the process
        os._exit(1)
