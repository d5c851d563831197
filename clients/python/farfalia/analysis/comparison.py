"""Where a seat loses points against another bot: each of its choices beside what that bot would do there.

What the other bot's choices are worth more, summed over all choices of a deal, is on average what the seat makes less
in it than that bot would: if all others play as cautious does, and the other bot is cautious itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from farfalia.analysis.prices import ComparedDecision, aspect_of, check_priced
from farfalia.analysis.pricing import is_priced, price_decision
from farfalia.bots.cautious import CautiousBot
from farfalia_engine import Record, replay, ruleset

#: Worlds for each decision: the differences between deals are greater than the errors of these.
COMPARED_WORLDS: Final = 64


def compare_deal(
    record: Record, seat: int, deal: int, *, worlds: int = COMPARED_WORLDS, seed: int = 0
) -> Iterator[ComparedDecision]:
    """Yield the choices of a seat in one deal, counted from 1, that can be priced, beside what cautious would do.

    Raises NotPriced, UnreplayableRecord and ValueError as `price_decisions` does.
    """
    check_priced(ruleset(record.ruleset, record.options))
    other = CautiousBot()
    for number, (done, state) in enumerate(zip(record.actions, replay(record), strict=False)):
        if state.deal > deal:
            return
        if done.seat != seat or state.deal < deal or not is_priced(state, seat):
            continue
        view = state.observation(seat)
        would = other.decide(view)
        if would == done.action:
            yield ComparedDecision(number, aspect_of(view), 0.0, None)
            continue
        priced = price_decision(state, seat, done.action, number=number, worlds=worlds, seed=seed)
        values = {one.action: one.value for one in priced.values}
        yield ComparedDecision(number, priced.aspect, values[would] - values[done.action], priced)
