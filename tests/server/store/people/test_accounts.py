"""Accounts, quotas, invitations and registrations, counted for all nodes that share a database."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from typing import Any

import pytest
from sqlalchemy import Connection

from farfalia_server.contract.errors import FarfaliaServerError, PermissionDenied, ResourceExhausted
from farfalia_server.store import Registrant, Role, Store

MOST, TRIES = 3, 5


async def let_through(*calls: Awaitable[Any]) -> list[str]:
    """The reasons of those that are refused, of calls that are made at once."""
    answers = await asyncio.gather(*calls, return_exceptions=True)
    assert not [one for one in answers if isinstance(one, BaseException) and not isinstance(one, FarfaliaServerError)]
    return [one.reason for one in answers if isinstance(one, FarfaliaServerError)]


async def test_two_nodes_count_the_bots_of_an_account_together(database_url: str) -> None:
    async with await Store.open(database_url) as one, await Store.open(database_url) as two:
        account, token = await one.accounts.create("ada")
        registrant = Registrant(account.id, quota=MOST)
        refused = await let_through(
            *(
                node.bots.register(f"{name}-{number}", registrant=registrant)
                for number in range(TRIES)
                for name, node in (("one", one), ("two", two))
            )
        )
        assert refused == ["QUOTA_REACHED"] * (2 * TRIES - MOST)
        assert (await two.accounts.by_name("ada")).bots == MOST
        assert len(await two.accounts.bots(account.id)) == MOST
        found = await two.accounts.by_token(token)
        assert found is not None
        assert (found.name, found.role) == ("ada", Role.OWNER)


async def test_two_nodes_count_the_registrations_of_an_address_together(database_url: str) -> None:
    async with await Store.open(database_url) as one, await Store.open(database_url) as two:
        refused = await let_through(
            *(
                node.accounts.create(f"{name}-{number}", source="address 203.0.113.5", most=MOST)
                for number in range(TRIES)
                for name, node in (("one", one), ("two", two))
            )
        )
        assert refused == ["REGISTRATIONS_TOO_FAST"] * (2 * TRIES - MOST)
        assert len(await one.accounts.page(100)) == MOST
        await two.accounts.create("elsewhere", source="address 203.0.113.6", most=MOST)
        with pytest.raises(ResourceExhausted) as refusal:
            await two.accounts.create("late", source="address 203.0.113.5", most=MOST)
        assert refusal.value.retry is not None
        assert 3500 < refusal.value.retry <= 3600


async def test_two_nodes_spend_each_use_of_an_invitation_once(database_url: str) -> None:
    async with await Store.open(database_url) as one, await Store.open(database_url) as two:
        _, code = await one.invitations.create("class", MOST, None, "arena")
        refused = await let_through(
            *(
                node.accounts.create(f"{name}-{number}", invitation=code)
                for number in range(TRIES)
                for name, node in (("one", one), ("two", two))
            )
        )
        assert refused == ["INVITATION_INVALID"] * (2 * TRIES - MOST)
        (invitation,) = await two.invitations.newest(10)
        assert invitation.used == MOST
        await two.invitations.revoke(invitation.id)
        with pytest.raises(PermissionDenied):
            await one.accounts.create("late", invitation=code)


async def test_an_account_that_cannot_be_made_spends_nothing(database_url: str) -> None:
    async with await Store.open(database_url) as store:
        _, code = await store.invitations.create("", 1, None, "arena")
        await store.accounts.create("ada")
        with pytest.raises(FarfaliaServerError, match="there is already an account 'ada'"):
            await store.accounts.create("ada", invitation=code)
        await store.accounts.create("ben", invitation=code)


async def test_only_hashes_of_tokens_and_codes_are_kept(database_url: str) -> None:
    async with await Store.open(database_url) as store:
        _, code = await store.invitations.create("", 1, None, "arena")
        _, token = await store.accounts.create("ada", invitation=code)

        def read(connection: Connection) -> list[str]:
            tables = ("account", "invitation", "registration", "bot", "meta")
            return [repr(connection.exec_driver_sql(f"SELECT * FROM {table}").all()) for table in tables]

        for kept in await store._database.read(read):
            assert token not in kept
            assert code not in kept
