"""What all boards together say about strengths, with hands and blocks taken out.

The model of a match: the scores of its sides are y = P (a + h + luck), where P takes off the mean of the table, a is
what a side makes with this board (its strength and the effect of its block, a = strength + block) and h what its hand
is worth. Luck, blocks and hands are independent and normal; their variances are 1, `block` and `hand`, as multiples of
that of luck, which is left open. Scores of a table sum to 0: P takes away one of k dimensions and leaves the others as
they are, so that the correlation of -1 / (k - 1) between two at a table is exact.

Taking out blocks and hands is Gaussian elimination in C. R. Henderson's mixed-model equations ("Best Linear Unbiased
Estimation and Prediction under a Selection Model", Biometrics 31, 1975): first the blocks of each table, of which each
meets only its own table, then the hands of the board. What is left is A (precision of strengths), b (its right hand
side), the square of the scores and the logarithm of the determinant, the four terms of the (restricted) likelihood.

With u = sums of a table's scores by side, w = by hand, C = how often a side had a hand, r = matches of a table,
d = 1 / (1 + r block) and f = block d:

    blocks:  a'a: r d P   a'h: d P C   h'h: r P - f P C'C P   a: d u   h: w - f C'u   square: y'y - f u'u
    hands:   precision H = sum of h'h over the tables + 1 / hand

Where all tables have played a board once (C is a permutation), or every side has had each hand (P C = 0), H is a
number times P: such boards are summed up in advance and cost nothing for each pair of variances that is tried.
"""

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from farfalia_tournaments.statistics.strengths.algebra import Matrix, cholesky, forward, log_determinant
from farfalia_tournaments.statistics.strengths.tables import Board, ScheduledTable

#: Whom a side of a table consists of, as (number of an entrant, position at the table, share of the side).
_Seats = list[tuple[int, int, float]]


@dataclass(slots=True)
class Likelihood:
    """The four terms: -2 log likelihood of strengths s is `log_determinant` + square - 2 b's + s'As, for luck 1."""

    precision: Matrix
    right: list[float]
    square: float = 0.0
    log_determinant: float = 0.0


@dataclass(slots=True)
class _Sum:
    """Boards of one kind, summed up: as many hands and tables each, and either all turned or all played once."""

    own: Matrix
    shared: Matrix
    own_right: list[float]
    shared_right: list[float]
    boards: int = 0
    squares: float = 0.0
    side_squares: float = 0.0
    hand_squares: float = 0.0


@dataclass(slots=True)
class Information:
    """All boards, ready for any pair of variances."""

    entrants: int
    #: By hands, tables, and whether every side has had each hand.
    sums: dict[tuple[int, int, bool], _Sum] = field(default_factory=dict)
    others: list[Board] = field(default_factory=list)
    contrasts: int = 0

    @classmethod
    def of(cls, boards: Iterable[Board], entrants: int) -> "Information":
        """Sum up the boards."""
        found = cls(entrants)
        for board in boards:
            matches = sum(len(table.turns) for table in board.tables)
            found.contrasts += matches * (board.hands - 1)
            if matches == len(board.tables) or all(table.turned for table in board.tables):
                found._add(board, turned=matches > len(board.tables))
            else:
                found.others.append(board)
        return found

    @property
    def knows_hands(self) -> bool:
        """Whether any two matches had equal cards: if not, a hand is luck."""
        return bool(self.others) or any(tables > 1 or turned for _, tables, turned in self.sums)

    @property
    def knows_blocks(self) -> bool:
        """Whether any table had equal cards twice."""
        return bool(self.others) or any(turned for _, _, turned in self.sums)

    def at(self, hand: float, block: float) -> Likelihood:
        """Return the likelihood of strengths for these variances of hands and blocks, as multiples of that of luck."""
        size = self.entrants
        found = Likelihood([[0.0] * size for _ in range(size)], [0.0] * size)
        for (hands, tables, turned), boards in self.sums.items():
            matches = hands if turned else 1
            left = 1 / (1 + matches * block)
            known = tables * (matches if turned else left)
            spread = hand / (1 + hand * known)
            own = matches * left
            shared = 0.0 if turned else spread * left * left
            if tables == 1 and not turned:  # `shared` is `own`
                own, shared = own - shared, 0.0
                _add_scaled(found, own, boards.own, own, boards.own_right)
            else:
                _add_scaled(found, own, boards.own, left, boards.own_right)
            if shared:
                _add_scaled(found, -shared, boards.shared, -shared, boards.shared_right)
            by_hand = 1 if turned else left
            found.square += (
                boards.squares - block * left * boards.side_squares - spread * by_hand * by_hand * boards.hand_squares
            )
            found.log_determinant += boards.boards * (hands - 1) * (math.log1p(hand * known) - tables * math.log(left))
        for board in self.others:
            _eliminate(board, hand, block, found)
        return found

    def _add(self, board: Board, *, turned: bool) -> None:
        key = (board.hands, len(board.tables), turned)
        size = self.entrants
        if key not in self.sums:
            self.sums[key] = _Sum(
                _zeros(size), [] if turned or key[1] == 1 else _zeros(size), [0.0] * size, [0.0] * size
            )
        found = self.sums[key]
        found.boards += 1
        total = [0.0] * board.hands
        everybody: _Seats = []
        for table in board.tables:
            made = _by_side(table)
            if turned:
                seats = _seats(table, range(board.hands))
            else:
                # Positions are hands here, so that those of different tables mean the same.
                seats = _seats(table, [table.turns[0].index(side) for side in range(board.hands)])
            _add_centred(found.own, seats, board.hands)
            side_of = range(board.hands) if turned else table.turns[0]
            for number, position, share in seats:
                found.own_right[number] += share * made[side_of[position]]
            everybody += seats
            for scores in table.scores:
                total = [one + other for one, other in zip(total, scores, strict=True)]
                found.squares += sum(score * score for score in scores)
            found.side_squares += sum(score * score for score in made)
        found.hand_squares += sum(score * score for score in total)
        if found.shared:
            _add_centred(found.shared, everybody, board.hands)
            for number, position, share in everybody:
                found.shared_right[number] += share * total[position]


