"""Runs torments, one after the other."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Iterable
from contextlib import suppress
from pathlib import Path

from farfalia.arena import ArenaError
from farfalia_tools.torment import (  # noqa: F401  # they add their torments to the catalogue
    bad_bodies,
    calls,
    catalogue,
    field,
    floods,
    guessing,
    hostile_text,
    http2_floods,
    malformed,
    misplaced,
    people,
    returning,
    sessions,
    slowness,
    stalled,
    tokens,
)
from farfalia_tools.torment.catalogue import Torment, TormentFinding
from farfalia_tools.torment.harness import Harness
from farfalia_tools.torment.stream import DidNotHold, StatusLost

#: All torments by name. The field comes last: it is the longest, and the others come one by one.
TORMENTS = dict(sorted(catalogue.TORMENTS.items(), key=lambda named: named[0] == "field"))
#: How often a torment is begun again because gRPC has lost a status.
_REPEATS = 4
#: What the server's log may not have: in each form of a log these bytes begin what says where an error came from.
_TRACEBACK = b"Traceback (most recent"


async def run(harness: Harness, torments: Iterable[Torment]) -> AsyncIterator[TormentFinding]:
    """Run torments and yield what was found with each; ArenaError if the server cannot be asked at all."""
    for one in torments:
        yield await _tried(harness, one)


async def _tried(harness: Harness, one: Torment) -> TormentFinding:
    began, logged = time.monotonic(), _size(harness)
    try:
        held, seen = True, await _seen(harness, one)
        if harness.log and _TRACEBACK in _read(harness.log, logged):
            held, seen = False, f"the server's log has a traceback, and {seen}"
    except DidNotHold as fault:
        held, seen = False, str(fault)
    except ArenaError as error:
        held, seen = False, f"a call of the organiser failed: {error}"
    except Exception as error:  # what the contract does not allow for must not keep the other torments from running
        held, seen = False, f"the server's answer was not what the contract says: {type(error).__name__}: {error}"
    finally:
        await harness.clear()
    return TormentFinding(one.name, one.does, one.must, held, seen, time.monotonic() - began)


def _size(harness: Harness) -> int:
    return harness.log.stat().st_size if harness.log else 0


def _read(log: Path, began: int) -> bytes:
    with log.open("rb") as file:
        file.seek(began)
        return file.read()


async def _seen(harness: Harness, one: Torment) -> str:
    """Return what a torment has seen, with other bots if gRPC has lost a status that it looks at."""
    for _ in range(_REPEATS):
        with suppress(StatusLost):
            return await one.body(harness)
        await harness.clear()
    return await one.body(harness)
