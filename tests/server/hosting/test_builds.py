"""Builds of programs, in the same sandbox as the programs."""

from __future__ import annotations

import io
import tarfile
from collections.abc import AsyncIterator
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest

from farfalia_server.contract.errors import ProgramError
from farfalia_server.hosting import installed
from farfalia_server.hosting.installed import InstalledPrograms
from farfalia_server.sandbox import choose


def archive_of(build: str) -> bytes:
    """A program that is built by a command of the shell."""
    manifest = f'runtime = "native"\ncommand = ["./made"]\nbuild = ["sh", "-c", {build!r}]\n'.encode()
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as tar:
        info = tarfile.TarInfo("farfalia.toml")
        info.size = len(manifest)
        tar.addfile(info, io.BytesIO(manifest))
    return packed.getvalue()


async def built(folder: Path, build: str) -> Path:
    """The folder of a program once it is built."""
    archive = archive_of(build)

    async def fetch(hash: bytes) -> AsyncIterator[bytes]:
        yield archive

    programs = InstalledPrograms(folder / "programs", await choose("auto"), fetch)
    return (await programs.get(sha256(archive).digest())).folder


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


async def test_what_a_build_makes_is_there_when_the_program_starts(tmp_path: Path) -> None:
    assert ((await built(tmp_path, "echo hello > made")) / "made").read_text() == "hello\n"


async def test_a_build_that_never_ends_is_ended_and_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(installed, "_BUILD", replace(installed._BUILD, wall_seconds=1.0))
    with pytest.raises(ProgramError, match="it ran for more than 1 second"):
        await built(tmp_path, "echo half > made; sleep 1000")
    assert list((tmp_path / "programs").iterdir()) == []


@pytest.mark.parametrize("target", ["/etc/passwd", "../../other"])
async def test_a_build_that_makes_a_link_out_of_its_folder_is_refused(tmp_path: Path, target: str) -> None:
    with pytest.raises(ProgramError, match="a link that leads out of the folder"):
        await built(tmp_path, f"ln -s {target} made")
    assert list((tmp_path / "programs").iterdir()) == []
