"""How often favourites were placed first on each ladder, as the last fit has counted it."""

import json
from collections.abc import Sequence
from dataclasses import asdict

from farfalia_server.store.meta import Meta
from farfalia_tournaments import ReliabilityBin


class LadderReliability:
    """Bins of probabilities, by ladder."""

    def __init__(self, meta: Meta) -> None:
        self._meta = meta

    async def of(self, ladder: str) -> tuple[ReliabilityBin, ...]:
        """Return the bins of a ladder, those of the least certain first; none before its first fit."""
        kept = await self._meta.get(_key(ladder))
        return () if kept is None else tuple(ReliabilityBin(**one) for one in json.loads(kept))

    async def replace(self, ladder: str, bins: Sequence[ReliabilityBin]) -> None:
        """Replace the bins of a ladder."""
        await self._meta.put(_key(ladder), json.dumps([asdict(one) for one in bins]))


def _key(ladder: str) -> str:
    return f"reliability {ladder}"
