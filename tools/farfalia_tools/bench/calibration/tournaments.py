"""Tournaments of `farfalia bench calibration`: drawn, played with luck, and judged."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from random import Random
from typing import Final

from farfalia_engine import places
from farfalia_tools.bench.calibration.fields import EVEN, FIELDS, KNOWN_FIELDS, SimulatedField, result_of
from farfalia_tools.bench.calibration.ladders import known_by_ladder
from farfalia_tools.bench.calibration.luck import SEATS, DrawnLuck, Luck, PlayedBank, PlayedLuck
from farfalia_tools.bench.calibration.statements import Statements, statements
from farfalia_tournaments import MatchResult, round_robin
from farfalia_tournaments.schedules import Boards, Match, boarded

#: Lower bounds of the bins for the favourite's probability.
BINS: Final = (0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99)


@dataclass(frozen=True, slots=True)
class Format:
    """A way to hold a tournament, and of how many of each field it is one: long ones are held less often."""

    entrants: int
    seats: int
    rounds: int
    boards: Boards
    share: int = 1

    def __str__(self) -> str:
        """Return `10 bots in fives, 20 rounds, datum`."""
        tables = {2: "pairs", 3: "threes", 4: "fours", 5: "fives"}[self.seats]
        return f"{self.entrants} bots in {tables}, {self.rounds} rounds, {self.boards.value}"


FORMATS: Final = (
    Format(2, 2, 20, Boards.FRESH),
    Format(3, 3, 20, Boards.FRESH),
    Format(4, 4, 10, Boards.ROTATIONS),
    Format(5, 5, 3, Boards.ROTATIONS),
    Format(5, 5, 20, Boards.FRESH),
    Format(5, 5, 100, Boards.FRESH, 2),
    Format(10, 5, 3, Boards.DATUM),
    Format(10, 5, 20, Boards.FRESH),
    Format(10, 5, 20, Boards.DATUM),
    Format(10, 5, 20, Boards.ROTATIONS, 4),
    Format(10, 3, 20, Boards.DATUM),
    Format(10, 5, 100, Boards.DATUM, 4),
    Format(20, 4, 20, Boards.DATUM, 2),
    Format(25, 5, 12, Boards.DATUM, 2),
    Format(40, 5, 8, Boards.DATUM, 4),
)
#: Formats that are also played with the luck of real matches.
PLAYED_FORMATS: Final = (
    Format(5, 5, 20, Boards.FRESH),
    Format(10, 5, 20, Boards.FRESH),
    Format(10, 5, 20, Boards.DATUM),
    Format(10, 5, 20, Boards.ROTATIONS, 4),
)
#: Formats that are played in fields of which something is known before.
KNOWN_FORMATS: Final = (
    Format(10, 5, 20, Boards.DATUM),
    Format(10, 5, 40, Boards.DATUM, 2),
    Format(10, 5, 100, Boards.DATUM, 4),
)
#: Names of fields with the luck of real matches, and of the sample bots themselves.
REAL_LUCK: Final = "real luck"
REAL_BOTS: Final = ("real bots", "real bots, one weak")


@dataclass(frozen=True, slots=True)
class TournamentBatch:
    """Some tournaments of one kind; the seed, with their numbers, decides everything."""

    field: str
    format: Format
    numbers: range
    seed: int
    banks: tuple[PlayedBank, ...]


@dataclass(frozen=True, slots=True)
class Judgement:
    """What was said after one tournament, and what was true.

    `pairs` has by bin how many pairs there were whose probability is shown, the sum of their probabilities, and in how
    many the one said to be stronger was. `pairs_shown` are all pairs and those whose probability is shown. Intervals
    and level pairs are counted as all and those that hold, or that were told apart.
    """

    pairs: Mapping[int, tuple[int, float, int]]
    pairs_shown: tuple[int, int]
    intervals: tuple[int, int]
    first: tuple[int, int]
    ranks: tuple[int, int]
    level: tuple[int, int]


def judge_all(batch: TournamentBatch) -> list[Judgement]:
    """Hold the tournaments and judge what is said after each."""
    found = []
    for number in batch.numbers:
        field, results = play(batch, number)
        known = known_by_ladder(field, Random(f"{batch.seed}/{batch.field}/{batch.format}/{number}/ladder"))
        found.append(judge(field, statements(results, field.families, known)))
    return found


def play(batch: TournamentBatch, number: int) -> tuple[SimulatedField, list[MatchResult[int]]]:
    """Return the field of a tournament and its results."""
    random = Random(f"{batch.seed}/{batch.field}/{batch.format}/{number}")
    if batch.field in REAL_BOTS:
        return _real(batch.banks[REAL_BOTS.index(batch.field)], batch.format, random)
    drawn = {**FIELDS, **KNOWN_FIELDS}[EVEN if batch.field == REAL_LUCK else batch.field]
    field = drawn(batch.format.entrants, random)
    luck: Luck = PlayedLuck(batch.banks[0], random) if batch.field == REAL_LUCK else DrawnLuck(random)
    matches = _schedule(batch.format, batch.seed)
    made = luck.of(matches)
    return field, [result_of(field, match, points) for match, points in zip(matches, made, strict=True)]


def judge(field: SimulatedField, said: Statements) -> Judgement:
    """Compare what was said about a field with the truth."""
    truth = field.truth
    pairs: defaultdict[int, tuple[int, float, int]] = defaultdict(lambda: (0, 0.0, 0))
    level = field.level()
    for pair in combinations(range(len(truth)), 2):
        if pair in level or pair not in said.known:
            continue
        one, other = pair if said.probability[pair] >= 0.5 else pair[::-1]
        bin_ = sum(said.probability[one, other] >= edge for edge in BINS) - 1
        all_, sum_, right = pairs[bin_]
        pairs[bin_] = all_ + 1, sum_ + said.probability[one, other], right + (truth[one] > truth[other])
    held = {entrant: low <= truth[entrant] <= high for entrant, (low, high) in said.intervals.items()}
    first = said.order[0]
    ranks = [
        low <= 1 + sum(other > truth[entrant] for other in truth) <= high for entrant, (low, high) in said.ranks.items()
    ]
    return Judgement(
        dict(pairs),
        (len(said.probability), len(said.known)),
        (len(held), sum(held.values())),
        (int(first in held), int(held.get(first, False))),
        (int(bool(ranks)), int(bool(ranks) and all(ranks))),
        (len(level), sum(said.told_apart(*pair) for pair in level)),
    )


@lru_cache(maxsize=4)
def _schedule(format_: Format, seed: int) -> tuple[Match, ...]:
    schedule = round_robin(format_.entrants, format_.seats, format_.rounds, rng=Random(f"{seed}/{format_}"))
    rounds = boarded([round_.tables for round_ in schedule.rounds], format_.boards)
    return tuple(match for round_ in rounds for match in round_)


def _real(bank: PlayedBank, format_: Format, random: Random) -> tuple[SimulatedField, list[MatchResult[int]]]:
    """Resample the boards of a bank for the bots that played them; those with the same name change places at random."""
    results = []
    for number in range(format_.rounds):
        board = random.choice(bank.boards)
        bots = _twins_moved(bank.names, random)
        rotations = range(SEATS) if format_.boards is Boards.ROTATIONS else (random.randrange(SEATS),)
        for rotation in rotations:
            points = [0] * SEATS
            table = [0] * SEATS
            for bot, made in enumerate(board[rotation]):
                points[(bot + rotation) % SEATS], table[(bot + rotation) % SEATS] = made, bots[bot]
            results.append(MatchResult(tuple(table), tuple(points), tuple(places(points)), board=f"board-{number}"))
    return SimulatedField(bank.strengths), results


def _twins_moved(names: Sequence[str], random: Random) -> list[int]:
    moved = list(range(len(names)))
    for name in dict.fromkeys(names):
        alike = [bot for bot, other in enumerate(names) if other == name]
        for bot, place in zip(alike, random.sample(alike, len(alike)), strict=True):
            moved[bot] = place
    return moved
