"""Programs that are run in the real sandbox, as this user and, where we are root, as an ordinary one."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import subprocess
import sysconfig
from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from tests.server.sandbox import run_one
from tests.server.sandbox.run_one import Order, Outcome

from farfalia_server.sandbox.process_tree import processes_of, tree

CHECKOUT = Path(__file__).parents[3]
#: Ids of programs, and of a user without files and rights: no other run of tests on this machine has them.
IDS = range(1_900_000_000 + 16 * os.getpid(), 1_900_000_015 + 16 * os.getpid())
NOBODY = IDS.stop

Run = Callable[..., Outcome]


@pytest.fixture(params=["this user", "nobody"])
def run(request: pytest.FixtureRequest) -> Run:
    """Run a Python source in bubblewrap, with limits by their names."""
    as_nobody = request.param == "nobody"
    if as_nobody and (why := why_not_nobody()):
        pytest.skip(why)
    if shutil.which("bwrap") is None:
        pytest.skip("bubblewrap is not installed")

    def run(source: str, *, environment: dict[str, str] | None = None, end_at: str = "", **limits: Any) -> Outcome:
        socket = limits.pop("socket", "")
        order = Order(source, "bwrap", limits, environment or {}, str(socket), end_at, (IDS.start, IDS.stop))
        return as_other(order) if as_nobody else asyncio.run(run_one.run(order))

    return run


def why_not_nobody() -> str:
    """Why nothing can be run as an ordinary user; empty if it can."""
    if os.geteuid() != 0:
        return "only root can run something as another user"
    tried = subprocess.run([*NOBODY_RUNS, "-c", "import farfalia_server.sandbox"], capture_output=True, text=True)
    return "" if tried.returncode == 0 else f"nobody cannot import the server here: {tried.stderr.strip()[-200:]}"


NOBODY_RUNS = [
    *("setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups", "env"),
    # Nobody may enter our home, where this environment's Python may be; the system's takes our packages.
    f"PYTHONPATH={CHECKOUT}:{CHECKOUT / 'server'}:{sysconfig.get_path('purelib')}",
    *("PYTHONDONTWRITEBYTECODE=1", str(run_one.SYSTEM_PYTHON)),
]


def as_other(order: Order) -> Outcome:
    """What comes of an order that is carried out as nobody."""
    done = subprocess.run(
        [*NOBODY_RUNS, "-m", "tests.server.sandbox.run_one"],
        input=json.dumps(asdict(order)),
        capture_output=True,
        text=True,
        cwd="/",
    )
    assert done.returncode == 0, done.stderr
    return Outcome(**json.loads(done.stdout))


@pytest.fixture(autouse=True)
def _nothing_is_left() -> Iterator[None]:
    """After each test, no process of a program is left, and no file of one."""
    below = {process.pid for process in tree(os.getpid())}
    yield
    users = (*IDS, NOBODY)
    assert [pid for user in users for pid in processes_of(user) if not waits_for_init(pid)] == []
    assert [process.pid for process in tree(os.getpid()) if process.pid not in below] == []
    folders = map(Path, ("/tmp", "/dev/shm", "/run"))
    assert [path for folder in folders for path in folder.iterdir() if path.lstat().st_uid in users] == []


def waits_for_init(pid: int) -> bool:
    """Whether a process is dead, and the first one of this machine has not looked yet, or has just done so."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[:2] == ["Z", "1"]
    except (FileNotFoundError, ProcessLookupError):
        return True


@pytest.fixture
def short_folder() -> Iterator[Path]:
    """A folder that every user may enter, with a name that is short enough for a socket."""
    with TemporaryDirectory(prefix="sandbox-") as name:
        Path(name).chmod(0o755)
        yield Path(name)
