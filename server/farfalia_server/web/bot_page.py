"""What the page of a bot draws."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from farfalia.v1 import bots_pb2
from farfalia_server.web.charts import Axis, round_steps

_WIDTH, _HEIGHT, _LEFT, _TOP = 720, 220, 36, 14
#: Half-width of an interval up to which a rating says enough to be drawn, unless it never does.
_NARROW = 12.0
#: Rows of the table behind the chart, the newest.
_ROWS = 20


@dataclass(frozen=True, slots=True)
class GridLine:
    """A line of equal skill."""

    value: float
    y: float


@dataclass(frozen=True, slots=True)
class Part:
    """The history of one version: a line, the band around it, and where it begins."""

    version: str
    x: float
    line: str
    band: str


@dataclass(frozen=True, slots=True)
class HistoryChart:
    """Ratings over time, as coordinates; `shown` are the rows of the table behind it, newest first."""

    ladder: str
    width: int
    height: int
    grid: list[GridLine]
    parts: list[Part]
    points: list[bots_pb2.RatingPoint]
    shown: list[bots_pb2.RatingPoint]

    @property
    def first(self) -> bots_pb2.RatingPoint:
        """The oldest point."""
        return self.points[0]

    @property
    def last(self) -> bots_pb2.RatingPoint:
        """The newest point."""
        return self.points[-1]


@dataclass(frozen=True, slots=True)
class PlaceRow:
    """How often a bot had each place at tables of one game and size, the first place first."""

    ruleset: str
    matches: int
    places: list[bots_pb2.PlaceCount]


def place_rows(places: Sequence[bots_pb2.PlaceCount]) -> list[PlaceRow]:
    """Return a row for each game and size of the table."""
    rows = []
    for (ruleset, _), group in groupby(places, key=lambda one: (one.ruleset, one.seats)):
        counts = list(group)
        rows.append(PlaceRow(ruleset, sum(one.matches for one in counts), counts))
    return rows


def history_chart(history: bots_pb2.RatingHistory) -> HistoryChart | None:
    """Return the chart of a history, from when the rating is settled; None if there is no line to draw."""
    every = list(history.points)
    narrow = [number for number, point in enumerate(every) if point.high - point.low <= 2 * _NARROW]
    points = every[narrow[0] :] if narrow and len(every) - narrow[0] > 1 else every
    if len(points) < 2:
        return None
    low, high = min(point.low for point in points), max(point.high for point in points)
    x, y = Axis(0, len(points) - 1, _WIDTH - _LEFT - 4), Axis(low, high, _HEIGHT - _TOP - 4)

    def place(number: int, value: float) -> str:
        return f"{_LEFT + x.at(number):g},{round(_HEIGHT - 2 - y.at(value), 1):g}"

    parts = []
    for version, group in groupby(enumerate(points), key=lambda one: one[1].version):
        own = list(group)
        parts.append(
            Part(
                version,
                _LEFT + x.at(own[0][0]),
                " ".join(place(number, point.mu) for number, point in own),
                " ".join(
                    [place(number, point.high) for number, point in own]
                    + [place(number, point.low) for number, point in reversed(own)]
                ),
            )
        )
    grid = [GridLine(value, round(_HEIGHT - 2 - y.at(value), 1)) for value in round_steps(low, high)]
    return HistoryChart(history.ladder, _WIDTH, _HEIGHT, grid, parts, points, points[: -_ROWS - 1 : -1])
