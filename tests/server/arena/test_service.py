"""The arena's calls over a real connection."""

from __future__ import annotations

from pathlib import Path

import grpc
import pytest
import structlog
from tests.server.arena_client import FIVE, OPEN, Arena, serving

from farfalia.v1 import bots_pb2
from farfalia_server.store import LadderRating, NewLogLine

# Bots ----------------------------------------------------------------------------------------------------------


async def test_a_registered_bot_has_a_token_of_its_own(arena: Arena) -> None:
    answer = await arena.ask("RegisterBot", arena.admin, name="ant", owner="Ada", version="2")
    assert (answer.bot.name, answer.bot.owner, answer.bot.version) == ("ant", "Ada", "2")
    bot = await arena.here.store.bots.by_token(answer.token)
    assert bot is not None
    assert bot.name == "ant"
    code, reason, _ = await arena.refused("RegisterBot", arena.admin, name="ant")
    assert (code, reason) == (grpc.StatusCode.ALREADY_EXISTS, "NAME_TAKEN")


async def test_only_the_admin_registers_unless_registration_is_open(tmp_path: Path) -> None:
    async with serving(tmp_path / "closed") as arena:
        code, reason, _ = await arena.refused("RegisterBot", name="ant")
        assert (code, reason) == (grpc.StatusCode.PERMISSION_DENIED, "REGISTRATION_CLOSED")
        code, reason, _ = await arena.refused("RegisterBot", "wrong", name="ant")
        assert (code, reason) == (grpc.StatusCode.UNAUTHENTICATED, "TOKEN_UNKNOWN")
    async with serving(tmp_path / "open", OPEN) as arena:
        assert (await arena.ask("RegisterBot", name="ant")).token
        assert (await arena.refused("RegisterBot", name="mine", house="greedy"))[0] is grpc.StatusCode.UNAUTHENTICATED


async def test_a_house_bot_gets_no_token(arena: Arena) -> None:
    answer = await arena.ask("RegisterBot", arena.admin, name="mine", house="greedy")
    assert (answer.token, answer.bot.house) == ("", "greedy")


@pytest.mark.parametrize(
    ("field", "fields"),
    [
        ("name", {"name": ""}),
        ("name", {"name": "two words"}),
        ("name", {"name": "x" * 41}),
        ("name", {"name": "house-greedy-1"}),
        ("name", {"name": "House-greedy-1"}),
        ("version", {"name": "ant", "version": "v" * 41}),
        ("version", {"name": "ant", "version": "\u3164"}),
        ("owner", {"name": "ant", "owner": "\u2800\u0301"}),
        ("owner", {"name": "ant", "owner": "A\x1b[31m"}),
        ("house", {"name": "ant", "house": "genius"}),
    ],
)
async def test_a_bot_that_cannot_be_registered_names_the_field(
    arena: Arena, field: str, fields: dict[str, str]
) -> None:
    code, reason, where = await arena.refused("RegisterBot", arena.admin, **fields)
    assert (code, reason, where) == (grpc.StatusCode.INVALID_ARGUMENT, "FIELD_INVALID", field)


async def test_bots_accounts_and_versions_that_look_the_same_are_refused(arena: Arena) -> None:
    taken = grpc.StatusCode.ALREADY_EXISTS
    for name, version in (("Ada", "1.0-rc"), ("bee", "①")):
        await arena.ask("RegisterBot", arena.admin, name=name, version=version)
        await arena.ask("CreateAccount", arena.admin, name=name)
    for name in ("ada", "ADA", "BEE"):
        assert (await arena.refused("RegisterBot", arena.admin, name=name))[:2] == (taken, "NAME_TAKEN")
        assert (await arena.refused("CreateAccount", arena.admin, name=name))[:2] == (taken, "NAME_TAKEN")
    for name, version in (("Ada", "1.0-RC"), ("Ada", "1.0-rc\ufe0f"), ("Ada", "１.0-rc"), ("bee", "1")):
        answer = await arena.refused("RegisterBot", arena.admin, name=name, version=version)
        assert answer[:2] == (taken, "VERSION_TAKEN"), version
    await arena.ask("RegisterBot", arena.admin, name="Ada", version="🦋")


