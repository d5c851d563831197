"""How noisy matches have been on a server."""

import math
from random import Random

import pytest

from farfalia.v1 import stages_pb2, standings_pb2, tournaments_pb2
from farfalia_server.organising.measured_noise import measured_noise, worth_reading
from farfalia_server.wording.measured_noise import noise_words
from farfalia_tournaments import NOISES, MatchResult, fit_strengths
from farfalia_tournaments.schedules import Boards

FRESH = NOISES["chinkway"].fresh


def tournament(luck: float, *, matches: int = 20, finished: int = 40) -> tournaments_pb2.Tournament:
    """Ten entrants whose matches have luck of this deviation, all with fresh cards."""
    return tournaments_pb2.Tournament(
        ruleset="chinkway",
        state=tournaments_pb2.TOURNAMENT_STATE_FINISHED,
        boards=stages_pb2.BOARDS_FRESH,
        finished=finished,
        standings=[standings_pb2.Standing(matches=matches) for _ in range(10)],
        strength_model=standings_pb2.StrengthModel(luck=luck),
    )


def test_the_noise_of_tournaments_that_ended_here_is_the_mean_of_their_squares() -> None:
    measured = measured_noise("chinkway", [tournament(12.0), tournament(6.0), tournament(12.0)])
    assert measured.matches == {Boards.FRESH: 120}
    assert measured.noise.of(Boards.FRESH, 2) == pytest.approx(0.88 * math.sqrt(1.125 * (2 * 144 + 36) / 3))
    assert measured.noise.of(Boards.DATUM, 2) == NOISES["chinkway"].of(Boards.DATUM, 2)
    assert noise_words(measured.matches, [Boards.FRESH, Boards.DATUM, Boards.FRESH]) == (
        "Luck with fresh boards is as measured on this server, from 120 matches."
        " Luck with datum boards is the built-in figure: too few matches on this server."
    )


@pytest.mark.parametrize("spread", [0.0, 1.0, 10.0])
def test_a_level_field_measures_the_same_noise_as_a_wide_one(spread: float) -> None:
    rng, results = Random(1), []
    for _ in range(60):
        order = rng.sample(range(10), 10)
        for table in (tuple(order[:5]), tuple(order[5:])):
            points = tuple(round(100 + spread * entrant + rng.gauss(0, 8)) for entrant in table)
            results.append(MatchResult(table, points, tuple(1 + sum(more > one for more in points) for one in points)))
    played = tournament(fit_strengths(results).luck, matches=60, finished=120)
    measured = measured_noise("chinkway", [played])
    assert measured.noise.of(Boards.FRESH, 2) == pytest.approx(0.88 * 8 * math.sqrt(1.125), rel=0.08)


@pytest.mark.parametrize("played", [tournament(12.0), tournament(12.0, matches=9, finished=500)])
def test_too_few_matches_measure_nothing(played: tournaments_pb2.Tournament) -> None:
    measured = measured_noise("chinkway", [played])
    assert not measured.matches
    assert measured.noise.of(Boards.FRESH, 2) == FRESH


def test_only_finished_tournaments_of_the_same_game_and_options_are_read() -> None:
    running, other, right = tournament(9), tournament(9), tournament(9)
    running.state, other.ruleset = tournaments_pb2.TOURNAMENT_STATE_RUNNING, "four"
    assert worth_reading([running, other, *[right] * 9], "chinkway", {}) == [right] * 5
