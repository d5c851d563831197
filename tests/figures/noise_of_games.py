"""How much noise a match of each game has, as standings show it: what `tournament plan` counts on.

`python -m tests.figures.noise_of_games GAME …` prints it for some games.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable
from itertools import chain
from random import Random
from statistics import fmean, median

from farfalia_engine import GAMES, Deals, board_key, match_luck, ruleset
from farfalia_tools.bench.luck.fields import FIELDS, play_match
from farfalia_tools.bench.worker_pool import WorkerPool
from farfalia_tournaments import Boards, MatchResult, Noise, round_robin, standings
from farfalia_tournaments.schedules import boarded

#: Ten sample bots of about the same strength.
FIELD = FIELDS["even"]
#: Rounds of a tournament; five rotations make more of a round.
ROUNDS = {Boards.FRESH: 20, Boards.DATUM: 20, Boards.ROTATIONS: 8}
#: Tournaments behind each figure, which is their median.
TOURNAMENTS = 3


def held(game: str, boards: Boards, seed: int) -> list[MatchResult[int]]:
    """The results of a tournament, with the luck of each seat where the game has a function."""
    rules, random = ruleset(game), Random(f"{game}/{boards}/{seed}")
    secret, results = random.randbytes(32), []
    teams = rules.teams or tuple((seat,) for seat in range(rules.seats))
    sides = tuple(side for seat in range(rules.seats) for side, team in enumerate(teams) if seat in team)
    schedule = round_robin(len(FIELD), rules.seats, ROUNDS[boards], rng=random)
    drawn = boarded([one.tables for one in schedule.rounds], boards, teams=rules.teams or ())
    for number, match in enumerate(chain.from_iterable(drawn)):
        table = tuple(entrant for entrant in match.entrants if entrant is not None)
        key = board_key(secret, (), match.board)
        one = play_match(rules, FIELD, table, key, f"{seed}/{number}")
        luck = match_luck(rules, Deals(key), one.deals) or ()
        places = rules.places(one.points)
        results.append(MatchResult(table, one.points, places, sides=sides, board=match.board, luck=luck))
    return results


def margin(results: list[MatchResult[int]]) -> tuple[float, float]:
    """The mean ± that standings show, and the deviation of the score of one match that it comes from."""
    rows = standings(results, ratings={})
    margins = [(row.interval[1] - row.interval[0]) / 2 for row in rows]
    return fmean(margins), fmean(one * math.sqrt(row.matches) / 1.96 for one, row in zip(margins, rows, strict=True))


def _deviation(game: str, boards: Boards, seed: int) -> float:
    return margin(held(game, boards, seed))[1]


def run(games: Iterable[str] = GAMES, tournaments: int = TOURNAMENTS, processes: int | None = None) -> dict[str, Noise]:
    """The noise of these games; the number of processes changes nothing."""
    plans = [(game, boards, seed) for game in sorted(games) for boards in ROUNDS for seed in range(tournaments)]
    with WorkerPool(processes) as pool:
        found = dict(zip(plans, pool.results(_deviation, *zip(*plans, strict=True)), strict=True))
    noises = {}
    for game in sorted(games):
        fresh, datum, rotations = (
            median(found[game, boards, seed] for seed in range(tournaments)) for boards in ROUNDS
        )
        others = len(FIELD) // ruleset(game).seats - 1
        gain = max(0.0, 1 - (datum / fresh) ** 2) * (others + Noise().datum_half) / others
        noises[game] = Noise(round(fresh, 1), round(rotations, 1), round(gain, 2))
    return noises


if __name__ == "__main__":
    for name, noise in run(sys.argv[1:] or GAMES).items():
        print(f'    "{name}": {noise},')
