"""The picture of `farfalia bench calibration`: probabilities of pairs as said against as observed, as SVG."""

import math
from collections.abc import Iterator
from html import escape
from typing import Final

from farfalia_tools.bench.calibration.benchmark import BinRow, CalibrationReport

#: Side of a diagram, the room left, above, right and below it, and how many are in a row.
_SIDE, _LEFT, _TOP, _RIGHT, _BOTTOM = 200, 46, 34, 14, 26
_IN_A_ROW: Final = 4
#: Room above and below all diagrams, for the sentences.
_HEAD, _FOOT = 44, 34
_STYLE: Final = "font-family: sans-serif; font-size: 11px"
_WIDTH: Final = _IN_A_ROW * (_LEFT + _SIDE + _RIGHT)


def picture(report: CalibrationReport) -> str:
    """Return a reliability diagram for each field: observed shares with two standard errors, and the diagonal."""
    fields = list(dict.fromkeys(row.field for row in report.bins))
    height = _HEAD + -(-len(fields) // _IN_A_ROW) * (_TOP + _SIDE + _BOTTOM) + _FOOT
    floor = min([0.4, *(math.floor(10 * _low(row)) / 10 for row in report.bins)])
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" role="img" style="{_STYLE}">',
        "<title>Probabilities of pairs: said and observed</title>",
        '<rect width="100%" height="100%" fill="#ffffff"/>',
        '<text x="10" y="26" font-size="16">How often the favourite of a pair was the stronger one, '
        "by the probability that was said</text>",
    ]
    for number, field in enumerate(fields):
        down, across = divmod(number, _IN_A_ROW)
        rows = [row for row in report.bins if row.field == field]
        left = across * (_LEFT + _SIDE + _RIGHT) + _LEFT
        top = _HEAD + down * (_TOP + _SIDE + _BOTTOM) + _TOP
        parts += [f'<g transform="translate({left} {top})">', *_diagram(field, rows, floor), "</g>"]
    parts.append(
        f'<text x="10" y="{height - 12}">Across: said. Up: observed, with two standard errors to either side. '
        "On the dashed line both are equal; below it, probabilities were too high.</text>"
    )
    return "\n".join([*parts, "</svg>", ""])


def _low(row: BinRow) -> float:
    return max(0.0, row.was.share - 2 * row.was.error)


def _diagram(field: str, rows: list[BinRow], floor: float) -> Iterator[str]:
    def y(share: float) -> float:
        return round(_SIDE * (1 - share) / (1 - floor), 1)

    of = f"{sum(row.was.of for row in rows):,} pairs"
    yield f'<text y="-10" font-weight="bold">{escape(field)}<tspan font-weight="normal"> · {of}</tspan></text>'
    for ten in range(round(10 * floor), 11):
        yield f'<path d="M0 {y(ten / 10)}H{_SIDE}" stroke="#dddddd"/>'
        if ten % 2 == 0:
            yield f'<text x="-6" y="{y(ten / 10) + 4}" text-anchor="end">{10 * ten} %</text>'
    for ten in range(5, 11):
        yield f'<path d="M{_x(ten / 10)} 0V{_SIDE}" stroke="#dddddd"/>'
        if ten % 2 == 0:
            yield f'<text x="{_x(ten / 10)}" y="{_SIDE + 16}" text-anchor="middle">{10 * ten} %</text>'
    yield f'<path d="M0 {y(0.5)}L{_SIDE} 0" stroke="#666666" stroke-dasharray="4 3"/>'
    points = " ".join(f"{_x(row.said)},{y(row.was.share)}" for row in rows)
    yield f'<polyline points="{points}" fill="none" stroke="#0072b2"/>'
    for row in rows:
        high = min(1.0, row.was.share + 2 * row.was.error)
        yield f'<path d="M{_x(row.said)} {y(_low(row))}V{y(high)}" stroke="#0072b2" stroke-width="2" opacity="0.6"/>'
        yield f'<circle cx="{_x(row.said)}" cy="{y(row.was.share)}" r="3.5" fill="#0072b2"/>'


def _x(share: float) -> float:
    return round(_SIDE * (share - 0.5) / 0.5, 1)
