"""Whether what tournaments said of two entrants came true when they met again.

A tournament says how likely one is the stronger of two. Nobody ever sees who is stronger, only who makes more points in
later matches, which is luck as well. So the same posterior is asked for something that can be seen: how likely the one
makes more than the other in all matches of the next tournament that both play. That is a probability for what has luck
in it, and has to come true as often as it says.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Generic

from farfalia_tournaments.results import Entrant, MatchResult, ordered, shown
from farfalia_tournaments.statistics.strengths import Difference, StrengthFit

#: The lower ends of the bins for the probability that the favourite is the stronger one.
BINS: Final = (0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99)


@dataclass(frozen=True, slots=True)
class PairBin:
    """Pairs whose favourite was called the stronger one with a probability from `low` to `high`.

    `shown` is the mean of these probabilities, `said` the mean probability that followed for the favourite to make more
    points at the next meeting, and `happened` the share of the pairs in which it did, half of those with equal points.
    """

    low: float
    high: float
    pairs: int
    shown: float
    said: float
    happened: float


@dataclass(frozen=True, slots=True)
class Meeting(Generic[Entrant]):
    """Two entrants in a tournament: what it says of them at its end, and what they made.

    `difference` is by how many points per match the first was ahead where both sat and none forfeited, `luck` the
    variance of that; both are None if there was no such match.
    """

    pair: tuple[Entrant, Entrant]
    known: Difference
    difference: float | None
    luck: float | None


def meetings(results: Iterable[MatchResult[Entrant]], fit: StrengthFit[Entrant]) -> list[Meeting[Entrant]]:
    """Return the pairs that met in a tournament, at tables at which everybody plays alone; `fit` is that of its end."""
    played: defaultdict[tuple[Entrant, Entrant], list[tuple[MatchResult[Entrant], int, int, str]]] = defaultdict(list)
    for number, result in enumerate(results):
        if len(set(result.sides)) < len(result.sides):
            continue
        board, seats = result.board or f"\0{number}", shown(result)
        members = ordered(seats)
        for at, one in enumerate(members):
            for other in members[at + 1 :]:
                played[one, other].append((result, seats[one], seats[other], board))
    return [_meeting(pair, matches, fit) for pair, matches in played.items()]


def _meeting(
    pair: tuple[Entrant, Entrant],
    matches: Sequence[tuple[MatchResult[Entrant], int, int, str]],
    fit: StrengthFit[Entrant],
) -> Meeting[Entrant]:
    ahead, number = 0.0, 0
    hands: Counter[tuple[str, int]] = Counter()
    blocks: Counter[tuple[str, frozenset[Entrant]]] = Counter()
    for result, one, other, board in matches:
        if one in result.forfeits or other in result.forfeits:
            continue
        number += 1
        ahead += float(result.points[one] - result.luck[one] - result.points[other] + result.luck[other])
        hands.update({(board, one): 1, (board, other): -1})
        blocks[board, frozenset(result.entrants)] += 1
    known = fit.difference(*pair)
    if not number:
        return Meeting(pair, known, None, None)
    # Two that have had the same hands equally often owe nothing to them.
    of_hands, of_blocks = (sum(n * n for n in counted.values()) for counted in (hands, blocks))
    squares = 2 * number + fit.hand * of_hands + 2 * fit.block * of_blocks
    return Meeting(pair, known, ahead / number, squares * (fit.luck / number) ** 2)


class NextMeetings(Generic[Entrant]):
    """What tournaments said of pairs, held against the next one in which both met; add them in the order of ends."""

    def __init__(self) -> None:
        self._known: dict[tuple[Entrant, Entrant], Difference] = {}
        self._sums: Mapping[float, list[float]] = {low: [0.0, 0.0, 0.0, 0.0] for low in BINS}

    def add(self, met: Iterable[Meeting[Entrant]]) -> None:
        """Add what happened in a tournament, and remember what it says."""
        for one in met:
            known = self._known.get(one.pair)
            if known is not None and one.difference is not None and one.luck is not None:
                self._count(known, one.difference, one.luck)
            if one.difference is not None or known is None:
                self._known[one.pair] = one.known

    def _count(self, known: Difference, difference: float, luck: float) -> None:
        shown, said = known.ahead(), known.ahead(luck)
        if shown < 0.5:
            shown, said, difference = 1 - shown, 1 - said, -difference
        sums = self._sums[max(low for low in BINS if low <= max(shown, BINS[0]))]
        sums[0] += 1
        sums[1] += shown
        sums[2] += said
        sums[3] += 1.0 if difference > 0 else 0.5 if difference == 0 else 0.0

    def bins(self) -> tuple[PairBin, ...]:
        """Return the bins that have pairs, those of the least certain first."""
        highs = (*BINS[1:], 1.0)
        return tuple(
            PairBin(low, high, round(pairs), shown / pairs, said / pairs, came / pairs)
            for (low, (pairs, shown, said, came)), high in zip(self._sums.items(), highs, strict=True)
            if pairs
        )
