"""`farfalia bench fairness`: graded bots, ways to hold a tournament, and what comes out."""

from dataclasses import asdict
from functools import cache
from random import Random
from statistics import fmean

import pytest

from farfalia_engine import ruleset
from farfalia_tools.bench.fairness.benchmark import run, table
from farfalia_tools.bench.fairness.graded import play_graded
from farfalia_tools.bench.fairness.schemes import BALANCED, DATUM, RANDOM, ROTATIONS, SCHEMES, TournamentPlan, play


@cache
def held(scheme: str, matches: int = 20, entrants: int = 12) -> list[tuple[tuple[int, ...], str]]:
    return [(result.entrants, result.board) for result in play(TournamentPlan(entrants, scheme, matches, "one"))]


def test_fewer_errors_make_more_points() -> None:
    random = Random(2)
    points: list[list[int]] = [[] for _ in range(5)]
    for match in range(40):
        seats = [(seat + match) % 5 for seat in range(5)]
        made = play_graded(ruleset("chinkway"), random.randbytes(32), [0.5 * (bot > 1) for bot in seats], random)
        for seat, bot in enumerate(seats):
            points[bot].append(made[seat])
    assert min(map(fmean, points[:2])) > max(map(fmean, points[2:]))


def test_every_scheme_plays_as_many_matches_as_it_is_told_and_the_same_again() -> None:
    for scheme in SCHEMES:
        first, again, other = (play(TournamentPlan(5, scheme, 10, seed)) for seed in ("one", "one", "two"))
        assert len(first) == 10
        assert first == again != other


@pytest.mark.parametrize(("scheme", "boards"), [(RANDOM, 20), (BALANCED, 20), (DATUM, 10), (ROTATIONS, 4)])
def test_schemes_share_boards_as_their_names_say(scheme: str, boards: int) -> None:
    assert len({board for _, board in held(scheme)}) == boards


@pytest.mark.slow
@pytest.mark.parametrize("matches", [30, pytest.param(240, marks=pytest.mark.prove)])
def test_rotations_take_luck_away_and_the_report_is_the_same_again(matches: int) -> None:
    report = run(1, seed=3, matches={6: matches}, processes=2)
    assert [row.scheme for row in report.rows] == list(SCHEMES)
    luck = {row.scheme: row.luck for row in report.rows}
    assert luck[ROTATIONS] < 0.8 < luck[BALANCED]
    assert asdict(run(1, seed=3, matches={6: matches}, processes=1)) == asdict(report)
    assert all(row.scheme in table(report) for row in report.rows)
