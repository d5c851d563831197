"""What the page of a match shows beside the deals."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from statistics import median

from farfalia.v1 import record_pb2
from farfalia_server.conduct import ASKED, REPLACED, strikes_by_seat
from farfalia_server.records.codec import from_message
from farfalia_server.records.deal_views import DealView, deals_of


@dataclass(frozen=True, slots=True)
class SeatTime:
    """What a seat's decisions took, in milliseconds."""

    name: str
    decisions: int
    median: int
    longest: int
    together: int
    replaced: int
    strikes: int


def timing(record: record_pb2.Record) -> list[SeatTime]:
    """Return the times by seat, without those that a house bot held from the start: nobody was asked there."""
    strikes = strikes_by_seat(record)
    return [_seat_time(record, seat, strikes[seat]) for seat, who in enumerate(record.seats) if not who.house]


def deals_shown(record: record_pb2.Record) -> list[DealView]:
    """Return the deals of a record from the wire."""
    return deals_of(from_message(record))


def card_addresses(deals: Iterable[DealView]) -> dict[int, str]:
    """Return, by the place of an action in the record, where its card is shown: `3/4.2`, deal, trick and card in it."""
    return {
        play.index: f"{deal.number}/{trick.number}.{card}"
        for deal in deals
        for trick in deal.tricks
        for card, play in enumerate(trick.plays, 1)
    }


def _seat_time(record: record_pb2.Record, seat: int, strikes: int) -> SeatTime:
    own = [action for action in record.actions if action.seat == seat]
    took = [action.took_ms for action in own if action.cause in ASKED]
    replaced = sum(action.cause in REPLACED for action in own)
    return SeatTime(
        record.seats[seat].name,
        len(took),
        round(median(took or [0])),
        max(took, default=0),
        sum(took),
        replaced,
        strikes,
    )