def _zeros(size: int) -> Matrix:
    return [[0.0] * size for _ in range(size)]


def _by_side(table: ScheduledTable) -> list[float]:
    made = [0.0] * len(table.sides)
    for turn, scores in zip(table.turns, table.scores, strict=True):
        for side, score in zip(turn, scores, strict=True):
            made[side] += score
    return made


def _seats(table: ScheduledTable, positions: Sequence[int]) -> _Seats:
    return [(number, positions[index], 1 / len(side)) for index, side in enumerate(table.sides) for number in side]


def _add_centred(matrix: Matrix, seats: _Seats, hands: int) -> None:
    """Add X'P X: P between two positions is 1 - 1 / hands if they are the same, and - 1 / hands if not."""
    off = -1 / hands
    for one, here, share in seats:
        row = matrix[one]
        for other, there, weight in seats:
            row[other] += (1 + off if here == there else off) * share * weight


def _add_scaled(found: Likelihood, factor: float, matrix: Matrix, right_factor: float, right: list[float]) -> None:
    for row, more in zip(found.precision, matrix, strict=True):
        row[:] = [value + factor * add for value, add in zip(row, more, strict=True)]
    found.right[:] = [value + right_factor * add for value, add in zip(found.right, right, strict=True)]


def _eliminate(board: Board, hand: float, block: float, found: Likelihood) -> None:
    """Add a board that has nothing even about it, such as one that is still being played."""
    hands = board.hands
    precision, total = _zeros(hands), [0.0] * hands
    columns: defaultdict[int, list[float]] = defaultdict(lambda: [0.0] * hands)  # strengths × hands
    for table in board.tables:
        matches = len(table.turns)
        left = 1 / (1 + matches * block)
        made = _by_side(table)
        times = [[sum(turn[hand] == side for turn in table.turns) for hand in range(hands)] for side in range(hands)]
        seats = _seats(table, range(hands))
        for one, here, share in seats:
            row = found.precision[one]
            for other, there, weight in seats:
                row[other] += matches * left * ((here == there) - 1 / hands) * share * weight
            found.right[one] += left * share * made[here]
            for number in range(hands):
                columns[one][number] += left * share * (times[here][number] - matches / hands)
        for one in range(hands):
            for other in range(hands):
                both = sum(row[one] * row[other] for row in times) - matches * matches / hands
                precision[one][other] += matches * ((one == other) - 1 / hands) - block * left * both
            total[one] += sum(scores[one] for scores in table.scores)
            total[one] -= block * left * sum(times[side][one] * made[side] for side in range(hands))
        found.square += sum(score * score for scores in table.scores for score in scores)
        found.square -= block * left * sum(score * score for score in made)
        found.log_determinant -= (hands - 1) * math.log(left)
    # I + hand × precision, so that no hands (0) is no special case.
    scaled = [[(one == other) + hand * precision[one][other] for other in range(hands)] for one in range(hands)]
    lower = cholesky(scaled)
    found.log_determinant += log_determinant(lower)
    solved = {number: forward(lower, column) for number, column in columns.items()}
    rest = forward(lower, total)
    for one, mine in solved.items():
        row = found.precision[one]
        for other, theirs in solved.items():
            row[other] -= hand * sum(a * b for a, b in zip(mine, theirs, strict=True))
        found.right[one] -= hand * sum(a * b for a, b in zip(mine, rest, strict=True))
    found.square -= hand * sum(value * value for value in rest)
