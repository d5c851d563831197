"""Tokens that nobody has, and bots that come through the same address."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Any

import pytest

from farfalia_server.play import limits
from farfalia_server.play.authentication import Authenticator
from farfalia_server.store.people.tokens import token_hash
from farfalia_tools.testing import VIRTUAL_TIME


@dataclass
class Ada:
    id: int = 7
    name: str = "ada"
    house: str = ""
    barred: bool = False
    hosted: bool = False
    by_host: bool = False


class Counting:
    """A store that counts what it is asked."""

    def __init__(self) -> None:
        self.asked = 0
        self.tokens = {"good": Ada()}
        self.door = Authenticator(self.by_token, self.hashes, self.is_persons)

    async def by_token(self, token: str) -> Ada | None:
        self.asked += 1
        return self.tokens.get(token)

    async def is_persons(self, token: str) -> bool:
        self.asked += 1
        return token == "admin"

    async def hashes(self) -> frozenset[bytes]:
        self.asked += 1
        return frozenset(map(token_hash, self.tokens))

    async def flood(self, seconds: int) -> None:
        """A hundred wrong tokens a second of one address."""
        came = []
        for at in range(seconds * 100):
            came.append(asyncio.create_task(self.door.bot(f"wrong {at}", f"ipv4:10.0.0.1:{at}")))
            await asyncio.sleep(0.01)
        assert await asyncio.gather(*came) == [None] * len(came)


@pytest.fixture
def anyio_backend() -> Any:
    return VIRTUAL_TIME


@pytest.fixture
async def store(monkeypatch: pytest.MonkeyPatch) -> Counting:
    for module in ("authentication", "token_hashes"):
        monkeypatch.setattr(f"farfalia_server.play.{module}.monotonic", asyncio.get_running_loop().time)
    return Counting()


async def test_wrong_tokens_of_one_address_cost_the_database_a_question_or_two_a_second(store: Counting) -> None:
    await store.flood(30)
    assert store.asked <= limits.WRONG_TOKENS_BURST + 2 * 32


async def test_a_good_token_is_let_in_beside_them_even_one_of_a_moment_ago(store: Counting) -> None:
    flood = asyncio.create_task(store.flood(10))
    await asyncio.sleep(5)
    assert await store.door.bot("good", "ipv4:10.0.0.1:6") == Ada()
    store.tokens["new"] = Ada(8, "ben")
    assert await store.door.bot("new", "ipv4:10.0.0.1:7") == Ada(8, "ben")
    assert (store.door.recall("new"), store.door.recall("wrong 1")) == (8, None)
    await flood


async def test_another_address_is_not_slowed(store: Counting) -> None:
    await store.flood(5)
    before = store.asked
    assert await store.door.bot("wrong", "ipv6:[::1]:5") is None
    assert store.asked == before + 1


async def test_the_admin_token_is_known_but_not_to_a_peer_that_shows_wrong_ones_fast(store: Counting) -> None:
    told = [await store.door.is_persons("admin", f"ipv4:10.0.0.1:{port}") for port in range(1000)]
    assert (told[0], told[-1]) == (True, False)
    assert store.asked == sum(told)
    assert await store.door.is_persons("admin", "ipv4:10.0.0.2:1")
    assert not await store.door.is_persons("wrong", "ipv4:10.0.0.2:1")
