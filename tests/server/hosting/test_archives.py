"""What a stranger packs: it lands in its folder or nowhere."""

from __future__ import annotations

import io
import stat
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from farfalia_server.contract.errors import ProgramError
from farfalia_server.hosting import archives
from farfalia_server.hosting.archives import unpack


def tar_of(add: Callable[[tarfile.TarFile], None]) -> bytes:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as tar:
        add(tar)
    return packed.getvalue()


def a_file(name: str, contents: bytes = b"x", mode: int = 0o644) -> Callable[[tarfile.TarFile], None]:
    info = tarfile.TarInfo(name)
    info.size, info.mode = len(contents), mode
    return lambda tar: tar.addfile(info, io.BytesIO(contents))


def special(kind: bytes, name: str, target: str = "") -> Callable[[tarfile.TarFile], None]:
    info = tarfile.TarInfo(name)
    info.type, info.linkname = kind, target
    return lambda tar: tar.addfile(info)


def refused(tmp_path: Path, packed: bytes) -> str:
    """Why an archive is refused; nothing of it lies beside its folder."""
    room = tmp_path / "room"
    room.mkdir()
    archive = tmp_path / "archive"
    archive.write_bytes(packed)
    with pytest.raises(ProgramError) as refusal:
        unpack(archive, room / "program")
    assert [one.name for one in room.iterdir()] in ([], ["program"])
    assert sorted(one.name for one in tmp_path.iterdir()) == ["archive", "room"]
    return str(refusal.value)


@pytest.mark.parametrize("name", ["../outside", "/etc/passwd", "a/../../outside", "a\\..\\..\\outside"])
def test_a_name_that_leads_out_of_the_folder_is_refused(tmp_path: Path, name: str) -> None:
    assert "is no name inside of it" in refused(tmp_path, tar_of(a_file(name)))


@pytest.mark.parametrize("name", ["../outside", "/etc/passwd", "a/../../outside"])
def test_such_a_name_in_a_zip_file_is_refused_too(tmp_path: Path, name: str) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as file:
        file.writestr(name, "x")
    assert "is no name inside of it" in refused(tmp_path, packed.getvalue())


@pytest.mark.parametrize("kind", [tarfile.CHRTYPE, tarfile.BLKTYPE, tarfile.FIFOTYPE])
def test_devices_are_refused(tmp_path: Path, kind: bytes) -> None:
    assert "is a device" in refused(tmp_path, tar_of(special(kind, "bot.py")))


def test_a_device_in_a_zip_file_is_refused(tmp_path: Path) -> None:
    packed, info = io.BytesIO(), zipfile.ZipInfo("bot.py")
    info.external_attr = (stat.S_IFCHR | 0o777) << 16
    with zipfile.ZipFile(packed, "w") as file:
        file.writestr(info, "x")
    assert "is a device" in refused(tmp_path, packed.getvalue())


def zip_with_link(name: str, target: str) -> bytes:
    packed, info = io.BytesIO(), zipfile.ZipInfo(name)
    info.external_attr = (stat.S_IFLNK | 0o777) << 16
    with zipfile.ZipFile(packed, "w") as file:
        file.writestr(info, target)
        file.writestr("lib/tool.js", "the tool")
    return packed.getvalue()


def tar_with_link(kind: bytes, name: str, target: str) -> bytes:
    def both(tar: tarfile.TarFile) -> None:
        special(kind, name, target)(tar)
        a_file("lib/tool.js", b"the tool", mode=0o755)(tar)

    return tar_of(both)


@pytest.mark.parametrize("target", ["/etc/passwd", "../../outside", "../.."])
def test_a_link_out_of_the_archive_is_refused(tmp_path: Path, target: str) -> None:
    said = refused(tmp_path, tar_with_link(tarfile.SYMTYPE, "bin/tool", target))
    assert said == "'bin/tool' in the archive is a link out of it; expected files, and links to files of it"


@pytest.mark.parametrize("target", ["/etc/passwd", "../outside"])
def test_so_is_a_hard_link_and_one_in_a_zip_file(tmp_path: Path, target: str) -> None:
    (tmp_path / "zip").mkdir()
    assert "is a link out of it" in refused(tmp_path / "zip", zip_with_link("tool", target))
    (tmp_path / "tar").mkdir()
    assert "is a link out of it" in refused(tmp_path / "tar", tar_with_link(tarfile.LNKTYPE, "tool", target))


