"""`farfalia run --sandbox` and `farfalia compare --sandbox`: programs of other people, tried safely."""

import os
import re
import shutil
from pathlib import Path

import pytest
from tests.cli.bots import LOW
from tests.cli.command import Command

from farfalia_server.contract.errors import ProgramError
from farfalia_server.local.confined import confined_program

needs_bwrap = pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not installed")

#: Looks around before it plays.
CURIOUS = """
import os
print("sees", [path for path in ("/etc/shadow", "/home", {secret!r}) if os.path.exists(path)], flush=True)
print("dials", os.environ["FARFALIA_SERVER"], flush=True)
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder for bots that other users may read, as programs have users of their own where we are root."""
    for path in (tmp_path, tmp_path.parent):
        path.chmod(0o755)
    bots = tmp_path / "bots"
    bots.mkdir()
    return bots


@needs_bwrap
@pytest.mark.parametrize("boards", ["fresh", "rotations"])
def test_a_bot_in_a_sandbox_plays_and_sees_nothing_of_the_host(
    farfalia: Command, folder: Path, tmp_path: Path, boards: str
) -> None:
    secret = tmp_path / "secret"
    secret.write_text("mine")
    (folder / "low.py").write_text(CURIOUS.format(secret=str(secret)) + LOW)
    done = farfalia(
        *("run", "--sandbox", "bwrap", "--bot", str(folder / "low.py"), "--bot", "greedy", "--game", "basic"),
        *("--rounds", 1, "--boards", boards, "--keep", "kept"),
    )
    assert done.returncode == 0, done.stderr
    assert "Programs run in the sandbox bwrap." in done.stderr
    assert re.search(r"^ *\d  low ", done.stdout, re.MULTILINE)
    written = (tmp_path / "kept/output/low.log").read_text().splitlines()
    assert set(written) == {"sees []", "dials unix:/run/farfalia.sock"}


@needs_bwrap
def test_a_bot_that_takes_too_much_is_ended_and_it_is_said_why(farfalia: Command, folder: Path) -> None:
    (folder / "hog.py").write_text("kept = []\nwhile True: kept.append(bytearray(1 << 24))")
    done = farfalia("run", "--sandbox", "bwrap", "--bot", str(folder / "hog.py"), "--bot", "greedy", "--rounds", 1)
    assert done.returncode == 1
    assert "was ended: it used more than 1,024 MB of memory before it connected" in done.stderr


@needs_bwrap
def test_two_bots_are_compared_in_a_sandbox(farfalia: Command, folder: Path) -> None:
    (folder / "low.py").write_text(LOW)
    done = farfalia("compare", str(folder / "low.py"), "greedy", "--sandbox", "auto", "--most", 2, "--game", "basic")
    assert done.returncode in (0, 4), done.stderr
    assert "Programs run in the sandbox" in done.stderr


def test_a_sandbox_that_there_is_not(farfalia: Command) -> None:
    done = farfalia("run", "--sandbox", "jail", "--bot", "greedy")
    assert done.returncode == 2
    assert "There is no sandbox 'jail'; expected one of auto, bwrap," in re.sub(r"[│\s]+", " ", done.stderr)


def test_a_bot_in_the_home_directory_would_show_all_of_it(
    farfalia: Command, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "low.py").write_text(LOW)
    monkeypatch.setenv("HOME", str(folder))
    with pytest.raises(ProgramError, match=r"it would see all of .*; put it into a folder of its own"):
        confined_program(("python3", str(folder / "low.py")), {})


def test_a_bot_is_named_as_its_folder_has_it(folder: Path) -> None:
    (folder / "low.py").write_text(LOW)
    confined = confined_program(("python3", os.path.relpath(folder / "low.py"), "--fast"), {"FARFALIA_TOKEN": "t"})
    assert confined.folder == folder
    assert confined.command[1:] == ["./low.py", "--fast"]
    assert confined.environment["FARFALIA_TOKEN"] == "t"


@needs_bwrap
def test_a_bot_for_node_plays_in_a_sandbox(farfalia: Command, folder: Path) -> None:
    source = Path(__file__).parents[2] / "clients/node"
    if shutil.which("node") is None or not (source / "node_modules").exists():
        pytest.skip(
            "Node.js, or what the bot for it needs, is not installed: tests/clients/test_node_bot.py installs it"
        )
    shutil.copytree(source, folder / "node")
    bot = f"node {folder / 'node/bot.mjs'}"
    done = farfalia("run", "--sandbox", "bwrap", "--bot", bot, "--bot", "greedy", "--rounds", 1, "--boards", "fresh")
    assert done.returncode == 0, done.stderr
    assert "Incidents" not in done.stdout
