"""Tokens that an account makes for a part of what it may do."""

from __future__ import annotations

from datetime import timedelta

import grpc
import pytest
from sqlalchemy import update
from tests.server.arena_client import Arena

from farfalia.v1 import accounts_pb2, events_pb2
from farfalia_server.net.wall_clock import now
from farfalia_server.store import MemberRole, Role
from farfalia_server.store.sql import schema

DENIED = grpc.StatusCode.PERMISSION_DENIED
ALL, BOTS, BOT, EVENT = (
    accounts_pb2.TOKEN_SCOPE_ALL,
    accounts_pb2.TOKEN_SCOPE_BOTS,
    accounts_pb2.TOKEN_SCOPE_BOT,
    accounts_pb2.TOKEN_SCOPE_EVENT,
)


async def ada(arena: Arena) -> str:
    """The token of the account ada, which owns ant and bee."""
    token = (await arena.here.store.accounts.create("ada"))[1]
    for bot in ("ant", "bee"):
        await arena.ask("RegisterBot", token, name=bot)
    return token


async def made(arena: Arena, token: str, scope: accounts_pb2.TokenScope, **fields: str) -> str:
    name = accounts_pb2.TokenScope.Name(scope)
    answer: accounts_pb2.CreateApiTokenResponse = await arena.ask(
        "CreateApiToken", token, name=name, scope=scope, **fields
    )
    return answer.token


async def test_a_token_is_shown_once_listed_by_name_and_ended_alone(arena: Arena) -> None:
    token = await ada(arena)
    first = await made(arena, token, ALL)
    second = await made(arena, token, BOTS)
    tokens = (await arena.ask("ListApiTokens", first)).tokens
    assert [(one.name, one.HasField("used")) for one in tokens] == [
        ("TOKEN_SCOPE_ALL", True),
        ("TOKEN_SCOPE_BOTS", False),
    ]
    await arena.ask("RevokeApiToken", token, id=tokens[1].id)
    assert (await arena.refused("GetAccount", second))[1] == "TOKEN_UNKNOWN"
    assert (await arena.ask("GetAccount", first)).account.name == "ada"
    assert (await arena.refused("RevokeApiToken", token, id=tokens[1].id))[1] == "TOKEN_UNKNOWN"


async def test_a_token_for_bots_has_them_all_and_nothing_of_the_account(arena: Arena) -> None:
    token = await made(arena, await ada(arena), BOTS)
    await arena.ask("RegisterBot", token, name="cat")
    await arena.ask("RotateToken", token, name="ant")
    assert len((await arena.ask("GetAccount", token)).bots) == 3
    for call, fields in (
        ("SetPassword", {"password": "a good password"}),
        ("RotateAccountToken", {}),
        ("CreateApiToken", {"name": "more", "scope": ALL}),
        ("ListApiTokens", {}),
        ("RenameAccount", {"new_name": "lovelace"}),
        ("RemoveAccount", {}),
        ("SignOut", {"everywhere": True}),
    ):
        assert (await arena.refused(call, token, **fields))[:2] == (DENIED, "NOT_ALLOWED"), call


async def test_a_token_for_one_bot_is_worth_what_that_bots_own_token_is(arena: Arena) -> None:
    token = await made(arena, await ada(arena), BOT, bot="ant")
    await arena.ask("RegisterBot", token, name="ant", version="2")
    for call, fields in (
        ("RotateToken", {"name": "bee"}),
        ("GetAccount", {}),
        ("ModerateBot", {"name": "ant", "hidden": True}),
    ):
        assert (await arena.refused(call, token, **fields))[:2] == (DENIED, "NOT_ALLOWED"), call
    assert await arena.here.store.bots.by_token(token) is None, "it opens no stream"


async def test_an_organisers_token_for_an_event_organises_that_event_alone(arena: Arena) -> None:
    store = arena.here.store
    otto = (await store.accounts.create("otto", Role.ORGANISER))[1]
    tina = (await store.accounts.create("tina"))[1]
    for name in ("course", "cup"):
        await arena.ask("CreateEvent", otto, event=events_pb2.Event(name=name, title=name))
        number = (await store.accounts.by_name("tina")).id
        await store.members.set(name, number, MemberRole.ORGANISER, "", "otto")
    for owner in (otto, tina):
        token = await made(arena, owner, EVENT, event="course")
        await arena.ask("CreateInvitation", token, event="course")
        for call, fields in (
            ("CreateInvitation", {"event": "cup"}),
            ("CreateInvitation", {}),
            ("RegisterBot", {"name": "ant"}),
            ("ListAccounts", {}),
            ("CreateEvent", {"event": events_pb2.Event(name="another", title="Another")}),
        ):
            assert (await arena.refused(call, token, **fields))[:2] == (DENIED, "NOT_ALLOWED"), call


async def test_a_token_that_has_expired_or_whose_account_is_suspended_is_worth_nothing(arena: Arena) -> None:
    store, token = arena.here.store, await ada(arena)
    late = await made(arena, token, BOTS)
    one = await made(arena, token, BOT, bot="ant")
    past = update(schema.api_token).where(schema.api_token.c.scope == "bots").values(expires=now() - timedelta(1))
    await store._database.write(lambda connection: connection.execute(past))
    assert (await arena.refused("GetAccount", late))[1] == "TOKEN_UNKNOWN"
    assert [kept.bot for kept in (await arena.ask("ListApiTokens", token)).tokens] == ["ant"]
    await arena.ask("ModerateAccount", arena.admin, name="ada", suspended=True)
    assert (await arena.refused("RegisterBot", one, name="ant", version="2"))[1] == "ACCOUNT_SUSPENDED"
    await arena.ask("ModerateAccount", arena.admin, name="ada", suspended=False)
    await arena.ask("RevokeAccount", arena.admin, name="ada")
    assert (await arena.refused("RegisterBot", one, name="ant", version="2"))[1] == "TOKEN_UNKNOWN"


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"scope": BOTS}, "name"),
        ({"name": "x" * 41, "scope": BOTS}, "name"),
        ({"name": "CI"}, "scope"),
        ({"name": "CI", "scope": BOT}, "bot"),
        ({"name": "CI", "scope": BOTS, "bot": "ant"}, "bot"),
        ({"name": "CI", "scope": EVENT}, "event"),
        ({"name": "CI", "scope": ALL, "seconds": 2**31}, "seconds"),
    ],
)
async def test_a_wrong_token_is_refused_at_its_field(arena: Arena, fields: dict[str, object], field: str) -> None:
    assert (await arena.refused("CreateApiToken", await ada(arena), **fields))[1:] == ("FIELD_INVALID", field)


async def test_a_token_is_refused_whose_name_is_taken_or_whose_bot_is_anothers(arena: Arena) -> None:
    token = await ada(arena)
    await arena.here.register("cat")
    await made(arena, token, BOTS)
    assert (await arena.refused("CreateApiToken", token, name="TOKEN_SCOPE_BOTS", scope=ALL))[1] == "NAME_TAKEN"
    assert (await arena.refused("CreateApiToken", token, name="CI", scope=BOT, bot="cat"))[1] == "BOT_UNKNOWN"
    assert (await arena.refused("CreateApiToken", token, name="CI", scope=EVENT, event="no"))[1] == "EVENT_UNKNOWN"
    for number in range(49):
        await arena.ask("CreateApiToken", token, name=f"CI {number}", scope=BOTS)
    assert (await arena.refused("CreateApiToken", token, name="one more", scope=BOTS))[1] == "QUOTA_REACHED"
