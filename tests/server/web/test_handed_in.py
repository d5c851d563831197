"""What comes over HTTP as a program: which files are an archive, how others are packed, and how many come at once."""

from __future__ import annotations

import gzip
import io
import tarfile
import zipfile

import pytest
from starlette.datastructures import UploadFile
from tests.server.hosting_process import archive

from farfalia_server.contract.errors import InvalidArgument, ResourceExhausted
from farfalia_server.contract.said import in_english
from farfalia_server.web.handed_in import UnderWay, is_archive, packed, patiently, suffix_of
from farfalia_tools.testing import VIRTUAL_TIME


@pytest.fixture
def anyio_backend() -> object:
    return VIRTUAL_TIME


def zipped() -> bytes:
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w") as file:
        file.writestr("bot.py", "")
    return written.getvalue()


def upload(name: str, content: bytes) -> UploadFile:
    return UploadFile(io.BytesIO(content), filename=name)


@pytest.mark.parametrize(
    ("content", "suffix"),
    [(archive(bot=""), ".tar.gz"), (gzip.decompress(archive(bot="")), ".tar"), (zipped(), ".zip")],
    ids=["tar.gz", "tar", "zip"],
)
def test_an_archive_is_known_by_its_beginning_and_stays_as_it_is(content: bytes, suffix: str) -> None:
    assert is_archive(io.BytesIO(content))
    assert suffix_of(content) == suffix
    with packed([upload("any name", content)]) as file:
        file.seek(0)
        assert file.read() == content


@pytest.mark.parametrize(
    "content", [b"", b"import farfalia\n", b"\x7fELF" + bytes(600)], ids=["none", "text", "program"]
)
def test_any_other_file_is_none(content: bytes) -> None:
    assert not is_archive(io.BytesIO(content))


def test_files_are_packed_alike_whenever_they_are_sent() -> None:
    files = {"run": b"#!/bin/sh\n", "bot.bin": b"\x7fELF", "words.txt": b"words", "inner.zip": zipped()}
    uploads = [upload(f"folder/{name}" if name == "run" else name, content) for name, content in files.items()]
    with packed(uploads) as first, packed(uploads[::-1]) as second:
        first.seek(0)
        second.seek(0)
        assert first.read() == second.read()
        first.seek(0)
        with tarfile.open(fileobj=first) as tar:
            found = {one.name: (one.mode, (tar.extractfile(one) or io.BytesIO()).read()) for one in tar}
    assert found == {name: (0o755 if name in ("run", "bot.bin") else 0o644, content) for name, content in files.items()}


def test_an_archive_beside_other_files_is_one_of_them() -> None:
    with (
        packed([upload("bot.py", b""), upload("data.zip", zipped())]) as file,
        tarfile.open(fileobj=_begun(file)) as tar,
    ):
        assert tar.getnames() == ["bot.py", "data.zip"]


def _begun(file: io.BufferedRandom) -> io.BufferedRandom:
    file.seek(0)
    return file


@pytest.mark.parametrize("name", [".", "..", "folder/", "zero\0byte"])
def test_a_name_that_is_none_is_refused(name: str) -> None:
    with pytest.raises(InvalidArgument, match="is no name of a file"):
        packed([upload(name, b"")])


def test_one_program_of_a_bot_is_received_at_a_time_and_few_in_all() -> None:
    under_way = UnderWay()
    with under_way.of("ant"):
        with pytest.raises(ResourceExhausted, match="another program of ant"), under_way.of("ant"):
            pass
        with under_way.of("bee"):
            pass
    with under_way.of("ant"):
        pass
    _fill(under_way, 16)


def _fill(under_way: UnderWay, left: int) -> None:
    if not left:
        with pytest.raises(ResourceExhausted, match="16 programs are being received"), under_way.of("one more"):
            pass
        return
    with under_way.of(f"bot-{left}"):
        _fill(under_way, left - 1)


async def test_a_call_that_comes_too_fast_is_made_again_and_no_other_refusal_is() -> None:
    refusals = [ResourceExhausted(in_english("too fast"), "CALLS_TOO_FAST", retry=30.0)] * 3

    async def call() -> str:
        if refusals:
            raise refusals.pop()
        return "answer"

    async def full() -> str:
        raise ResourceExhausted(in_english("too many programs"), "QUOTA_REACHED")

    assert await patiently(call) == "answer"
    with pytest.raises(ResourceExhausted, match="too many programs"):
        await patiently(full)
