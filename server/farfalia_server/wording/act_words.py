"""What the log of acts says: what was done, to what, by whom and why."""

from __future__ import annotations

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


def act_words(act: acts_pb2.Act) -> str:
    """Return what was done to a tournament, to what, and why: `void: match 7 (the network was down)`."""
    said = gettext(ACTS.get(act.kind, "unknown"))
    words = f"{said}: {act.subject}" if act.subject else said
    return f"{words} ({act.reason})" if act.reason else words


def act_who(act: acts_pb2.Act) -> str:
    """Return who did it."""
    return act.who or gettext("the server")
