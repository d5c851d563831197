"""The log in words: what was done to events and tournaments, by whom, and why."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import groupby

from farfalia.v1 import acts_pb2
from farfalia_server.wording.language import gettext

ACTS = {
    acts_pb2.ACT_KIND_START: "started",
    acts_pb2.ACT_KIND_PAUSE: "paused",
    acts_pb2.ACT_KIND_RESUME: "resumed",
    acts_pb2.ACT_KIND_VOID: "void",
    acts_pb2.ACT_KIND_REPLAY: "played again",
    acts_pb2.ACT_KIND_ENTER: "entered",
    acts_pb2.ACT_KIND_WITHDRAW: "withdrawn",
    acts_pb2.ACT_KIND_REPLACE: "entered",
    acts_pb2.ACT_KIND_CANCEL: "cancelled",
    acts_pb2.ACT_KIND_FINISH: "finished",
    acts_pb2.ACT_KIND_CREATE: "created",
    acts_pb2.ACT_KIND_CHANGE: "changed",
    acts_pb2.ACT_KIND_PUBLISH: "published",
    acts_pb2.ACT_KIND_CLOSE: "closed",
    acts_pb2.ACT_KIND_JOIN: "joined",
    acts_pb2.ACT_KIND_SET_MEMBER: "member set",
    acts_pb2.ACT_KIND_REMOVE_MEMBER: "member removed",
    acts_pb2.ACT_KIND_INVITE: "invited",
    acts_pb2.ACT_KIND_END_INVITATION: "invitation ended",
    acts_pb2.ACT_KIND_OPEN_LADDER: "ladder opened",
    acts_pb2.ACT_KIND_CLOSE_LADDER: "ladder closed",
    acts_pb2.ACT_KIND_REVOKE_ACCOUNT: "account revoked",
    acts_pb2.ACT_KIND_SET_PASSWORD: "password set",
    acts_pb2.ACT_KIND_ROTATE_TOKEN: "token replaced",
    acts_pb2.ACT_KIND_SUSPEND: "suspended",
    acts_pb2.ACT_KIND_LET_BACK: "let back",
    acts_pb2.ACT_KIND_HIDE: "hidden",
    acts_pb2.ACT_KIND_SHOW: "shown again",
    acts_pb2.ACT_KIND_RENAME: "renamed",
    acts_pb2.ACT_KIND_REMOVE: "removed",
    acts_pb2.ACT_KIND_STRIKE: "results struck",
    acts_pb2.ACT_KIND_SCHEDULE: "start set",
    acts_pb2.ACT_KIND_ANNOUNCE: "announced",
    acts_pb2.ACT_KIND_RETRACT: "taken back",
    acts_pb2.ACT_KIND_LINK_PASSWORD: "password link made",
    acts_pb2.ACT_KIND_CREATE_TOKEN: "token made",
    acts_pb2.ACT_KIND_REVOKE_TOKEN: "token revoked",
    acts_pb2.ACT_KIND_SET_EMAIL: "e-mail address set",
}
#: What many acts at once are done to, one and several of them, with a number each.
_COUNTED = {"match": "matches", "invitation": "invitations"}
_NUMBERED = re.compile(rf"({'|'.join(_COUNTED)}) (\d+)")


def act_words(act: acts_pb2.Act) -> str:
    """Return what was done to a tournament, to what, and why: `void: match 7 (the network was down)`."""
    said = gettext(ACTS.get(act.kind, "unknown"))
    words = f"{said}: {act.subject}" if act.subject else said
    return f"{words} ({act.reason})" if act.reason else words


def act_who(act: acts_pb2.Act) -> str:
    """Return who did it."""
    return act.who or gettext("the server")


def together(acts: Iterable[acts_pb2.Act]) -> list[acts_pb2.Act]:
    """Return the same acts, each with those that follow it and differ in numbers alone: `matches 17, 21–40`."""
    return [_one(list(same)) for _, same in groupby(acts, _kind)]


def _kind(act: acts_pb2.Act) -> tuple[object, ...]:
    kind = _NUMBERED.sub(r"\1", act.subject)
    alone = act.id if kind == act.subject else 0
    return act.kind, act.who, act.reason, act.event, act.tournament, kind, alone


def _one(acts: list[acts_pb2.Act]) -> acts_pb2.Act:
    """Return the first of acts that differ in numbers alone, with the numbers of all."""
    found = acts_pb2.Act()
    found.CopyFrom(acts[0])
    if len(acts) > 1:
        numbers = zip(*([int(number) for _, number in _NUMBERED.findall(act.subject)] for act in acts), strict=True)
        spans = map(_spans, numbers)
        found.subject = _NUMBERED.sub(lambda one: f"{_COUNTED[one[1]]} {next(spans)}", found.subject)
    return found


def _spans(numbers: Iterable[int]) -> str:
    """Return numbers in their order, with the first and the last of those that follow each other: `3, 5–9`."""
    found: list[list[int]] = []
    for number in sorted(numbers):
        if found and number == found[-1][-1] + 1:
            found[-1].append(number)
        else:
            found.append([number])
    return ", ".join(f"{span[0]}–{span[-1]}" if len(span) > 2 else ", ".join(map(str, span)) for span in found)


ACT_FILTERS = {"act_who": act_who, "act_words": act_words, "together": together}
