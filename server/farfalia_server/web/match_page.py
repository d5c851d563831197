"""What the page of a match shows beside the deals."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from statistics import median
from typing import Final

from farfalia.v1 import matches_pb2, record_pb2
from farfalia_engine import EngineError
from farfalia_server.contract.conduct import ASKED, REPLACED, strikes_by_seat
from farfalia_server.contract.errors import RecordDamaged, RecordError
from farfalia_server.records.codec import from_message
from farfalia_server.records.deal_views import DealView, deals_of

#: Most other tables of a board on the page of a deal; the page of the board has all.
_TABLES = 12
#: Matches whose deals are kept, since readers go on to the next one: a quarter of a megabyte each.
_KEPT: Final = 16


@dataclass(frozen=True, slots=True)
class TableElsewhere:
    """Another table that played the same deal, with each seat's points."""

    match: int
    points: list[tuple[str, int]]


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
    """Return the times by seat, without seats that a house bot held from the start: nobody was asked there."""
    strikes = strikes_by_seat(record)
    return [_seat_time(record, seat, strikes[seat]) for seat, who in enumerate(record.seats) if not who.house]


def deals_shown(record: record_pb2.Record) -> tuple[DealView, ...]:
    """Return the deals of a stored record; RecordDamaged if it cannot be played again."""
    try:
        return _deals(record.SerializeToString(deterministic=True))
    except (EngineError, RecordError):
        raise RecordDamaged(record.match) from None


@lru_cache(maxsize=_KEPT)
def _deals(record: bytes) -> tuple[DealView, ...]:
    return tuple(deals_of(from_message(record_pb2.Record.FromString(record))))


def summary(match: matches_pb2.Match, points: Sequence[int]) -> str:
    """Return who played, best first, with points once there are any: `ivy 99 – ada 88`."""
    if not points:
        return " – ".join(match.entrants)
    order = sorted(range(len(match.entrants)), key=lambda seat: match.outcome.places[seat])
    return " – ".join(f"{match.entrants[seat]} {points[seat]}" for seat in order)


def elsewhere(match: matches_pb2.Match, board: matches_pb2.Board | None, deal: int) -> list[TableElsewhere]:
    """Return the first of the other tables that played this deal of a board."""
    others = [] if board is None else [one for one in board.matches if one.id != match.id]
    played = [one for one in others if len(one.outcome.deals) >= deal]
    return [
        TableElsewhere(one.id, list(zip(one.entrants, one.outcome.deals[deal - 1].points, strict=True)))
        for one in played[:_TABLES]
    ]


def card_addresses(deals: Iterable[DealView]) -> dict[int, str]:
    """Return, by the place of an action in the record, where its card is shown: `3/4.2`, deal, trick and card in it."""
    return {
        play.index: f"{deal.number}/{trick.number}.{card}"
        for deal in deals
        for trick in deal.tricks
        for card, play in enumerate(trick.plays, 1)
    }


def decision_address(record: record_pb2.Record, index: int) -> str:
    """Return where an action of a record is shown: at its card, a decision without one at the card that is nearest."""
    cards = card_addresses(deals_shown(record))
    return cards[min(cards, key=lambda one: (abs(one - index), -one))]


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
