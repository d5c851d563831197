"""Who is kept from playing and out of sight, and what stays of those who were removed."""

from __future__ import annotations

from contextlib import aclosing
from typing import Any

import grpc
import pytest
from tests.server.arena_client import FIVE, Arena

from farfalia.v1 import acts_pb2, events_pb2
from farfalia_engine import Record
from farfalia_server.rating.rater import Rater
from farfalia_server.rating.rebuilding import RebuildReport, rebuild
from farfalia_server.records.codec import from_message
from farfalia_server.store import MemberRole, Role, Store

DENIED = grpc.StatusCode.PERMISSION_DENIED


async def account(arena: Arena, name: str, role: Role = Role.OWNER) -> str:
    return (await arena.here.store.accounts.create(name, role))[1]


async def owned(arena: Arena, owner: str = "ada", *bots: str) -> str:
    """The token of an account with bots."""
    token = await account(arena, owner)
    for bot in bots:
        await arena.ask("RegisterBot", token, name=bot)
    return token


async def checked(store: Store) -> RebuildReport:
    """What a rebuild finds that changes nothing."""
    async with aclosing(rebuild(store)) as steps:
        return [step async for step in steps][-1]


async def played(arena: Arena) -> list[int]:
    """The numbers of rated matches of five bots, of whom the account ada owns the first."""
    await owned(arena, "ada", FIVE[0])
    await arena.here.register(*FIVE[1:])
    spring = await arena.here.plan("spring", FIVE, rounds=2)
    await arena.here.play_all(spring)
    await Rater(arena.here.store).rate_all()
    return [match.id for match in await arena.here.store.matches.of_tournament(spring.id)]


async def records(arena: Arena, matches: list[int]) -> list[Record]:
    return [from_message(await arena.here.store.records.get(match)) for match in matches]


async def texts(arena: Arena, matches: list[int]) -> str:
    """Everything that anybody can read of these matches and of who played them."""
    found: list[Any] = [await arena.ask("ListBots"), await arena.ask("ListRatings", ladder="chinkway")]
    found.append(await arena.ask("ListRatingChain", ladder="chinkway"))
    found.append(await arena.ask("GetTournament", id=1))
    found.append(await arena.ask("ListActs", tournament=1))
    found.append(await arena.ask("ListMatches"))
    found += [await arena.ask("GetRecord", match=match) for match in matches]
    return "\n".join(map(str, found))


async def test_a_suspended_bot_has_no_valid_token_until_it_is_let_back(arena: Arena) -> None:
    ada = await owned(arena, "ada", "ant")
    otto = await account(arena, "otto", Role.ORGANISER)
    bot = (await arena.ask("RotateToken", ada, name="ant")).token
    refused = await arena.refused("ModerateBot", ada, name="ant", suspended=True)
    assert refused[:2] == (DENIED, "NOT_ALLOWED")
    answer = await arena.ask("ModerateBot", otto, name="ant", suspended=True, reason="floods the log")
    assert answer.bot.suspended
    store = arena.here.store
    assert await store.bots.token_hashes() == frozenset()
    found = await store.bots.by_token(bot)
    assert found is not None
    assert found.barred
    assert (await arena.refused("GetBot", bot, name="ant"))[:2] == (DENIED, "BOT_SUSPENDED")
    assert await store.entrants.gone() == {0: frozenset({found.id})}
    await arena.ask("ModerateBot", otto, name="ant", suspended=False)
    assert len(await store.bots.token_hashes()) == 1
    assert await store.entrants.gone() == {}
    said = [(act.act, act.who, act.subject, act.reason) for act in await store.acts.page(10)]
    assert said == [("suspend", "otto", "bot ant", "floods the log"), ("let back", "otto", "bot ant", "")]


