"""Identities: whose they are, and that an account keeps a way in."""

from __future__ import annotations

import asyncio

import pytest

from farfalia_server.contract.errors import AlreadyExists, FailedPrecondition, NotFound
from farfalia_server.store import Store

ISSUER = "https://id.example"


async def test_an_identity_belongs_to_one_account(store: Store) -> None:
    ada, _ = await store.accounts.create("ada", identity=(ISSUER, "1"))
    with pytest.raises(AlreadyExists) as taken:
        await store.accounts.create("bob", identity=(ISSUER, "1"))
    assert taken.value.reason == "IDENTITY_TAKEN"
    assert await store.accounts.find("bob") is None
    found = await store.identities.account(ISSUER, "1")
    assert found is not None
    assert found.id == ada.id
    assert await store.identities.account("https://other.example", "1") is None


async def test_connecting_again_changes_nothing_and_never_takes_from_another(store: Store) -> None:
    ada, _ = await store.accounts.create("ada", identity=(ISSUER, "1"))
    bob, _ = await store.accounts.create("bob")
    await store.identities.connect(ada.id, ISSUER, "1")
    with pytest.raises(AlreadyExists):
        await store.identities.connect(bob.id, ISSUER, "1")
    assert [one.subject for one in await store.identities.of(ada.id)] == ["1"]
    assert await store.identities.of(bob.id) == []


async def test_an_account_keeps_a_way_in(store: Store) -> None:
    ada, _ = await store.accounts.create("ada", identity=(ISSUER, "1"))
    await store.identities.connect(ada.id, ISSUER, "2")
    first, second = [one.id for one in await store.identities.of(ada.id)]
    answers = await asyncio.gather(
        *(store.identities.disconnect(ada.id, number, ISSUER) for number in (first, second)), return_exceptions=True
    )
    assert [type(answer) for answer in answers if answer is not None] == [FailedPrecondition]
    (left,) = await store.identities.of(ada.id)
    await store.accounts.set_password("ada", "hash")
    await store.identities.disconnect(ada.id, left.id, ISSUER)
    assert await store.identities.of(ada.id) == []


async def test_an_identity_at_a_provider_of_former_times_is_no_way_in(store: Store) -> None:
    ada, _ = await store.accounts.create("ada", identity=("https://former.example", "1"))
    await store.identities.connect(ada.id, ISSUER, "1")
    _, present = await store.identities.of(ada.id)
    with pytest.raises(FailedPrecondition):
        await store.identities.disconnect(ada.id, present.id, ISSUER)


async def test_nobody_disconnects_the_identity_of_another(store: Store) -> None:
    ada, _ = await store.accounts.create("ada", identity=(ISSUER, "1"), password="hash")
    bob, _ = await store.accounts.create("bob", password="hash")
    (its,) = await store.identities.of(ada.id)
    with pytest.raises(NotFound):
        await store.identities.disconnect(bob.id, its.id, ISSUER)
    assert len(await store.identities.of(ada.id)) == 1


async def test_revoking_and_removing_an_account_ends_its_identities(store: Store) -> None:
    for number, name in enumerate(("ada", "bob")):
        await store.accounts.create(name, identity=(ISSUER, f"{number}"))
    await store.accounts.revoke("ada")
    await store.renaming.remove_account("bob", who="")
    assert [await store.identities.account(ISSUER, subject) for subject in "01"] == [None, None]
