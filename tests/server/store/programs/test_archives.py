"""Archives come in parts, are kept once, and are refused if they are not what they say."""

from __future__ import annotations

from hashlib import sha256

import pytest

from farfalia_server.contract.errors import FailedPrecondition, NotFound, ResourceExhausted
from farfalia_server.store import ProgramStep, Reported, Store
from farfalia_server.store.programs import archives


async def test_an_archive_comes_in_parts_and_goes_on_where_it_stopped(store: Store) -> None:
    contents = bytes(range(256)) * 1000
    hash = sha256(contents).digest()
    there = 0
    while there < len(contents):
        there = await store.archives.add(hash, there, contents[there : there + 100_000])
        assert await store.archives.add(hash, 0, b"again") == there
    assert await store.archives.complete(hash) == len(contents)
    read = b""
    while part := await store.archives.read(hash, len(read)):
        read += part
    assert read == contents


async def test_an_archive_with_another_hash_has_to_come_again(store: Store) -> None:
    hash = sha256(b"what was meant").digest()
    await store.archives.add(hash, 0, b"something else")
    with pytest.raises(FailedPrecondition, match="another hash"):
        await store.archives.complete(hash)
    with pytest.raises(NotFound):
        await store.archives.read(hash, 0)


async def test_an_archive_that_is_too_large_is_refused(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "LARGEST_ARCHIVE", 1 << 20)
    there = 0
    while there < 1_000_000:
        there = await store.archives.add(bytes(32), there, bytes(100_000))
    with pytest.raises(ResourceExhausted, match="more than 1 MB"):
        await store.archives.add(bytes(32), there, bytes(100_000))


async def test_the_archives_of_old_programs_are_removed_but_not_that_which_plays(store: Store) -> None:
    bot = (await store.bots.register("ada"))[0]
    for number in range(13):
        contents = b"program %d" % number
        hash = sha256(contents).digest()
        await store.archives.add(hash, 0, contents)
        program = await store.programs.hand_in(bot, hash, await store.archives.complete(hash), activates=True)
        work = await store.hosting.work(Reported("h", b"h", b"", 0, False, {}, frozenset(), True))
        assert work.check is not None
        step = ProgramStep("matches", passed=number == 0, text="", took_ms=0)
        await store.programs.report(("ada", program.number, work.check.lease), [step], [], over=True)
    kept = [one.number for one in await store.programs.of(bot) if one.kept]
    assert kept == [*range(13, 3, -1), 1]
    assert await store.archives.read(sha256(b"program 0").digest(), 0) == b"program 0"
