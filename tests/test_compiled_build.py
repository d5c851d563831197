"""The compiled build: a wheel of the same sources, in which mypyc has compiled a part of the engine."""

import json
import os
import shutil
import subprocess
import sys
import sysconfig
import tomllib
import zipfile
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

import pytest
from tests.lock import locked

from hatch_build import MODULES

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())


def environment(**more: str) -> dict[str, str]:
    hidden = ("PYTHONPATH", "VIRTUAL_ENV", "PYTEST_ADDOPTS", "PYTEST_XDIST_WORKER")
    return {name: value for name, value in os.environ.items() if name not in hidden} | more


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The compiled wheel, built as pip builds it: with what the build needs in an environment of its own."""
    compiler = (sysconfig.get_config_var("CC") or "cc").split()[0]
    if "CI" not in os.environ and not shutil.which(compiler):
        pytest.skip(f"the compiled build needs a C compiler, and there is no {compiler} here")
    folder = tmp_path_factory.mktemp("compiled")
    pip = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-input", "--no-deps", "--wheel-dir", str(folder)]
    asked = environment(HATCH_BUILD_HOOK_ENABLE_CUSTOM="true")
    done = subprocess.run([*pip, str(ROOT)], env=asked, text=True, capture_output=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    [made] = folder.glob("*.whl")
    return made


@pytest.fixture(scope="module")
def python(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of a fresh environment with that wheel, and, behind it, all that is installed here."""
    folder = tmp_path_factory.mktemp("environment")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
    program = folder / "bin" / "python"
    pip = [sys.executable, "-m", "pip", "--python", str(program), "install", "--quiet", "--no-deps", "--no-index"]
    subprocess.run([*pip, str(wheel)], check=True)
    [site] = (folder / "lib").glob("python*/site-packages")
    (site / "requirements.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return program


@pytest.mark.slow
def test_every_module_that_is_compiled_is_in_the_wheel_with_its_source(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    beside = [name for name in names if name.startswith("farfalia_engine/search/sampling.")]
    [ending] = {name.removeprefix("farfalia_engine/search/sampling") for name in beside} - {".py"}
    assert ending in EXTENSION_SUFFIXES
    found = {name for name in names if name.endswith(ending) and name.startswith("farfalia_engine/")}
    assert found == {f"farfalia_engine/{module}{ending}" for module in MODULES}
    assert {f"farfalia_engine/{module}.py" for module in MODULES} <= names
    assert not wheel.name.endswith("py3-none-any.whl")


@pytest.mark.slow
def test_the_version_says_that_it_is_compiled(python: Path) -> None:
    command, where = [str(python), "-m", "farfalia_server", "version"], python.parent
    said, told = (
        subprocess.run([*command, *more], env=environment(), cwd=where, text=True, capture_output=True, check=True)
        for more in ([], ["--json"])
    )
    assert said.stdout.endswith(" (compiled)\n")
    assert json.loads(told.stdout)["build"] == "compiled"


@pytest.mark.slow
def test_the_engine_keeps_its_promises_when_it_is_compiled(python: Path) -> None:
    command = [str(python), "-m", "pytest", "-q", "-p", "no:cacheprovider", "-m", "not slow", "tests/engine"]
    done = subprocess.run(command, cwd=ROOT, env=environment(PYTHONPATH="tools"), text=True, capture_output=True)
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr


@pytest.mark.slow
def test_what_a_compiled_server_gives_away_is_pure(python: Path, tmp_path: Path) -> None:
    code = "from farfalia_server.web.wheel import wheel; open('given.whl', 'wb').write(wheel())"
    subprocess.run([str(python), "-c", code], cwd=tmp_path, env=environment(), check=True)
    with zipfile.ZipFile(tmp_path / "given.whl") as archive:
        names = archive.namelist()
        [about] = [archive.read(name).decode() for name in names if name.endswith(".dist-info/WHEEL")]
    assert [name for name in names if name.endswith(tuple(EXTENSION_SUFFIXES))] == []
    assert {f"farfalia_engine/{module}.py" for module in MODULES} <= set(names)
    assert [line for line in about.splitlines() if line.startswith(("Root-Is-Purelib", "Tag"))] == [
        "Root-Is-Purelib: true",
        "Tag: py3-none-any",
    ]


def test_a_checkout_is_interpreted() -> None:
    done = subprocess.run([sys.executable, "-m", "farfalia_server", "version"], text=True, capture_output=True)
    assert done.stdout.endswith(" (interpreted)\n")


def test_it_is_compiled_by_the_mypy_that_checks_the_types() -> None:
    hook = PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]["hooks"]["custom"]
    assert hook["dependencies"] == [f"mypy[mypyc]=={locked({})['mypy']}"]


def test_what_is_compiled_exists() -> None:
    assert [module for module in MODULES if not (ROOT / f"engine/farfalia_engine/{module}.py").is_file()] == []
