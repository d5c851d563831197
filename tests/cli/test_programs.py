"""Bot programs end when their starter is done, or gone."""

import asyncio
import os
import signal
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from tests.server.live import until

from farfalia_server.contract.errors import ProgramError
from farfalia_server.local import reaper
from farfalia_server.local.programs import Programs

#: Ignores being told to terminate, starts another that does too, and says who they are.
STUBBORN = """
import os, signal, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
os.fork()
os.write(1, b"%d\\n" % os.getpid())
time.sleep(600)
"""

#: Starts the program that it is given and waits.
STARTER = """
import asyncio, sys
from pathlib import Path
from farfalia_server.local.programs import Programs

async def main():
    async with Programs() as programs:
        await programs.start("bot", sys.argv[2:], {}, Path(sys.argv[1]))
        await asyncio.sleep(600)

asyncio.run(main())
"""


def alive(pid: int) -> bool:
    """It is there, and not only as an entry that nobody has collected."""
    try:
        return "Z" not in Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False


def pids(path: Path) -> list[int]:
    return [int(word) for word in path.read_text().split()] if path.exists() else []


def reaper_pid() -> int:
    """The reaper that this process has started."""
    children = Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children").read_text().split()
    return next(int(pid) for pid in children if "reaper" in Path(f"/proc/{pid}/cmdline").read_text())


async def started(output: Path, *command: str) -> tuple[int, ...]:
    """Start a program, wait until it and its child are there, and end it."""
    async with Programs() as programs:
        await programs.start("bot", command, {}, output)
        while len(pids(output)) < 2:
            await asyncio.sleep(0.02)
    return tuple(pids(output))


async def test_programs_are_ended_with_all_that_they_started(tmp_path: Path) -> None:
    both = await started(tmp_path / "output", sys.executable, "-c", STUBBORN)
    assert [pid for pid in both if alive(pid)] == []


def test_the_reaper_ends_only_when_those_that_it_killed_are_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0
    sent: list[tuple[int, int]] = []

    def sleep(seconds: float) -> None:
        nonlocal now
        now += seconds

    def killpg(group: int, number: int) -> None:
        sent.append((group, number))
        if sent[-4:] == [(4711, signal.SIGKILL), *[(4711, 0)] * 3]:
            raise ProcessLookupError

    monkeypatch.setattr(reaper, "time", SimpleNamespace(monotonic=lambda: now, sleep=sleep))
    monkeypatch.setattr(reaper, "os", SimpleNamespace(killpg=killpg))
    monkeypatch.setattr(signal, "signal", lambda *_: None)
    monkeypatch.setattr(sys, "stdin", ["+4711\n"])
    reaper.main()
    assert sent[0] == (4711, signal.SIGTERM)
    assert sent[-4:] == [(4711, signal.SIGKILL), *[(4711, 0)] * 3]


def test_programs_are_ended_when_their_starter_is_gone(tmp_path: Path) -> None:
    numbers = (signal.SIGKILL, signal.SIGTERM, signal.SIGINT)
    outputs = [tmp_path / number.name for number in numbers]
    words = [sys.executable, "-c", STUBBORN]
    starters = [
        subprocess.Popen([sys.executable, "-c", STARTER, str(output), *words], stderr=subprocess.DEVNULL)
        for output in outputs
    ]
    until(lambda: all(len(pids(output)) == 2 for output in outputs))
    for starter, number in zip(starters, numbers, strict=True):
        starter.send_signal(number)
        starter.wait()
    until(lambda: not any(alive(pid) for output in outputs for pid in pids(output)))


async def test_programs_are_ended_when_their_reaper_is_gone(tmp_path: Path) -> None:
    async with Programs() as programs:
        await programs.start("bot", [sys.executable, "-c", STUBBORN], {}, tmp_path / "output")
        while len(pids(tmp_path / "output")) < 2:
            await asyncio.sleep(0.02)
        os.kill(reaper_pid(), signal.SIGKILL)
    assert [pid for pid in pids(tmp_path / "output") if alive(pid)] == []


async def test_a_program_is_told_to_terminate_before_it_is_killed(tmp_path: Path) -> None:
    polite, output = "trap 'echo bye; exit' TERM; echo $$ $$; while true; do sleep 0.1; done", tmp_path / "output"
    async with Programs() as programs:
        await programs.start("bot", ["sh", "-c", polite], {}, output)
        while not pids(output):
            await asyncio.sleep(0.02)
    assert output.read_text().splitlines()[-1] == "bye"


async def test_one_program_can_be_ended_with_all_that_it_started(tmp_path: Path) -> None:
    async with Programs() as programs:
        names = ("one", "other")
        one, other = [
            await programs.start(name, [sys.executable, "-c", STUBBORN], {}, tmp_path / name) for name in names
        ]
        while not all(len(pids(tmp_path / name)) == 2 for name in names):
            await asyncio.sleep(0.02)
        await programs.end(one)
        until(lambda: not any(map(alive, pids(tmp_path / "one"))))
        assert all(map(alive, pids(tmp_path / "other")))
        assert (one.exit_code, other.exit_code) == (-signal.SIGKILL, None)
    until(lambda: not any(map(alive, pids(tmp_path / "other"))))


async def test_a_program_that_has_ended_by_itself_can_be_ended(tmp_path: Path) -> None:
    async with Programs() as programs:
        program = await programs.start("bot", ["true"], {}, tmp_path / "output")
        await program.wait()
        await programs.end(program)
        assert program.exit_code == 0


async def test_how_a_program_ended_and_what_it_said_is_known(tmp_path: Path) -> None:
    async with Programs() as programs:
        program = await programs.start(
            "bot", ["sh", "-c", 'seq 1000; echo "$WHO"; exit 3'], {"WHO": "me"}, tmp_path / "deep/output"
        )
        await program.wait()
        assert (program.ending, program.tail(3)) == ("ended with exit code 3", ["999", "1000", "me"])


async def test_a_program_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(ProgramError, match=r"bot cannot be started: \./nowhere 'a b': no such file or directory\."):
        async with Programs() as programs:
            await programs.start("bot", ["./nowhere", "a b"], {}, tmp_path / "output")


async def test_a_program_has_its_own_group_and_an_empty_input(tmp_path: Path) -> None:
    async with Programs() as programs:
        program = await programs.start("bot", ["sh", "-c", "cat; ps -o pgid= $$"], {}, tmp_path / "output")
        await program.wait()
        assert int((tmp_path / "output").read_text()) == program.pid != os.getpgrp()


async def test_a_program_sees_its_own_settings_and_none_of_ours(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FARFALIA_ADMIN_TOKEN", "the admin's")
    monkeypatch.setenv("FARFALIA_DATABASE_URL", "postgresql://farfalia:password@db/farfalia")
    monkeypatch.setenv("SOMETHING_ELSE", "kept")
    output = tmp_path / "output"
    command = [sys.executable, "-c", "import os; print(sorted(os.environ.items()))"]

    async with Programs() as programs:
        own = {"FARFALIA_SERVER": "127.0.0.1:1", "FARFALIA_TOKEN": "the bot's"}
        await (await programs.start("bot", command, own, output)).wait()
    said = output.read_text()
    assert "('FARFALIA_SERVER', '127.0.0.1:1'), ('FARFALIA_TOKEN', \"the bot's\")" in said
    assert "SOMETHING_ELSE" in said
    assert "admin" not in said
    assert "password" not in said
