"""The decisions of a seat as few bytes, some twenty each: column by column, in whole parts of a point, compressed."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator, Sequence
from typing import Final

from farfalia.v1 import analysis_pb2

#: Parts of a point that are kept of prices, which are added up, and of the values of actions, which are looked at.
_PRICE, _VALUE = 100, 10
_LEVEL: Final = 9


def pack(decisions: Sequence[analysis_pb2.PricedDecision]) -> bytes:
    """Return the decisions of one seat as bytes; match and seat are left out, the row has them."""
    values = [value for one in decisions for value in one.values]
    columns = [
        [one.number for one in decisions],
        [one.deal for one in decisions],
        [one.trick for one in decisions],
        [one.aspect for one in decisions],
        [one.action for one in decisions],
        [one.best for one in decisions],
        [round(one.price * _PRICE) for one in decisions],
        [round(one.error * _PRICE) for one in decisions],
        [round(one.open_price * _PRICE) if one.HasField("open_price") else None for one in decisions],
        [int(one.mistake) for one in decisions],
        [int(one.replaced) for one in decisions],
        [len(one.values) for one in decisions],
        [value.action for value in values],
        [round(value.value * _VALUE) for value in values],
        [round(value.error * _VALUE) for value in values],
    ]
    return zlib.compress(json.dumps(columns, separators=(",", ":")).encode(), _LEVEL)


def unpack(match_id: int, seat: int, data: bytes) -> list[analysis_pb2.PricedDecision]:
    """Return the decisions that `pack` made these bytes of: prices off by half a hundredth of a point, values of
    actions by half a tenth.
    """
    *of_decisions, actions, values, errors = json.loads(zlib.decompress(data))
    legal = map(_value, actions, values, errors)
    found = []
    for number, deal, trick, aspect, action, best, price, error, opened, mistake, replaced, count in zip(
        *of_decisions, strict=True
    ):
        found.append(
            analysis_pb2.PricedDecision(
                match=match_id,
                seat=seat,
                number=number,
                deal=deal,
                trick=trick,
                aspect=aspect,
                action=action,
                best=best,
                price=price / _PRICE,
                error=error / _PRICE,
                open_price=None if opened is None else opened / _PRICE,
                mistake=bool(mistake),
                replaced=bool(replaced),
                values=_next(legal, count),
            )
        )
    return found


def _value(action: int, value: int, error: int) -> analysis_pb2.ActionValue:
    return analysis_pb2.ActionValue(action=action, value=value / _VALUE, error=error / _VALUE)


def _next(values: Iterator[analysis_pb2.ActionValue], count: int) -> list[analysis_pb2.ActionValue]:
    return [next(values) for _ in range(count)]
