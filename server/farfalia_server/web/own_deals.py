"""The deals of a person's own match on the board of a day, which others may not see yet."""

from __future__ import annotations

import asyncio

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from farfalia.v1 import matches_pb2
from farfalia_server.arena.reading import Reader
from farfalia_server.contract.errors import FailedPrecondition
from farfalia_server.web.calls import MakeCall, answer_to
from farfalia_server.web.deal_page import stepped
from farfalia_server.web.forms import seat_token
from farfalia_server.web.page_renderer import PageRenderer
from farfalia_server.web.query_parameters import card_of, check_names, deal_of, number_of


async def own_deal(request: Request, make: MakeCall, renderer: PageRenderer, reader: Reader) -> Response:
    """Return a deal to the browser whose guest has played it; the way to the match for all others, and to the page for
    everyone once there is one.
    """
    check_names(request, [])
    number, deal, card = number_of(request, "match"), deal_of(request), card_of(request)
    match = await reader.match(number)
    if match.record_open or not match.daily:
        at = "" if card is None else f"/{card[0]}.{card[1]}"
        return RedirectResponse(f"/matches/{number}/{deal}{at}", 303)
    wanted = matches_pb2.GetRecordRequest(match=number)
    try:
        record = (await answer_to(make, "GetRecord", wanted, request, seat_token(request))).record
    except FailedPrecondition:
        return RedirectResponse(f"/matches/{number}", 303)
    match.outcome.CopyFrom(record.outcome)  # which lists do not show yet
    page = await asyncio.to_thread(stepped, renderer, match, record, deal, card, own=True)
    page.headers["cache-control"] = "no-store"
    return page
