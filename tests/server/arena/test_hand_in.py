"""Equal archives are kept once, and nobody gets at another one's."""

from __future__ import annotations

from hashlib import sha256

import grpc
from tests.server.arena_client import Arena

from farfalia_server.contract.archive_proof import archive_proof

CONTENTS = b"a program that took its author a year"
HASH = sha256(CONTENTS).digest()


async def a_bot(arena: Arena, account: str) -> tuple[str, str]:
    """The name of a bot, and its owner's token."""
    token = (await arena.here.store.accounts.create(account))[1]
    await arena.ask("RegisterBot", token, name=f"{account}s")
    return f"{account}s", token


async def test_an_archive_of_another_owner_cannot_be_handed_in_by_its_hash(arena: Arena) -> None:
    bot, token = await a_bot(arena, "ada")
    await arena.ask("UploadProgram", token, bot=bot, hash=HASH, part=CONTENTS)
    proof = archive_proof(bot, CONTENTS).digest()
    await arena.ask("HandIn", token, bot=bot, hash=HASH, proof=proof)
    thief, token = await a_bot(arena, "eve")
    for wrong in (b"", proof, HASH):
        refusal = await arena.refused("HandIn", token, bot=thief, hash=HASH, proof=wrong)
        assert refusal[:2] == (grpc.StatusCode.FAILED_PRECONDITION, "PROGRAM_INCOMPLETE")
        assert not (await arena.ask("ListPrograms", token, bot=thief)).programs


async def test_who_has_an_equal_one_hands_it_in_without_sending_it_again(arena: Arena) -> None:
    bot, token = await a_bot(arena, "ada")
    await arena.ask("UploadProgram", token, bot=bot, hash=HASH, part=CONTENTS)
    await arena.ask("HandIn", token, bot=bot, hash=HASH, proof=archive_proof(bot, CONTENTS).digest())
    other, token = await a_bot(arena, "bea")
    answer = await arena.ask("UploadProgram", token, bot=other, hash=HASH, part=CONTENTS[:1])
    assert answer.received == len(CONTENTS)
    handed_in = await arena.ask("HandIn", token, bot=other, hash=HASH, proof=archive_proof(other, CONTENTS).digest())
    assert handed_in.program.hash == HASH
