"""A server of which a part has ended ends as a whole, and says so."""

import asyncio
import re
import textwrap
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import structlog
from tests.server.live import PATIENCE, LiveServer
from tests.server.rawbot import RawBot

import farfalia_server
from farfalia.v1 import play_pb2
from farfalia_server import settings_loading
from farfalia_server.app import Server
from farfalia_server.net.supervision import PartFailed, Supervisor, supervised

#: Every task that a server cannot do without.
PARTS = {
    "analyst",
    "archive sweep",
    "baseliner",
    "database lease",
    "bot log writer",
    "courier",
    "director",
    "embedded redis",
    "guest sweep",
    "health",
    "http",
    "journal",
    "matchmaker",
    "network watch",
    "nonces",
    "queue",
    "rater",
    "redis lease",
    "seater",
    "table sweep",
    "token watch",
    "ladder fitter",
}
#: What starts tasks of its own: they belong to a stream, a match, a program, a reader or a command, or begin again with
#: the next call, or the function is the supervisor's.
OTHERS = {
    *(f"hosting/{name}.py" for name in ("checking", "examination", "host", "hosted_bot", "installed")),
    *(f"hosting/{name}.py" for name in ("match_process", "program_process", "relay_stream")),
    "conformance/ground.py",
    *("sandbox/running.py", "cli/host.py", "arena/password_mail.py", "arena/courier.py"),
    "arena/standings_cache.py",
    "arena/watching.py",
    "cluster/leadership.py",
    "net/http_port.py",
    "net/worker_process.py",
    "play/journal.py",
    "play/play_service.py",
    "play/bot_stream.py",
    "play/house_search.py",
    "play/table.py",
    "net/supervision.py",
    "cli/signals.py",
    "local/tournament.py",
    "local/programs.py",
    "web/page_cache.py",
    "web/person_seat.py",
    "web/reading_process.py",
    "web/event_streams.py",
    "queue/match_taker.py",
    "arena/arena_metrics.py",
    "net/trace_sending.py",
    "workers/group.py",
    "workers/metrics.py",
    "workers/worker.py",
}


@asynccontextmanager
async def serving(folder: Path) -> AsyncIterator[Server]:
    chosen = settings_loading.load({"data_dir": folder, "grpc_port": 0, "http_port": 0, "admin_token": "admin" * 8})
    async with Server(chosen) as server:
        yield server


async def test_every_part_of_a_server_is_watched(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        assert set(server.supervisor.tasks) == PARTS


def test_no_task_is_started_past_the_supervisor() -> None:
    room = Path(farfalia_server.__file__).parent
    starting = re.compile(r"create_task\(|ensure_future\(")
    found = {str(path.relative_to(room)) for path in room.rglob("*.py") if starting.search(path.read_text())}
    assert {name for name in found if not name.startswith(("bench/", "torment/"))} == OTHERS


async def returning() -> None:
    pass


async def failing() -> None:
    raise ValueError("a number is wrong")


@pytest.mark.parametrize("part", sorted(PARTS))
async def test_a_part_that_fails_takes_the_server_with_it(
    tmp_path: Path, part: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    start = Supervisor.start

    def starting(
        supervisor: Supervisor, work: Coroutine[Any, Any, None], name: str, *, ends: bool = False
    ) -> asyncio.Task[None]:
        if name == part:
            work.close()
            work = failing()
        return start(supervisor, work, name, ends=ends)

    monkeypatch.setattr(Supervisor, "start", starting)

    with structlog.testing.capture_logs() as logged, pytest.raises(PartFailed, match=f"^{part} failed: ValueError"):
        async with serving(tmp_path) as server:
            await server.serve_until(asyncio.Event())
    assert {line["part"] for line in logged if line["log_level"] == "error"} == {part}


async def test_a_server_that_is_asked_to_stop_stops_without_a_complaint(tmp_path: Path) -> None:
    with structlog.testing.capture_logs() as logged:
        async with serving(tmp_path) as server:
            stop = asyncio.Event()
            server.drain().add_done_callback(lambda _: stop.set())
            await server.serve_until(stop)
    assert [line for line in logged if line["log_level"] == "error"] == []


@pytest.mark.parametrize(
    ("work", "sentence"),
    [(returning, "clock ended by itself"), (failing, "clock failed: ValueError: a number is wrong")],
    ids=["returns", "fails"],
)
async def test_what_happened_to_a_part_is_one_sentence(
    work: Callable[[], Coroutine[Any, Any, None]], sentence: str
) -> None:
    supervisor = Supervisor()
    with supervisor.adopting():
        task = supervised(work(), "clock")
    with pytest.raises(PartFailed, match=f"^{sentence}$"):
        async with supervisor.guarding():
            await asyncio.Event().wait()
    await task  # waiting for its end at the shutdown does not raise the error again


async def test_a_task_that_is_meant_to_end_may_return_and_may_not_fail() -> None:
    supervisor = Supervisor()
    await supervisor.start(returning(), "drain", ends=True)
    assert supervisor.error is None
    await supervisor.start(failing(), "drain", ends=True)
    assert isinstance(supervisor.error, PartFailed)


@pytest.mark.parametrize("steps", [0, 1], ids=["before its first step", "later"])
async def test_a_part_that_is_cancelled_has_failed_unless_the_server_closes(steps: int) -> None:
    async def cancel(supervisor: Supervisor) -> None:
        task = supervisor.start(asyncio.Event().wait(), "clock")  # type: ignore[arg-type]
        for _ in range(steps):
            await asyncio.sleep(0)
        task.cancel()
        await asyncio.wait([task])
        await asyncio.sleep(0)

    failed, closed = Supervisor(), Supervisor()
    await cancel(failed)
    assert str(failed.error) == "clock was cancelled"
    closed.close()
    await cancel(closed)
    assert closed.error is None


def test_the_process_says_in_one_sentence_why_it_ends_and_has_an_exit_code_for_it(tmp_path: Path) -> None:
    program = textwrap.dedent("""
        from farfalia_server import cli
        from farfalia_server.play import bot_logs

        async def run(self):
            await self._goes_on(None)
            raise ValueError("a line cannot be written")

        bot_logs.BotLogWriter._run = run
        cli.main()
    """)
    server = LiveServer(tmp_path, {}, program=("-c", program))
    server.start()
    with RawBot(server.grpc_address, server.register("ant")) as bot:
        bot.until(lambda: bot.messages)
        bot.send(play_pb2.PlayRequest(logs=[play_pb2.LogLine(text="a line")]))
        assert server.process.wait(PATIENCE) == 5
    assert server.log().endswith("farfalia: bot log writer failed: ValueError: a line cannot be written\n")
    # It stopped cleanly: its Redis has ended too.
    assert not (tmp_path / "data" / "redis" / "redis.sock").exists()
