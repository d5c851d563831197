import random
from itertools import combinations

import pytest

from farfalia_tools.bench.kendall import kendall


@pytest.mark.parametrize(
    ("scores", "tau"), [((3.0, 2.0, 1.0), 1), ((1.0, 2.0, 3.0), -1), ((3.0, 1.0, 2.0), 1 / 3), ((2.0, 2.0), 0)]
)
def test_tau_counts_pairs_in_order(scores: tuple[float, ...], tau: float) -> None:
    assert kendall(scores) == pytest.approx(tau)


def test_it_is_what_a_look_at_each_pair_gives_ties_included() -> None:
    rng = random.Random(1)
    for number in range(2, 40):
        scores = [float(rng.randrange(12)) for _ in range(number)]
        pairs = list(combinations(scores, 2))
        assert kendall(scores) == sum((one > other) - (one < other) for one, other in pairs) / len(pairs)
