"""Whether a program answers as before after it has played other matches, on the same board too.

One that does keeps nothing from one match to the next, as far as questions can tell, and so it may keep its process
where every board is played from each seat.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, groupby
from typing import Final

from farfalia_engine import Ruleset, ruleset
from farfalia_server.conformance.ground import Ground
from farfalia_server.conformance.items import Item, Skipped
from farfalia_server.hosting.situations import Situation, decisions

#: Boards that are played from every seat.
_BOARDS: Final = 2
#: Decisions of a seat on a board that are asked for.
_OF_A_SEAT: Final = 12


def memory_in(rules: Ruleset | None = None) -> Item:
    """Return the item that looks for a memory in this game, or in the first one that the program plays."""

    async def look(ground: Ground) -> str:
        seats = list(_seats(rules or ruleset(ground.games[0])))
        before = [await _answers(ground, asked) for asked in seats]
        # The other way round, so that nothing is asked after what it was asked after before.
        after = [await _answers(ground, asked) for asked in reversed(seats)]
        answers = list(zip(chain(*before), chain(*reversed(after)), strict=True))
        if others := sum(one != other for one, other in answers):
            raise Skipped(
                f"{others} of {len(answers)} answers were others after more matches on the same boards: it remembers, "
                "or draws at random, as it may"
            )
        return f"{len(answers)} answers the same after more matches on the same boards"

    return Item("no memory", look)


def _seats(rules: Ruleset) -> Sequence[list[Situation]]:
    """Return what each seat decides on each board, in the order in which a program that goes round would see it."""
    found = []
    for number in range(_BOARDS):
        asked = sorted(decisions(rules, number), key=lambda one: one.seat)
        found += [list(group)[:_OF_A_SEAT] for _, group in groupby(asked, lambda one: one.seat)]
    return found


async def _answers(ground: Ground, asked: Sequence[Situation]) -> list[int]:
    """Ask for the decisions of one seat in a match of its own; whatever it answers, the next one is asked."""
    sits = ground.examination.sit(asked[0].rules, asked[0].seat, board=f"memory-{asked[0].match}")
    answers = [(await ground.examination.ask([(sits, situation)]))[0] for situation in asked]
    ground.examination.rise(sits)
    return answers
