"""What is lost comes back: jobs with their Redis, matches with their node."""

import asyncio
import os
import signal
import subprocess
import sys
import textwrap
from collections.abc import Sequence
from pathlib import Path

import pytest
import structlog
from tests.server.migrated import sqlite_url
from tests.server.queue_world import PATIENCE, node, on_one_node, played_by, until, until_over
from tests.server.store_world import five_bots, match_ids, started

from farfalia_server.net.embedded_redis import EmbeddedRedis
from farfalia_server.net.redis_connection import connect
from farfalia_server.queue.match_queue import Job
from farfalia_server.store import ClaimedMatch


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """What takes seconds in earnest takes less here."""
    monkeypatch.setattr("farfalia_server.queue.seater.PASS_SECONDS", 0.2)
    monkeypatch.setattr("farfalia_server.queue.seater.LOST_SECONDS", 1.0)


async def test_a_redis_that_forgets_everything_loses_no_match(tmp_path: Path) -> None:
    async with on_one_node(tmp_path, most=8) as one:

        async def for_a_while(_: ClaimedMatch) -> None:
            await asyncio.sleep(0.02)

        one.runner.playing = for_a_while
        tournament = await started(one.store, await five_bots(one.store), 40)
        async with connect(f"unix://{tmp_path}/redis/redis.sock") as redis:
            for played in (5, 15, 25):
                await until(lambda played=played: len(one.runner.played) >= played)  # type: ignore[misc]
                await redis.flushall()
        await until_over(one.store, tournament)
        assert sorted(await played_by(one.runner)) == await match_ids(one.store, tournament)


async def test_a_match_whose_end_a_database_has_lost_is_played_on_though_its_first_job_is_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lost = list[Job]()
    async with on_one_node(tmp_path) as one:
        queue = one.matches.taker.queue
        add = queue.add

        async def loses_the_first(jobs: Sequence[tuple[str, Job]]) -> None:
            if lost:
                await add(jobs)
            else:
                lost.extend(job for _, job in jobs)

        monkeypatch.setattr(queue, "add", loses_the_first)
        one.matches.taker.paused = True  # nothing else begins the match
        tournament = await started(one.store, await five_bots(one.store))
        (match,) = await match_ids(one.store, tournament)
        assert await one.store.claims.claim(match, one.runner.node)
        one.matches.taker.paused = False
        one.matches.wake()
        await until_over(one.store, tournament)
        assert lost == [Job(match, 1)]


def killed_while_playing(folder: Path, redis_url: str) -> None:
    """Let another process play ten matches at once that never end, and kill it."""
    program = textwrap.dedent("""
        import asyncio, os, signal, sys
        from pathlib import Path
        sys.path.insert(0, os.getcwd())
        from tests.server.queue_world import never, node, until
        from tests.server.store_world import five_bots, started

        async def main(database_url, redis_url):
            async with node(database_url, redis_url, most=10) as one:
                one.runner.playing = never
                await started(one.store, await five_bots(one.store), 30)
                await until(lambda: len(one.runner.begun) == 10)
                os.kill(os.getpid(), signal.SIGKILL)

        asyncio.run(main(*sys.argv[1:]))
    """)
    command = [sys.executable, "-c", program, f"sqlite:///{folder / 'store.db'}", redis_url]
    ended = subprocess.run(command, capture_output=True, cwd=Path(__file__).parents[3], timeout=PATIENCE)
    assert ended.returncode == -signal.SIGKILL, ended.stderr.decode()


@pytest.mark.parametrize("name", ["one", "two"], ids=["by the same node", "by another node"])
async def test_matches_of_a_process_that_was_killed_are_taken_over(tmp_path: Path, name: str) -> None:
    async with EmbeddedRedis(tmp_path / "redis") as embedded:
        await asyncio.to_thread(killed_while_playing, tmp_path, embedded.url)
        async with node(f"sqlite:///{tmp_path / 'store.db'}", embedded.url, name) as one:
            (tournament,) = await one.store.tournaments.all()
            await until_over(one.store, tournament)
            assert sorted(await played_by(one.runner)) == await match_ids(one.store, tournament)
            epochs = [match.epoch for match in await one.store.matches.of_tournament(tournament.id)]
            assert sorted(epochs) == [1] * 20 + [2] * 10


async def test_a_redis_that_is_killed_holds_matches_up_for_a_moment_and_loses_none(tmp_path: Path) -> None:
    database_url = sqlite_url(tmp_path / "store.db")
    async with EmbeddedRedis(tmp_path / "redis") as embedded, node(database_url, embedded.url) as one:
        bots = await five_bots(one.store)
        with structlog.testing.capture_logs() as logged:
            for _ in range(2):
                await until_over(one.store, await started(one.store, bots, 3))
                os.kill(int((tmp_path / "redis" / "redis.pid").read_text()), signal.SIGKILL)
                await until_over(one.store, await started(one.store, bots, 3))
        assert not [line for line in logged if line.get("exc_info")]
