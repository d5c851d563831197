"""File descriptors: every connection of a bot or a reader takes one, so both ports share what the system allows."""

from __future__ import annotations

import resource
from dataclasses import dataclass

#: Descriptors that the server needs itself (databases, logs, worker processes), and per table for Redis.
_OWN, _OF_A_TABLE = 64, 2
#: More than one process can use; some systems have no limit at all.
_ENOUGH = 1 << 16
#: Connections of readers at most, and their share where descriptors are few.
_MOST_HTTP, _HTTP_SHARE = 512, 4


@dataclass(frozen=True, slots=True)
class ConnectionLimits:
    """How many connections each port accepts at a time."""

    grpc: int
    http: int


def raise_limit() -> int:
    """Raise this process's limit on open files as far as the system lets it; return the limit."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _ENOUGH if hard == resource.RLIM_INFINITY else min(hard, _ENOUGH)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
            soft = wanted
        except (OSError, ValueError):  # macOS allows less than it says
            pass
    return _ENOUGH if soft == resource.RLIM_INFINITY else soft


def share(descriptors: int, tables: int) -> ConnectionLimits:
    """Share among the two ports what the server and its tables leave over, but at least half of all descriptors.

    HTTP gets a quarter at most, and bots the rest.
    """
    free = descriptors - min(_OWN + _OF_A_TABLE * tables, descriptors // 2)
    http = min(_MOST_HTTP, free // _HTTP_SHARE)
    return ConnectionLimits(grpc=free - http, http=http)
