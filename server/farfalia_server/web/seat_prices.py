"""What a person's own decisions have cost, at its seat once the match is over."""

from __future__ import annotations

import asyncio

from farfalia.v1 import analysis_pb2, matches_pb2, record_pb2
from farfalia_engine import ruleset
from farfalia_server.arena.reading import Reader
from farfalia_server.contract.errors import FailedPrecondition
from farfalia_server.web.match_page import deals_shown
from farfalia_server.web.prices import MatchPrices, match_prices

#: States in which prices are still to come.
_ON_THE_WAY = (analysis_pb2.ANALYSIS_STATE_WAITING, analysis_pb2.ANALYSIS_STATE_RUNNING)


async def seat_prices(reader: Reader, match: matches_pb2.Match, name: str) -> MatchPrices | None:
    """Return the prices of the decisions of the entrant with this name, as far as they are; None without a record."""
    try:
        analysis, record = await reader.prices.of_match(match.id), await reader.record(match.id)
    except FailedPrecondition:
        return None
    return await asyncio.to_thread(_own, analysis, record, list(match.entrants), name)


def is_on_the_way(prices: MatchPrices | None) -> bool:
    """Return whether prices are being worked out."""
    return prices is not None and prices.state in _ON_THE_WAY


def _own(analysis: analysis_pb2.Analysis, record: record_pb2.Record, entrants: list[str], name: str) -> MatchPrices:
    """Return what is left of an analysis without the decisions of others."""
    seat, own = entrants.index(name), analysis_pb2.Analysis(state=analysis.state)
    own.decisions.extend(one for one in analysis.decisions if one.seat == seat)
    own.seats.extend(one for one in analysis.seats if one.seat == seat)
    deals = deals_shown(record) if own.decisions else []
    return match_prices(own, ruleset(record.ruleset, dict(record.options)), deals, entrants)
