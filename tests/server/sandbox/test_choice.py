"""Which sandbox is used, and what containers are started with."""

from __future__ import annotations

import os
import shlex
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from tests.server.live import until

from farfalia_server.contract.errors import ProgramError
from farfalia_server.sandbox import NAMES, Limits, Program, choose, landlock_start
from farfalia_server.sandbox.choice import drivers, obstacle
from farfalia_server.sandbox.containers import Container


def test_every_name_but_auto_is_that_of_a_driver() -> None:
    assert ("auto", *(driver.name for driver in drivers())) == NAMES


async def test_an_unknown_sandbox_is_refused() -> None:
    with pytest.raises(ProgramError, match="there is no sandbox 'jail'; expected one of auto, bwrap"):
        await choose("jail")


async def test_auto_says_why_others_do_not_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nonexistent")
    with pytest.raises(
        ProgramError, match="bwrap: the program bwrap is missing; Debian has it in the package bubblewrap"
    ):
        await choose("bwrap")
    if os.geteuid() == 0 and landlock_start.version():
        chosen = await choose()
        assert (chosen.name, list(chosen.passed_over)) == ("landlock", ["bwrap", "podman", "docker"])
    else:
        with pytest.raises(ProgramError, match="no sandbox works here: bwrap: the program bwrap is missing"):
            await choose()


async def test_no_sandbox_is_chosen_by_name_only_and_says_that_it_protects_nobody() -> None:
    chosen = await choose("none")
    assert "nothing protects you" in chosen.protects


@pytest.mark.parametrize("engine", ["podman", "docker"])
def test_a_container_has_no_network_no_rights_and_limits(engine: str, tmp_path: Path) -> None:
    # No engine runs in most places where tests do, so this looks at what one would be told.
    program = Program(("python3", "bot.py"), tmp_path, {"FARFALIA_TOKEN": "hush"}, image="python")
    launch = Container(engine).launch(program, Limits(memory=100, disk=28, cpu_share=0.5, processes=9), Path("/s"))
    words = shlex.join(launch.command)
    for option in (
        *("--network none", "--read-only", "--cap-drop all", "--security-opt no-new-privileges", "--user 65532:65532"),
        *("--memory 128", "--memory-swap 128", "--cpus 0.5", "--pids-limit 9", "--pull never"),
        *(f"--volume {tmp_path}:/program:ro", "--volume /s:/run/farfalia.sock", "--entrypoint python3 python bot.py"),
    ):
        assert f" {option} " in f"{words} "
    assert "hush" not in words
    assert os.read(launch.descriptors[0], 100) == b"FARFALIA_TOKEN=hush\n"
    os.close(launch.descriptors[0])


@pytest.mark.parametrize(
    ("here", "there"),
    [(sys.executable, "python"), ("/opt/node/bin/node", "node"), ("node", "node"), ("./bot", "./bot")],
)
def test_a_container_has_the_interpreters_of_its_image(here: str, there: str, tmp_path: Path) -> None:
    program = Program((here, "bot.py"), tmp_path, {"PATH": "/opt/node/bin:/usr/bin", "A": "b"})
    launch = Container("podman").launch(program, Limits(), None)
    assert launch.command[-4:] == ["--entrypoint", there, "farfalia", "bot.py"]
    assert os.read(launch.descriptors[0], 100) == b"A=b\n"
    os.close(launch.descriptors[0])


def test_a_container_is_killed_before_it_is_removed_and_nothing_waits_for_that(tmp_path: Path) -> None:
    engine, told = tmp_path / "engine", tmp_path / "told"
    engine.write_text(f'#!/bin/sh\nsleep 0.2\necho "$1" >> {told}\n')
    engine.chmod(0o755)
    launch = Container(str(engine)).launch(Program(("./bot",), tmp_path), Limits(), None)
    os.close(launch.descriptors[0])
    launch.kill()
    launch.kill()
    assert not told.exists()
    until(lambda: told.exists() and told.read_text().split() == ["kill", "rm"])


def test_containers_of_a_server_that_was_killed_are_removed_and_no_others(tmp_path: Path) -> None:
    gone = subprocess.Popen(["true"])
    gone.wait()
    host = socket.gethostname()
    engine, told = tmp_path / "engine", tmp_path / "told"
    engine.write_text(
        f'#!/bin/sh\ncase "$1" in ps) echo "a map[farfalia.starter:{host}/{gone.pid}]"; '
        f'echo "b x=y,farfalia.starter={host}/{gone.pid}"; echo "c map[farfalia.starter:{host}/{os.getpid()}]"; '
        f'echo "d farfalia.starter=elsewhere/{gone.pid}"; exit;; esac\necho "$*" >> {told}\n'
    )
    engine.chmod(0o755)
    assert Container(str(engine)).obstacle() == ""
    assert told.read_text().splitlines() == ["kill a", "rm --force a", "kill b", "rm --force b"]


@pytest.mark.parametrize("engine", ["podman", "docker"])
async def test_an_engine_that_works_here_runs_a_program(engine: str) -> None:
    if why := await obstacle(Container(engine)):
        pytest.skip(f"{engine} does not work here: {why}")
    assert (await choose(engine)).name == engine
