"""What an author hands in: the folder without what nobody means, the same archive for the same contents."""

from __future__ import annotations

import io
import os
import tarfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from farfalia_server.contract.errors import ProgramError
from farfalia_server.hosting import packing
from farfalia_server.hosting.archives import unpack
from farfalia_server.hosting.packing import pack

_NAMES = st.text("abcé._-", min_size=1, max_size=6).filter(lambda name: name.strip("."))


def names(packed: bytes) -> list[str]:
    with tarfile.open(fileobj=io.BytesIO(packed)) as tar:
        return tar.getnames()


def test_what_nobody_means_and_what_is_named_stays_at_home(tmp_path: Path) -> None:
    for name in ("bot.py", "data/big.bin", "data/small.txt", ".venv/lib.py", "__pycache__/bot.pyc", "notes.md", ".env"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("x")
    (tmp_path / ".farfaliaignore").write_text("# mine\n*.md\ndata/*.bin\n")
    assert names(pack(tmp_path)) == [".farfaliaignore", "bot.py", "data/small.txt"]


def test_equal_contents_make_equal_archives_whenever_they_were_written(tmp_path: Path) -> None:
    archives = []
    for folder, moment in ((tmp_path / "a", 1), (tmp_path / "b", 10**9)):
        folder.mkdir()
        for name in ("two.py", "one.py"):
            (folder / name).write_text(name)
            os.utime(folder / name, (moment, moment))
        archives.append(pack(folder))
    assert archives[0] == archives[1]


def test_a_folder_that_is_too_large_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packing, "LARGEST_ARCHIVE", 100_000)
    (tmp_path / "big").write_bytes(os.urandom(200_000))
    with pytest.raises(ProgramError, match="what the program does not need"):
        pack(tmp_path)


def test_what_is_no_folder_or_empty_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ProgramError, match="has no file to hand in"):
        pack(tmp_path)
    with pytest.raises(ProgramError, match="not there; expected the folder"):
        pack(tmp_path / "none")


@settings(max_examples=30, deadline=None)
@given(st.dictionaries(_NAMES, st.binary(max_size=100), min_size=1, max_size=5))
def test_what_is_packed_is_unpacked_as_it_was(
    tmp_path_factory: pytest.TempPathFactory, files: dict[str, bytes]
) -> None:
    room = tmp_path_factory.mktemp("room")
    folder = room / "folder"
    folder.mkdir()
    for name, contents in files.items():
        (folder / name).write_bytes(contents)
    kept = {name: contents for name, contents in files.items() if name in names(pack(folder))}
    (room / "archive").write_bytes(pack(folder))
    unpack(room / "archive", room / "again")
    assert {one.name: one.read_bytes() for one in (room / "again").iterdir()} == kept
