"""What was played, as the model sees it: sides at tables of boards, in numbers instead of names."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from farfalia_tournaments.results import Entrant, MatchResult, shown

#: The numbers of the entrants on a side.
Side = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ScheduledTable:
    """The matches of the same sides with one board: `turns[m][p]` is who of `sides` had hand p in match m.

    `scores[m][p]` is what that side made there, in points less the mean of the table.
    """

    sides: tuple[Side, ...]
    turns: list[tuple[int, ...]]
    scores: list[list[float]]

    @property
    def turned(self) -> bool:
        """Whether every side had every hand once."""
        hands = len(self.sides)
        return len(self.turns) == hands and all(len(set(hand)) == hands for hand in zip(*self.turns, strict=True))


@dataclass(frozen=True, slots=True)
class Board:
    """All tables that were dealt the same cards."""

    hands: int
    tables: list[ScheduledTable]


def boards_of(
    results: Iterable[MatchResult[Entrant]],
    numbers: Mapping[Entrant, int],
    baselines: Mapping[str, Sequence[int]] | None = None,
) -> list[Board]:
    """Return the boards with their tables, the same ones in the same order whatever the order of the results.

    The points are those that were made at each seat, also by a house bot, without luck that is known. House bots at
    missed seats have the numbers after those of the entrants, the first of a table always the same. A match of house
    bots with a board, of `baselines`, is one more table, whose sides have nobody on them: there all are equally strong.
    """
    found: defaultdict[tuple[str, int, tuple[Side, ...]], dict[tuple[Side, ...], list[_Match]]]
    found = defaultdict(lambda: defaultdict(list))
    matches = sorted((_match(result, numbers) for result in results), key=lambda one: one[:3])
    for number, (board, sides, scores, seats) in enumerate(matches):
        tables = found[board, -1 if board else number, seats]
        if not tables and board and baselines and board in baselines:
            worth = _scores(seats, baselines[board])
            tables[((),) * len(seats)].append((board, ((),) * len(seats), worth, seats))
        tables[tuple(sorted(sides))].append((board, sides, scores, seats))
    return [
        Board(len(seats), [_table(sides, played) for sides, played in tables.items()])
        for (_, _, seats), tables in found.items()
    ]


_Match = tuple[str, tuple[Side, ...], tuple[float, ...], tuple[Side, ...]]


def _match(result: MatchResult[Entrant], numbers: Mapping[Entrant, int]) -> _Match:
    """Return board, sides, their scores and their seats."""
    together: defaultdict[int, list[int]] = defaultdict(list)
    for seat, side in enumerate(result.sides):
        together[side].append(seat)
    seats = tuple(tuple(side) for side in together.values())
    who = {seat: numbers[entrant] for entrant, seat in shown(result).items()}
    who |= {seat: len(numbers) + number for number, seat in enumerate(sorted(result.missed))}
    sides = tuple(tuple(sorted(who[seat] for seat in side)) for side in seats)
    points = [made - luck for made, luck in zip(result.points, result.luck, strict=True)]
    return result.board, sides, _scores(seats, points), seats


def _scores(seats: Sequence[Side], points: Sequence[Fraction | int]) -> tuple[float, ...]:
    made = [float(sum([points[seat] for seat in side]) / len(side)) for side in seats]
    mean = sum(made) / len(made)
    return tuple(value - mean for value in made)


def _table(sides: tuple[Side, ...], played: Sequence[_Match]) -> ScheduledTable:
    if not sides[0]:
        turns = [tuple(range(len(sides))) for _ in played]
    else:
        place = {side: number for number, side in enumerate(sides)}
        turns = [tuple(place[side] for side in one[1]) for one in played]
    return ScheduledTable(sides, turns, [list(one[2]) for one in played])
