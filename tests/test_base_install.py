"""What a bot's author installs: the SDK and the engine, with grpcio and protobuf and nothing else."""

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
    folder = tmp_path_factory.mktemp("base")
    venv, base = folder / "venv", str(folder / "venv/bin/python")
    # Neither a pip of its own, nor what builds a wheel, nor compiled files: they take longer than all the rest.
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", venv], check=True)
    build = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(folder)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    [wheel] = folder.glob("*.whl")
    pip = [sys.executable, "-m", "pip", "--python", base]
    install = [*pip, "install", "--quiet", "--no-input", "--no-compile", str(wheel)]
    environment = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}

    subprocess.run(install, env=environment, check=True)

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([base, *arguments], cwd=venv, env=environment, text=True, capture_output=True)

    return run


@pytest.mark.slow
def test_the_base_install_brings_grpcio_and_protobuf_only(python: Python) -> None:
    code = "from importlib.metadata import distributions; print(*(found.name for found in distributions()))"
    installed = set(python("-c", code).stdout.split())
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
    code = """
for module in ("farfalia.learning", "farfalia.learning.tensors", "farfalia.learning.pettingzoo_env"):
    try:
        __import__(module)
    except ImportError as error:
        print(error)
"""
    sentence = "farfalia.learning needs NumPy: pip install 'numpy>=2'\n"
    assert python("-c", code).stdout == 3 * sentence


def test_neither_the_sdk_nor_the_engine_imports_numpy() -> None:
    code = "import sys, farfalia, farfalia.bots, farfalia_engine; print('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], text=True, capture_output=True).stdout == "False\n"
