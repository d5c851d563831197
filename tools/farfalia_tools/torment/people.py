"""All hostile people at once, beside honest bots that play."""

from __future__ import annotations

import asyncio
import os
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Collection, Iterable, Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from statistics import median

from farfalia_tools.torment.bad_bodies import bad_bodies, broken_calls, look_alike_names
from farfalia_tools.torment.browser import HostileBrowser
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

    What must hold for each holds; no honest bot has a strike, and none of their matches is void. Where the people have
    a core of their own, the honest bots keep nine tenths of their pace.
    """
    told: Counter[str] = Counter()
    with _apart(harness.hostile_core) as move:
        async with honest_play(harness, harness.address, _MATCHES) as play:
            move()
            alone, together, before, seconds = [await play.pace()], [], HostileBrowser.answered, 0.0
            for _ in range(_TIMES if harness.judge_times else 1):
                began = time.monotonic()
                crowd = asyncio.create_task(_crowd(harness, told))
                try:
                    together.append(await play.pace())
                    if crowd.done():
                        await crowd
                finally:
                    crowd.cancel()
                    await asyncio.gather(crowd, return_exceptions=True)
                seconds += time.monotonic() - began
                alone.append(await play.pace())
            answered = HostileBrowser.answered - before
            await play.check()
    kept = median(together) / median(alone)
    where = "a core of their own" if harness.hostile_core is not None else "cores that they share"
    seen = (
        f"the honest bots made {_listed(alone)} decisions a second alone and {_listed(together)} beside hostile people "
        f"on {where}: {kept:.2f}; these had {answered / seconds:.0f} answers a second, and did "
        f"{', '.join(f'{name} {number} times' for name, number in sorted(told.items())) or 'nothing to its end'}"
    )
    if harness.judge_times and harness.hostile_core is not None and kept < _KEPT:
        raise DidNotHold(seen)
    return seen


@contextmanager
def _apart(core: int | None) -> Iterator[Callable[[], None]]:
    """Give what is started first all cores but this one; what is yielded then moves this process to it, if it is one.

    Hostile people are elsewhere as a rule. On the machine of the server and of the honest bots, they would take their
    cores from these, which is not the server's doing.
    """
    if core is None:
        yield lambda: None
        return
    every = os.sched_getaffinity(0)
    try:
        _move(every - {core})
        yield lambda: _move({core})
    finally:
        _move(every)


def _move(cores: Collection[int]) -> None:
    """Run all threads of this process on these cores."""
    for thread in Path("/proc/self/task").iterdir():
        with suppress(ProcessLookupError):
            os.sched_setaffinity(int(thread.name), cores)


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


def _listed(numbers: Iterable[float]) -> str:
    """Return the median, and behind it all."""
    every = list(numbers)
    return f"{median(every):.0f} ({', '.join(f'{number:.0f}' for number in every)})"
