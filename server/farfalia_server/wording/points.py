"""Ratings in points per match, in the words that pages and terminal share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from farfalia.v1 import bots_pb2
from farfalia_server.wording.crosstable import percent
from farfalia_server.wording.language import gettext
from farfalia_server.wording.phrases import decimal, signed
from farfalia_tournaments import REPEATS

#: Standard deviations on either side of the mean that hold 95 % of a normal distribution.
_INTERVAL = 1.96


class InPoints(Protocol):
    """What may have points with half of their 95 % interval: a rating, a row of a ladder, two ratings."""

    @property
    def points(self) -> float:
        """The points, 0 if there are none."""

    @property
    def points_margin(self) -> float:
        """Half of their interval."""

    def HasField(self, field_name: str, /) -> bool:  # noqa: N802
        """Return whether a field is there."""


def in_points(one: InPoints) -> str:
    """Return points with their interval: `+4.2 ±2.4`; a dash if there are none."""
    return f"{signed(one.points, 1)} ±{decimal(one.points_margin, 1)}" if one.HasField("points") else "–"


def no_points(shown: Sequence[InPoints]) -> str:
    """Return why some of what is shown is not in points; empty if all is. Every place says it in this sentence."""
    if all(one.HasField("points") for one in shown):
        return ""
    return gettext(
        "Not in points yet: what a unit of skill is worth is measured once bots that had met before have met {number}"
        " times in matches without partners."
    ).format(number=REPEATS)


def made_more(game: bots_pb2.PairGame) -> str:
    """Return how many points per match more a bot made against another one, with the interval: `+1.2 ±0.8`."""
    margin = f" ±{decimal(_INTERVAL * game.margin_error, 1)}" if game.margin_error else ""
    return f"{signed(game.margin, 1)}{margin}"


def apart_words(one: bots_pb2.PairRating, pair: bots_pb2.BotPair) -> str:
    """Return how far two ratings are apart, in points where a scale is known, and which bot is the stronger one."""
    if not one.HasField("points"):
        said = gettext("{bot} is stronger than {other} with {percent} %.")
    else:
        said = gettext("{bot} makes {points} points per match more than {other}; it is stronger with {percent} %.")
    return said.format(bot=pair.bot, other=pair.against, points=in_points(one), percent=percent(one.stronger))


#: What templates say of points.
POINTS_FILTERS = {"apart_words": apart_words, "in_points": in_points, "made_more": made_more, "no_points": no_points}
