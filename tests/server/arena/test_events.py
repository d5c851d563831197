"""Events: who makes and runs them, who joins, and what their times and caps allow."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.protobuf.timestamp_pb2 import Timestamp
from tests.server.arena_client import OPEN, Arena, serving
from tests.server.event_arena import account, change, course, times

from farfalia.v1 import events_pb2, ladders_pb2
from farfalia.v1.acts_pb2 import ActKind
from farfalia_server.contract.registration import Registration, RegistrationRules
from farfalia_server.store import Role

DENIED = grpc.StatusCode.PERMISSION_DENIED
UNAUTHENTICATED = grpc.StatusCode.UNAUTHENTICATED
WRONG_STATE = grpc.StatusCode.FAILED_PRECONDITION
HOUR = timedelta(hours=1)


async def names(arena: Arena, token: str = "") -> list[str]:
    return [event.name for event in (await arena.ask("ListEvents", token)).events]


async def members_bots(arena: Arena, token: str) -> None:
    """Two bots of an account."""
    for number in (1, 2):
        await arena.ask("RegisterBot", token, name=f"tina{number}")


async def test_an_event_is_a_draft_until_its_organiser_publishes_it(arena: Arena) -> None:
    otto, ada = await account(arena, "otto", Role.ORGANISER), await account(arena, "ada")
    event = events_pb2.Event(name="cup", title="Spring Cup", zone="Europe/Rome")
    assert (await arena.refused("CreateEvent", ada, event=event))[:2] == (DENIED, "NOT_ALLOWED")
    made = (await arena.ask("CreateEvent", otto, event=event)).event
    assert (made.state, made.zone, made.members) == (events_pb2.EVENT_STATE_DRAFT, "Europe/Rome", 1)
    assert (await arena.refused("CreateEvent", otto, event=event))[1] == "NAME_TAKEN"
    for token in ("", ada):
        assert await names(arena, token) == ["arena"]
        assert (await arena.refused("GetEvent", token, name="cup"))[1] == "EVENT_UNKNOWN"
    assert (await arena.refused("JoinEvent", ada, event="cup"))[1] == "EVENT_NOT_OPEN"
    assert await names(arena, otto) == ["cup", "arena"]
    await arena.ask("ChangeEvent", otto, event=event, publish=True)
    for token in ("", ada):
        assert await names(arena, token) == ["cup", "arena"]
    joined = (await arena.ask("JoinEvent", ada, event="cup")).member
    assert (await arena.ask("JoinEvent", ada, event="cup")).member == joined
    shown = await arena.ask("GetEvent", name="cup")
    assert [(one.account, one.role) for one in shown.members] == [
        ("ada", events_pb2.MEMBER_ROLE_MEMBER),
        ("otto", events_pb2.MEMBER_ROLE_ORGANISER),
    ]


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"name": "Cup"}, "name"),
        ({"name": "a" * 29}, "name"),
        ({"name": "chinkway"}, "name"),
        ({"title": "x" * 81}, "title"),
        ({"title": "two\nlines"}, "title"),
        ({"about": "x" * 2001}, "about"),
        ({"zone": "Europe/Atlantis"}, "zone"),
        ({"zone": "../etc/passwd"}, "zone"),
        ({"times": times(closes=HOUR, ends=-HOUR)}, "ends"),
        ({"times": events_pb2.EventTimes(starts=Timestamp(seconds=2**40))}, "starts"),
        ({"caps": events_pb2.EventCaps(bots=1001)}, "caps.bots"),
        ({"caps": events_pb2.EventCaps(connections=1001)}, "caps.connections"),
    ],
)
async def test_what_no_event_can_have_is_refused_by_its_field(arena: Arena, given: dict[str, Any], field: str) -> None:
    event = events_pb2.Event(**{"name": "cup", **given})
    assert (await arena.refused("CreateEvent", arena.admin, event=event))[2] == field
    assert await names(arena, arena.admin) == ["arena"]


async def test_an_organiser_of_an_event_runs_it_and_nothing_else(arena: Arena) -> None:
    await course(arena)
    tina, hugo = await account(arena, "tina"), await account(arena, "hugo")
    await arena.five()
    public = (await arena.ask("CreateTournament", arena.admin, name="public", bots=["ant"])).tournament.id
    for name, role in (("tina", events_pb2.MEMBER_ROLE_ORGANISER), ("hugo", events_pb2.MEMBER_ROLE_HELPER)):
        await arena.ask("SetEventMember", arena.admin, event="course", account=name, role=role)
    wanted = {"name": "own", "event": "course", "bots": ["ant"]}
    assert (await arena.refused("CreateTournament", tina, **wanted))[:2] == (DENIED, "NO_MEMBER")
    await members_bots(arena, tina)
    own = (await arena.ask("CreateTournament", tina, **{**wanted, "bots": ["tina1"]})).tournament
    assert (own.event, own.ladder) == ("course", "")
    assert (await arena.refused("CreateTournament", tina, name="public", bots=["ant"]))[:2] == (DENIED, "NOT_ALLOWED")
    assert (await arena.refused("CreateTournament", hugo, name="x", event="course"))[:2] == (DENIED, "NOT_ALLOWED")
    for token in (tina, hugo):
        assert (await arena.refused("StartTournament", token, id=public))[:2] == (DENIED, "NOT_ALLOWED")
        assert (await arena.refused("StartTournament", token, id=99))[:2] == (DENIED, "NOT_ALLOWED")
    assert (await arena.refused("EnterTournament", hugo, id=own.id, bot="bee"))[:2] == (DENIED, "NO_MEMBER")
    for bot in ("tina2", "house-greedy-1"):
        await arena.ask("EnterTournament", hugo, id=own.id, bot=bot)
    await arena.ask("StartTournament", hugo, id=own.id)
    await arena.ask("PauseTournament", tina, id=own.id)
    acts = (await arena.ask("ListActs", tournament=own.id)).acts
    assert [act.who for act in acts] == ["tina", "hugo", "tina"]
    ladder = ladders_pb2.Ladder(ruleset="two", event="course")
    assert (await arena.refused("OpenLadder", hugo, ladder=ladder))[:2] == (DENIED, "NOT_ALLOWED")
    assert (await arena.ask("OpenLadder", tina, ladder=ladder)).ladder.name == "course-two"
    await arena.ask("OpenLadder", arena.admin, ladder=ladders_pb2.Ladder(ruleset="two"))
    assert (await arena.refused("CloseLadder", tina, ladder="two"))[:2] == (DENIED, "NOT_ALLOWED")
    await arena.ask("CloseLadder", tina, ladder="course-two")
    shown = await arena.ask("GetEvent", name="course")
    assert (list(shown.ladders), list(shown.tournaments)) == (["course-two"], [own.id])
    for call in ("RevokeAccount", "GetAccount"):
        assert (await arena.refused(call, tina, name="hugo"))[0] == DENIED


async def test_an_organiser_of_an_event_counts_on_no_ladder_of_others(arena: Arena) -> None:
    otto = await course(arena)
    await arena.ask("CreateEvent", otto, event=events_pb2.Event(name="other"))
    await arena.ask("OpenLadder", otto, ladder=ladders_pb2.Ladder(ruleset="two", event="other"))
    tina = await account(arena, "tina")
    role = events_pb2.MEMBER_ROLE_ORGANISER
    await arena.ask("SetEventMember", otto, event="course", account="tina", role=role)
    wanted = {"name": "x", "event": "course", "ruleset": "two", "bots": ["house-greedy-1", "house-random-1"]}
    for ladder in ("two", "other-two"):
        refused = await arena.refused("CreateTournament", tina, ladder=ladder, **wanted)
        assert refused[:2] == (DENIED, "LADDER_OF_ANOTHER_EVENT")
        assert (await arena.ask("CreateTournament", otto, ladder=ladder, **wanted)).tournament.ladder == ladder
    event = events_pb2.Event(name="course", rated_on=events_pb2.RATED_ON_GAME)
    assert (await arena.refused("ChangeEvent", tina, event=event))[:2] == (DENIED, "NOT_ALLOWED")
    await arena.ask("ChangeEvent", otto, event=event)
    assert (await arena.ask("CreateTournament", tina, **wanted)).tournament.ladder == "two"
    for name in ("blitz", "other-three", "courses"):
        opened = ladders_pb2.Ladder(name=name, ruleset="three", event="course")
        assert (await arena.refused("OpenLadder", tina, ladder=opened))[2] == "name"
    opened = ladders_pb2.Ladder(name="course-blitz", ruleset="three", event="course")
    assert (await arena.ask("OpenLadder", tina, ladder=opened)).ladder.name == "course-blitz"


async def test_somebody_is_always_left_who_runs_an_event(arena: Arena) -> None:
    otto = await course(arena)
    await account(arena, "tina")
    assert (await arena.refused("RemoveEventMember", otto, event="course"))[1] == "LAST_ORGANISER"
    member = {"event": "course", "account": "otto", "role": events_pb2.MEMBER_ROLE_MEMBER}
    assert (await arena.refused("SetEventMember", otto, **member))[1] == "LAST_ORGANISER"
    tina = {"event": "course", "account": "tina", "role": events_pb2.MEMBER_ROLE_ORGANISER, "team": "Staff"}
    assert (await arena.ask("SetEventMember", otto, **tina)).member.team == "Staff"
    await arena.ask("RemoveEventMember", otto, event="course")
    assert (await arena.refused("RemoveEventMember", otto, event="course"))[1] == "MEMBER_UNKNOWN"
    for call in ("SetEventMember", "JoinEvent", "RemoveEventMember"):
        fields = {"account": "tina"} if call == "SetEventMember" else {}
        assert (await arena.refused(call, otto, event="arena", **fields))[1] == "EVENT_WITHOUT_MEMBERS"


async def test_an_invitation_to_an_event_makes_members_of_it_alone(tmp_path: Path) -> None:
    async with serving(tmp_path, OPEN) as arena:
        otto = await course(arena, by_invitation=True)
        ada = await account(arena, "ada")
        code = (await arena.ask("CreateInvitation", otto, event="course", uses=1)).code
        public = await arena.ask("CreateInvitation", otto)
        assert (await arena.refused("JoinEvent", ada, event="course"))[:2] == (DENIED, "INVITATION_MISSING")
        for wrong in ("wrong", public.code):
            refused = await arena.refused("JoinEvent", ada, event="course", invitation=wrong)
            assert refused[:2] == (DENIED, "INVITATION_INVALID")
        await arena.ask("JoinEvent", ada, event="course", invitation=code)
        ben = await account(arena, "ben")
        assert (await arena.refused("JoinEvent", ben, event="course", invitation=code))[1] == "INVITATION_INVALID"
        tina = await account(arena, "tina")
        await arena.ask("SetEventMember", otto, event="course", account="tina", role=events_pb2.MEMBER_ROLE_ORGANISER)
        made = await arena.ask("CreateInvitation", tina, event="course", note="late")
        listed = (await arena.ask("ListInvitations", tina, event="course")).invitations
        assert [one.note for one in listed] == ["late", ""]
        assert (await arena.refused("ListInvitations", tina))[0] == DENIED
        await arena.ask("RevokeInvitation", tina, id=made.invitation.id)
        assert (await arena.refused("RevokeInvitation", tina, id=public.invitation.id))[0] == DENIED


async def test_who_registers_with_a_code_of_an_event_is_its_member(tmp_path: Path) -> None:
    async with serving(tmp_path, RegistrationRules(Registration.INVITATION)) as arena:
        otto = await course(arena, by_invitation=True)
        code = (await arena.ask("CreateInvitation", otto, event="course")).code
        await arena.ask("CreateAccount", name="ada", invitation=code)
        assert "ada" in [one.account for one in (await arena.ask("GetEvent", name="course")).members]


async def test_members_join_and_enter_within_the_times_of_an_event(arena: Arena) -> None:
    otto = await course(arena, times=times(opens=HOUR, closes=2 * HOUR))
    ada = await account(arena, "ada")
    for name in ("ada1", "ada2"):
        await arena.ask("RegisterBot", ada, name=name)
    assert (await arena.refused("JoinEvent", ada, event="course"))[1] == "EVENT_NOT_OPEN"
    await change(arena, otto, times=times(opens=-2 * HOUR, closes=-HOUR))
    assert (await arena.refused("JoinEvent", ada, event="course"))[1] == "EVENT_REGISTRATION_CLOSED"
    await change(arena, otto, times=times(freezes=HOUR), caps=events_pb2.EventCaps(bots=1))
    wanted = {"name": "first", "event": "course", "bots": ["house-greedy-1"]}
    number = (await arena.ask("CreateTournament", otto, **wanted)).tournament.id
    assert (await arena.refused("EnterTournament", ada, id=number, bot="ada1"))[1] == "NO_MEMBER"
    await arena.ask("JoinEvent", ada, event="course")
    await arena.ask("EnterTournament", ada, id=number, bot="ada1")
    code, reason, text = await arena.refused("EnterTournament", ada, id=number, bot="ada2")
    assert (code, reason) == (grpc.StatusCode.RESOURCE_EXHAUSTED, "QUOTA_REACHED")
    assert "withdraw one of ada1 first" in text
    await change(arena, otto, times=times(freezes=-HOUR), caps=events_pb2.EventCaps())
    assert (await arena.refused("EnterTournament", ada, id=number, bot="ada2"))[1] == "ENTRIES_FROZEN"
    await arena.ask("EnterTournament", otto, id=number, bot="ada2")


@pytest.mark.parametrize(
    ("rated_on", "ladder"),
    [
        (events_pb2.RATED_ON_NONE, ""),
        (events_pb2.RATED_ON_OWN, "course-chinkway"),
        (events_pb2.RATED_ON_GAME, "chinkway"),
    ],
)
async def test_where_tournaments_count_is_said_by_the_event_or_by_themselves(
    arena: Arena, rated_on: events_pb2.RatedOn, ladder: str
) -> None:
    otto = await course(arena, rated_on=rated_on)
    await arena.five()

    async def counted(**given: Any) -> str:
        made = await arena.ask("CreateTournament", otto, name="x", event="course", bots=["ant"], **given)
        return str(made.tournament.ladder)

    assert await counted() == ladder
    assert await counted(unrated=True) == ""
    assert await counted(ladder="chinkway") == "chinkway"
    assert await counted(ladder="course-chinkway") == "course-chinkway"
    assert (await arena.ask("ListRatings", ladder="course-chinkway")).bots == []


async def test_a_closed_event_stays_as_it_is(arena: Arena) -> None:
    otto = await course(arena)
    await arena.five()
    number = (await arena.ask("CreateTournament", otto, name="x", event="course", bots=["ant"])).tournament.id
    await arena.ask("OpenLadder", otto, ladder=ladders_pb2.Ladder(ruleset="two", event="course"))
    code, reason, text = await arena.refused("CloseEvent", otto, name="course")
    assert (code, reason) == (WRONG_STATE, "EVENT_PLAYING")
    assert f"not over: {number};" in text
    await arena.ask("CancelTournament", otto, id=number)
    assert (await arena.ask("CloseEvent", otto, name="course")).event.state == events_pb2.EVENT_STATE_CLOSED
    assert (await arena.ask("ListLadders")).ladders == []
    event = events_pb2.Event(name="course")
    ada = await account(arena, "ada")
    for call, token, fields in (
        ("CloseEvent", otto, {"name": "course"}),
        ("ChangeEvent", otto, {"event": event}),
        ("JoinEvent", ada, {"event": "course"}),
        ("SetEventMember", otto, {"event": "course", "account": "ada"}),
        ("CreateInvitation", otto, {"event": "course"}),
        ("CreateTournament", otto, {"name": "y", "event": "course", "bots": ["ant"]}),
        ("OpenLadder", otto, {"ladder": ladders_pb2.Ladder(ruleset="two", event="course")}),
    ):
        assert (await arena.refused(call, token, **fields))[:2] == (WRONG_STATE, "EVENT_CLOSED"), call
    assert (await arena.refused("CloseEvent", arena.admin, name="arena"))[2] == "name"


async def test_next_years_event_is_a_copy_of_this_years_with_its_staff_and_without_its_times(arena: Arena) -> None:
    otto = await course(
        arena,
        about="Bots.",
        zone="Europe/Rome",
        by_invitation=True,
        rated_on=events_pb2.RATED_ON_OWN,
        caps=events_pb2.EventCaps(bots=2),
        times=times(starts=HOUR),
    )
    await account(arena, "hugo")
    await account(arena, "ada")
    await arena.ask("SetEventMember", otto, event="course", account="hugo", role=events_pb2.MEMBER_ROLE_HELPER)
    await arena.ask("SetEventMember", otto, event="course", account="ada")
    made = (await arena.ask("CreateEvent", otto, event=events_pb2.Event(name="course-27"), like="course")).event
    assert (made.title, made.about, made.zone, made.by_invitation) == ("A course", "Bots.", "Europe/Rome", True)
    assert (made.rated_on, made.caps.bots, made.state) == (events_pb2.RATED_ON_OWN, 2, events_pb2.EVENT_STATE_DRAFT)
    assert not made.times.HasField("starts")
    shown = await arena.ask("GetEvent", otto, name="course-27")
    assert [one.account for one in shown.members] == ["hugo", "otto"]


async def test_who_did_what_when_and_why_stays_in_the_log(arena: Arena) -> None:
    otto = await course(arena)
    tina, ada = await account(arena, "tina"), await account(arena, "ada")
    staff = {"event": "course", "account": "tina", "role": events_pb2.MEMBER_ROLE_ORGANISER, "team": "Staff"}
    await arena.ask("SetEventMember", otto, **staff)
    await arena.ask("JoinEvent", ada, event="course")
    await change(arena, tina, about="Bots.")
    made = (await arena.ask("CreateInvitation", tina, event="course", note="late")).invitation
    await arena.ask("RevokeInvitation", tina, id=made.id)
    await arena.ask("OpenLadder", tina, ladder=ladders_pb2.Ladder(ruleset="two", event="course"))
    await arena.ask("CloseLadder", tina, ladder="course-two")
    await arena.five()
    number = (
        await arena.ask("CreateTournament", tina, name="x", event="course", bots=["house-greedy-1"])
    ).tournament.id
    await arena.ask("CancelTournament", otto, id=number, reason="it rains")
    await arena.ask("RemoveEventMember", otto, event="course", account="ada")
    await arena.ask("CloseEvent", otto, name="course")
    await arena.ask("RevokeAccount", otto, name="ada")
    acts = (await arena.ask("ListActs", otto, event="course")).acts
    assert [(act.who, ActKind.Name(act.kind)[9:], act.subject, act.reason) for act in acts] == [
        ("otto", "CREATE", "", ""),
        ("otto", "PUBLISH", "", ""),
        ("otto", "SET_MEMBER", "tina", "organiser, team Staff"),
        ("ada", "JOIN", "", ""),
        ("tina", "CHANGE", "", "about"),
        ("tina", "INVITE", f"invitation {made.id}", "late"),
        ("tina", "END_INVITATION", f"invitation {made.id}", "late"),
        ("tina", "OPEN_LADDER", "course-two", ""),
        ("tina", "CLOSE_LADDER", "course-two", ""),
        ("tina", "CREATE", "", ""),
        ("otto", "CANCEL", "", "it rains"),
        ("otto", "REMOVE_MEMBER", "ada", ""),
        ("otto", "CLOSE", "", ""),
    ]
    assert [act.tournament for act in acts if act.tournament] == [number, number]
    assert (await arena.ask("ListActs", tournament=number)).acts == [act for act in acts if act.tournament]
    of_tina = (await arena.ask("ListActs", tina, event="course", who="tina", limit=2)).acts
    assert [ActKind.Name(act.kind)[9:] for act in of_tina] == ["CLOSE_LADDER", "CREATE"]
    older = (await arena.ask("ListActs", tina, event="course", who="tina", limit=1, before=of_tina[0].id)).acts
    assert [ActKind.Name(act.kind)[9:] for act in older] == ["OPEN_LADDER"]
    for token in (ada, tina):
        assert (await arena.refused("ListActs", token))[0] in (DENIED, UNAUTHENTICATED)
    everything = (await arena.ask("ListActs", otto)).acts
    assert (everything[-1].who, everything[-1].subject, everything[-1].event) == ("otto", "ada", "arena")


async def test_organisers_announce_on_the_page_of_their_event_and_take_it_back(arena: Arena) -> None:
    otto, ada = await course(arena), await account(arena, "ada")
    for call, fields in (("Announce", {"event": "course", "text": "hello"}), ("RetractAnnouncement", {"id": 1})):
        assert (await arena.refused(call, ada, **fields))[:2] == (DENIED, "NOT_ALLOWED")
    await arena.ask("Announce", otto, event="course", text="The room is B12.\nBring a laptop.")
    await arena.ask("Announce", otto, event="course", text="It begins at ten.")
    found = (await arena.ask("GetEvent", name="course")).announcements
    assert [(one.text, one.who) for one in found] == [
        ("It begins at ten.", "otto"),
        ("The room is B12.\nBring a laptop.", "otto"),
    ]
    await arena.ask("RetractAnnouncement", otto, id=found[1].id)
    assert [one.id for one in (await arena.ask("GetEvent", name="course")).announcements] == [found[0].id]
    assert (await arena.refused("RetractAnnouncement", otto, id=found[1].id))[1] == "ANNOUNCEMENT_UNKNOWN"
    for text, field in (("", "text"), (" \n", "text"), ("x" * 2001, "text"), ("a\0b", "text")):
        assert (await arena.refused("Announce", otto, event="course", text=text))[2] == field
    for _ in range(49):
        await arena.ask("Announce", otto, event="course", text="again")
    assert (await arena.refused("Announce", otto, event="course", text="again"))[1] == "QUOTA_REACHED"


async def test_of_two_organisers_who_edit_one_draft_the_second_sees_what_the_first_did(arena: Arena) -> None:
    otto = await course(arena)
    tina = await account(arena, "tina", Role.ORGANISER)
    first = (await arena.ask("GetEvent", otto, name="course")).event
    second = (await arena.ask("GetEvent", tina, name="course")).event
    first.title, second.zone = "Otto's", "Europe/Rome"
    await arena.ask("ChangeEvent", otto, event=first)
    assert (await arena.refused("ChangeEvent", tina, event=second))[:2] == (WRONG_STATE, "EVENT_CHANGED")
    again = (await arena.ask("GetEvent", tina, name="course")).event
    again.zone = "Europe/Rome"
    changed = (await arena.ask("ChangeEvent", tina, event=again)).event
    assert (changed.title, changed.zone) == ("Otto's", "Europe/Rome")


async def test_who_opens_a_ladder_names_the_house_bots_that_fill_it(arena: Arena) -> None:
    ladder = ladders_pb2.Ladder(ruleset="two", fill=True, rungs=["expert", "cautious"])
    assert (await arena.ask("OpenLadder", arena.admin, ladder=ladder)).ladder.rungs == ["expert", "cautious"]
    for wrong, field in (
        (ladders_pb2.Ladder(ruleset="three", fill=True, rungs=["greedy", "brave"]), "rungs[1]"),
        (ladders_pb2.Ladder(ruleset="three", rungs=["greedy"]), "rungs"),
    ):
        assert (await arena.refused("OpenLadder", arena.admin, ladder=wrong))[2] == field
