"""`./farfalia` in a checkout that nobody has used yet."""

import os
import re
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest
from packaging.markers import default_environment
from tests.cli.command import LIMIT, Run
from tests.lock import locked

ROOT = Path(__file__).resolve().parents[2]
PARTS = (
    "farfalia",
    "pyproject.toml",
    "requirements.lock",
    "README.md",
    "LICENSE",
    "engine",
    "tournaments",
    "server",
    "clients",
    "docs",
    "proto",
)
#: What the checkout's directory is called.
CHECKOUT = 'it\'s "a" check?out #1 100%41 día'
#: What the wrapper calls beside Python.
TOOLS = ("sh", "readlink", "dirname", "cksum", "cat", "mkdir", "rm", "sleep", "tail", "env")


def call(wrapper: Path, *arguments: str, **more: str) -> Run:
    """Call the wrapper from another directory, with an empty HOME and no input."""
    kept = {name: value for name, value in os.environ.items() if name.startswith("PIP_") or name == "PATH"}
    return subprocess.run(
        [wrapper, *arguments],
        cwd="/",
        env={**kept, "HOME": str(wrapper.parent / "home"), **more},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=LIMIT,
    )


def copied(root: Path) -> Path:
    """A copy of the checkout."""
    for part in PARTS:
        source, target = ROOT / part, root / part
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__", "node_modules"))
        else:
            shutil.copy2(source, target)
    return root


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the checkout, in a directory with a name that few programs expect."""
    return copied(tmp_path_factory.mktemp("wrapper") / CHECKOUT)


def without_python(tmp_path: Path, *more: tuple[str, str]) -> str:
    """A PATH with the tools that the wrapper calls, and scripts for Pythons."""
    for tool in TOOLS:
        found = shutil.which(tool)
        assert found
        (tmp_path / tool).symlink_to(found)
    for name, script in more:
        (tmp_path / name).write_text(f"#!/bin/sh\n{script}\n")
        (tmp_path / name).chmod(0o755)
    return str(tmp_path)


@pytest.fixture(scope="module")
def satisfied(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """An environment in which pip finds everything but the checkout itself installed, as it is for these tests.

    What builds the checkout, too: "no" is how pip is told that there is no isolation. pip itself is there as well, and
    the Python on the PATH makes environments without one: that takes longer than all the rest.
    """
    packages = tmp_path_factory.mktemp("packages")
    for path in Path(sysconfig.get_path("purelib")).iterdir():
        if not re.match(r"_?farfalia", path.name):
            (packages / path.name).symlink_to(path)
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", str(packages), "editables"]
    subprocess.run(command, check=True)  # hatchling wants it for an editable installation
    bare = f'case "$*" in "-m venv"*) set -- "$@" --without-pip ;; esac\nexec {sys.executable} "$@"'
    tools = without_python(tmp_path_factory.mktemp("bin"), ("python3.11", bare))
    return {"PATH": tools, "PYTHONPATH": str(packages), "PIP_NO_BUILD_ISOLATION": "no", "PIP_NO_COMPILE": "yes"}


def pip(folder: Path, script: str, environment: dict[str, str]) -> dict[str, str]:
    """The environment with a pip that does nothing but this: the real one takes seconds to find all as it should be."""
    (folder / "pip.py").write_text(f"import sys\n{script}\n")
    return {**environment, "PYTHONPATH": f"{folder}:{environment['PYTHONPATH']}"}


@pytest.fixture(scope="module")
def wrapper(checkout: Path) -> Path:
    """A relative link to a link to the wrapper."""
    (checkout.parent / "bin").mkdir()
    first, second = checkout.parent / "bin/first", checkout.parent / "second"
    first.symlink_to(f"../{CHECKOUT}/farfalia")
    second.symlink_to("bin/first")
    return second


def test_without_a_fitting_python_the_wrapper_says_what_it_looked_for(wrapper: Path, tmp_path: Path) -> None:
    path = without_python(tmp_path, ("python3", "exit 1"))
    done = call(wrapper, "version", PATH=path)
    assert (done.returncode, done.stdout) == (1, "")
    assert len(done.stderr.splitlines()) == 1
    assert "Python 3.11 or newer is needed" in done.stderr


def test_a_python_that_cannot_make_environments_is_named(wrapper: Path, tmp_path: Path) -> None:
    path = without_python(tmp_path, ("python3.12", 'case "$*" in *ensurepip*) exit 1 ;; esac'))
    done = call(wrapper, "version", PATH=path)
    assert done.returncode == 1
    assert "python3.12 cannot make virtual environments" in done.stderr
    assert not (wrapper.parent / CHECKOUT / ".venv.lock").exists()


@pytest.mark.slow
def test_the_first_call_installs_once_and_later_ones_do_not(
    wrapper: Path, checkout: Path, satisfied: dict[str, str], tmp_path: Path
) -> None:
    first = call(wrapper, "version", **satisfied)
    assert (first.returncode, first.stdout[:9]) == (0, "farfalia "), first.stderr
    assert len(first.stderr.splitlines()) == 1
    assert "installing into" in first.stderr
    again = call(wrapper, "version", LC_ALL="C", **satisfied)
    assert (again.returncode, again.stdout, again.stderr) == (0, first.stdout, "")
    quick = pip(tmp_path, "print(sys.argv)", satisfied)
    for file in (checkout / "pyproject.toml", checkout / "requirements.lock"):
        file.write_text(file.read_text() + "\n# changed\n")
        assert "installing into" in call(wrapper, "version", **quick).stderr
        assert "'-c', '" in (checkout / ".venv/install.log").read_text()
    assert call(wrapper, "nonsense", **satisfied).returncode == 2
    (checkout / "pyproject.toml").write_text((checkout / "pyproject.toml").read_text() + "\n# changed again\n")
    failing = pip(tmp_path, "print('no room'); sys.exit(1)", satisfied)
    failed = call(wrapper, "version", **failing)
    assert failed.returncode == 1
    assert failed.stderr.splitlines()[-2] == "no room"
    assert failed.stderr.splitlines()[-1].endswith("install.log.")
    assert not (checkout / ".venv.lock").exists()


@pytest.mark.prove
@pytest.mark.slow
def test_what_is_installed_has_the_versions_of_the_lock(tmp_path: Path) -> None:
    root = copied(tmp_path / "checkout")
    done = call(root / "farfalia", "version")
    assert (done.returncode, done.stdout[:9]) == (0, "farfalia "), done.stderr
    frozen = subprocess.run(
        [root / ".venv/bin/python", "-m", "pip", "freeze", "--exclude-editable"], capture_output=True, text=True
    )
    installed = dict(line.lower().replace("_", "-").split("==") for line in frozen.stdout.splitlines())
    assert installed.keys() >= {"grpcio", "protobuf", "sqlalchemy"}
    assert installed.items() <= locked(default_environment()).items()
