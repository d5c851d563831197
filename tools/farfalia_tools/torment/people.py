"""All hostile people at once, beside honest bots that play."""

from __future__ import annotations

import asyncio
import math
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from itertools import count
from statistics import median

from farfalia_tools.torment.bad_bodies import bad_bodies, broken_calls, look_alike_names
from farfalia_tools.torment.catalogue import torment
from farfalia_tools.torment.guessing import guessed_passwords, mass_sign_up
from farfalia_tools.torment.harness import Harness
from farfalia_tools.torment.pace import honest_play
from farfalia_tools.torment.sessions import double_clicks, fixed_session, foreign_forms
from farfalia_tools.torment.stream import DidNotHold

#: Each does what its own torment does, again and again.
_PEOPLE: tuple[Callable[[Harness], Awaitable[str]], ...] = (
    guessed_passwords,
    mass_sign_up,
    fixed_session,
    foreign_forms,
    double_clicks,
    bad_bodies,
    broken_calls,
    look_alike_names,
)
#: How often the pace is measured with them, each time between two measurements without them, and what must be kept.
_TIMES, _KEPT = 3, 0.9
#: Matches of the tournament: it must not be over before the last measurement.
_MATCHES = 1200


@torment
async def people(harness: Harness) -> str:
    """Be all the hostile people at the pages at once, again and again, while honest bots play.

    What must hold for each holds; honest bots keep nine tenths of their pace without a strike, and none of their
    matches is void.
    """
    told: Counter[str] = Counter()
    costs: dict[bool, list[float]] = {False: [], True: []}

    async def pace(*, crowded: bool) -> float:
        began, before = time.monotonic(), await _cpu(harness)
        found = await play.pace()
        spent, seconds = await _cpu(harness) - before, time.monotonic() - began
        costs[crowded].append(spent / seconds)
        return found

    async with honest_play(harness, harness.address, _MATCHES) as play:
        alone, together = [await pace(crowded=False)], []
        for _ in range(_TIMES if harness.judge_times else 1):
            crowd = asyncio.create_task(_crowd(harness, told))
            try:
                together.append(await pace(crowded=True))
                if crowd.done():
                    await crowd
            finally:
                crowd.cancel()
                await asyncio.gather(crowd, return_exceptions=True)
            alone.append(await pace(crowded=False))
        await play.check()
    kept = median(together) / median(alone)
    seen = (
        f"the honest bots made {median(alone):.0f} decisions a second alone ({_listed(alone)}) and "
        f"{median(together):.0f} beside hostile people ({_listed(together)}): {kept:.2f} of their pace; the playing "
        f"process used {median(costs[False]):.2f} and {median(costs[True]):.2f} of a core; done were "
        f"{', '.join(f'{name} {number} times' for name, number in sorted(told.items())) or 'nothing'}"
    )
    if harness.judge_times and (math.isnan(kept) or kept < _KEPT):
        raise DidNotHold(seen)
    return seen


async def _crowd(harness: Harness, told: Counter[str]) -> None:
    """Be everybody until the task is cancelled; DidNotHold as for each."""

    async def again(person: Callable[[Harness], Awaitable[str]]) -> None:
        for _ in count():
            await person(harness)
            told[person.__name__.replace("_", "-")] += 1

    try:
        async with asyncio.TaskGroup() as group:
            for person in _PEOPLE:
                group.create_task(again(person))
    except* DidNotHold as faults:
        raise DidNotHold("; ".join(map(str, faults.exceptions))) from None


async def _cpu(harness: Harness) -> float:
    """Return the CPU seconds of the process that plays; NaN if it does not say."""
    return (await harness.metrics()).get("process_cpu_seconds_total", math.nan)


def _listed(paces: list[float]) -> str:
    return ", ".join(f"{pace:.0f}" for pace in paces)
