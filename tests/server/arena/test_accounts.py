"""Accounts, the bots that they own, and invitations."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import grpc
import pytest
from tests.server.arena_client import OPEN, Arena, serving

from farfalia.v1 import accounts_pb2, bots_pb2
from farfalia_server.arena.access import Access
from farfalia_server.arena.registering import Registering
from farfalia_server.arena.signing_in import SigningIn
from farfalia_server.contract.registration import Registration, RegistrationRules
from farfalia_server.store import NewLogLine, Role, Topic

INVITATION = RegistrationRules(Registration.INVITATION)
DENIED = grpc.StatusCode.PERMISSION_DENIED
UNAUTHENTICATED = grpc.StatusCode.UNAUTHENTICATED
EXHAUSTED = grpc.StatusCode.RESOURCE_EXHAUSTED


async def account(arena: Arena, name: str, role: Role = Role.OWNER) -> str:
    """The token of a new account."""
    return (await arena.here.store.accounts.create(name, role))[1]


async def test_an_account_registers_bots_up_to_its_quota(tmp_path: Path) -> None:
    async with serving(tmp_path, RegistrationRules(quota=2)) as arena:
        ada = await account(arena, "ada")
        for name in ("ant", "bee"):
            made = await arena.ask("RegisterBot", ada, name=name)
            assert (made.bot.owner, bool(made.token)) == ("ada", True)
        assert (await arena.refused("RegisterBot", ada, name="cat"))[:2] == (EXHAUSTED, "QUOTA_REACHED")
        await arena.ask("RevokeToken", ada, name="ant")
        assert (await arena.ask("RegisterBot", ada, name="cat")).token
        assert (await arena.refused("RotateToken", ada, name="ant"))[:2] == (EXHAUSTED, "QUOTA_REACHED")
        assert (await arena.ask("RotateToken", arena.admin, name="ant")).token
        shown = await arena.ask("GetAccount", ada)
        assert (shown.account.name, shown.account.bots, shown.account.quota) == ("ada", 3, 2)
        assert [(bot.name, bot.has_token) for bot in shown.bots] == [("ant", True), ("bee", True), ("cat", True)]


async def test_the_tokens_of_a_bot_are_for_its_owner_and_no_other_account(arena: Arena) -> None:
    ada, ben = await account(arena, "ada"), await account(arena, "ben")
    old = (await arena.ask("RegisterBot", ada, name="ant")).token
    for call in ("RotateToken", "RevokeToken"):
        assert (await arena.refused(call, ben, name="ant"))[:2] == (DENIED, "NOT_ALLOWED")
    new = (await arena.ask("RotateToken", ada, name="ant")).token
    assert await arena.here.store.bots.by_token(old) is None
    assert await arena.here.store.bots.by_token(new) is not None
    await arena.ask("RevokeToken", ada, name="ant")
    assert await arena.here.store.bots.by_token(new) is None
    assert arena.here.crowd.dismissed == ["ant", "ant"]
    assert (await arena.refused("RevokeToken", arena.admin, name="nobody"))[1] == "BOT_UNKNOWN"


async def test_nobody_reads_the_log_of_another_owners_bot(arena: Arena) -> None:
    ada, ben, vera = await account(arena, "ada"), await account(arena, "ben"), await account(arena, "vera", Role.VIEWER)
    otto = await account(arena, "otto", Role.ORGANISER)
    await arena.ask("RegisterBot", ada, name="ant")
    await arena.here.store.logs.add((await arena.here.store.bots.by_name("ant")).id, [NewLogLine(0, "mine")])
    for token in (ada, arena.admin):
        assert [line.line.text for line in (await arena.ask("GetBot", token, name="ant")).logs] == ["mine"]
    for token in (ben, vera, otto, "", "wrong"):
        assert not (await arena.ask("GetBot", token, name="ant")).logs


async def test_a_bot_that_nobody_owns_does_not_take_the_name_of_an_account(tmp_path: Path) -> None:
    async with serving(tmp_path, OPEN) as arena:
        await account(arena, "ada")
        assert (await arena.refused("RegisterBot", name="ant", owner="ada"))[2] == "owner"
        assert (await arena.ask("RegisterBot", name="ant", owner="Ada L.")).bot.owner == "Ada L."
        ben = await account(arena, "ben")
        assert (await arena.refused("RegisterBot", ben, name="bee", owner="ada"))[2] == "owner"
        await arena.ask("RegisterBot", arena.admin, name="cat", owner="ada")
        assert [bot.name for bot in (await arena.ask("GetAccount", arena.admin, name="ada")).bots] == ["cat"]


async def test_where_registration_is_open_anyone_makes_an_account_and_a_bot(tmp_path: Path) -> None:
    async with serving(tmp_path, OPEN) as arena:
        made = await arena.ask("CreateAccount", name="ada")
        assert (made.account.role, made.account.quota) == (accounts_pb2.ROLE_OWNER, 20)
        assert (await arena.ask("RegisterBot", made.token, name="ant")).bot.owner == "ada"
        assert (await arena.ask("RegisterBot", name="bee")).bot.owner == ""
        assert (await arena.refused("CreateAccount", name="ada"))[1] == "NAME_TAKEN"
        assert (await arena.refused("CreateAccount", name="a b"))[2] == "name"
        code, reason, _ = await arena.refused("CreateAccount", name="boss", role=accounts_pb2.ROLE_ADMIN)
        assert (code, reason) == (UNAUTHENTICATED, "TOKEN_MISSING")
        code, reason, _ = await arena.refused("CreateAccount", made.token, name="boss", role=accounts_pb2.ROLE_VIEWER)
        assert (code, reason) == (DENIED, "NOT_ALLOWED")
        assert (await arena.refused("RegisterBot", "wrong", name="cat"))[:2] == (UNAUTHENTICATED, "TOKEN_UNKNOWN")


async def test_where_registration_is_closed_the_admin_makes_accounts_of_every_role(arena: Arena) -> None:
    assert (await arena.refused("CreateAccount", name="ada"))[:2] == (DENIED, "REGISTRATION_CLOSED")
    for role in (accounts_pb2.ROLE_OWNER, accounts_pb2.ROLE_VIEWER, accounts_pb2.ROLE_ORGANISER):
        made = await arena.ask("CreateAccount", arena.admin, name=f"account-{role}", role=role)
        assert (await arena.ask("GetAccount", made.token)).account.role == role
    second = (await arena.ask("CreateAccount", arena.admin, name="second", role=accounts_pb2.ROLE_ADMIN)).token
    accounts = (await arena.ask("ListAccounts", second)).accounts
    assert [one.name for one in accounts] == ["account-1", "account-2", "account-3", "second"]
    assert [one.name for one in (await arena.ask("ListAccounts", second, limit=1, after="account-1")).accounts] == [
        "account-2"
    ]
    assert (await arena.refused("ListAccounts", second, limit=1001))[2] == "limit"
    assert (await arena.refused("CreateAccount", second, name="x", role=9))[2] == "role"


async def test_an_invitation_makes_as_many_accounts_as_it_says(tmp_path: Path) -> None:
    async with serving(tmp_path, INVITATION) as arena:
        made = await arena.ask("CreateInvitation", arena.admin, note="class 3b", uses=2)
        assert (await arena.refused("CreateAccount", name="ada"))[:2] == (DENIED, "INVITATION_MISSING")
        wrong = await arena.refused("CreateAccount", name="ada", invitation="wrong")
        assert wrong[:2] == (DENIED, "INVITATION_INVALID")
        ada = (await arena.ask("CreateAccount", name="ada", invitation=made.code)).token
        taken = await arena.refused("CreateAccount", name="ada", invitation=made.code)
        assert taken[1] == "NAME_TAKEN"
        await arena.ask("CreateAccount", name="ben", invitation=made.code.upper())
        used_up = await arena.refused("CreateAccount", name="cleo", invitation=made.code)
        assert used_up[:2] == (DENIED, "INVITATION_INVALID")
        assert (await arena.ask("RegisterBot", ada, name="ant")).token
        assert (await arena.refused("RegisterBot", name="bee"))[:2] == (DENIED, "REGISTRATION_CLOSED")
        (listed,) = (await arena.ask("ListInvitations", arena.admin)).invitations
        assert (listed.note, listed.uses, listed.used, listed.revoked) == ("class 3b", 2, 2, False)


async def test_an_invitation_that_expired_or_was_revoked_makes_no_account(tmp_path: Path) -> None:
    async with serving(tmp_path, INVITATION) as arena:
        _, expired = await arena.here.store.invitations.create("", 1, timedelta(seconds=-1), "arena")
        made = await arena.ask("CreateInvitation", arena.admin, seconds=3600)
        assert made.invitation.expires.seconds - made.invitation.created.seconds == 3600
        assert (await arena.ask("RevokeInvitation", arena.admin, id=made.invitation.id)).invitation.revoked
        for code in (expired, made.code):
            assert (await arena.refused("CreateAccount", name="ada", invitation=code))[1] == "INVITATION_INVALID"
        assert (await arena.refused("RevokeInvitation", arena.admin, id=9))[1] == "INVITATION_UNKNOWN"
        for field, value in (("uses", 10_001), ("seconds", 10**9), ("note", "x" * 81)):
            assert (await arena.refused("CreateInvitation", arena.admin, **{field: value}))[2] == field


async def test_a_rotated_account_token_ends_the_old_one_and_the_bots_keep_theirs(arena: Arena) -> None:
    ada, ben = await account(arena, "ada"), await account(arena, "ben")
    bot = (await arena.ask("RegisterBot", ada, name="ant")).token
    new = (await arena.ask("RotateAccountToken", ada)).token
    assert (await arena.refused("GetAccount", ada))[:2] == (UNAUTHENTICATED, "TOKEN_UNKNOWN")
    assert (await arena.ask("GetAccount", new)).account.name == "ada"
    assert await arena.here.store.bots.by_token(bot) is not None
    assert (await arena.refused("RotateAccountToken", ben, name="ada"))[:2] == (DENIED, "NOT_ALLOWED")
    assert (await arena.refused("GetAccount", bot))[:2] == (DENIED, "NOT_ALLOWED")
    assert (await arena.refused("GetAccount", arena.admin, name="nobody"))[1] == "ACCOUNT_UNKNOWN"


async def test_an_account_that_is_revoked_has_no_tokens_until_the_admin_lets_it_in_again(arena: Arena) -> None:
    told: list[tuple[str, int]] = []
    arena.here.store.changes.on(tuple(Topic), lambda change: told.append((change.topic, change.id)))
    ada = await account(arena, "ada")
    bot = (await arena.ask("RegisterBot", ada, name="ant")).token
    told.clear()
    assert (await arena.ask("RevokeAccount", arena.admin, name="ada")).account.HasField("revoked")
    assert set(told) == {("account", 1), ("bot", 1)}
    assert (await arena.refused("RegisterBot", ada, name="bee"))[:2] == (UNAUTHENTICATED, "TOKEN_UNKNOWN")
    assert await arena.here.store.bots.by_token(bot) is None
    new = (await arena.ask("RotateAccountToken", arena.admin, name="ada")).token
    shown = await arena.ask("GetAccount", new)
    assert [(one.name, one.has_token) for one in shown.bots] == [("ant", False)]
    assert not shown.account.HasField("revoked")
    assert (await arena.ask("RotateToken", new, name="ant")).token


async def test_registrations_of_an_address_and_of_an_account_are_counted_in_the_database(tmp_path: Path) -> None:
    async with serving(tmp_path, RegistrationRules(Registration.OPEN, hourly=2)) as arena:
        ada = (await arena.ask("CreateAccount", name="ada")).token
        await arena.ask("RegisterBot", name="ant")
        with pytest.raises(grpc.aio.AioRpcError) as refusal:
            await arena.ask("RegisterBot", name="bee")
        assert refusal.value.code() is EXHAUSTED
        assert "try again in 60 minutes" in (refusal.value.details() or "")
        for name in ("cat", "dog"):
            await arena.ask("RegisterBot", ada, name=name)
        assert (await arena.refused("RegisterBot", ada, name="eel"))[:2] == (EXHAUSTED, "REGISTRATIONS_TOO_FAST")
        assert (await arena.ask("RegisterBot", arena.admin, name="eel")).token


async def test_of_bots_of_strangers_it_is_kept_from_where_they_were_registered(tmp_path: Path) -> None:
    async with serving(tmp_path, OPEN) as arena:
        store = arena.here.store
        registering = Registering(store, Access(store), OPEN, SigningIn(store))
        sly = accounts_pb2.CreateAccountRequest(name="sly", role=accounts_pb2.ROLE_OWNER)
        ada, (_, made) = await account(arena, "ada"), await registering.account(sly, "", "203.0.113.7")
        kept = {}
        for name, token, address in [
            ("ant", "", "203.0.113.7"),
            ("bee", "", "2001:db8::/64"),
            ("cat", "", "127.0.0.1"),
            ("dog", ada, "203.0.113.7"),
            ("eel", arena.admin, "203.0.113.7"),
            ("fox", made, "198.51.100.9"),
        ]:
            await registering.bot(bots_pb2.RegisterBotRequest(name=name), token, address)
            kept[name] = (await store.bots.by_name(name)).source
        none = dict.fromkeys(("cat", "dog", "eel"), "")
        assert kept == {"ant": "203.0.113.7", "bee": "2001:db8::/64", **none, "fox": "203.0.113.7"}
        shown = await arena.ask("GetBot", arena.admin, name="ant")
        assert "203.0.113.7" not in str(shown)


async def test_an_organiser_manages_owners_and_viewers_and_nobody_else(arena: Arena) -> None:
    made = {
        name: (await arena.ask("CreateAccount", arena.admin, name=name, role=role)).token
        for name, role in (
            ("otto", accounts_pb2.ROLE_ORGANISER),
            ("olivia", accounts_pb2.ROLE_ORGANISER),
            ("ada", accounts_pb2.ROLE_OWNER),
            ("vera", accounts_pb2.ROLE_VIEWER),
        )
    }
    otto = made["otto"]
    await arena.ask("RegisterBot", made["ada"], name="ant")
    await arena.ask("RegisterBot", made["olivia"], name="bee")
    await arena.ask("RegisterBot", arena.admin, name="cat")
    assert (await arena.ask("CreateInvitation", otto, note="class 3b")).code
    assert len((await arena.ask("ListAccounts", otto)).accounts) == 4
    for name in ("ada", "vera"):
        assert (await arena.ask("RotateAccountToken", otto, name=name)).token != made[name]
        assert (await arena.ask("GetAccount", otto, name=name)).account.name == name
        assert (await arena.ask("RevokeAccount", otto, name=name)).account.HasField("revoked")
    for bot in ("ant", "cat"):
        assert (await arena.ask("RotateToken", otto, name=bot)).token
    for call in ("RotateAccountToken", "RevokeAccount", "GetAccount"):
        assert (await arena.refused(call, otto, name="olivia"))[0] is DENIED
    assert (await arena.refused("SetPassword", otto, name="olivia", password="taken over"))[0] is DENIED
    assert (await arena.refused("RotateToken", otto, name="bee"))[0] is DENIED
    assert (await arena.refused("CreateAccount", otto, name="new", role=accounts_pb2.ROLE_ORGANISER))[0] is DENIED
