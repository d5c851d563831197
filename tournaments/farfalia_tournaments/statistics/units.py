"""Units: what counts as one observation of skill, with the effect of the hands taken out as far as equal boards allow.

A match says little about skill, since most of its points come from the cards. Matches that were dealt equal cards say
more: a table that plays a board with the seats rotated gives everyone each hand, and several tables with one board
show what each hand of it was worth, as the datum of duplicate bridge does. Where one table alone has played a board,
house bots' match with it takes their place: J. Davidson, C. Archibald and M. Bowling, "Baseline: Practical Control
Variates for Agent Evaluation in Zero-Sum Domains", AAMAS 2013.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Final, Generic

from farfalia_tournaments.results import Entrant, MatchResult, booked, shown, without_luck

#: Shrinkage of a hand's effect: of its mean at n other tables, n / (n + this) is taken off, an estimate with this prior
#: weight in tables. Close to the best factors in the simulation that `noise` names, 0.47, 0.79 and 0.90 for one, four
#: and nine other tables.
DATUM_SHRINKAGE: Final = Fraction(53, 50)
#: The same where luck is taken out before, so that less of a score is the hands': 3 to 6 were as good in matches of
#: `farfalia bench luck`, and 1.06 much worse as soon as a weak bot sits at the other table.
DATUM_SHRINKAGE_WITHOUT_LUCK: Final = 5
#: The same for one match of house bots with the board: 0.71 to 0.80 was measured there. It is fixed in advance, as a
#: control variate's weight must be to leave means unchanged.
BASELINE_WEIGHT: Final = Fraction(3, 4)


class _Board(Generic[Entrant]):
    """What the tables with one board made of it, and by `baseline` house bots, if they had it."""

    def __init__(self, baseline: Sequence[int] | None) -> None:
        self.tables: dict[frozenset[Entrant], list[MatchResult[Entrant]]] = {}
        self._baseline = baseline

    def effects(self, matches: Sequence[MatchResult[Entrant]]) -> list[Fraction]:
        """Return the effect of each seat's hands in these matches, those of one of the tables, in points."""
        known, others = any(matches[0].luck), len(self.tables) - 1
        if len(matches) == 1 and others:
            shrunk = others + (DATUM_SHRINKAGE_WITHOUT_LUCK if known else DATUM_SHRINKAGE)
            own = _relative_points(matches[0])
            return [(made - mine) / shrunk for made, mine in zip(self._total, own, strict=True)]
        if len(matches) == 1 and self._baseline is not None:
            mean = Fraction(sum(self._baseline), len(self._baseline))
            weight = Fraction(1, 1 + DATUM_SHRINKAGE_WITHOUT_LUCK) if known else BASELINE_WEIGHT
            return [weight * (points - mean) for points in self._baseline]
        return []

    @cached_property
    def _total(self) -> list[Fraction]:
        """The relative points of each seat, summed over the tables."""
        points_by_seat = [_relative_points(matches[0]) for matches in self.tables.values()]
        return [sum(seat, Fraction(0)) for seat in zip(*points_by_seat, strict=True)]


@dataclass(frozen=True)
class Unit(Generic[Entrant]):
    """One match, or the block of all matches that one table played with equal cards."""

    results: tuple[MatchResult[Entrant], ...]
    _board: _Board[Entrant] = field(repr=False, compare=False)

    @cached_property
    def scores(self) -> Mapping[Entrant, Fraction]:
        """The scores in points per match: an entrant's points less the mean of the table, both without luck, less the
        effect of its hands. Computed when they are asked for first: ratings and rows of standings need none.
        """
        effects = self._board.effects(self.results)
        totals = dict.fromkeys(self.results[0].entrants, Fraction(0))
        for result in self.results:
            made = without_luck(result, [booked(result, seat) for seat in range(len(result.points))])
            if effects:
                made = [score - effect for score, effect in zip(made, effects, strict=True)]
            for entrant, score in zip(result.entrants, made, strict=True):
                totals[entrant] += score
        return {entrant: total / len(self.results) for entrant, total in totals.items()}

    @property
    def shown(self) -> frozenset[Entrant]:
        """The entrants about whom any of the matches tells something."""
        return frozenset(entrant for result in self.results for entrant in shown(result))

    @property
    def forfeited(self) -> frozenset[Entrant]:
        """The entrants that forfeited any of the matches."""
        return frozenset(result.entrants[seat] for result in self.results for seat in result.forfeits)

    @property
    def whole(self) -> bool:
        """Whether everyone has held every hand of the board."""
        return len(self.results) >= len(self.results[0].entrants)


def units(
    results: Iterable[MatchResult[Entrant]], baselines: Mapping[str, Sequence[int]] | None = None
) -> list[Unit[Entrant]]:
    """Return the units of these results, in the order of their first matches.

    The matches of the same entrants with the same board are a block, and one unit. A board at several tables is
    corrected by what its seats made at the others; any other by `baselines`, if the board is there: by board, the
    points of each seat in a match of house bots, without luck if the results have any.
    """
    boards: dict[str, _Board[Entrant]] = {}
    for number, result in enumerate(results):
        # No name of a board looks like this, so that a match without one is alone.
        name = result.board or f"\0{number}"
        board = boards.get(name)
        if board is None:
            board = boards[name] = _Board((baselines or {}).get(name))
        board.tables.setdefault(frozenset(result.entrants), []).append(result)
    return [Unit(tuple(matches), board) for board in boards.values() for matches in board.tables.values()]


def _relative_points(result: MatchResult[Entrant]) -> list[Fraction]:
    """Return the points of each seat of the board less the mean of the table, both without luck.

    Of a forfeited seat these are what the house bot made of its cards, which is what the cards are worth.
    """
    return without_luck(result, result.points)
