"""A deal of a finished match, as the events from which the pages' script draws its table."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final, TypedDict

from farfalia.v1 import record_pb2
from farfalia_server.records.deal_views import DealView
from farfalia_server.records.played_events import match_events, of_deal
from farfalia_server.records.spectator_events import SpectatorEvent
from farfalia_server.wording.language import language, speaking
from farfalia_server.wording.phrases import cause
from farfalia_server.wording.translating import event_in_language

#: Matches that are kept as they were played, since readers go on to the next deal: half a megabyte each.
_KEPT: Final = 8


class PlayedDeal(TypedDict):
    """A deal for the script."""

    match: int
    deal: int
    deals: int
    events: list[dict[str, Any]]


def played_deal(record: record_pb2.Record, deals: int, number: int) -> PlayedDeal:
    """Return deal `number` of a finished match, counted from 1, with everything open."""
    events = of_deal(_events(record.SerializeToString(deterministic=True), language()), number)
    told = [event_in_language(event) for event in events]
    return PlayedDeal(match=record.match, deal=number, deals=deals, events=told)


def has_card(deal: DealView, trick: int, card: int) -> bool:
    """Return whether a deal has this card of this trick, both counted from 1."""
    return 1 <= trick <= len(deal.tricks) and 1 <= card <= len(deal.tricks[trick - 1].plays)


@lru_cache(maxsize=_KEPT)
def _events(record: bytes, language: str) -> list[SpectatorEvent]:
    """Return the events of a match, with causes in a language."""
    with speaking(language):
        return match_events(record_pb2.Record.FromString(record), cause)
