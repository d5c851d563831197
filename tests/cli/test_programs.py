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


#: Says what a program in Python can know of how it was started.
CURIOUS = """
import os, pickle, random, sys
class Own: pass
assert type(pickle.loads(pickle.dumps(Own()))) is Own
print(sys.argv, __name__, sys.path[0], os.path.isabs(__file__), os.environ["WHO"], sys.stdin.read(), os.getpgrp())
print(sorted(os.listdir("/proc/self/fd")), random.random(), sys.stdout.line_buffering, sys.stdout.write_through)
"""


def python(*words: str, **more: str) -> subprocess.CompletedProcess[str]:
    """What comes of these words if Python is started with them, in a group of its own."""
    return subprocess.run(
        [sys.executable, *words],
        env={**os.environ, "PYTHONUNBUFFERED": "1", **more},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        process_group=0,
    )


async def test_a_forked_program_is_as_python_would_have_started_it(tmp_path: Path) -> None:
    (tmp_path / "curious.py").write_text(CURIOUS)
    words = [str(tmp_path / "curious.py"), "--fast"]
    own = {"WHO": "me"}
    async with Programs() as programs:
        programs_of = [await programs.start("bot", [sys.executable, *words], own, tmp_path / n) for n in ("a", "b")]
        for program in programs_of:
            await program.wait()
    alone = python(*words, **own)
    said = [(tmp_path / name).read_text().splitlines() for name in ("a", "b")]
    expected = alone.stdout.splitlines()
    assert [line.rpartition(" ")[0] for line in (said[0][0], said[1][0])] == [expected[0].rpartition(" ")[0]] * 2
    assert [int(line.rpartition(" ")[2]) for line in (said[0][0], said[1][0])] == [one.pid for one in programs_of]
    files = [line.partition("]")[0] for line in (said[0][1], said[1][1], expected[1])]
    assert len(set(files)) == 1
    assert len({line.split()[-3] for line in (said[0][1], said[1][1], expected[1])}) == 3, "chance is each one's own"


@pytest.mark.parametrize("text", ["import sys\n\ndef f():\n    1 / 0\n\nf()\n", "def f(:\n", "raise SystemExit(7)\n"])
async def test_how_a_forked_program_fails_is_told_as_python_tells_it(tmp_path: Path, text: str) -> None:
    bad, output = tmp_path / "bad.py", tmp_path / "output"
    bad.write_text(text)
    async with Programs() as programs:
        program = await programs.start("bot", [sys.executable, str(bad)], {}, output)
        await program.wait()
    alone = python(str(bad))
    assert (output.read_text(), program.exit_code) == (alone.stderr, alone.returncode)


async def test_a_module_of_python_is_forked_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "mine.py").write_text("import sys\nprint(sys.argv[1:], sys.path[0], __name__)\n")
    monkeypatch.chdir(tmp_path)
    async with Programs() as programs:
        program = await programs.start("bot", [sys.executable, "-m", "mine", "more"], {}, tmp_path / "output")
        await program.wait()
    assert (tmp_path / "output").read_text() == f"['more'] {tmp_path} __main__\n"


async def test_programs_that_the_fork_server_has_left_are_given_up_and_ended(tmp_path: Path) -> None:
    (tmp_path / "waits.py").write_text("import os, time\nprint(os.getpid(), os.getppid())\ntime.sleep(600)\n")
    command = [sys.executable, str(tmp_path / "waits.py")]
    async with Programs() as programs:
        program = await programs.start("bot", command, {}, tmp_path / "output")
        while len(pids(tmp_path / "output")) < 2:
            await asyncio.sleep(0.02)
        one, parent = pids(tmp_path / "output")
        os.kill(parent, signal.SIGKILL)
        await program.wait()
        assert program.exit_code == -signal.SIGKILL
        again = await programs.start("bot", command, {}, tmp_path / "again")
        assert again.exit_code is None, "another fork server has started it"
    until(lambda: not any(map(alive, [one, again.pid])))


async def test_an_output_that_cannot_be_written_is_named_by_a_forked_program(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text("")
    async with Programs() as programs:
        await programs.start("bot", [sys.executable, str(tmp_path / "bot.py")], {}, tmp_path / "output")
        (tmp_path / "folder").mkdir()
        server = programs._forking()
        with pytest.raises(ProgramError, match="is a directory"):
            await server.start([str(tmp_path / "bot.py")], {}, tmp_path / "folder")
