"""Programs that are handed in, and the hosts that run them, in words."""

from __future__ import annotations

from farfalia.v1 import programs_pb2
from farfalia_server.wording.figures import in_figures
from farfalia_server.wording.language import gettext

PROGRAM_STATES = {
    programs_pb2.PROGRAM_STATE_CHECKING: "checking",
    programs_pb2.PROGRAM_STATE_READY: "ready",
    programs_pb2.PROGRAM_STATE_REFUSED: "refused",
}
#: What each step of a check looks at.
STEPS = {
    "unpacked": "unpack the archive",
    "built": "build it",
    "started": "start it",
    "connected": "connect",
    "situations": "answer situations of each game",
    "matches": "play matches",
}
#: The sandbox that is none.
_NONE = "none"


def program_state(program: programs_pb2.Program) -> str:
    """Return what has become of a program: whether the bot plays with it, or how its check stands."""
    return gettext("plays") if program.active else gettext(PROGRAM_STATES.get(program.state, "checking"))


def program_step(name: str) -> str:
    """Return what a step of a check does; a step that a newer host takes has its own name."""
    return gettext(STEPS[name]) if name in STEPS else name


def host_state(host: programs_pb2.Host) -> str:
    """Return what a host does."""
    if host.lost:
        return gettext("lost")
    return gettext("drains") if host.report.draining else gettext("runs programs")


def host_sandbox(host: programs_pb2.Host) -> str:
    """Return in what a host runs programs; "none" protects nobody."""
    return gettext("none: protects nobody") if host.report.sandbox == _NONE else host.report.sandbox


def size(count: int) -> str:
    """Return a number of bytes: `12 KB`, `3.4 MB`, `15.6 GB`."""
    if count < 1 << 20:
        return f"{-(-count // 1024)} KB"
    return in_figures(f"{count / (1 << 20):.1f} MB" if count < 1 << 30 else f"{count / (1 << 30):.1f} GB")


PROGRAM_FILTERS = {
    "host_sandbox": host_sandbox,
    "host_state": host_state,
    "program_state": program_state,
    "program_step": program_step,
    "size": size,
}
