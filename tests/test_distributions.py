"""What is published: the wheel holds the contract, and the sdist nothing that merely lay around."""

import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from farfalia_server.web.wheel import documents, guide

ROOT = Path(__file__).resolve().parents[1]
PROTOS = {f"farfalia/v1/{path.name}": path.read_bytes() for path in ROOT.glob("proto/farfalia/v1/*.proto")}
#: What is at the top of the checkout, and belongs to no release.
LEFT_BEHIND = {".gitignore"}


def build(root: Path, target: str) -> Path:
    """Build one distribution of a checkout, without a network."""
    command = [sys.executable, "-m", "hatchling", "build", "--target", target, "--directory", "dist"]
    done = subprocess.run(command, cwd=root, text=True, capture_output=True)
    assert done.returncode == 0, done.stdout + done.stderr
    [made] = (root / "dist").glob("*.whl" if target == "wheel" else "*.tar.gz")
    return made


def inside(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of all that git knows here, with a bot of somebody's own beside it."""
    root = tmp_path_factory.mktemp("distributions") / "checkout"
    tracked = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, text=True, capture_output=True, check=True).stdout
    for name in filter(None, tracked.split("\0")):
        if (ROOT / name).exists():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, root / name)
    (root / "miser.py").write_text("import farfalia\n")
    (root / "matches").mkdir()
    (root / "matches/1.json").write_text("{}")
    return root


@pytest.fixture(scope="module")
def wheel(checkout: Path) -> Path:
    return build(checkout, "wheel")


@pytest.fixture(scope="module")
def unpacked(checkout: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sdist, unpacked."""
    folder = tmp_path_factory.mktemp("unpacked")
    subprocess.run(["tar", "-xf", build(checkout, "sdist")], cwd=folder, check=True)
    [root] = folder.iterdir()
    return root


def test_the_wheel_holds_the_contract_beside_the_sdk(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        held = {name: archive.read(f"farfalia/proto/{name}") for name in PROTOS}
    assert held == PROTOS


def test_the_wheel_holds_what_explains_the_contract(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        held = {path: archive.read(f"farfalia/clients/{path}") for path in guide()}
    assert held == guide()
    assert {name for name in inside(wheel) if name.startswith("farfalia/clients/")} == {
        f"farfalia/clients/{path}" for path in held
    }


def test_the_wheel_holds_the_documents_and_their_pictures(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        held = {
            name.removeprefix("farfalia_server/docs/"): archive.read(name)
            for name in archive.namelist()
            if name.startswith("farfalia_server/docs/")
        }
    assert held == documents()
    assert {"README.md", "rules.md", "reference/engine.md", "assets/architecture.svg"} <= held.keys()


def test_the_wheel_holds_the_networks_of_learned_which_are_small(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        held = archive.read("farfalia/learning/learned.npz")
    assert held == (ROOT / "clients/python/farfalia/learning/learned.npz").read_bytes()
    assert len(held) <= 2_000_000


def test_the_wheel_holds_the_four_packages_and_nothing_else(wheel: Path) -> None:
    tops = {name.partition("/")[0] for name in inside(wheel)}
    assert tops == {
        "farfalia",
        "farfalia_engine",
        "farfalia_server",
        "farfalia_tournaments",
        "farfalia-0.1.0.dist-info",
    }


def test_the_sdist_holds_what_the_checkout_holds_and_nothing_that_lay_around(checkout: Path, unpacked: Path) -> None:
    tops = {path.name for path in checkout.iterdir()} - {"dist", "miser.py", "matches"}
    assert {path.name for path in unpacked.iterdir()} - LEFT_BEHIND == tops - LEFT_BEHIND | {"PKG-INFO"}


def test_a_wheel_made_from_the_sdist_is_the_same(wheel: Path, unpacked: Path) -> None:
    assert inside(build(unpacked, "wheel")) == inside(wheel)
