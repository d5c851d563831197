"""All hostile people at once, beside honest bots that play."""

from __future__ import annotations

import asyncio
import math
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from itertools import count
from statistics import median

from farfalia_tools.torment.bad_bodies import bad_bodies, broken_calls, look_alike_names
from farfalia_tools.torment.catalogue import torment
from farfalia_tools.torment.guessing import guessed_passwords, mass_sign_up
from farfalia_tools.torment.harness import Harness
from farfalia_tools.torment.pace import HonestPlay, honest_play
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
#: CPU seconds of the event loop that plays. Hostile people on the server's machine also take its cores from the honest
#: bots, which is not the server's doing; what it spends on them in this loop is what matches lose wherever they are.
_SPENT = "farfalia_loop_cpu_seconds_total"
#: Matches of the tournament: it must not be over before the last measurement.
_MATCHES = 1200


@torment
async def people(harness: Harness) -> str:
    """Be all the hostile people at the pages at once, again and again, while honest bots play.

    What must hold for each holds; with a second of its CPU the server still plays nine tenths of the honest bots'
    decisions, without a strike, and none of their matches is void.
    """
    told: Counter[str] = Counter()
    async with honest_play(harness, harness.address, _MATCHES) as play:
        alone, together = [await _pace(harness, play)], []
        for _ in range(_TIMES if harness.judge_times else 1):
            crowd = asyncio.create_task(_crowd(harness, told))
            try:
                together.append(await _pace(harness, play))
                if crowd.done():
                    await crowd
            finally:
                crowd.cancel()
                await asyncio.gather(crowd, return_exceptions=True)
            alone.append(await _pace(harness, play))
        await play.check()
    kept = median(pace.of_cpu for pace in together) / median(pace.of_cpu for pace in alone)
    seen = (
        f"with a second of its CPU the server played {_listed(pace.of_cpu for pace in alone)} decisions of the honest "
        f"bots alone and {_listed(pace.of_cpu for pace in together)} beside hostile people: {kept:.2f}; they made "
        f"{_listed(pace.decisions for pace in alone)} and {_listed(pace.decisions for pace in together)} a second on "
        f"cores that they share with the people; done were "
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


@dataclass(frozen=True)
class _Pace:
    """Decisions of the honest bots in a second, and with a second of the event loop's CPU; NaN if that is unknown."""

    decisions: float
    of_cpu: float


async def _pace(harness: Harness, play: HonestPlay) -> _Pace:
    decisions, spent = await play.decisions(), await _spent(harness)
    pace = await play.pace()
    return _Pace(pace, (await play.decisions() - decisions) / (await _spent(harness) - spent))


async def _spent(harness: Harness) -> float:
    return (await harness.metrics()).get(_SPENT, math.nan)


def _listed(numbers: Iterable[float]) -> str:
    """Return the median, and behind it all."""
    every = list(numbers)
    return f"{median(every):.0f} ({', '.join(f'{number:.0f}' for number in every)})"