async def test_a_new_token_ends_the_old_one_and_its_stream(arena: Arena) -> None:
    ant, bee, *_ = await arena.five()
    assert (await arena.refused("RotateToken", bee, name="ant"))[0] is grpc.StatusCode.PERMISSION_DENIED
    new = (await arena.ask("RotateToken", ant, name="ant")).token
    assert arena.here.crowd.dismissed == ["ant"]
    assert await arena.here.store.bots.by_token(ant) is None
    assert (await arena.ask("RotateToken", new, name="ant")).token != new
    assert (await arena.ask("RotateToken", arena.admin, name="bee")).token != bee
    code, reason, _ = await arena.refused("RotateToken", arena.admin, name="nobody")
    assert (code, reason) == (grpc.StatusCode.NOT_FOUND, "BOT_UNKNOWN")


async def test_logs_are_for_the_owner_and_the_admin_incidents_for_everyone(arena: Arena) -> None:
    ant, bee, *_ = await arena.five()
    tournament = await arena.here.plan("spring", FIVE, rounds=1)
    await arena.here.store.tournaments.start(tournament.id)
    (match,) = await arena.here.store.matches.of_tournament(tournament.id)
    seat = [one.name for one in match.seats].index("ant")
    await arena.here.play(match.id, slow=seat)
    await arena.here.store.logs.add((await arena.here.store.bots.by_name("ant")).id, [NewLogLine(match.id, "why me?")])
    for token in (ant, arena.admin):
        answer = await arena.ask("GetBot", token, name="ant")
        assert [line.line.text for line in answer.logs] == ["why me?"]
    for token in (ant, arena.admin, "", bee):
        answer = await arena.ask("GetBot", token, name="ant")
        assert [entry.incident.text for entry in answer.incidents] == ["no answer within 6000 ms"]
        assert (answer.incidents[0].match, answer.incidents[0].text_open) == (match.id, True)
    for token in ("", bee):
        answer = await arena.ask("GetBot", token, name="ant")
        assert answer.bot.name == "ant"
        assert not answer.logs


async def test_all_bots_are_listed_by_name_with_their_ratings(arena: Arena) -> None:
    await arena.five()
    arena.here.crowd.names = {"bee"}
    await arena.here.store.ratings.replace(0, [LadderRating("chinkway", 2, 30.0, 5.0, 7)])
    bots = (await arena.ask("ListBots")).bots
    assert [(bot.name, bot.connected) for bot in bots] == [(name, name == "bee") for name in FIVE]
    (rating,) = bots[1].ratings
    assert (rating.ladder, rating.conservative, rating.matches) == ("chinkway", 15.0, 7)


async def test_a_ladder_is_sorted_by_what_is_certain_and_equals_share_a_place(arena: Arena) -> None:
    await arena.five()
    rows = [
        LadderRating("chinkway", 1, 25.0, 5.0, 1),
        LadderRating("chinkway", 2, 40.0, 10.0, 1),
        LadderRating("chinkway", 3, 25.0, 5.0, 1),
        LadderRating("chinkway", 4, 30.0, 2.0, 1),
    ]
    await arena.here.store.ratings.replace(0, rows)
    ladder = (await arena.ask("ListRatings")).bots
    assert [(row.place, row.bot) for row in ladder] == [(1, "dog"), (2, "ant"), (2, "bee"), (2, "cat")]
    code, reason, text = await arena.refused("ListRatings", ladder="poker")
    assert (code, reason) == (grpc.StatusCode.NOT_FOUND, "LADDER_UNKNOWN")
    assert "chinkway" in text


