"""What was done, in words."""

from __future__ import annotations

from farfalia.v1 import acts_pb2
from farfalia_server.wording.acts import act_words, together


def act(kind: acts_pb2.ActKind, subject: str, reason: str = "", who: str = "") -> acts_pb2.Act:
    return acts_pb2.Act(kind=kind, subject=subject, reason=reason, who=who, event="cup")


def said(*acts: acts_pb2.Act) -> list[str]:
    return [act_words(one) for one in together(acts)]


def test_acts_that_differ_in_numbers_alone_are_one() -> None:
    void, replay = acts_pb2.ACT_KIND_VOID, acts_pb2.ACT_KIND_REPLAY
    numbers = [17, *range(21, 41), 43, 44]
    assert said(
        act(acts_pb2.ACT_KIND_PAUSE, "", "the switch is down"),
        *(act(void, f"match {number}", "the switch is down") for number in numbers),
        *(act(replay, f"match {number} as match {number + 30}", "the switch is down") for number in (17, 18)),
        act(void, "match 50", "wrong bots"),
    ) == [
        "paused (the switch is down)",
        "void: matches 17, 21–40, 43, 44 (the switch is down)",
        "played again: matches 17, 18 as matches 47, 48 (the switch is down)",
        "void: match 50 (wrong bots)",
    ]


def test_invitations_stand_in_their_order_also_where_the_newest_is_first() -> None:
    invite = acts_pb2.ACT_KIND_INVITE
    newest_first = [act(invite, f"invitation {number}", "teams") for number in (3, 2, 1)]
    assert said(*newest_first) == ["invited: invitations 1–3 (teams)"]


def test_acts_of_others_or_to_others_stay_apart() -> None:
    enter = acts_pb2.ACT_KIND_ENTER
    apart = [act(enter, "ant"), act(enter, "bee"), act(enter, "bee", who="ada"), act(enter, "bee", "again", "ada")]
    assert together(apart) == apart
    twice = [acts_pb2.Act(kind=enter, subject="ant", id=number) for number in (1, 2)]
    assert together(twice) == twice
