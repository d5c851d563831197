"""Units: what counts as one observation of skill, with the effect of the hands taken out as far as equal boards allow.

A match says little about skill, since most of its points come from the cards. Matches that were dealt equal cards say
more: a table that plays a board with the seats rotated gives everyone each hand, and several tables with one board
show what each hand of it was worth, as the datum of duplicate bridge does. Where one table alone has played a board,
house bots' match with it takes their place: J. Davidson, C. Archibald and M. Bowling, "Baseline: Practical Control
Variates for Agent Evaluation in Zero-Sum Domains", AAMAS 2013.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, Generic

from farfalia_tournaments.results import Entrant, MatchResult, booked, without_luck

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


@dataclass(frozen=True, slots=True)
class Unit(Generic[Entrant]):
    """One match, or the block of all matches that one table played with equal cards.

    The scores are in points per match: an entrant's points less the mean of the table, both without luck, less the
    effect of its hands.
    """

    results: tuple[MatchResult[Entrant], ...]
    scores: Mapping[Entrant, Fraction]

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
    boards: defaultdict[str, dict[frozenset[Entrant], list[MatchResult[Entrant]]]] = defaultdict(dict)
    for number, result in enumerate(results):
        # No name of a board looks like this, so that a match without one is alone.
        board = result.board or f"\0{number}"
        boards[board].setdefault(frozenset(result.entrants), []).append(result)
    found = []
    for board, tables in boards.items():
        points_by_seat = [_relative_points(matches[0]) for matches in tables.values()]
        total = [sum(seat, Fraction(0)) for seat in zip(*points_by_seat, strict=True)]
        for matches, own in zip(tables.values(), points_by_seat, strict=True):
            others = [made - mine for made, mine in zip(total, own, strict=True)]
            effects = _hand_effects(matches, others, len(points_by_seat) - 1, (baselines or {}).get(board))
            found.append(Unit(tuple(matches), _scores(matches, effects)))
    return found


def relative_score(result: MatchResult[Entrant], seat: int) -> Fraction:
    """Return a seat's points less the mean of the table, in points, as an exact fraction: equals come out equal.

    A forfeited seat has no points: by playing on it would have had no fewer. The mean is that of the points that were
    made, so nobody else's score depends on the forfeit.
    """
    return booked(result, seat) - Fraction(sum(result.points), len(result.points))


def _hand_effects(
    matches: Sequence[MatchResult[Entrant]], others: Sequence[Fraction], tables: int, baseline: Sequence[int] | None
) -> list[Fraction]:
    """Return the effect of each seat's hands, in points.

    `others` are the relative points of each seat at the `tables` other tables, summed.
    """
    known = any(matches[0].luck)
    if len(matches) == 1 and tables:
        return [points / (tables + (DATUM_SHRINKAGE_WITHOUT_LUCK if known else DATUM_SHRINKAGE)) for points in others]
    if len(matches) == 1 and baseline is not None:
        mean = Fraction(sum(baseline), len(baseline))
        weight = Fraction(1, 1 + DATUM_SHRINKAGE_WITHOUT_LUCK) if known else BASELINE_WEIGHT
        return [weight * (points - mean) for points in baseline]
    return [Fraction(0)] * len(others)


def _scores(matches: Sequence[MatchResult[Entrant]], effects: Sequence[Fraction]) -> dict[Entrant, Fraction]:
    totals = dict.fromkeys(matches[0].entrants, Fraction(0))
    for result in matches:
        made = without_luck(result, [booked(result, seat) for seat in range(len(result.points))])
        for entrant, score, effect in zip(result.entrants, made, effects, strict=True):
            totals[entrant] += score - effect
    return {entrant: total / len(matches) for entrant, total in totals.items()}


def _relative_points(result: MatchResult[Entrant]) -> list[Fraction]:
    """Return the points of each seat of the board less the mean of the table, both without luck.

    Of a forfeited seat these are what the house bot made of its cards, which is what the cards are worth.
    """
    return without_luck(result, result.points)
