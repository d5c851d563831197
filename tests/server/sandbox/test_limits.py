"""Programs that take what they can get: each is ended, and it is said at which limit."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess

import pytest
from tests.server.sandbox import run_one
from tests.server.sandbox.conftest import IDS, Run
from tests.server.sandbox.run_one import Order

from farfalia_server.contract.errors import ProgramError
from farfalia_server.sandbox.user_ids import UserId

MEGABYTE = 1 << 20


def test_a_fork_bomb(run: Run) -> None:
    outcome = run("import os\nwhile True:\n    try: os.fork()\n    except OSError: pass", processes=40)
    assert outcome.limit == "processes"
    assert outcome.said == "was ended: it had more than 40 processes and threads"


def test_threads_count_as_processes(run: Run) -> None:
    outcome = run(
        "import threading, time\nwhile True:\n    threading.Thread(target=time.sleep, args=(60,)).start()", processes=40
    )
    assert outcome.limit == "processes"


def test_a_memory_bomb(run: Run) -> None:
    outcome = run("kept = []\nwhile True: kept.append(bytearray(1 << 20))", memory=100 * MEGABYTE)
    assert outcome.said == "was ended: it used more than 100 MB of memory"
    assert outcome.peak_memory > 100 * MEGABYTE


def test_memory_of_all_processes_counts(run: Run) -> None:
    outcome = run(
        "import os, time\nfor _ in range(8):\n    if not os.fork(): kept = os.urandom(20 << 20); time.sleep(60)\n"
        "time.sleep(60)",
        memory=100 * MEGABYTE,
    )
    assert outcome.limit == "memory"


def test_more_memory_than_the_machine_has_is_not_given(run: Run) -> None:
    outcome = run("bytearray(1 << 40)", memory=100 * MEGABYTE)
    assert outcome.lines[-1] == "MemoryError"


def test_shared_memory_that_no_process_maps_is_refused(run: Run) -> None:
    outcome = run(
        "import ctypes, os\nlibc = ctypes.CDLL(None, use_errno=True)\n"
        "print(libc.shmget(0, 1 << 20, 0o1600), os.strerror(ctypes.get_errno()))\n"
        "try: os.memfd_create('kept')\nexcept OSError as error: print(error.strerror)\n"
    )
    assert outcome.lines == ["-1 Operation not permitted", "Function not implemented"]


def test_a_full_disk(run: Run) -> None:
    outcome = run(
        "import itertools\nfor i in itertools.count():\n"
        "    try: open(f'/tmp/{i}', 'wb').write(bytes(1 << 20))\n    except OSError: pass",
        disk=4 * MEGABYTE,
    )
    assert outcome.said == "was ended: it filled its 4 MB for temporary files"


def test_a_large_file(run: Run) -> None:
    outcome = run(
        "import signal\nsignal.signal(signal.SIGXFSZ, signal.SIG_DFL)\n"
        "with open('/tmp/large', 'wb') as file: file.truncate(5 << 20)",
        disk=4 * MEGABYTE,
    )
    assert outcome.said == "was ended: it wrote a file of more than 4 MB"


def test_a_hundred_thousand_files(run: Run) -> None:
    outcome = run("for i in range(100_000): open(f'/tmp/{i}', 'w').close()\nimport time; time.sleep(60)")
    assert outcome.said == "was ended: it had more than 10,000 temporary files"


@pytest.mark.parametrize("folder", ["/", "/dev", "/etc", "/run", "/usr", "/program", "/proc", "/var"])
def test_nothing_can_be_written_elsewhere(run: Run, folder: str) -> None:
    outcome = run(f"open({folder!r} + '/new', 'w')")
    assert outcome.exit_code == 1
    assert "Error" in outcome.lines[-1]


def test_open_files(run: Run) -> None:
    outcome = run(
        "kept = []\ntry:\n    while True: kept.append(open('/dev/null'))\n"
        "except OSError as error: print(error.strerror)",
        open_files=50,
    )
    assert outcome.lines == ["Too many open files"]


def test_a_flood_of_output(run: Run) -> None:
    outcome = run("while True: print('x' * 99)", output=10_000)
    assert outcome.said == "was ended: it wrote more than 9.766 KB of output within a minute"
    assert set(outcome.lines) == {"x" * 99}
    assert 9_900 <= 100 * len(outcome.lines) <= 11_000  # a minute's bound grows again while it runs


def test_a_line_that_does_not_end(run: Run) -> None:
    outcome = run("import sys\nwhile True: sys.stderr.write('x' * 1000)", output=MEGABYTE)
    assert outcome.limit == "output"
    assert max(map(len, outcome.lines)) <= 2000


def test_a_busy_loop(run: Run) -> None:
    outcome = run("while True: pass", cpu_seconds=0.5)
    assert outcome.said == "was ended: it used more than 0.5 seconds of CPU"
    assert outcome.cpu_seconds >= 0.5


def test_cpu_of_children_that_have_ended_counts(run: Run) -> None:
    outcome = run(
        "import os, time\nwhile True:\n    if not os.fork():\n        began = time.process_time()\n"
        "        while time.process_time() - began < 0.05: pass\n        os._exit(0)\n    os.wait()",
        cpu_seconds=0.5,
    )
    assert outcome.limit == "cpu"


def test_a_program_that_takes_more_than_its_share_is_slowed_down(run: Run) -> None:
    outcome = run("while True: pass", cpu_share=0.2, wall_seconds=4)
    assert outcome.limit == "time"
    # It would be 4; half a second is there from the beginning.
    assert outcome.cpu_seconds < 2


def test_a_program_that_takes_much_of_a_cpu_gives_way(run: Run) -> None:
    outcome = run(
        # `os.nice(0)` would set what it has just read, which is refused if the niceness was raised in between.
        "import os, time\nbegan = os.getpriority(os.PRIO_PROCESS, 0)\n"
        "while os.getpriority(os.PRIO_PROCESS, 0) == began: pass\nprint('nicer after', time.process_time() > 0.9)",
        wall_seconds=20,
    )
    assert outcome.lines == ["nicer after True"]


def test_a_program_may_give_way_from_its_start_with_all_its_threads(run: Run) -> None:
    outcome = run(
        f"import os, threading, time\nbegan = {os.getpriority(os.PRIO_PROCESS, 0)}\nseen = []\n"
        "def now(): return os.getpriority(os.PRIO_PROCESS, 0)\n"
        "def look():\n    while now() == began: time.sleep(0.01)\n    seen.append(now() > began)\n"
        "threads = [threading.Thread(target=look) for _ in range(3)]\n"
        "for thread in threads: thread.start()\nfor thread in threads: thread.join()\nprint(seen)",
        gives_way=True,
        wall_seconds=20,
    )
    assert outcome.lines == ["[True, True, True]"]


def test_sleeping_for_ever(run: Run) -> None:
    outcome = run("import time; time.sleep(1e6)", wall_seconds=0.5)
    assert outcome.said == "was ended: it ran for more than 0.5 seconds"


def test_a_program_that_obeys_when_it_is_told_to_end(run: Run) -> None:
    outcome = run(
        "import signal, sys, time\nsignal.signal(signal.SIGTERM, lambda *_: sys.exit(print('bye')))\n"
        "print('ready', flush=True); time.sleep(60)",
        end_at="ready",
    )
    assert (outcome.exit_code, outcome.stopped, outcome.lines) == (0, True, ["ready", "bye"])


def test_a_program_that_ignores_that_it_is_told_to_end(run: Run) -> None:
    outcome = run(
        "import signal, time\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\nprint('ready', flush=True)\n"
        "while True: time.sleep(60)",
        end_at="ready",
    )
    assert (outcome.signal, outcome.stopped, outcome.limit) == (signal.SIGKILL, True, None)


@pytest.mark.parametrize("end_at", ["", "ready"])
def test_children_that_are_left_behind(run: Run, end_at: str) -> None:
    source = (
        "import os, signal, time\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\nreading, writing = os.pipe()\n"
        "if not os.fork():\n    os.setsid()\n    if not os.fork():\n        os.write(writing, b'.')\n"
        "        time.sleep(1e6)\n    os._exit(0)\n"
        "os.read(reading, 1)\nprint('ready', flush=True)\n" + ("time.sleep(60)" if end_at else "")
    )
    outcome = run(source, end_at=end_at)  # that nothing is left is looked at after each test
    assert outcome.stopped == bool(end_at)
    assert outcome.lines == ["ready"]


def test_exit_code_and_signal_of_a_program_are_told(run: Run) -> None:
    assert run("raise SystemExit(7)").said == "ended with exit code 7"
    ended = run(f"import os; os.kill(os.getpid(), {signal.SIGSEGV:d})")
    assert (ended.signal, ended.said) == (signal.SIGSEGV, "was ended by signal 11 (SIGSEGV)")


def test_limits_cannot_be_raised(run: Run) -> None:
    outcome = run(
        "import resource\nfor which in (resource.RLIMIT_NPROC, resource.RLIMIT_NOFILE, resource.RLIMIT_FSIZE):\n"
        "    try: resource.setrlimit(which, (1 << 20, 1 << 20))\n    except (OSError, ValueError): print('no')",
        disk=1 << 19,
    )
    assert outcome.lines == ["no"] * 3


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give programs users of their own")
async def test_as_root_every_program_has_a_user_of_its_own() -> None:
    order = Order("import os; print(os.getuid(), os.getgroups())", ids=(IDS.start, IDS.stop))
    outcomes = await asyncio.gather(*(run_one.run(order) for _ in range(8)))
    users = {outcome.lines[0] for outcome in outcomes}
    assert users <= {f"{user} []" for user in IDS}
    assert len(users) == 8


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give programs users of their own")
def test_a_user_that_has_processes_is_not_given_to_a_program() -> None:
    with subprocess.Popen(["sleep", "60"], user=IDS.start) as other:
        with pytest.raises(ProgramError, match=r"no user id from .* is free for a program"):
            UserId([IDS.start])
        other.kill()
    with UserId([IDS.start]), pytest.raises(ProgramError):
        UserId([IDS.start])
