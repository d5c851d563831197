import random
import re

import pytest
from tests.tournaments.fields import NOISE, field, played, result

from farfalia_tournaments import TournamentError, collusion, units


def feeding(seed: int, extra: float, matches: int = 900) -> list[tuple[int, int]]:
    """The flagged pairs of a field in which entrant 1 gives entrant 0 as many points per match."""
    rng = random.Random(seed)
    skills = field(rng, 10)
    results = []
    for _ in range(matches):
        seated = rng.sample(range(10), 5)
        made = [skills[entrant] + rng.gauss(0, NOISE) for entrant in seated]
        if {0, 1} <= set(seated):
            made[seated.index(0)] += extra
            made[seated.index(1)] -= extra
        results.append(result(seated, made))
    return [(effect.entrant, effect.other) for effect in collusion(units(results)) if effect.flagged]


def test_who_is_fed_is_found_and_by_whom() -> None:
    flagged = feeding(1, 8.0)
    assert (0, 1) in flagged
    assert flagged[0] in [(0, 1), (1, 0)]


@pytest.mark.parametrize(("fields", "flagged"), [(4, 0), pytest.param(20, 2, marks=pytest.mark.prove)])
def test_honest_fields_are_rarely_flagged(fields: int, flagged: int) -> None:
    assert sum(bool(feeding(seed, 0.0, 400)) for seed in range(fields)) <= flagged


def test_a_strong_table_is_no_collusion() -> None:
    # Everybody makes less when the strongest sits there, which the strengths of the table explain.
    rng = random.Random(3)
    skills = [30.0, *field(rng, 9)]
    effects = collusion(units(played(rng, skills, 600)))
    assert not any(effect.flagged for effect in effects)


def test_pairs_that_hardly_met_are_left_out() -> None:
    rng = random.Random(4)
    assert collusion(units(played(rng, field(rng, 10), 12))) == []


def test_each_row_says_how_often_and_how_much() -> None:
    rng = random.Random(5)
    effects = collusion(units(played(rng, field(rng, 8), 200)))
    assert len(effects) == 8 * 7
    assert [effect.p_value for effect in effects] == sorted(effect.p_value for effect in effects)
    assert all(0 <= effect.p_value <= 1 and effect.standard_error > 0 for effect in effects)


def test_an_impossible_false_discovery_rate_is_refused() -> None:
    with pytest.raises(TournamentError, match=re.escape("false discovery rate 1.5: expected")):
        collusion([], 1.5)
