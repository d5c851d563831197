"""Where a program loses its points: its choices in its newest matches beside what the bot cautious would do there."""

from __future__ import annotations

import asyncio
import math
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from statistics import fmean, stdev
from typing import Final

from farfalia.analysis.prices import ComparedDecision, PricedDecision, check_priced
from farfalia.arena import Arena
from farfalia.errors import FarfaliaError
from farfalia.v1 import matches_pb2, record_pb2
from farfalia_engine import ruleset
from farfalia_server.analysis.deal_comparison import compare_in_time
from farfalia_server.analysis.match_pricing import can_analyse, give_way
from farfalia_server.contract.errors import FarfaliaServerError
from farfalia_server.local.missing_extra import install_line
from farfalia_server.net.cpu_cores import usable_cores
from farfalia_server.net.worker_process import WorkerProcess

#: Matches at most whose decisions are priced, the newest; and deals at most, so that a fast machine always prices the
#: same ones.
_MATCHES: Final = 20
_DEALS: Final = 60
#: Worker processes at most.
_WORKERS: Final = 4
#: A kind of decision stands out if it costs more than this number of standard errors; fewer deals have no error.
_SURE: Final = 2.0
_ENOUGH: Final = 4


@dataclass(frozen=True, slots=True)
class KindOfLoss:
    """What decisions of one kind cost in a match, in points, against what cautious would do; with standard error."""

    aspect: str
    points: float
    error: float

    @property
    def stands_out(self) -> bool:
        """Whether that is too much for chance."""
        return self.points > _SURE * self.error and self.points > 0


@dataclass(frozen=True, slots=True)
class Losses:
    """Where a program loses points, the most first, measured on `decisions` of `matches`.

    `dearest` is the mistake with the highest price, and `match` where it was made. `problem` says why nothing was
    priced; it is empty otherwise.
    """

    decisions: int = 0
    matches: int = 0
    kinds: list[KindOfLoss] = field(default_factory=list)
    dearest: PricedDecision | None = None
    match: int = 0
    ruleset: str = ""
    options: dict[str, str] = field(default_factory=dict)
    problem: str = ""

    @property
    def worst(self) -> KindOfLoss | None:
        """The kind that costs most, if it stands out."""
        return self.kinds[0] if self.kinds and self.kinds[0].stands_out else None


@dataclass(frozen=True, slots=True)
class _Deal:
    """A deal of a match, and what was found in it."""

    record: record_pb2.Record
    seat: int
    number: int
    found: list[ComparedDecision]


async def losses_of(arena: Arena, tournament: int, bot: str, seconds: float) -> Losses:
    """Return where a bot of a tournament loses its points, by what can be priced in these seconds.

    Deals are taken in turn from its newest matches: one of each, then another one. ArenaError if the server does not
    give their records.
    """
    if not can_analyse():
        return Losses(problem=f"that needs NumPy: {install_line('numpy')}")
    until = time.monotonic() + seconds
    records = await _records(arena, tournament, bot)
    if not records:
        return Losses(problem="it has finished no match")
    try:
        check_priced(ruleset(records[0].ruleset, dict(records[0].options)))
    except FarfaliaError as error:
        return Losses(problem=_fragment(str(error)))
    waiting = _deals(records, bot)
    done: list[_Deal] = []

    async def work(worker: WorkerProcess) -> None:
        await worker.run(give_way)
        for record, seat, number in waiting:
            left = until - time.monotonic()
            if left <= 0:
                return
            found = await worker.run(compare_in_time, record.SerializeToString(), seat, number, left)
            if found is not None:
                done.append(_Deal(record, seat, number, found))

    async with AsyncExitStack() as stack:
        count = min(_WORKERS, usable_cores())
        workers = [await stack.enter_async_context(WorkerProcess()) for _ in range(count)]
        ended = await asyncio.gather(*map(work, workers), return_exceptions=True)
    for failed in ended:
        if isinstance(failed, FarfaliaServerError):
            return Losses(problem=_fragment(str(failed)))
        if failed is not None:
            raise failed
    done.sort(key=lambda deal: (-deal.record.match, deal.number))
    return _together(done)


async def _records(arena: Arena, tournament: int, bot: str) -> list[record_pb2.Record]:
    """Return the records of its newest matches."""
    finished = matches_pb2.MATCH_STATE_FINISHED
    matches = arena.all_matches(tournament=tournament, bot=bot, state=finished, limit=_MATCHES)
    return [(await arena.get_record(match=match.id)).record async for match in matches if match.record_open]


def _deals(records: Sequence[record_pb2.Record], bot: str) -> Iterator[tuple[record_pb2.Record, int, int]]:
    """Yield deals of these matches, with the bot's seat: one of each, then another one."""
    given = 0
    for turn in range(max(len(record.outcome.deals) for record in records)):
        for place, record in enumerate(records):
            count = len(record.outcome.deals)
            if turn < count and given < _DEALS:
                given += 1
                seat = next(number for number, seat in enumerate(record.seats) if seat.name == bot)
                yield record, seat, (place + turn) % count + 1


def _together(deals: Sequence[_Deal]) -> Losses:
    if len(deals) < _ENOUGH:
        return Losses(problem="too few deals could be priced in this time")
    records = {deal.record.match: deal.record for deal in deals}
    in_match = fmean(len(record.outcome.deals) for record in records.values())
    aspects = sorted({one.aspect for deal in deals for one in deal.found})
    kinds = []
    for aspect in aspects:
        # Choices of one deal depend on each other, so that a deal counts as one.
        by_deal = [math.fsum(one.behind for one in deal.found if one.aspect == aspect) for deal in deals]
        kinds.append(KindOfLoss(aspect, in_match * fmean(by_deal), in_match * stdev(by_deal) / math.sqrt(len(deals))))
    kinds.sort(key=lambda kind: -kind.points)
    by_match: defaultdict[int, list[PricedDecision]] = defaultdict(list)
    for deal in deals:
        by_match[deal.record.match] += [one.priced for one in deal.found if one.priced and one.priced.mistake]
    mistakes = [(one.price, match, one) for match, found in by_match.items() for one in found]
    _, match, dearest = max(mistakes, key=lambda one: one[:2], default=(0.0, 0, None))
    first = deals[0].record
    return Losses(
        sum(len(deal.found) for deal in deals),
        len(records),
        kinds,
        dearest,
        match,
        first.ruleset,
        dict(first.options),
    )


def _fragment(text: str) -> str:
    """Return a sentence without its full stop."""
    return text.rstrip(".")
