"""A host beside a real server: nothing that takes long, and nothing that fails, keeps it from its reports."""

from __future__ import annotations

import asyncio
import io
import os
import tarfile
import time
from collections.abc import AsyncIterator
from hashlib import sha256
from pathlib import Path

import pytest
from tests.server.arena_client import Arena

from farfalia.arena import Arena as Client
from farfalia.settings import Server
from farfalia.v1 import play_pb2
from farfalia_server.hosting.host import Host, HostSettings
from farfalia_server.hosting.host_outbox import HostCapacity, HostOutbox
from farfalia_server.hosting.installed import Installed, launcher
from farfalia_server.hosting.manifest import Manifest
from farfalia_server.hosting.match_process import MatchProcess
from farfalia_server.hosting.program_process import RestingProcesses
from farfalia_server.sandbox import choose
from farfalia_server.store import Program, ProgramState, ProgramStep, Reported


def archive_of(text: str) -> bytes:
    packed, contents = io.BytesIO(), text.encode()
    with tarfile.open(fileobj=packed, mode="w") as tar:
        info = tarfile.TarInfo("bot.py")
        info.size = len(contents)
        tar.addfile(info, io.BytesIO(contents))
    return packed.getvalue()


async def handed_in(arena: Arena, name: str, text: str) -> Program:
    """A program that waits for its check."""
    store, archive = arena.here.store, archive_of(text)
    hash = sha256(archive).digest()
    await store.archives.add(hash, 0, archive)
    bot = await store.bots.by_name(name)
    return await store.programs.hand_in(bot, hash, await store.archives.complete(hash), activates=True)


async def ready(arena: Arena, name: str, text: str) -> None:
    """A program that another host has checked."""
    program = await handed_in(arena, name, text)
    work = await arena.here.store.hosting.work(Reported("other", b"o", b"", 0, False, {}, frozenset(), True))
    assert work.check is not None
    step = ProgramStep("matches", passed=True, text="", took_ms=1)
    check = (name, program.number, work.check.lease)
    await arena.here.store.programs.report(check, [step], [], over=True)


@pytest.fixture
async def host(arena: Arena, tmp_path: Path) -> AsyncIterator[Host]:
    settings = HostSettings("one", tmp_path / "host", 4, 1 << 30)
    (tmp_path / "host" / "sockets-one").mkdir(parents=True)
    where = Server(arena.address, tls=False, token=arena.admin)
    async with Client(arena.address, arena.admin) as client:
        host = Host(settings, where, client, await choose("none"))
        try:
            yield host
        finally:
            await host._end()


async def test_a_host_reports_while_it_fetches_a_newer_program(
    arena: Arena, host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    await arena.ask("RegisterBot", arena.admin, name="ada")
    await ready(arena, "ada", "one")
    while not host._bots:
        await host._report()
        await asyncio.sleep(0.05)
    await ready(arena, "ada", "two")
    go_on, get = asyncio.Event(), host._installed.get

    async def slowly(hash: bytes) -> Installed:
        await go_on.wait()
        return await get(hash)

    monkeypatch.setattr(host._installed, "get", slowly)
    async with asyncio.timeout(20):
        for _ in range(3):
            await host._report()
        assert host._bots["ada"].program.number == 1
        go_on.set()
        while host._bots["ada"].program.number == 1:
            await asyncio.sleep(0.05)
        await host._report()
    assert host._bots["ada"].program.number == 2


async def test_a_check_that_the_host_fails_at_ends_too(
    arena: Arena, host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    await arena.ask("RegisterBot", arena.admin, name="ada")
    await handed_in(arena, "ada", "one")

    async def failing(hash: bytes) -> Installed:
        raise ZeroDivisionError

    monkeypatch.setattr(host._installed, "unpacked", failing)
    bot = await arena.here.store.bots.by_name("ada")
    async with asyncio.timeout(20):
        while (program := await arena.here.store.programs.get(bot, 1)).state is ProgramState.CHECKING:
            await host._report()
            await asyncio.sleep(0.05)
    assert program.state is ProgramState.REFUSED
    assert "the host failed, not the program" in program.steps[-1].text


async def test_nobody_else_learns_which_bots_a_host_has(arena: Arena, host: Host) -> None:
    await arena.ask("RegisterBot", arena.admin, name="ada")
    await ready(arena, "ada", "one")
    while not host._bots:
        await host._report()
        await asyncio.sleep(0.05)
    await host._report()
    shown = {one.report.name: one.report for one in (await arena.ask("ListHosts")).hosts}
    assert (shown["one"].slots, list(shown["one"].bots), list(shown["one"].checks)) == (4, [], [])


async def test_a_match_whose_process_the_host_cannot_run_is_told_so_at_once(tmp_path: Path) -> None:
    outbox = HostOutbox(HostCapacity())
    installed = Installed(tmp_path, Manifest("native", ("./bot",)))
    process = MatchProcess(
        "ada",
        play_pb2.Seated(match=7),
        installed,
        launch=launcher(await choose("none")),
        sockets=tmp_path / "there-is-no-such-folder",
        starting=asyncio.Semaphore(1),
        outbox=outbox,
        resting=RestingProcesses(),
    )
    process.ask(play_pb2.Question(match=7, number=1, legal=[1, 2]))
    async with asyncio.timeout(20):
        await outbox.filled.wait()
    message = outbox.message()
    assert list(message.ready) == [7]
    assert "the host failed" in message.actions[0].failure
    process.finish()
    await process.ended()


async def test_what_a_killed_host_was_about_to_keep_is_removed_later(host: Host, tmp_path: Path) -> None:
    programs = tmp_path / "host" / "programs"
    for name, age in (("trial-old", 7200), ("trial-new", 60), ("a" * 64, 7200)):
        (programs / name).mkdir(parents=True)
        (programs / name / "bot.py").write_text("x")
        os.utime(programs / name, (time.time() - age, time.time() - age))
    host._installed.sweep()
    assert sorted(path.name for path in programs.iterdir()) == ["a" * 64, "trial-new"]
