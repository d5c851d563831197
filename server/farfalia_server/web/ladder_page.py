"""The page of a ladder, and the top of one on the front page."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from starlette.requests import Request

from farfalia.v1 import ratings_pb2
from farfalia_server.arena.reading import Reader
from farfalia_server.web.charts import Axis
from farfalia_server.web.query_parameters import LADDER_PAGE, ORDERS, number_asked, order_asked
from farfalia_server.wording.points import no_points
from farfalia_tournaments import SETTLED, YOUNG

#: Rows on the front page.
TOP = 5


async def ladder_values(reader: Reader, ladder: str, request: Request) -> dict[str, Any]:
    """Return what the table of a ladder shows: one page of rows, and the addresses of the others."""
    skip, order = number_asked(request, "skip", 2**31), order_asked(request)
    search, owner = request.query_params.get("search", "").strip(), request.query_params.get("owner", "")
    found = await reader.ratings(ladder, limit=LADDER_PAGE, skip=skip, search=search, owner=owner, order=order)
    given = {
        "search": search,
        "owner": owner,
        "order": request.query_params.get("order", "") if order else "",
    }

    def address(**changed: str | int) -> str:
        asked = {name: value for name, value in {**given, **changed}.items() if value}
        return f"/ladders/{ladder}{'?' * bool(asked)}{urlencode(asked)}"

    rows = list(found.bots)
    return {
        "ladder": ladder,
        "rows": rows,
        "fixed": list(found.fixed),
        "fixed_shown": order == ratings_pb2.RATING_ORDER_UNSPECIFIED and not (skip or search or owner),
        "axis": _axis(found),
        "total": found.total,
        "first": skip + 1,
        "settled_from": SETTLED,
        "young": YOUNG,
        "search": search,
        "owner": owner,
        "order": given["order"] or "place",
        "sorted_by": {name: address(order=name if name != "place" else "") for name in ORDERS},
        "here": address(skip=skip),
        "everyone": address(search="", owner=""),
        "has": {
            "owner": any(row.info.owner for row in rows),
            "trend": any(len(row.trend) > 1 for row in rows),
            "last": any(row.HasField("last_match") for row in rows),
            "fit": any(row.HasField("fit") for row in rows),
            "points": any(row.HasField("points") for row in rows),
        },
        "no_points": no_points(rows),
        "less_luck": found.less_luck,
        "reliability": found.reliability,
        "pairs": found.pairs,
        "better": address(skip=max(0, skip - LADDER_PAGE)) if skip else None,
        "worse": address(skip=skip + LADDER_PAGE) if skip + LADDER_PAGE < found.total else None,
        "twin": f"/api/ratings?{urlencode({'ladder': ladder, 'limit': LADDER_PAGE, **request.query_params})}",
    }


async def top_values(reader: Reader, ladder: str) -> dict[str, Any]:
    """Return what the front page shows of a ladder."""
    found = await reader.ratings(ladder, limit=TOP)
    return {"ladder": ladder, "rows": list(found.bots), "axis": _axis(found)}


def _axis(found: ratings_pb2.ListRatingsResponse) -> Axis:
    """Return the axis of all bars, which has the skill of fixed bots on it."""
    fixed = [one.mu for one in found.fixed]
    return Axis(min(found.lowest, *fixed), max(found.highest, *fixed)) if fixed else Axis(found.lowest, found.highest)
