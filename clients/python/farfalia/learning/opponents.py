"""Who answers for the seats of a match that a policy does not play."""

from collections.abc import Sequence
from operator import index
from typing import TypeAlias

from farfalia.answers import checked
from farfalia.bot import Bot
from farfalia.bots import create
from farfalia.errors import BadAnswer
from farfalia.mistakes import check_bot
from farfalia.view import View

#: A house bot by its name, a bot of your own, or None: the policy.
Opponent: TypeAlias = str | Bot | None


def clockwise(opponents: Opponent | Sequence[Opponent], seats: int) -> tuple[Opponent, ...]:
    """Return who sits at a match, clockwise from the policy's seat, which is the first;
    one opponent takes all other seats.

    Raises ValueError for a wrong number of them, and BadSetting for a name or an object that is not a bot.
    """
    others: tuple[Opponent, ...]
    if isinstance(opponents, str) or not isinstance(opponents, Sequence):
        others = (opponents,) * (seats - 1)
    else:
        others = tuple(opponents)
    if len(others) != seats - 1:
        raise ValueError(f"opponents has {len(others)} entries, expected {seats - 1}: clockwise from the policy's seat")
    for other in others:
        if isinstance(other, str):
            create(other)
        elif other is not None:
            check_bot(other)
    return (None, *others)


def answers(bot: Bot, views: Sequence[View]) -> list[int]:
    """Return what a bot decides, all questions in one go; BadAnswer for anything but a legal action for each."""
    given = list(bot.decide_batch(views))
    if len(given) != len(views):
        raise BadAnswer(f"decide_batch returned {len(given)} actions; expected one for each of {len(views)} views")
    return [index(checked(view, action)) for view, action in zip(views, given, strict=True)]
