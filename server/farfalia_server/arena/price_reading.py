"""What decisions have cost, as the contract's messages."""

from __future__ import annotations

from typing import Final

from farfalia.v1 import analysis_pb2, bots_pb2
from farfalia_server.arena.analysing import analysis_of
from farfalia_server.store import Bot, BotPrices, Store

#: Mistakes of a bot that are shown of each game.
_DEAREST: Final = 20


class PriceReader:
    """Reads the analyses of matches and what they say of bots."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def of_match(self, number: int) -> analysis_pb2.Analysis:
        """Return the analysis of a match as far as it is; errors as for its record."""
        return await analysis_of(self._store, number)

    async def add_to(self, answer: bots_pb2.GetBotResponse, bot: Bot, game: str, version: str) -> None:
        """Add what a bot's decisions have cost, at a game and at a version if they are given."""
        found = await self._store.prices.of_bot(bot.id, game, version)
        newest = {one.version: place for place, one in enumerate(answer.versions)}
        found.sort(key=lambda one: (one.ruleset, newest.get(one.version, len(newest)), one.aspect))
        answer.prices.extend(map(_message, found))
        for ruleset in dict.fromkeys(one.ruleset for one in found):
            answer.dearest.extend(await self._store.prices.dearest(bot.id, ruleset, version, limit=_DEAREST))


def _message(one: BotPrices) -> analysis_pb2.VersionPrices:
    return analysis_pb2.VersionPrices(
        ruleset=one.ruleset,
        version=one.version,
        aspect=one.aspect,
        decisions=one.own.decisions,
        mistakes=one.own.mistakes,
        price=one.own.mean,
        error=one.own.error,
        field_decisions=one.field.decisions,
        field_mistakes=one.field.mistakes,
        field_price=one.field.mean,
    )
