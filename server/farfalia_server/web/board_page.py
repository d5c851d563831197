"""What the page of a board compares: the same cards at every table that played them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from farfalia.v1 import matches_pb2, record_pb2, tournaments_pb2
from farfalia_engine import CardFace
from farfalia_server.records.deal_views import DealView
from farfalia_server.web.match_page import deals_shown

#: Tables whose deal is played again for its traveller: each takes some thirty milliseconds.
MOST_REPLAYED = 16


@dataclass(frozen=True, slots=True)
class Result:
    """What one seat of one table got, and how much that is above the mean of this seat at all tables."""

    points: int
    above: float


@dataclass(frozen=True, slots=True)
class Comparison:
    """One deal, or the whole match: a row for each table, a result for each seat, and each seat's mean."""

    title: str
    anchor: str
    rows: list[tuple[matches_pb2.Match, list[Result]]]
    means: list[float]


def comparisons(board: matches_pb2.Board) -> list[Comparison]:
    """Return the whole match first, and then each deal that every table has played."""
    matches = list(board.matches)
    deals = min(len(match.outcome.deals) for match in matches)
    return [
        _comparison("Whole match", "", matches, [match.outcome.points for match in matches]),
        *(
            _comparison(
                f"Deal {number + 1}",
                f"/{number + 1}",
                matches,
                [match.outcome.deals[number].points for match in matches],
            )
            for number in range(deals)
        ),
    ]


def _comparison(
    title: str, anchor: str, matches: Sequence[matches_pb2.Match], points: Sequence[Sequence[int]]
) -> Comparison:
    means = [fmean(own) for own in zip(*points, strict=True)]
    rows = [
        (match, [Result(got, got - mean) for got, mean in zip(own, means, strict=True)])
        for match, own in zip(matches, points, strict=True)
    ]
    return Comparison(title, anchor, rows, means)


@dataclass(frozen=True, slots=True)
class TravellerSeat:
    """What a seat of a table made of a deal: its cards, what its side collected, and how far it is from the mean."""

    bot: str
    dealer: bool
    side: int
    hand: tuple[CardFace, ...]
    collected: tuple[CardFace, ...]
    points: int
    above: float


@dataclass(frozen=True, slots=True)
class TravellerRow:
    """A table in a traveller."""

    match: int
    deal: DealView
    seats: list[TravellerSeat]


def traveller(board: matches_pb2.Board, records: Sequence[record_pb2.Record], number: int) -> list[TravellerRow]:
    """Return a deal as the tables played it, best first by the points of the dealer; `records` are of its matches."""
    views = [(record, deals_shown(record)[number - 1]) for record in records]
    means = [
        fmean(own) for own in zip(*(match.outcome.deals[number - 1].points for match in board.matches), strict=True)
    ]
    rows = [TravellerRow(record.match, deal, _seats(record, deal, means)) for record, deal in views]
    return sorted(rows, key=lambda row: -row.deal.scores[row.deal.dealer])


def _seats(record: record_pb2.Record, deal: DealView, means: Sequence[float]) -> list[TravellerSeat]:
    found = []
    for seat, held in enumerate(record.seats):
        position = deal.seats.index(seat)
        side, points = deal.sides[position], deal.scores[seat]
        found.append(
            TravellerSeat(
                held.name,
                seat == deal.dealer,
                side,
                deal.hands[position] if position < len(deal.hands) else (),
                deal.collected(side),
                points,
                points - means[seat],
            )
        )
    return found


def neighbours(row: tournaments_pb2.Tournament, board: str) -> tuple[str, str]:
    """Return the boards before and after one that can be opened too; empty where there is none."""
    names = [name for one in row.schedule for name in one.open_boards]
    if board not in names:
        return "", ""
    at = names.index(board)
    return names[at - 1] if at else "", names[at + 1] if at + 1 < len(names) else ""
