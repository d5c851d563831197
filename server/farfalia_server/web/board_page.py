"""The comparison on the page of a board: the same cards at every table that played them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import fmean

from farfalia.v1 import matches_pb2, record_pb2, tournaments_pb2
from farfalia_engine import CardFace
from farfalia_server.records.deal_views import DealView
from farfalia_server.web.match_page import deals_shown
from farfalia_server.wording.language import gettext

#: Most tables whose deal is replayed for its traveller: each takes some thirty milliseconds.
MOST_REPLAYED = 16


@dataclass(frozen=True, slots=True)
class Result:
    """The points of one seat at one table, and their difference from the mean of this seat at all tables."""

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
        _comparison(gettext("Whole match"), "", matches, [match.outcome.points for match in matches]),
        *(
            _comparison(
                gettext("Deal {number}").format(number=number + 1),
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
class SeatPlayed:
    """What a seat did in a deal besides its points: whose side it was on and what that side collected."""

    side: int
    collected: tuple[CardFace, ...]


@dataclass(frozen=True, slots=True)
class TablePlayed:
    """A table that played a deal: its trumps, and what each seat did."""

    deal: DealView
    seats: list[SeatPlayed]


@dataclass(frozen=True, slots=True)
class Traveller:
    """A deal as the tables played it: the hands by seat, a dummy's after its partner's, and the tables by match.

    `subjects` are those of the proposal, where the tables had the same.
    """

    dealer: int
    hands: list[list[tuple[CardFace, ...]]]
    subjects: str
    tables: dict[int, TablePlayed]


def traveller(records: Sequence[record_pb2.Record], number: int) -> Traveller:
    """Return a deal of these records, which are all of one board."""
    views = {record.match: deals_shown(record)[number - 1] for record in records}
    first = next(iter(views.values()))
    hands = [
        [first.hands[at] for at, held in enumerate(first.seats) if held == seat and at < len(first.hands)]
        for seat in range(len(records[0].seats))
    ]
    same = all(deal.subjects == first.subjects for deal in views.values())
    return Traveller(
        first.dealer,
        hands,
        first.subjects if same else "",
        {match: TablePlayed(deal, _seats(deal, len(hands))) for match, deal in views.items()},
    )


def best_first(compared: Comparison, played: Traveller) -> Comparison:
    """Return the rows with the best dealer first, and then those of tables that were not replayed."""

    def place(row: tuple[matches_pb2.Match, list[Result]]) -> tuple[bool, int]:
        match, results = row
        return match.id not in played.tables, -results[played.dealer].points

    return replace(compared, rows=sorted(compared.rows, key=place))


def _seats(deal: DealView, seats: int) -> list[SeatPlayed]:
    sides = [deal.sides[deal.seats.index(seat)] for seat in range(seats)]
    return [SeatPlayed(side, deal.collected(side)) for side in sides]


def neighbours(row: tournaments_pb2.Tournament, board: str) -> tuple[str, str]:
    """Return the previous and the next board that can be opened; empty if there is none."""
    names = [name for one in row.schedule for name in one.open_boards]
    if board not in names:
        return "", ""
    at = names.index(board)
    return names[at - 1] if at else "", names[at + 1] if at + 1 < len(names) else ""
