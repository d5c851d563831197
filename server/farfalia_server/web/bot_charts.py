"""The charts on the page of a bot: its rating over time, how it did against others, and how long it decides."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import groupby

from farfalia.v1 import bots_pb2
from farfalia_server.web.charts import Axis, round_steps

#: Most versions in the chart of ratings.
_VERSIONS = 10
_WIDTH, _HEIGHT, _LEFT, _TOP = 720, 220, 36, 14
#: Width of the second axis, that of points.
_RIGHT = 52
#: Half-width of an interval up to which a rating says enough to be drawn, unless it never does.
_NARROW = 12.0
#: Rows of the table behind the chart: the newest.
_ROWS = 20
#: Height of the bars of decision times, and width of each.
_BARS, _BAR = 100, 24


@dataclass(frozen=True, slots=True)
class GridLine:
    """A line of equal skill, or a mark on the axis of points."""

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
    """Ratings over time, as coordinates; `shown` are the rows of the table behind it, newest first.

    `points_grid` are the marks of the axis of points, to `points_places` places; empty where no scale is known.
    """

    ladder: str
    width: int
    height: int
    grid: list[GridLine]
    points_grid: list[GridLine]
    points_places: int
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
class TimeBar:
    """Decisions that took about the same: a bar, and from which to which time, in milliseconds."""

    x: float
    height: float
    from_ms: float
    up_to_ms: float
    decisions: int


@dataclass(frozen=True, slots=True)
class TimeChart:
    """Decision times, each bar twice as long as the one before; `limit` is where the limit lies, None without one."""

    width: float
    height: float
    bar: float
    bars: list[TimeBar]
    limit: float | None


def time_chart(times: bots_pb2.DecisionTimes) -> TimeChart | None:
    """Return the chart of decision times; None without any."""
    if not times.buckets:
        return None
    most = max(one.decisions for one in times.buckets)
    # The upper end of each bar is twice that of the one before, less a millisecond for rounding.
    first = math.log2(times.buckets[0].up_to_ms + 1)
    bars = [
        TimeBar(
            at * _BAR,
            round(one.decisions / most * _BARS, 1),
            (one.up_to_ms - 1) / 2 if one.up_to_ms else 0,
            one.up_to_ms,
            one.decisions,
        )
        for at, one in enumerate(times.buckets)
    ]
    limit = (math.log2(times.limit_ms + 1) - first + 1) * _BAR if times.limit_ms else None
    width = max(len(bars) * _BAR, 0 if limit is None else limit) + _BAR / 2
    return TimeChart(round(width, 1), _BARS, _BAR - 4, bars, None if limit is None else round(max(0.0, limit), 1))


def history_chart(history: bots_pb2.RatingHistory) -> HistoryChart | None:
    """Return the chart of a history, from when the rating is settled; None if there is no line to draw."""
    versions = list(dict.fromkeys(point.version for point in reversed(history.points)))[:_VERSIONS]
    every = [point for point in history.points if point.version in versions]
    narrow = [number for number, point in enumerate(every) if point.high - point.low <= 2 * _NARROW]
    points = every[narrow[0] :] if narrow and len(every) - narrow[0] > 1 else every
    if len(points) < 2:
        return None
    low, high = min(point.low for point in points), max(point.high for point in points)
    right = _RIGHT if points[-1].HasField("points") else 4
    x, y = Axis(0, len(points) - 1, _WIDTH - _LEFT - right), Axis(low, high, _HEIGHT - _TOP - 4)

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
    marks = _points_axis(points[-1], low, high)
    in_points = [GridLine(value, round(_HEIGHT - 2 - y.at(mu), 1)) for value, mu in marks.items()]
    places = 0 if all(value == round(value) for value in marks) else 1
    return HistoryChart(
        history.ladder, _WIDTH, _HEIGHT, grid, in_points, places, parts, points, points[: -_ROWS - 1 : -1]
    )


def _points_axis(last: bots_pb2.RatingPoint, low: float, high: float) -> dict[float, float]:
    """Return which mu between two has which round number of points, by the points; empty where no scale is known.

    Points follow from mu by one straight line, of which a single rating with its interval tells slope and height.
    """
    if not last.HasField("points") or last.high <= last.mu:
        return {}
    unit = last.points_margin / (last.high - last.mu)
    steps = round_steps(last.points + unit * (low - last.mu), last.points + unit * (high - last.mu))
    return {value: last.mu + (value - last.points) / unit for value in steps}
