"""An archive of a stranger that cannot be unpacked is refused in a sentence, whatever its names are."""

from __future__ import annotations

import io
import tarfile
from pathlib import Path

import pytest

from farfalia_server.contract.errors import ProgramError
from farfalia_server.hosting.archives import unpack


def tar(folder: Path, *names: str) -> Path:
    path = folder / "odd.tar"
    with tarfile.open(path, "w") as file:
        for name in names:
            info = tarfile.TarInfo(name)
            info.size = 1
            file.addfile(info, io.BytesIO(b"x"))
    return path


@pytest.mark.parametrize(
    "names",
    [(".",), ("./.",), ("..",), ("/bot.py",), ("bot.py", "bot.py"), ("a", "a/b"), ("a/b", "a"), ("a" * 300,)],
    ids=["dot", "dots", "up", "absolute", "twice", "below a file", "over a folder", "long"],
)
def test_a_name_that_cannot_be_is_refused(tmp_path: Path, names: tuple[str, ...]) -> None:
    with pytest.raises(ProgramError):
        unpack(tar(tmp_path, *names), tmp_path / "unpacked")


def test_an_archive_of_a_folder_by_its_own_name_is_unpacked(tmp_path: Path) -> None:
    packed, folder = tmp_path / "folder.tar", tmp_path / "folder"
    folder.mkdir()
    (folder / "bot.py").write_text("")
    with tarfile.open(packed, "w") as file:
        file.add(folder, ".")
    unpack(packed, tmp_path / "unpacked")
    assert [path.name for path in (tmp_path / "unpacked").iterdir()] == ["bot.py"]
