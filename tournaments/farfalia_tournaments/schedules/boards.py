"""Duplicate play: which table plays which board, and who sits where with each board."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from itertools import chain, combinations, permutations
from math import gcd

from farfalia_tournaments.errors import ScheduleError

#: The entrants of a table in the order of their seats; None is a seat for a house bot.
Seating = Sequence[int | None]
#: Seats that play together, as `round_robin` takes them.
Teams = Sequence[Sequence[int]]
#: Two entrants, the lower number first, and how many seats the second sits to the left of the first.
_Relation = tuple[int, int, int]


class Boards(StrEnum):
    """Which matches have equal cards."""

    #: None: every match has a board of its own.
    FRESH = "fresh"
    #: A table plays each of its boards as often as it has seats, everybody one seat on each time, so that everybody
    #: holds each hand once. Fair only for bots that forget: each match needs a process of its own.
    ROTATIONS = "rotations"
    #: All tables of a round, which start together; an entrant sees a board once.
    DATUM = "datum"

    def replays(self, seats: int) -> int:
        """Return how often a table plays one board."""
        return seats if self is Boards.ROTATIONS else 1


@dataclass(frozen=True, slots=True)
class Match:
    """One match as it is to be played. Stages, rounds, tables and replays are counted from 1."""

    stage: int
    round: int
    table: int
    board: str
    replay: int
    entrants: tuple[int | None, ...]


def boarded(
    rounds: Iterable[Sequence[Seating]],
    boards: Boards = Boards.FRESH,
    *,
    matches: int | None = None,
    stage: int = 1,
    teams: Teams = (),
    opposed: Collection[int] = (),
) -> list[tuple[Match, ...]]:
    """Return the matches of each round, as `board_round` makes them one round after the other."""
    relations: Counter[_Relation] = Counter()
    draw = partial(
        _matches, boards=boards, matches=matches, stage=stage, relations=relations, teams=teams, opposed=opposed
    )
    return [tuple(draw(tables, number=number)) for number, tables in enumerate(rounds, start=1)]


def board_round(
    tables: Sequence[Seating],
    boards: Boards = Boards.FRESH,
    *,
    matches: int | None = None,
    stage: int = 1,
    number: int = 1,
    earlier: Iterable[Match] = (),
    teams: Teams = (),
    opposed: Collection[int] = (),
) -> tuple[Match, ...]:
    """Return the matches of a round: `matches` per table, or those of one board if that is left out.

    Boards are named after stage, round and table, such as `board-1-12-3`, with another number where a table plays
    several; seats are moved by one from board to board. With rotations, seats are multiplied by whatever gives the
    most even neighbours, together with the earlier matches: five who play one board after the other sit next to each
    other, then apart, in turn. `teams` are seats that play together: with every board of a table other entrants share
    them, as far as possible; no two of the `opposed`, of whom there are at most as many as teams, ever share one.
    Raises ScheduleError unless `matches` is a multiple of how often a board is played.
    """
    relations = Counter(chain.from_iterable(_relations(match.entrants, 1) for match in earlier if match.replay == 1))
    return tuple(_matches(tables, number, boards, matches, stage, relations, teams, opposed))


def boards_of_table(boards: Boards, seats: int, matches: int | None) -> int:
    """Return how many boards a table plays in its matches; ScheduleError if the last would not be played out."""
    replays = boards.replays(seats)
    wanted = replays if matches is None else matches
    if wanted < 1 or wanted % replays:
        if replays == 1:
            raise ScheduleError("%(wanted)s matches per table: expected at least 1", wanted=wanted)
        raise ScheduleError(
            "%(wanted)s matches per table: expected a multiple of %(replays)s, as every board is played %(replays)s "
            "times",
            wanted=wanted,
            replays=replays,
        )
    return wanted // replays


def _matches(
    tables: Sequence[Seating],
    number: int,
    boards: Boards,
    matches: int | None,
    stage: int,
    relations: Counter[_Relation],
    teams: Teams,
    opposed: Collection[int],
) -> Iterator[Match]:
    for place, table in enumerate(tables, start=1):
        arranger = _Arranger(table, teams, opposed)
        for count in range(boards_of_table(boards, len(table), matches)):
            name = f"board-{stage}-{number}" if boards is Boards.DATUM else f"board-{stage}-{number}-{place}"
            if matches is not None and matches > boards.replays(len(table)):
                name += f"-{count + 1}"
            arranged = arranger.board(count)
            seatings = _rotations(arranged, relations) if boards is Boards.ROTATIONS else [arranged]
            for replay, seating in enumerate(seatings, start=1):
                yield Match(stage, number, place, name, replay, tuple(seating))


def _rotated(table: Seating, by: int) -> list[int | None]:
    cut = by % len(table)
    return [*table[len(table) - cut :], *table[: len(table) - cut]]


class _Arranger:
    """The seatings of one table, board by board: rotated by one seat each time, and in other teams than before."""

    def __init__(self, table: Seating, teams: Teams, opposed: Collection[int]) -> None:
        self._table, self._teams = table, teams
        self._barred = {frozenset(pair) for pair in combinations(opposed, 2)}
        self._together: Counter[frozenset[int | None]] = Counter()
        self._held: Counter[tuple[int, int | None]] = Counter()

    def board(self, count: int) -> Seating:
        """Return the seating after this many boards."""
        rotated = _rotated(self._table, count)
        if not self._teams or not (count or self._barred):
            found: Seating = rotated
        else:
            found = min(permutations(rotated), key=self._again)
        self._together.update(_partners(found, self._teams))
        self._held.update(enumerate(found))
        return found

    def _again(self, order: Seating) -> tuple[int, int, int]:
        """Return how many of the opposed share a team, how often partners were partners, and seats were held."""
        partners = list(_partners(order, self._teams))
        return (
            sum(pair in self._barred for pair in partners),
            sum(self._together[pair] for pair in partners),
            sum(self._held[place] for place in enumerate(order)),
        )


def _partners(table: Seating, teams: Teams) -> Iterator[frozenset[int | None]]:
    for team in teams:
        yield from (frozenset((table[seat], table[other])) for seat, other in combinations(team, 2))


def _rotations(table: Seating, relations: Counter[_Relation]) -> Iterator[list[int | None]]:
    """Yield all rotations of the table, those who have been neighbours least often next to each other; count them."""
    seats = len(table)
    factor = min(
        (factor for factor in range(1, seats) if gcd(factor, seats) == 1),
        key=lambda factor: sum(relations[relation] for relation in _relations(table, factor)),
    )
    relations.update(_relations(table, factor))
    start: list[int | None] = [None] * seats
    for seat, entrant in enumerate(table):
        start[seat * factor % seats] = entrant
    return (_rotated(start, by) for by in range(seats))


def _relations(table: Seating, factor: int) -> Iterator[_Relation]:
    """Yield the relation of each pair at the table, its seats multiplied by the factor."""
    seated = sorted((entrant, seat * factor) for seat, entrant in enumerate(table) if entrant is not None)
    for (one, seat), (other, further) in combinations(seated, 2):
        yield one, other, (further - seat) % len(table)
