"""How often predictions came true, by ladder, as counted by the last fit."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass

from farfalia_server.store.meta import Meta
from farfalia_tournaments import PairBin, ReliabilityBin


@dataclass(frozen=True, slots=True)
class LadderBins:
    """How often favourites were placed ahead in matches, and favourites of tournaments' pairs at the next meeting."""

    matches: Sequence[ReliabilityBin] = ()
    pairs: Sequence[PairBin] = ()


class LadderReliability:
    """Bins of probabilities, by ladder."""

    def __init__(self, meta: Meta) -> None:
        self._meta = meta

    async def of(self, ladder: str) -> LadderBins:
        """Return the bins of a ladder, the least certain first; none before its first fit."""
        kept, pairs = await self._meta.get(_key(ladder)), await self._meta.get(_pairs_key(ladder))
        return LadderBins(
            [] if kept is None else [ReliabilityBin(**one) for one in json.loads(kept)],
            [] if pairs is None else [PairBin(**one) for one in json.loads(pairs)],
        )

    async def replace(self, ladder: str, bins: LadderBins) -> None:
        """Replace the bins of a ladder."""
        await self._meta.put(_key(ladder), json.dumps([asdict(one) for one in bins.matches]))
        await self._meta.put(_pairs_key(ladder), json.dumps([asdict(one) for one in bins.pairs]))


def _key(ladder: str) -> str:
    return f"reliability {ladder}"


def _pairs_key(ladder: str) -> str:
    return f"reliability of pairs {ladder}"
