"""What a bot's author installs: the SDK and the engine, with grpcio and protobuf and nothing else."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
#: grpcio's own requirement.
BESIDE = {"typing_extensions"}

Python = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Python:
    """The Python of a fresh virtual environment with `pip install farfalia` in it."""
    venv = tmp_path_factory.mktemp("base") / "venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", venv], check=True)
    environment = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [str(venv / "bin/python"), *arguments]
        if arguments[:2] == ("-m", "pip"):  # this environment's own: to make one takes longer than all the rest
            command = [sys.executable, "-m", "pip", "--python", str(venv / "bin/python"), *arguments[2:]]
        return subprocess.run(command, cwd=venv, env=environment, text=True, capture_output=True)

    done = run("-m", "pip", "install", "--quiet", "--no-input", str(ROOT))
    assert done.returncode == 0, done.stdout + done.stderr
    return run


@pytest.mark.slow
def test_the_base_install_brings_grpcio_and_protobuf_only(python: Python) -> None:
    installed = {package["name"] for package in json.loads(python("-m", "pip", "list", "--format=json").stdout)}
    assert installed - BESIDE == {"farfalia", "grpcio", "protobuf"}


@pytest.mark.slow
def test_the_base_install_has_the_sdk_the_engine_and_the_sample_bots(python: Python) -> None:
    code = "import farfalia, farfalia.bots as b, farfalia_engine as e; print(*b.NAMES, e.ruleset('chinkway').seats)"
    done = python("-c", code)
    assert (done.stdout.split(), done.stderr) == (["random", "greedy", "cautious", "flat-monte-carlo", "5"], "")


@pytest.mark.slow
def test_the_command_without_the_server_says_what_to_install(python: Python) -> None:
    done = python("-m", "farfalia_server", "demo")
    assert (done.returncode, done.stdout) == (1, "")
    assert "pip install -e '.[server]'" in done.stderr
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.slow
def test_learning_without_its_extra_says_what_to_install(python: Python) -> None:
    for module in ("farfalia.learning", "farfalia.learning.tensors", "farfalia.learning.pettingzoo_env"):
        done = python("-c", f"import {module}")
        assert done.stderr.splitlines()[-1] == ("ImportError: farfalia.learning needs NumPy: pip install 'numpy>=2'")


def test_neither_the_sdk_nor_the_engine_imports_numpy() -> None:
    code = "import sys, farfalia, farfalia.bots, farfalia_engine; print('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], text=True, capture_output=True).stdout == "False\n"
