import random

import pytest
from tests.tournaments.fields import SKILL, field, played

from farfalia_tournaments import MatchResult, pair_probabilities, strengths, units


def test_nobody_is_ahead_before_anything_is_played() -> None:
    assert pair_probabilities(units(played(random.Random(1), field(random.Random(1), 5), 0))) == {}
    drawn = pair_probabilities(units([MatchResult(("a", "b"), (5, 5), (1, 1))]))
    assert drawn == {("a", "b"): 0.5, ("b", "a"): 0.5}


def test_one_match_says_little_and_many_say_much() -> None:
    once = units([MatchResult(("a", "b"), (20, 0), (1, 2))])
    often = units([MatchResult(("a", "b"), (20 + extra, 0), (1, 2)) for extra in range(30)])
    assert 0.5 < pair_probabilities(once)["a", "b"] < 0.7
    assert pair_probabilities(often)["a", "b"] > 0.99


def test_the_two_directions_of_a_pair_add_up_to_one() -> None:
    rng = random.Random(3)
    found = pair_probabilities(units(played(rng, field(rng, 8), 40)))
    assert all(found[one, other] + found[other, one] == pytest.approx(1) for one, other in found)


def test_strengths_are_shrunk_towards_the_middle_less_and_less() -> None:
    few = units([MatchResult(("a", "b"), (9, 1), (1, 2))] * 2 + [MatchResult(("a", "b"), (1, 3), (2, 1))])
    many = units([*([MatchResult(("a", "b"), (9, 1), (1, 2))] * 2 + [MatchResult(("a", "b"), (1, 3), (2, 1))]) * 20])
    assert 0 < strengths(few)["a"].mean < strengths(many)["a"].mean < (4 + 4 - 1) / 3
    assert strengths(many)["a"].standard_deviation < strengths(few)["a"].standard_deviation


@pytest.mark.slow
@pytest.mark.parametrize(("fields", "off"), [(20, 0.15), pytest.param(250, 0.06, marks=pytest.mark.prove)])
def test_of_all_pairs_the_stated_share_is_ordered_rightly(fields: int, off: float) -> None:
    said = {step: [0, 0.0, 0] for step in range(5, 10)}
    for seed in range(fields):
        rng = random.Random(seed)
        skills = field(rng, 10, SKILL)
        found = pair_probabilities(units(played(rng, skills, rng.choice((10, 20, 60, 200)))))
        for (one, other), probability in found.items():
            if probability > 0.5:
                row = said[min(int(10 * probability), 9)]
                row[0] += 1
                row[1] += probability
                row[2] += skills[one] > skills[other]
    for count, stated, right in said.values():
        assert right / count == pytest.approx(stated / count, abs=off)
