"""Archives come in parts, are kept once, and are refused if they are not what they say."""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha256

import pytest

from farfalia_server.contract.errors import FailedPrecondition, NotFound, ResourceExhausted
from farfalia_server.store import Bot, Program, ProgramStep, Reported, Store
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


async def hand_in(store: Store, bot: Bot, contents: bytes) -> Program:
    hash = sha256(contents).digest()
    await store.archives.add(hash, 0, contents)
    return await store.programs.hand_in(bot, hash, await store.archives.complete(hash), activates=True)


async def check(store: Store, bot: str, program: Program, *, passed: bool) -> None:
    """Let a host check the one program that waits."""
    work = await store.hosting.work(Reported("h", b"h", b"", 0, False, {}, frozenset(), True))
    assert work.check is not None
    step = ProgramStep("matches", passed=passed, text="", took_ms=0)
    await store.programs.report((bot, program.number, work.check.lease), [step], [], over=True)


async def test_the_archives_of_old_programs_are_removed_but_not_that_which_plays(store: Store) -> None:
    ada, ben = [(await store.bots.register(name))[0] for name in ("ada", "ben")]
    await check(store, "ben", await hand_in(store, ben, b"program 1"), passed=False)
    for number in range(14):
        program = await hand_in(store, ada, b"program %d" % number)
        await check(store, "ada", program, passed=number == 0)
    kept = [one.number for one in await store.programs.of(ada) if one.kept]
    assert kept == [*range(14, 4, -1), 1]
    there = [number for number in range(14) if await is_there(store, b"program %d" % number)]
    assert there == [0, 1, *range(4, 14)]  # ben's program has the contents of one of ada's
    with pytest.raises(FailedPrecondition, match="is refused; expected one that is ready"):
        await store.programs.activate(ada, 3)


async def is_there(store: Store, contents: bytes) -> bool:
    try:
        return await store.archives.read(sha256(contents).digest(), 0) == contents
    except NotFound:
        return False


async def test_a_ready_program_whose_archive_was_removed_is_not_played_with(store: Store) -> None:
    bot = (await store.bots.register("ada"))[0]
    for number in range(12):
        await check(store, "ada", await hand_in(store, bot, b"program %d" % number), passed=True)
    with pytest.raises(NotFound, match="the archive of program 1 of ada was removed; hand it in again"):
        await store.programs.activate(bot, 1)
    assert [one.number for one in await store.programs.of(bot) if one.active] == [12]


async def test_a_renamed_bot_keeps_its_programs_and_a_removed_one_leaves_none(store: Store) -> None:
    bot = (await store.bots.register("ada"))[0]
    await check(store, "ada", await hand_in(store, bot, b"program"), passed=True)
    await store.renaming.rename_bot("ada", "bea", who="the admin")
    [program] = await store.programs.of(await store.bots.by_name("bea"))
    assert (program.bot, program.active, await is_there(store, b"program")) == ("bea", True, True)
    busy = Reported("h", b"h", b"", 1, False, {}, frozenset(), False)
    [held] = (await store.hosting.work(busy)).bots
    await store.renaming.remove_bot("bea", who="the admin")
    assert await store.programs.of(bot) == []
    assert not await is_there(store, b"program")
    holding = replace(busy, seats={("bea", held.lease): 0})
    assert (await store.hosting.work(holding)).bots == ()
    with pytest.raises(NotFound, match="there is no bot 'ada' any more"):
        await hand_in(store, bot, b"another program")