@pytest.mark.parametrize("target", ["../lib", "../nothing", "tool", "../lib/tool.js/deeper"])
def test_a_link_to_no_file_of_the_archive_is_refused(tmp_path: Path, target: str) -> None:
    assert "which is no file of it" in refused(tmp_path, tar_with_link(tarfile.SYMTYPE, "bin/tool", target))


@pytest.mark.parametrize(
    "packed",
    [
        tar_with_link(tarfile.SYMTYPE, "bin/tool", "../lib/tool.js"),
        tar_with_link(tarfile.LNKTYPE, "bin/tool", "lib/tool.js"),
        zip_with_link("bin/tool", "../lib/tool.js"),
    ],
    ids=["symbolic", "hard", "zip"],
)
def test_a_link_to_a_file_of_the_archive_becomes_a_copy(tmp_path: Path, packed: bytes) -> None:
    (tmp_path / "archive").write_bytes(packed)
    unpack(tmp_path / "archive", tmp_path / "program")
    tool = tmp_path / "program" / "bin" / "tool"
    assert (tool.read_bytes(), tool.is_symlink(), tool.stat().st_nlink) == (b"the tool", False, 1)


def test_links_count_as_files_and_by_the_size_of_what_they_lead_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archives, "MOST_BYTES", 4 << 20)

    def many(tar: tarfile.TarFile) -> None:
        a_file("bot", bytes(1 << 20))(tar)
        for number in range(4):
            special(tarfile.SYMTYPE, f"{number}", f"{number - 1}" if number else "bot")(tar)

    assert "more than 4 MB unpacked" in refused(tmp_path, tar_of(many))


def test_a_zip_bomb_is_refused_before_it_fills_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "MOST_BYTES", 4 << 20)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("zeros", bytes(64 << 20))
    assert len(packed.getvalue()) < 100_000
    assert "more than 4 MB unpacked" in refused(tmp_path, packed.getvalue())
    assert sum(one.stat().st_size for one in (tmp_path / "room").rglob("*")) < 8 << 20


def test_an_archive_of_too_many_files_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "MOST_FILES", 100)

    def many(tar: tarfile.TarFile) -> None:
        for number in range(101):
            a_file(f"{number}")(tar)

    assert "more than 100 files" in refused(tmp_path, tar_of(many))


def test_a_name_that_is_there_twice_is_refused(tmp_path: Path) -> None:
    def twice(tar: tarfile.TarFile) -> None:
        a_file("bot.py")(tar)
        a_file("bot.py", b"other")(tar)

    assert "cannot be unpacked" in refused(tmp_path, tar_of(twice))


@pytest.mark.parametrize("packed", [b"", b"no archive", b"PK\x03\x04broken", b"\x1f\x8b\x08broken"])
def test_what_is_no_archive_is_refused_with_what_was_expected(tmp_path: Path, packed: bytes) -> None:
    assert "expected a tar, compressed by gzip or not, or a zip file" in refused(tmp_path, packed)


def test_files_can_be_read_by_others_and_only_programs_be_executed(tmp_path: Path) -> None:
    archive = tmp_path / "archive"

    def two(tar: tarfile.TarFile) -> None:
        a_file("bot.py", mode=0o600)(tar)
        a_file("tools/run", b"#!/bin/sh\n", mode=0o6700)(tar)

    archive.write_bytes(tar_of(two))
    unpack(archive, tmp_path / "program")
    modes = {
        one.name: stat.S_IMODE(one.stat().st_mode) for one in [tmp_path / "program", *(tmp_path / "program").rglob("*")]
    }
    assert modes == {"program": 0o755, "bot.py": 0o644, "tools": 0o755, "run": 0o755}


def test_a_folder_that_was_packed_as_a_whole_is_taken_out(tmp_path: Path) -> None:
    archive = tmp_path / "archive"
    archive.write_bytes(tar_of(a_file("mybot/bot.py", b"1")))
    unpack(archive, tmp_path / "program")
    assert (tmp_path / "program" / "bot.py").read_bytes() == b"1"
