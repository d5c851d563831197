"""What a unit of mu is worth in points, by ladder."""

from __future__ import annotations

from farfalia_server.rating.ladder_habits import LadderNoises
from farfalia_server.store import DEFAULT_SYSTEM, Store
from farfalia_tournaments import PointsScale, rating_system

#: Matches of a ladder after which its noise may have been measured anew, as `MatchNoise` has it.
_PERIOD = 100


class PointsScales:
    """The scales of ladders, each kept until its noise may have been measured anew."""

    def __init__(self, store: Store) -> None:
        self._store = store
        #: What they rest on and in which period it was read, by ladder.
        self._known: dict[str, tuple[str, int, PointsScale | None]] = {}

    async def of(self, ladder: str) -> PointsScale | None:
        """Return the scale of a ladder by all that its chain has, None as long as too few bots have met again."""
        name = await self._store.ratings.system() or DEFAULT_SYSTEM
        period = await self._store.rating_chain.count(ladder) // _PERIOD
        known = self._known.get(ladder)
        if known is None or known[:2] != (name, period):
            noise = await LadderNoises(self._store).of(ladder, name)
            scale = None if noise.points is None else PointsScale(noise.points, rating_system(name))
            known = self._known[ladder] = name, period, scale
        return known[2]
