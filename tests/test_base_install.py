"""What a bot's author installs: the SDK, the engine, and the commands that ask a server."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.server.live import live_server

ROOT = Path(__file__).resolve().parents[1]
#: What a server needs besides, some of it: none of it may come along.
OF_A_SERVER = {"alembic", "asyncpg", "hiredis", "jinja2", "redis", "sqlalchemy", "starlette", "trueskill", "uvicorn"}

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
def test_the_base_install_brings_nothing_of_a_server(python: Python) -> None:
    code = "from importlib.metadata import distributions; print(*(found.name.lower() for found in distributions()))"
    installed = set(python("-c", code).stdout.split())
    assert installed >= {"farfalia", "grpcio", "protobuf", "rich", "typer"}
    assert installed & OF_A_SERVER == set()


@pytest.mark.slow
def test_the_base_install_has_the_sdk_the_engine_and_the_sample_bots(python: Python) -> None:
    code = "import farfalia, farfalia.bots as b, farfalia_engine as e; print(*b.NAMES, e.ruleset('chinkway').seats)"
    done = python("-c", code)
    assert (done.stdout.split(), done.stderr) == (
        ["random", "greedy", "cautious", "learned", "flat-monte-carlo", "expert", "5"],
        "",
    )


@pytest.mark.slow
@pytest.mark.parametrize("words", ["demo --rounds 1", "serve", "run --bot greedy", "doctor", "backup file"])
def test_a_command_that_needs_the_server_says_what_to_install(python: Python, words: str) -> None:
    done = python("-m", "farfalia_server", *words.split())
    assert (done.returncode, done.stdout) == (1, "")
    assert "pip install -e '.[server]'" in done.stderr
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.slow
@pytest.mark.parametrize("words", ["bench engine", "torment --list"])
def test_a_command_of_the_tools_says_where_they_are(python: Python, words: str) -> None:
    done = python("-m", "farfalia_server", *words.split())
    assert (done.returncode, done.stdout) == (2, "")
    assert f"run ./farfalia {words.split()[0]} there" in done.stderr


@pytest.mark.slow
def test_every_command_has_a_line_of_help(python: Python) -> None:
    done = python("-m", "farfalia_server", "--help")
    assert (done.returncode, done.stderr) == (0, "")
    assert all(f"\n  {name} " in done.stdout for name in ("bot", "ratings", "tournament", "serve", "verify"))


@pytest.mark.slow
def test_an_author_registers_a_bot_and_looks_at_what_it_played(python: Python, tmp_path: Path) -> None:
    with live_server(tmp_path, registration="open") as server:
        where = ("--server", server.grpc_address)
        made = python("-m", "farfalia_server", "bot", "register", "ada", *where)
        assert made.returncode == 0
        assert made.stderr.startswith("ada is registered.")
        assert made.stdout.startswith("farfalia_")
        server.wait_for(server.tournament(["house-greedy-1", "house-random-1"], rounds=1, ruleset="two"))
        for words in ("bot show ada", "tournament show 1", "tournament list", "queue", "ratings two", "ladder show"):
            done = python("-m", "farfalia_server", *words.split(), *where)
            assert (done.returncode, done.stderr.count("Traceback")) == (0, 0), done.stderr
        fetched = python("-m", "farfalia_server", "records", "fetch", "1", str(tmp_path / "records"), *where)
        assert fetched.returncode == 0, fetched.stderr
        assert python("-m", "farfalia_server", "verify", str(tmp_path / "records")).returncode == 0
        shown = python("-m", "farfalia_server", "replay", str(tmp_path / "records" / "match-1.json"))
        assert (shown.returncode, shown.stderr) == (0, "")


@pytest.mark.slow
def test_a_program_that_plays_by_lines_of_json_needs_no_more(python: Python) -> None:
    done = python("-m", "farfalia_server", "bridge", "--", "true")
    assert (done.returncode, done.stdout) == (2, "")
    assert "There is no token" in done.stderr


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
    code = (
        "import sys, farfalia, farfalia.bots, farfalia.analysis.totals, farfalia_engine; print('numpy' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], text=True, capture_output=True).stdout == "False\n"
