"""Drafts of tournaments: who sees them, how two organisers change one, and what comes of it."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any

import grpc
import pytest
from google.protobuf.timestamp_pb2 import Timestamp
from tests.server.arena_client import Arena

from farfalia.v1 import drafts_pb2, events_pb2, stages_pb2, tournaments_pb2
from farfalia_server.store import Role

HOUR = timedelta(hours=1)
DENIED, NOT_FOUND = grpc.StatusCode.PERMISSION_DENIED, grpc.StatusCode.NOT_FOUND


def at(distance: timedelta) -> Timestamp:
    moment = Timestamp()
    moment.FromDatetime(datetime.now(UTC) + distance)
    return moment


def drafted(number: int = 0, revision: int = 0, *, expected: int = 0, **plan: Any) -> drafts_pb2.TournamentDraft:
    fields = {"name": "finals", **plan}
    request = tournaments_pb2.CreateTournamentRequest(**fields)
    return drafts_pb2.TournamentDraft(id=number, revision=revision, plan=request, entrants_expected=expected)


async def save(arena: Arena, token: str, draft: drafts_pb2.TournamentDraft, **how: Any) -> Any:
    return await arena.ask("SaveTournamentDraft", token, draft=draft, **how)


async def organisers(arena: Arena) -> tuple[str, str]:
    """Two who organise the event `course` and nothing else."""
    event = events_pb2.Event(name="course", title="A course")
    await arena.ask("CreateEvent", arena.admin, event=event)
    await arena.ask("ChangeEvent", arena.admin, event=event, publish=True)
    tokens = []
    for name in ("ada", "ben"):
        tokens.append((await arena.here.store.accounts.create(name, Role.OWNER))[1])
        role = events_pb2.MEMBER_ROLE_ORGANISER
        await arena.ask("SetEventMember", arena.admin, event="course", account=name, role=role)
        await arena.ask("RegisterBot", tokens[-1], name=f"{name}s")
    return tokens[0], tokens[1]


async def test_a_draft_is_for_organisers_of_its_event_alone(arena: Arena) -> None:
    ada, ben = await organisers(arena)
    stranger = (await arena.here.store.accounts.create("eve", Role.OWNER))[1]
    viewer = (await arena.here.store.accounts.create("vera", Role.VIEWER))[1]
    otto = (await arena.here.store.accounts.create("otto", Role.ORGANISER))[1]
    (member,) = [(await arena.here.store.accounts.create("max", Role.OWNER))[1]]
    await arena.ask("SetEventMember", arena.admin, event="course", account="max", role=events_pb2.MEMBER_ROLE_HELPER)
    made = (await save(arena, ada, drafted(event="course"))).draft
    for token in (ada, ben, otto, arena.admin):
        assert (await arena.ask("GetTournamentDraft", token, id=made.id)).draft == made
        assert [one.id for one in (await arena.ask("ListTournamentDrafts", token)).drafts] == [made.id]
    elsewhere = (await arena.here.store.accounts.create("elsa", Role.OWNER))[1]
    await arena.ask("CreateEvent", arena.admin, event=events_pb2.Event(name="cup", title="A cup"))
    role = events_pb2.MEMBER_ROLE_ORGANISER
    await arena.ask("SetEventMember", arena.admin, event="cup", account="elsa", role=role)
    for token in (stranger, viewer, member, elsewhere):
        known = (NOT_FOUND, "DRAFT_UNKNOWN") if token == elsewhere else (DENIED, "NOT_ALLOWED")
        for number in (made.id, 99):
            for call in ("GetTournamentDraft", "DropTournamentDraft"):
                assert (await arena.refused(call, token, id=number))[:2] == known
            draft = drafted(number, 1, event="course")
            assert (await arena.refused("SaveTournamentDraft", token, draft=draft))[:2] == known
        if token == elsewhere:
            assert not (await arena.ask("ListTournamentDrafts", token)).drafts
        else:
            assert (await arena.refused("ListTournamentDrafts", token))[1] == "NOT_ALLOWED"
        assert (await arena.refused("ListTournamentDrafts", token, event="course"))[1] == "NOT_ALLOWED"
        assert (await arena.refused("SaveTournamentDraft", token, draft=drafted(event="course")))[1] == "NOT_ALLOWED"
    assert (await arena.refused("GetTournamentDraft", "", id=made.id))[1] == "TOKEN_MISSING"
    moved = await arena.refused("SaveTournamentDraft", ada, draft=drafted(made.id, 1, event="arena"))
    assert moved[1] == "NOT_ALLOWED", "ada does not organise the arena"


async def test_a_draft_makes_nothing_that_others_see(arena: Arena) -> None:
    ada, _ = await organisers(arena)
    event = (await arena.ask("GetEvent", ada, name="course")).event
    event.rated_on = events_pb2.RATED_ON_OWN
    await arena.ask("ChangeEvent", ada, event=event)
    made = (await save(arena, ada, drafted(event="course", bots=["adas", "house-greedy-7"]))).draft
    assert not (await arena.ask("ListTournaments")).tournaments
    assert not (await arena.ask("ListMatches")).matches
    assert [one.name for one in (await arena.ask("ListBots")).bots] == ["adas", "bens"], "no house bot"
    assert not (await arena.ask("GetEvent", name="course")).ladders
    assert (await arena.refused("EnterTournament", ada, id=made.id, bot="adas"))[1] == "TOURNAMENT_UNKNOWN"
    assert not (await arena.ask("ListActs", ada, event="course")).acts[-1].tournament


async def test_a_draft_is_changed_and_published_once(arena: Arena) -> None:
    ada, _ = await organisers(arena)
    made = (await save(arena, ada, drafted(event="course"))).draft
    assert (made.revision, made.who) == (1, "ada")
    bots = ["adas", "bens"]
    changed = (await save(arena, ada, drafted(made.id, 1, name="cup", event="course", bots=bots, rounds=3))).draft
    assert (changed.revision, changed.plan.name, list(changed.plan.bots)) == (2, "cup", bots)
    same = (await save(arena, ada, changed)).draft
    assert same.revision == 2, "nothing was changed"
    two = await asyncio.gather(*[save(arena, ada, changed, publish=True) for _ in "ab"])
    (tournament,) = (await arena.ask("ListTournaments")).tournaments
    assert {one.tournament.id for one in two} == {one.draft.tournament for one in two} == {tournament.id}
    assert (tournament.name, tournament.event, tournament.rounds) == ("cup", "course", 3)
    assert (await save(arena, ada, changed, publish=True)).tournament.id == tournament.id
    changed.plan.name = "other"
    assert (await arena.refused("SaveTournamentDraft", ada, draft=changed))[1] == "DRAFT_PUBLISHED"
    assert (await arena.refused("DropTournamentDraft", ada, id=made.id))[1] == "DRAFT_PUBLISHED"
    assert not (await arena.ask("ListTournamentDrafts", ada)).drafts
    assert (await arena.ask("GetTournamentDraft", ada, id=made.id)).draft.tournament == tournament.id


async def test_who_saves_later_is_told_what_differs(arena: Arena) -> None:
    ada, ben = await organisers(arena)
    made = (await save(arena, ada, drafted(event="course", rounds=2))).draft
    await save(arena, ben, drafted(made.id, 1, name="finals of ben", event="course", rounds=2, bots=["bens"]))
    code, reason, text = await arena.refused("SaveTournamentDraft", ada, draft=drafted(made.id, 1, event="course"))
    assert (code, reason) == (grpc.StatusCode.FAILED_PRECONDITION, "DRAFT_CHANGED")
    assert text == (
        f"ben has changed draft {made.id} meanwhile: bots is 'bens', you have empty; name is 'finals of ben', you have "
        "'finals'; rounds is '2', you have empty; look at it, then save what is to stay"
    )
    kept = (await arena.ask("GetTournamentDraft", ada, id=made.id)).draft
    assert (kept.plan.name, kept.revision) == ("finals of ben", 2)
    two = [
        save(arena, token, drafted(made.id, 2, name=name, event="course")) for token, name in ((ada, "a"), (ben, "b"))
    ]
    done = await asyncio.gather(*two, return_exceptions=True)
    assert sum(isinstance(one, grpc.aio.AioRpcError) for one in done) == 1


async def test_what_somebody_has_changed_is_not_published_unseen(arena: Arena) -> None:
    ada, ben = await organisers(arena)
    seen = (await save(arena, ada, drafted(event="course", bots=["adas"]))).draft
    changed = (await save(arena, ben, drafted(seen.id, 1, event="course", bots=["bens"]))).draft
    changed.revision = seen.revision
    refused = await arena.refused("SaveTournamentDraft", ada, draft=changed, publish=True)
    assert refused[1] == "DRAFT_CHANGED"
    assert not (await arena.ask("ListTournaments")).tournaments


async def test_a_draft_that_is_dropped_is_gone(arena: Arena) -> None:
    ada, ben = await organisers(arena)
    made = (await save(arena, ada, drafted(event="course"))).draft
    await arena.ask("DropTournamentDraft", ben, id=made.id)
    assert (await arena.refused("GetTournamentDraft", ada, id=made.id))[1] == "DRAFT_UNKNOWN"
    assert (await arena.refused("DropTournamentDraft", ada, id=made.id))[1] == "DRAFT_UNKNOWN"
    act = (await arena.ask("ListActs", ada, event="course")).acts[-1]
    assert (act.who, act.subject) == ("ben", "draft finals")
    assert (await arena.refused("GetTournamentDraft", ada, id=2**64 - 1))[1] == "DRAFT_UNKNOWN"


@pytest.mark.parametrize(
    ("field", "plan"),
    [
        ("name", {"name": " "}),
        ("ruleset", {"ruleset": "nothing"}),
        ("options", {"options": {"colour": "red"}}),
        ("bots", {"bots": ["nobody"]}),
        ("bots", {"bots": ["house-nothing-1"]}),
        ("bots", {"bots": ["adas", "adas"]}),
        ("rounds", {"rounds": 1_000_000}),
        ("stages", {"stages": [stages_pb2.Stage(kind=stages_pb2.STAGE_KIND_KNOCKOUT, advance=9)], "expected": 8}),
        ("ladder", {"ladder": "nowhere"}),
        ("starts", {"starts": at(-HOUR)}),
        ("starts", {"starts": at(HOUR), "starts_with_event": True}),
        ("starts", {"starts": at(HOUR), "beacon_source": "drand", "beacon_round": "7"}),
        ("entrants_expected", {"expected": 10_000}),
    ],
)
async def test_a_draft_is_checked_when_it_is_saved(arena: Arena, field: str, plan: dict[str, Any]) -> None:
    ada, _ = await organisers(arena)
    assert (await arena.refused("SaveTournamentDraft", ada, draft=drafted(event="course", **plan)))[2] == field


async def test_a_draft_without_bots_is_not_published(arena: Arena) -> None:
    ada, _ = await organisers(arena)
    draft = drafted(event="course")
    assert (await arena.refused("SaveTournamentDraft", ada, draft=draft, publish=True))[2] == "publish"
    made = (await save(arena, ada, draft)).draft
    assert (await arena.refused("SaveTournamentDraft", ada, draft=made, publish=True))[2] == "bots"
    (kept,) = (await arena.ask("ListTournamentDrafts", ada)).drafts
    assert kept.plan.name == "finals", "it stays a draft"


async def test_an_event_has_so_many_drafts_and_no_more(arena: Arena, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("farfalia_server.store.tournaments.drafts.MOST", 2)
    ada, _ = await organisers(arena)
    for _ in range(2):
        await save(arena, ada, drafted(event="course"))
    assert (await arena.refused("SaveTournamentDraft", ada, draft=drafted(event="course")))[1] == "QUOTA_REACHED"
