"""requirements.lock: it fits pyproject.toml, on every Python and platform, and it is what is installed here."""

import re
import tomllib
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import cast

import pytest
from packaging.markers import default_environment
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from tests.lock import lines, locked

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
PLATFORMS = (("linux", "x86_64"), ("linux", "aarch64"), ("darwin", "x86_64"), ("darwin", "arm64"))


def requirements(extras: tuple[str, ...]) -> Iterator[Requirement]:
    """What the project requires, with these extras and the extras that they name."""
    optional = PROJECT["optional-dependencies"]
    for text in (*PROJECT["dependencies"], *(text for extra in extras for text in optional[extra])):
        requirement = Requirement(text)
        if requirement.name == PROJECT["name"]:
            yield from requirements(tuple(requirement.extras))
        else:
            yield requirement


@pytest.mark.parametrize("python", PYTHONS)
@pytest.mark.parametrize("platform", PLATFORMS, ids=" ".join)
def test_the_lock_fits_every_requirement(python: str, platform: tuple[str, str]) -> None:
    environment = cast(dict[str, str], default_environment()) | {
        "python_version": python,
        "python_full_version": f"{python}.0",
        "sys_platform": platform[0],
        "platform_machine": platform[1],
        "platform_system": platform[0].capitalize(),
    }
    pins = locked(environment)
    unmet = [
        str(requirement)
        for requirement in requirements(tuple(PROJECT["optional-dependencies"]))
        if requirement.marker is None or requirement.marker.evaluate(environment)
        if not requirement.specifier.contains(pins.get(canonicalize_name(requirement.name), "0"))
    ]
    assert unmet == [], "`make lock` renews requirements.lock"


def test_the_lock_names_versions_and_nothing_else() -> None:
    assert [line for line in lines() if not re.fullmatch(r"[a-z0-9-]+==[\w.]+( ; [^:@]+)?", line)] == []


def test_what_is_tested_has_the_versions_of_the_lock() -> None:
    other = {}
    for name, pinned in locked(default_environment()).items():
        try:
            if version(name) != pinned:
                other[name] = f"{version(name)}, not {pinned}"
        except PackageNotFoundError:
            other[name] = "not installed"
    assert other == {}, "`touch requirements.lock; make .venv/checks` installs them"


def test_the_stubs_are_made_for_the_lowest_versions_promised_to_bots() -> None:
    promised = {requirement.name: str(requirement.specifier).removeprefix(">=") for requirement in requirements(())}
    made = (ROOT / "clients/python/farfalia/v1/play_pb2.py").read_text()
    services = (ROOT / "clients/python/farfalia/v1/play_pb2_grpc.py").read_text()
    assert f"Protobuf Python Version: {promised['protobuf']}\n" in made
    assert Requirement(f"grpcio=={promised['grpcio']}").specifier.contains(
        re.findall(r"GRPC_GENERATED_VERSION = '(.*)'", services)[0]
    )
