"""Ways to hold a tournament between graded bots, each played out with real matches of Chinkway."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain, islice
from random import Random
from typing import Final

from farfalia_engine import board_key, places, ruleset
from farfalia_tools.bench.fairness.graded import play_graded
from farfalia_tournaments import MatchResult, round_robin
from farfalia_tournaments.schedules import Boards, boarded

#: The share of errors of the worst bot; the best makes none, and the others lie evenly between.
WORST: Final = 0.6

_RULES: Final = ruleset("chinkway")
_SEATS: Final = _RULES.seats

Table = tuple[int, ...]
#: Entrants by seat and the name of the board of a match, one after another without end.
Matches = Iterator[tuple[Table, str]]


@dataclass(frozen=True, slots=True)
class TournamentPlan:
    """One tournament: a number of entrants, held in this way, for a number of matches."""

    entrants: int
    scheme: str
    matches: int
    seed: str


def play(plan: TournamentPlan) -> list[MatchResult[int]]:
    """Return the results of a tournament; entrant 0 is the best of the graded bots, and the last one the worst."""
    random = Random(plan.seed)
    secret = random.randbytes(32)
    errors = [WORST * entrant / (plan.entrants - 1) for entrant in range(plan.entrants)]
    results = []
    for table, board in islice(SCHEMES[plan.scheme](plan.entrants, plan.matches, random), plan.matches):
        points = play_graded(_RULES, board_key(secret, (), board), [errors[entrant] for entrant in table], random)
        results.append(MatchResult(table, points, places(points), board=board))
    return results


def _random(entrants: int, matches: int, random: Random) -> Matches:
    for number in range(matches):
        yield tuple(random.sample(range(entrants), _SEATS)), f"board-{number}"


def _balanced(boards: Boards) -> Callable[[int, int, Random], Matches]:
    def drawn(entrants: int, matches: int, random: Random) -> Matches:
        rounds = -(-matches // (entrants // _SEATS * boards.replays(_SEATS)))
        schedule = round_robin(entrants, _SEATS, rounds, rng=random)
        for match in chain.from_iterable(boarded([round_.tables for round_ in schedule.rounds], boards)):
            yield tuple(entrant for entrant in match.entrants if entrant is not None), match.board

    return drawn


RANDOM: Final = "random tables, random deals"
BALANCED: Final = "balanced tables, random deals"
DATUM: Final = "balanced tables, one board per round"
ROTATIONS: Final = "balanced tables, five rotations"
SCHEMES: Final[Mapping[str, Callable[[int, int, Random], Matches]]] = {
    RANDOM: _random,
    BALANCED: _balanced(Boards.FRESH),
    DATUM: _balanced(Boards.DATUM),
    ROTATIONS: _balanced(Boards.ROTATIONS),
}
