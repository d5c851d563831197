"""What the page of a board compares: the same cards at every table that played them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from farfalia.v1 import matches_pb2


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
