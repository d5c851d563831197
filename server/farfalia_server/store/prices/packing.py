"""The decisions of a seat as few bytes: whole hundredths of points, compressed."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable
from typing import Any, Final

from farfalia.v1 import analysis_pb2

#: Parts of a point that are kept. Standard errors are tenths at best.
_PARTS: Final = 100
_LEVEL: Final = 9


def pack(decisions: Iterable[analysis_pb2.PricedDecision]) -> bytes:
    """Return the decisions of one seat as bytes; match and seat are left out, the row has them."""
    rows = [_row(one) for one in decisions]
    return zlib.compress(json.dumps(rows, separators=(",", ":")).encode(), _LEVEL)


def unpack(match_id: int, seat: int, data: bytes) -> list[analysis_pb2.PricedDecision]:
    """Return the decisions that `pack` made these bytes of, off by half a hundredth of a point."""
    return [_decision(match_id, seat, row) for row in json.loads(zlib.decompress(data))]


def _row(one: analysis_pb2.PricedDecision) -> list[Any]:
    values = [number for value in one.values for number in (value.action, _whole(value.value), _whole(value.error))]
    open_price = _whole(one.open_price) if one.HasField("open_price") else None
    place = [one.number, one.deal, one.trick, one.aspect, one.action, one.best]
    return [*place, _whole(one.price), _whole(one.error), open_price, int(one.mistake), int(one.replaced), values]


def _decision(match_id: int, seat: int, row: list[Any]) -> analysis_pb2.PricedDecision:
    number, deal, trick, aspect, action, best, price, error, open_price, mistake, replaced, values = row
    triples = zip(values[::3], values[1::3], values[2::3], strict=True)
    return analysis_pb2.PricedDecision(
        match=match_id,
        seat=seat,
        number=number,
        deal=deal,
        trick=trick,
        aspect=aspect,
        action=action,
        best=best,
        price=price / _PARTS,
        error=error / _PARTS,
        open_price=None if open_price is None else open_price / _PARTS,
        mistake=bool(mistake),
        replaced=bool(replaced),
        values=[
            analysis_pb2.ActionValue(action=of, value=value / _PARTS, error=around / _PARTS)
            for of, value, around in triples
        ],
    )


def _whole(points: float) -> int:
    return round(points * _PARTS)
