"""How many passwords are tried, and whose."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path

import pytest
from tests.server.arena_client import OPEN, serving

from farfalia.v1 import accounts_pb2
from farfalia_server.arena import signing_in
from farfalia_server.arena.access import Access
from farfalia_server.arena.registering import Registering
from farfalia_server.arena.signing_in import SigningIn
from farfalia_server.contract.errors import AlreadyExists, PermissionDenied, ResourceExhausted, Unauthenticated
from farfalia_server.contract.registration import Registration, RegistrationRules
from farfalia_server.play import limits

PASSWORD = "a good password"
#: A class behind one address, which signs in at the same moment.
CLASS = limits.WRONG_PASSWORDS_BURST * 2


async def test_right_passwords_at_the_same_moment_are_not_too_many(tmp_path: Path) -> None:
    async with serving(tmp_path, OPEN) as arena:
        await arena.ask("CreateAccount", name="ada", password=PASSWORD)
        people = SigningIn(arena.here.store)
        signed_in = [people.account("ada", PASSWORD, "203.0.113.7") for _ in range(CLASS)]
        assert {account.name for account in await asyncio.gather(*signed_in)} == {"ada"}


async def test_wrong_passwords_at_the_same_moment_are_as_many_as_one_after_the_other(tmp_path: Path) -> None:
    async with serving(tmp_path, OPEN) as arena:
        await arena.ask("CreateAccount", name="ada", password=PASSWORD)
        people = SigningIn(arena.here.store)
        guesses = [people.account("ada", f"guess {number}", "203.0.113.7") for number in range(CLASS)]
        told = await asyncio.gather(*guesses, return_exceptions=True)
        assert sum(isinstance(one, Unauthenticated) for one in told) == limits.WRONG_PASSWORDS_BURST
        assert sum(isinstance(one, ResourceExhausted) for one in told) == CLASS - limits.WRONG_PASSWORDS_BURST


async def test_callers_who_break_off_do_not_have_two_passwords_checked_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    checking, most, may_end = 0, 0, threading.Event()

    def check(kept: str, password: str) -> bool:
        nonlocal checking, most
        checking += 1
        most = max(most, checking)
        may_end.wait(1.0)
        checking -= 1
        return True

    monkeypatch.setattr(signing_in, "_is_right", check)
    async with serving(tmp_path, OPEN) as arena:
        await arena.ask("CreateAccount", name="ada", password=PASSWORD)
        one = SigningIn(arena.here.store)
        for _ in range(3):
            gone = asyncio.create_task(one.account("ada", PASSWORD, "203.0.113.7"))
            await asyncio.sleep(0.1)
            gone.cancel()
            await asyncio.gather(gone, return_exceptions=True)
        may_end.set()
        await one.account("ada", PASSWORD, "203.0.113.7")
    assert most == 1


@pytest.mark.parametrize("refused", ["the address", "the name", "the invitation"])
async def test_a_refused_account_costs_no_hash(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, refused: str) -> None:
    who = Registration.INVITATION if refused == "the invitation" else Registration.OPEN
    async with serving(tmp_path, RegistrationRules(who, hourly=2)) as arena:
        store = arena.here.store
        people = SigningIn(store)
        registering = Registering(store, Access(store), RegistrationRules(who, hourly=2), people)

        def wanted(name: str) -> accounts_pb2.CreateAccountRequest:
            return accounts_pb2.CreateAccountRequest(name=name, password=PASSWORD, invitation="made-up")

        if who is Registration.OPEN:
            for name in ("ada", "bob"):
                await registering.account(wanted(name), "", "203.0.113.7")
        hashed: list[str] = []

        async def hash_of(field: str, password: str) -> str:
            hashed.append(password)
            return "hash"

        monkeypatch.setattr(people, "hash", hash_of)
        name, address = ("ada", "198.51.100.9") if refused == "the name" else ("cat", "203.0.113.7")
        with pytest.raises((ResourceExhausted, AlreadyExists, PermissionDenied)):
            await registering.account(wanted(name), "", address)
        assert hashed == []
