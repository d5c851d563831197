"""A deal of a finished match, as the events from which the pages' script draws its table."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final, TypedDict

from farfalia.v1 import record_pb2
from farfalia_server.contract.errors import NotFound
from farfalia_server.contract.said import said
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


def check_deal(match: int, deals: Sequence[DealView], number: int, card: tuple[int, int] | None) -> None:
    """Raise NotFound unless a match with these deals has this one, and in it this card: its trick and its place there.

    All are counted from 1.
    """
    if not 1 <= number <= len(deals):
        raise NotFound(
            said(
                "match %(match)s has no deal %(number)s; expected 1 to %(most)s",
                match=match,
                number=number,
                most=len(deals),
            )
        )
    if card is None:
        return
    (trick, place), tricks = card, deals[number - 1].tricks
    if not (1 <= trick <= len(tricks) and 1 <= place <= len(tricks[trick - 1].plays)):
        raise NotFound(
            said(
                "deal %(number)s of match %(match)s has no card %(trick)s.%(card)s",
                number=number,
                match=match,
                trick=trick,
                card=place,
            )
        )


@lru_cache(maxsize=_KEPT)
def _events(record: bytes, language: str) -> list[SpectatorEvent]:
    """Return the events of a match, with causes in a language."""
    with speaking(language):
        return match_events(record_pb2.Record.FromString(record), cause)