async def test_a_suspended_account_is_out_with_its_bots_and_a_bot_of_nobody_stays(arena: Arena) -> None:
    ada = await owned(arena, "ada", "ant", "bee")
    await arena.here.register("cat")
    otto = await account(arena, "otto", Role.ORGANISER)
    await arena.ask("SetPassword", ada, password="correct horse")
    session = (await arena.ask("SignIn", name="ada", password="correct horse")).session
    assert (await arena.ask("ModerateAccount", otto, name="ada", suspended=True)).account.HasField("suspended")
    assert len(await arena.here.store.bots.token_hashes()) == 1
    assert (await arena.refused("GetAccount", ada))[:2] == (DENIED, "ACCOUNT_SUSPENDED")
    assert (await arena.refused("GetAccount", session))[1] == "TOKEN_UNKNOWN"
    assert (await arena.refused("SignIn", name="ada", password="correct horse"))[1] == "ACCOUNT_SUSPENDED"
    assert (await arena.refused("SignIn", name="ada", password="wrong horse"))[1] == "PASSWORD_WRONG"
    await arena.ask("ModerateAccount", otto, name="ada", suspended=False)
    assert len((await arena.ask("GetAccount", ada)).bots) == 2
    own = await arena.refused("ModerateAccount", otto, name="otto", suspended=True)
    assert own[1] in ("NOT_ALLOWED", "FIELD_INVALID")


async def test_a_hidden_bot_is_in_no_list_and_on_no_ladder_and_its_page_stays(arena: Arena) -> None:
    await played(arena)
    await arena.ask("ModerateBot", arena.admin, name="ant", hidden=True)
    assert "ant" not in [bot.name for bot in (await arena.ask("ListBots")).bots]
    assert "ant" not in [row.bot for row in (await arena.ask("ListRatings", ladder="chinkway")).bots]
    assert (await arena.ask("GetBot", name="ant")).bot.hidden
    await arena.ask("ModerateBot", arena.admin, name="ant", hidden=False)
    assert "ant" in [row.bot for row in (await arena.ask("ListRatings", ladder="chinkway")).bots]


async def test_struck_results_count_on_no_ladder_and_stay_in_their_tournament(arena: Arena) -> None:
    matches = await played(arena)
    store = arena.here.store
    standings = (await arena.ask("GetTournament", id=1)).tournament.standings
    answer = await arena.ask("ModerateBot", arena.admin, name="ant", strike=True, reason="played with two others")
    assert answer.struck == len(matches)
    async with Rater(store):
        pass
    await Rater(store)._correct()
    assert await store.ratings.all() == []
    assert (await arena.ask("ListRatingChain", ladder="chinkway")).entries == []
    report = await checked(store)
    assert (report.problems, report.differences, report.chain_differences) == ((), (), ())
    after = (await arena.ask("GetTournament", id=1)).tournament.standings
    assert [(row.entrant, row.points) for row in after] == [(row.entrant, row.points) for row in standings]


@pytest.mark.parametrize("removed", [False, True])
async def test_another_name_or_a_placeholder_stands_everywhere(arena: Arena, removed: bool) -> None:
    matches = await played(arena)
    store, points = arena.here.store, []
    for row in (await arena.ask("GetTournament", id=1)).tournament.standings:
        points.append((row.points, row.place))
    before = await texts(arena, matches)
    assert '"ant"' in before
    assert '"ada"' in before
    ada = (await arena.ask("RotateAccountToken", arena.admin, name="ada")).token
    if removed:
        name = (await arena.ask("RemoveBot", ada, name="ant")).placeholder
        assert name == f"removed-{(await store.bots.by_name(name)).id}"
        await arena.ask("RemoveAccount", ada)
    else:
        name = "formica"
        await arena.ask("RenameBot", ada, name="ant", new_name=name)
        await arena.ask("RenameAccount", ada, new_name="lovelace")
    await Rater(store)._rename()
    after = await texts(arena, matches)
    assert '"ant"' not in after
    assert '"ada"' not in after
    assert f'"{name}"' in after
    assert '\\"ant\\"' not in after, "chains have names in JSON"
    for record in await records(arena, matches):
        assert name in [seat.name for seat in record.seats]
        assert record.digest == record.computed_digest()
    report = await checked(store)
    assert (report.problems, report.differences, report.chain_differences) == ((), (), ())
    rows = (await arena.ask("GetTournament", id=1)).tournament.standings
    assert [(row.points, row.place) for row in rows] == points
    assert await store.renaming.pending() == []
    log = str([(act.who, act.subject) for act in await store.acts.page(100)])
    assert "'ada'" not in log
    assert "bot ant" not in log


