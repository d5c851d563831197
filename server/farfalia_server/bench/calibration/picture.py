"""The picture of `farfalia bench calibration`: probabilities of pairs as said against as observed, as SVG."""

from collections.abc import Iterator
from html import escape
from typing import Final

from farfalia_server.bench.calibration.benchmark import ALL, BinRow, CalibrationReport

#: Size of the diagram and of the room around it.
_SIDE, _LEFT, _TOP, _RIGHT, _BOTTOM = 400, 60, 40, 190, 50
#: Colours that eyes without red or green can tell apart (Okabe and Ito), and the shapes beside them.
_COLOURS: Final = ("#000000", "#e69f00", "#56b4e9", "#009e73", "#0072b2", "#d55e00", "#cc79a7")
_STYLE: Final = "font-family: sans-serif; font-size: 12px"


def picture(report: CalibrationReport) -> str:
    """Return a reliability diagram: a line for each field, with two standard errors, and the diagonal of the truth."""
    fields = list(dict.fromkeys(row.field for row in report.bins))
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_LEFT + _SIDE + _RIGHT} {_TOP + _SIDE + _BOTTOM}" '
        f'role="img" style="{_STYLE}">',
        "<title>Probabilities of pairs: said and observed</title>",
        '<rect width="100%" height="100%" fill="#ffffff"/>',
        f'<text x="{_LEFT}" y="{_TOP - 16}">Observed share of pairs, by the probability said</text>',
        *_axes(),
    ]
    for number, field in enumerate(fields):
        rows = [row for row in report.bins if row.field == field]
        parts += _line(field, rows, _COLOURS[number % len(_COLOURS)], "" if number < len(_COLOURS) else "5 3", number)
    return "\n".join([*parts, "</svg>", ""])


def _x(share: float) -> float:
    return round(_LEFT + _SIDE * (share - 0.5) / 0.5, 1)


def _y(share: float) -> float:
    return round(_TOP + _SIDE * (1 - max(0.4, share)) / 0.6, 1)


def _axes() -> Iterator[str]:
    for ten in range(4, 11):
        share = ten / 10
        yield f'<path d="M{_x(0.5)} {_y(share)}H{_x(1)}" stroke="#dddddd"/>'
        yield f'<text x="{_LEFT - 8}" y="{_y(share) + 4}" text-anchor="end">{share:.0%}</text>'
        if ten >= 5:
            yield f'<path d="M{_x(share)} {_y(0.4)}V{_y(1)}" stroke="#dddddd"/>'
            yield f'<text x="{_x(share)}" y="{_y(0.4) + 18}" text-anchor="middle">{share:.0%}</text>'
    yield f'<path d="M{_x(0.5)} {_y(0.5)}L{_x(1)} {_y(1)}" stroke="#888888" stroke-dasharray="2 3"/>'
    yield f'<text x="{_x(0.75)}" y="{_y(0.4) + 40}" text-anchor="middle">said</text>'


def _line(field: str, rows: list[BinRow], colour: str, dashes: str, number: int) -> Iterator[str]:
    width = 2.5 if field == ALL else 1.2
    points = " ".join(f"{_x(row.said)},{_y(row.was.share)}" for row in rows)
    pen = f'stroke="{colour}" stroke-width="{width}" stroke-dasharray="{dashes}"'
    yield f'<polyline points="{points}" fill="none" {pen}/>'
    for row in rows:
        low, high = _y(row.was.share - 2 * row.was.error), _y(min(1, row.was.share + 2 * row.was.error))
        yield f'<path d="M{_x(row.said)} {low}V{high}" stroke="{colour}" stroke-width="{width}"/>'
        yield f'<circle cx="{_x(row.said)}" cy="{_y(row.was.share)}" r="3" fill="{colour}"/>'
    top = _TOP + 20 * number + 10
    yield f'<path d="M{_LEFT + _SIDE + 20} {top}h24" {pen}/>'
    yield f'<text x="{_LEFT + _SIDE + 52}" y="{top + 4}">{escape(field)}</text>'
