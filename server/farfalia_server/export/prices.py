"""What decisions have cost, for the table of decisions: as a server has it, or computed here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from farfalia.analysis.prices import WORLDS, NotPriced, PlacePrice
from farfalia.analysis.pricing import price_decisions
from farfalia.arena import BoardInPlay, SyncArena
from farfalia.v1 import analysis_pb2, record_pb2
from farfalia_server.records.codec import from_message


@dataclass(frozen=True, slots=True)
class Price:
    """The columns of a decision: the best action, its price, the standard error, and the value of each legal action.

    In the last deal of a match `places` has what it cost in places, and `ends` by legal action the place that is to be
    expected and the chance of first place.
    """

    best: int
    price: float
    error: float
    open_price: float | None
    values: list[float]
    places: PlacePrice | None
    ends: list[tuple[float | None, float | None]]


#: By the places of their actions in the record, from 0.
MatchPrices: TypeAlias = Mapping[int, Price]

#: In a match of which nothing was priced.
UNPRICED: Final[MatchPrices] = {}


@dataclass(slots=True)
class Prices:
    """Prices in this number of worlds: those that a server has, if it priced them in as many; all others are computed.

    `stored` and `computed` count matches of both kinds.
    """

    worlds: int
    arena: SyncArena | None = None
    stored: int = field(default=0, init=False)
    computed: int = field(default=0, init=False)

    def of(self, record: record_pb2.Record) -> MatchPrices:
        """Return the prices of a match whose record holds; none if its game has no prices."""
        if self.arena is not None and self.worlds == WORLDS:
            found = self._on_server(self.arena, record.match)
            if found is not None:
                self.stored += 1
                return found
        try:
            priced = {
                one.number: Price(
                    one.best,
                    one.price,
                    one.error,
                    one.open_price,
                    [action.value for action in one.values],
                    one.places,
                    [(action.place, action.first) for action in one.values],
                )
                for one in price_decisions(from_message(record), worlds=self.worlds)
            }
        except NotPriced:
            return UNPRICED
        self.computed += 1
        return priced

    def _on_server(self, arena: SyncArena, match: int) -> MatchPrices | None:
        """Return what the server has; None if it has nothing, or does not show it now."""
        try:
            analysis = arena.get_analysis(match=match).analysis
        except BoardInPlay:
            return None
        if analysis.state != analysis_pb2.ANALYSIS_STATE_DONE:
            return None
        return {
            one.number: Price(
                one.best,
                one.price,
                one.error,
                one.open_price if one.HasField("open_price") else None,
                [action.value for action in one.values],
                PlacePrice(one.places.best, one.places.price, one.places.error) if one.HasField("places") else None,
                [(action.place, action.first) for action in one.values],
            )
            for one in analysis.decisions
        }