async def test_what_was_removed_cannot_come_back_and_its_name_is_free(arena: Arena) -> None:
    ada = await owned(arena, "ada", "ant")
    name = (await arena.ask("RemoveBot", ada, name="ant")).placeholder
    assert (await arena.refused("RotateToken", arena.admin, name=name))[1] == "BOT_UNKNOWN"
    assert (await arena.refused("RenameBot", arena.admin, name=name, new_name="ant"))[1] == "BOT_UNKNOWN"
    assert (await arena.refused("GetBot", name="ant"))[1] == "BOT_UNKNOWN"
    assert [bot.name for bot in (await arena.ask("GetAccount", ada)).bots] == []
    await arena.ask("RegisterBot", ada, name="ant")
    assert (await arena.refused("RegisterBot", ada, name="removed-7"))[2] == "name"
    assert (await arena.refused("CreateAccount", arena.admin, name="Removed-7"))[2] == "name"
    await arena.ask("RemoveAccount", ada)
    assert (await arena.refused("GetAccount", ada))[1] == "TOKEN_UNKNOWN"
    assert (await arena.refused("GetAccount", arena.admin, name="ada"))[1] == "ACCOUNT_UNKNOWN"
    await arena.ask("CreateAccount", arena.admin, name="ada")


async def test_a_name_is_refused_that_is_taken_or_that_of_a_bot_at_play(arena: Arena) -> None:
    ada = await owned(arena, "ada", "ant", "bee")
    await account(arena, "bob")
    for name, reason in (("bee", "NAME_TAKEN"), ("BEE", "NAME_TAKEN"), ("two words", "FIELD_INVALID")):
        assert (await arena.refused("RenameBot", ada, name="ant", new_name=name))[1] == reason
    assert (await arena.refused("RenameAccount", ada, new_name="Bob"))[1] == "NAME_TAKEN"
    arena.here.crowd.names.add("ant")
    assert (await arena.refused("RenameBot", ada, name="ant", new_name="formica"))[1] == "BOT_CONNECTED"


async def test_organisers_of_an_event_manage_the_accounts_that_its_invitations_made(arena: Arena) -> None:
    otto = await account(arena, "otto", Role.ORGANISER)
    await arena.ask("CreateEvent", otto, event=events_pb2.Event(name="course", title="A course"))
    tina = await owned(arena, "tina")
    store = arena.here.store
    await store.members.set("course", (await store.accounts.by_name("tina")).id, MemberRole.ORGANISER, "", "otto")
    code = (await arena.ask("CreateInvitation", tina, event="course")).code
    _, invited = await store.accounts.create("ida", invitation=code)
    await arena.ask("RegisterBot", invited, name="ibis")
    await owned(arena, "ada", "ant")
    for name in ("ada", "otto", "nobody"):
        assert (await arena.refused("ModerateAccount", tina, name=name, suspended=True))[1] == "NOT_ALLOWED"
    assert (await arena.refused("ModerateBot", tina, name="ant", hidden=True))[1] == "NOT_ALLOWED"
    await arena.ask("SetPassword", tina, name="ida", password="a new password")
    await arena.ask("RotateToken", tina, name="ibis")
    await arena.ask("ModerateBot", tina, name="ibis", suspended=True)
    await arena.ask("RevokeAccount", tina, name="ida")


async def test_only_who_manages_a_bot_strikes_its_results(arena: Arena) -> None:
    ada = await owned(arena, "ada", "ant")
    for call in ("RemoveBot", "ModerateBot"):
        assert (await arena.refused(call, ada, name="ant", strike=True))[1] == "NOT_ALLOWED"
    assert (await arena.refused("RemoveAccount", ada, strike=True))[1] == "NOT_ALLOWED"
    assert (await arena.ask("RemoveAccount", arena.admin, name="ada", strike=True)).placeholder.startswith("removed-")


async def test_acts_of_moderation_are_in_the_log_with_who_and_why(arena: Arena) -> None:
    await owned(arena, "ada", "ant")
    await arena.ask("ModerateBot", arena.admin, name="ant", hidden=True, reason="asked for it")
    await arena.ask("RenameAccount", arena.admin, name="ada", new_name="lovelace")
    acts = (await arena.ask("ListActs", arena.admin)).acts
    assert [(act.kind, act.who, act.subject, act.reason) for act in acts] == [
        (acts_pb2.ACT_KIND_HIDE, "admin", "bot ant", "asked for it"),
        (acts_pb2.ACT_KIND_RENAME, "admin", "lovelace", ""),
    ]
