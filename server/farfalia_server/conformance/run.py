"""Goes through the items with a program, and starts it again after each that it has failed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic
from typing import Final

from farfalia_engine import GAMES
from farfalia_server.conformance import items, stream_items
from farfalia_server.conformance.ground import Ground
from farfalia_server.conformance.items import Item, Skipped
from farfalia_server.conformance.memory import memory_in
from farfalia_server.contract.clauses import Finding
from farfalia_server.hosting.examination import Broken
from farfalia_server.local.programs import Programs

PASSED, FAILED, SKIPPED = "passed", "failed", "skipped"
#: Findings of one item that are told, and lines that are kept of what a program wrote.
_TOLD, _LINES = 5, 20

CONNECTS: Final = Item("connects", items.connects)
#: In the order in which they are looked at; the last one ends the program.
ITEMS: Final = (
    CONNECTS,
    *map(items.situations_of, GAMES),
    Item("batches", items.batches),
    Item("repeated questions", items.repeated),
    Item("pings", items.pings),
    Item("results", items.results),
    Item("void matches", items.voided),
    Item("unknown kinds", items.unknown_kinds),
    Item("unknown fields", items.unknown_fields),
    Item("nonces", items.nonces),
    Item("lost streams", stream_items.lost_stream),
    Item("drain", stream_items.drain),
    Item("killed server", stream_items.server_killed),
    Item("matches", items.matches),
    memory_in(),
    Item("stops", stream_items.stops),
)


@dataclass(frozen=True, slots=True)
class Seen:
    """What came of an item; `output` are the last lines that the program wrote before it failed."""

    name: str
    state: str
    text: str
    took_ms: int
    findings: Sequence[Finding] = ()
    output: Sequence[str] = field(default=())


async def conform(
    command: Sequence[str],
    output: Path,
    *,
    seconds: float,
    patience: float,
    tell: Callable[[Seen], None],
    chosen: Sequence[Item] = ITEMS,
) -> list[Seen]:
    """Look at all items with a program, and tell of each as soon as it is known; ProgramError if it cannot be started.

    It has `seconds` for each answer, and `patience` to connect and to come back. What it writes goes into a file.
    """
    seen: list[Seen] = []

    def note(one: Seen) -> None:
        seen.append(one)
        tell(one)

    async with Programs() as programs:
        waiting = list(chosen)
        while waiting:
            async with AsyncExitStack() as stack:
                ground = Ground(seconds, patience)
                await stack.enter_async_context(ground.running(programs, command, output))
                if not seen:
                    waiting = [one for one in waiting if one is not CONNECTS]
                    note(await _look(CONNECTS, ground))
                elif (again := await _look(CONNECTS, ground)).state is FAILED:
                    note(Seen("connects again", FAILED, again.text, again.took_ms, again.findings, again.output))
                if seen[-1].state is FAILED and seen[-1].name.startswith("connects"):
                    for one in waiting:
                        note(Seen(one.name, SKIPPED, "the program had not connected", 0))
                    return seen
                while waiting:
                    note(await _look(waiting.pop(0), ground))
                    if seen[-1].state is FAILED:
                        break
    return seen


async def _look(item: Item, ground: Ground) -> Seen:
    began, state, text = monotonic(), PASSED, ""
    broken: list[Finding] = []
    try:
        text = await item.look(ground)
    except Skipped as reason:
        state, text = SKIPPED, str(reason)
    except Broken as error:
        broken += error.findings
    findings = [*ground.examination.remarks, *ground.pings.late, *broken]
    ground.examination.remarks.clear()
    ground.pings.late.clear()
    output: Sequence[str] = ()
    if findings:
        state, output = FAILED, ground.program.tail(_LINES) if ground.program is not None else ()
        more = f" and {len(findings) - 1} more" if len(findings) > 1 else ""
        text = f"{findings[0].text}{more}"
    return Seen(item.name, state, text, round((monotonic() - began) * 1000), findings[:_TOLD], output)
