"""Whom entrants of a tournament beat by more than their strengths say, in the words that pages and terminals share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from farfalia.v1 import tournaments_pb2
from farfalia_server.wording.language import gettext, ngettext
from farfalia_server.wording.phrases import signed

#: Half of the 95 % interval of a normal distribution, in standard errors.
_INTERVAL = 1.96


@dataclass(frozen=True, slots=True)
class BeyondRow:
    """A pair, the one that gains more first: how many points per match more than strengths say, and half of the 95 %
    interval.
    """

    entrant: str
    other: str
    meetings: int
    points: float
    margin: float
    stands_out: bool

    @property
    def errors(self) -> float:
        """The points in standard errors."""
        return _INTERVAL * self.points / self.margin

    @property
    def words(self) -> str:
        """As `+5.2 ± 2.1`."""
        return f"{signed(self.points, 1)} ± {signed(self.margin, 1).lstrip('+')}"


def beyond_rows(tournament: tournaments_pb2.Tournament) -> list[BeyondRow]:
    """Return each pair of which it is known once, the furthest from what strengths say first."""
    names = [row.entrant for row in tournament.standings]
    rows = [
        BeyondRow(
            names[pair.row],
            names[pair.column],
            pair.meetings,
            pair.beyond_strength,
            _INTERVAL * pair.beyond_error,
            pair.stands_out,
        )
        for pair in tournament.pairs
        if pair.beyond_error and (pair.beyond_strength > 0 or (pair.beyond_strength == 0 and pair.row < pair.column))
    ]
    return sorted(rows, key=lambda row: -row.errors)


def beyond_words(rows: Sequence[BeyondRow]) -> str:
    """Return in sentences which of these pairs stand out; empty if nothing is known of any."""
    if not rows:
        return ""
    told = [
        gettext("{entrant} makes {points} points per match against {other} beyond what their strengths say.").format(
            entrant=row.entrant, points=row.words, other=row.other
        )
        for row in rows
        if row.stands_out
    ]
    if told:
        return " ".join([*told, gettext("Of pairs that stand out like that, 5 % are expected to be chance.")])
    return ngettext(
        "The only pair that met often enough does not stand out beyond its strengths.",
        "None of {pairs} pairs stands out beyond their strengths: what is left is such as chance makes.",
        len(rows),
    ).format(pairs=len(rows))
