"""The wheel that a server makes of itself."""

import base64
import csv
import hashlib
import io
import subprocess
import zipfile
from collections.abc import Iterator
from email import message_from_bytes
from importlib.metadata import version
from pathlib import Path

import pytest

from farfalia_server.web.wheel import PACKAGES, contract, documents, filename, files_below, guide, wheel

ROOT = Path(__file__).resolve().parents[3]
VERSION = version("farfalia")
INFO = f"farfalia-{VERSION}.dist-info"


@pytest.fixture(scope="module")
def files() -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(wheel())) as packed:
        return {name: packed.read(name) for name in packed.namelist()}


def test_the_same_files_give_the_same_wheel() -> None:
    assert wheel() == wheel()
    assert filename(VERSION) == f"farfalia-{VERSION}-py3-none-any.whl"


def test_its_list_names_every_file_with_size_and_digest(files: dict[str, bytes]) -> None:
    rows = list(csv.reader(io.StringIO(files[f"{INFO}/RECORD"].decode())))
    assert [path for path, _, _ in rows] == list(files)
    for path, digest, size in rows[:-1]:
        told = base64.urlsafe_b64encode(hashlib.sha256(files[path]).digest()).decode().rstrip("=")
        assert (digest, size) == (f"sha256={told}", str(len(files[path])))
    assert rows[-1] == [f"{INFO}/RECORD", "", ""]


def test_its_metadata_is_that_of_the_installed_version(files: dict[str, bytes]) -> None:
    metadata = message_from_bytes(files[f"{INFO}/METADATA"])
    assert (metadata["Name"], metadata["Version"]) == ("farfalia", VERSION)
    assert {"server", "numpy", "rl"} <= set(metadata.get_all("Provides-Extra", []))
    assert b"Tag: py3-none-any" in files[f"{INFO}/WHEEL"]
    assert b"farfalia_server.__main__:main" in files[f"{INFO}/entry_points.txt"]
    assert f"{INFO}/licenses/LICENSE" in files
    assert not {f"{INFO}/direct_url.json", f"{INFO}/INSTALLER"} & files.keys()


def sources() -> Iterator[str]:
    """What the packages consist of, in the checkout."""
    for room in ("engine", "tournaments", "server", "clients/python"):
        for package in PACKAGES:
            for path in sorted((ROOT / room / package).rglob("*")):
                if path.is_file() and path.suffix != ".pyc":
                    yield path.relative_to(ROOT / room).as_posix()


def test_it_holds_the_packages_the_contract_and_the_documents_and_nothing_else(files: dict[str, bytes]) -> None:
    protos = {f"farfalia/proto/{path}" for path in contract()}
    guides = {f"farfalia/clients/{path}" for path in guide()}
    docs = {f"farfalia_server/docs/{path}" for path in documents()}
    metadata = {path for path in files if path.startswith(f"{INFO}/")}
    assert set(files) == {*sources(), *protos, *guides, *docs, *metadata}
    assert {path.name for path in (ROOT / "proto/farfalia/v1").glob("*.proto")} == {Path(path).name for path in protos}


def test_the_bot_for_nodejs_is_given_away_whole() -> None:
    kept = subprocess.run(["git", "ls-files"], cwd=ROOT / "clients/node", capture_output=True, text=True, check=True)
    assert {f"node/{path}" for path in kept.stdout.split()} == {path for path in guide() if path.startswith("node/")}


def test_what_lies_beside_the_modules_is_not_given_away(tmp_path: Path) -> None:
    beside = (".env.py", "a.token", "farfalia-data/a.py", "a.db", "__pycache__/b.py", "key.pem", "records/1.json")
    for name in ("__init__.py", "web/page.html", *beside):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("text")
    (tmp_path / "link.py").symlink_to("/etc/passwd")
    (tmp_path / "elsewhere").symlink_to("/etc")
    assert sorted(files_below(tmp_path)) == [("__init__.py", b"text"), ("web/page.html", b"text")]
