"""The decisions of a seat as few bytes, some twenty each: column by column, in whole parts of a point, compressed."""

from __future__ import annotations

import json
import zlib
from collections.abc import Sequence
from itertools import islice
from typing import Final

from farfalia.v1 import analysis_pb2

#: Parts of a point that are kept of prices, which are added up, and of the values of actions, which are looked at.
_PRICE, _VALUE = 100, 10
#: Parts of a place, and of certainty, that are kept.
_PLACE: Final = 100
_LEVEL: Final = 9


def pack(decisions: Sequence[analysis_pb2.PricedDecision]) -> bytes:
    """Return the decisions of one seat as bytes; match and seat are left out, the row has them."""
    values = [value for one in decisions for value in one.values]
    last = [one for one in decisions if one.HasField("places")]
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
        [_packed(one.places) if one.HasField("places") else None for one in decisions],
        [round(value.place * _PLACE) for one in last for value in one.values],
        [round(value.first * _PLACE) for one in last for value in one.values],
        [value.action for value in values],
        [round(value.value * _VALUE) for value in values],
        [round(value.error * _VALUE) for value in values],
    ]
    return zlib.compress(json.dumps(columns, separators=(",", ":")).encode(), _LEVEL)


def unpack(match_id: int, seat: int, data: bytes) -> list[analysis_pb2.PricedDecision]:
    """Return the decisions that `pack` made these bytes of: prices off by half a hundredth of a point, values of
    actions by half a tenth, places and chances by half a hundredth.
    """
    *of_decisions, places, firsts, actions, values, errors = json.loads(zlib.decompress(data))
    legal, ends = map(_value, actions, values, errors), zip(places, firsts, strict=True)
    found = []
    for number, deal, trick, aspect, action, best, price, error, opened, mistake, replaced, count, placed in zip(
        *of_decisions, strict=True
    ):
        own = list(islice(legal, count))
        if placed is not None:
            for value, (place, first) in zip(own, islice(ends, count), strict=True):
                value.place, value.first = place / _PLACE, first / _PLACE
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
                values=own,
                places=None if placed is None else _unpacked(*placed),
            )
        )
    return found


def _value(action: int, value: int, error: int) -> analysis_pb2.ActionValue:
    return analysis_pb2.ActionValue(action=action, value=value / _VALUE, error=error / _VALUE)


def _packed(places: analysis_pb2.PlacePrice) -> list[int]:
    return [places.best, round(places.price * _PLACE), round(places.error * _PLACE)]


def _unpacked(best: int, price: int, error: int) -> analysis_pb2.PlacePrice:
    return analysis_pb2.PlacePrice(best=best, price=price / _PLACE, error=error / _PLACE)