async def test_bots_ladders_and_tournaments_are_listed_page_by_page(arena: Arena) -> None:
    await arena.five()
    assert [bot.name for bot in (await arena.ask("ListBots", limit=2)).bots] == ["ant", "bee"]
    assert [bot.name for bot in (await arena.ask("ListBots", limit=2, after="bee")).bots] == ["cat", "dog"]
    assert [bot.name for bot in (await arena.ask("ListBots", after="dog")).bots] == ["eel"]
    rows = [LadderRating("chinkway", bot, 30.0 - bot // 2, 5.0, 1) for bot in (1, 2, 3, 4)]
    await arena.here.store.ratings.replace(0, rows)
    page = (await arena.ask("ListRatings", limit=2, skip=2)).bots
    assert [(row.place, row.bot) for row in page] == [(2, "cat"), (4, "dog")]
    for name in ("spring", "summer", "autumn"):
        await arena.here.plan(name, FIVE, rounds=1)
    page = (await arena.ask("ListTournaments", limit=1, before=3)).tournaments
    assert [tournament.name for tournament in page] == ["summer"]
    for call in ("ListBots", "ListRatings", "ListTournaments"):
        assert (await arena.refused(call, limit=1001))[2] == "limit"
    assert (await arena.refused("ListBots", after="\0"))[2] == "after"


# Matches and records -------------------------------------------------------------------------------------------


async def test_matches_are_listed_newest_first_page_by_page(arena: Arena) -> None:
    made = await arena.here.spring(rounds=3)
    await arena.here.plan("summer", ("ant",), rounds=1)
    page = (await arena.ask("ListMatches", limit=2)).matches
    assert [match.id for match in page] == [4, 3]
    assert [match.id for match in (await arena.ask("ListMatches", before=3)).matches] == [2, 1]
    assert [match.id for match in (await arena.ask("ListMatches", tournament=made.id)).matches] == [3, 2, 1]
    assert [match.id for match in (await arena.ask("ListMatches", bot="house-greedy-1")).matches] == [4]
    assert (await arena.refused("ListMatches", limit=1001))[2] == "limit"
    assert (await arena.refused("ListMatches", bot="nobody"))[:2] == (grpc.StatusCode.NOT_FOUND, "BOT_UNKNOWN")
    assert (await arena.refused("ListMatches", tournament=9))[0] is grpc.StatusCode.NOT_FOUND


async def test_a_record_is_there_once_the_match_is_over(arena: Arena) -> None:
    made = await arena.here.spring(rounds=2)
    assert (await arena.refused("GetRecord", match=1))[:2] == (grpc.StatusCode.FAILED_PRECONDITION, "MATCH_NOT_OVER")
    await arena.here.play_all(made, leave=1)
    record = (await arena.ask("GetRecord", match=1)).record
    assert (record.match, record.tournament, record.source.secret) == (1, made.id, b"")
    assert len(record.outcome.deals) == 11
    (_, match) = (await arena.ask("ListMatches")).matches
    assert match.outcome.points == record.outcome.points
    await arena.here.play(2)
    assert (await arena.ask("GetRecord", match=1)).record.source.secret
    assert (await arena.refused("GetRecord", match=2**64 - 1))[:2] == (grpc.StatusCode.NOT_FOUND, "MATCH_UNKNOWN")


async def test_nodes_are_listed_by_name(arena: Arena) -> None:
    nodes = (await arena.ask("ListNodes")).nodes
    assert [(node.name, node.matches) for node in nodes] == [("node-a", 2), ("node-b", 0)]
    assert (nodes[0].room, nodes[0].load, nodes[0].lag_ms, nodes[0].draining) == (8, 0.5, 1.5, False)


# What goes wrong ------------------------------------------------------------------------------------------------


async def test_a_call_that_fails_is_a_sentence_and_its_cause_is_in_the_log(
    arena: Arena, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def failing(*_: object) -> bots_pb2.ListBotsResponse:
        raise ZeroDivisionError

    monkeypatch.setattr(arena.here.reader, "bots", failing)
    with structlog.testing.capture_logs() as logged:
        code, _, sentence = await arena.refused("ListBots", arena.admin)
    assert (code, sentence) == (grpc.StatusCode.INTERNAL, "the server failed at this call; its log says why")
    assert [(line["event"], line["call"], line["exc_info"]) for line in logged] == [("call_failed", "ListBots", True)]


async def test_void_attempts_are_those_of_a_tournament_or_of_a_ladder(arena: Arena) -> None:
    code, _, field = await arena.refused("ListVoidAttempts", arena.admin, tournament=1, ladder="two")
    assert (code, field) == (grpc.StatusCode.INVALID_ARGUMENT, "ladder")
