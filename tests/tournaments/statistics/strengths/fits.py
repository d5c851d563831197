"""Results of every kind for fits of strengths, and when two fits are the same."""

import pytest
from hypothesis import strategies as st

from farfalia_tournaments import MatchResult, StrengthFit

Results = list[MatchResult[int]]


@st.composite
def results(draw: st.DrawFn) -> Results:
    """Some matches, with equal cards or not."""
    found = []
    for _ in range(draw(st.integers(1, 8))):
        seats = draw(st.sampled_from((2, 3, 5)))
        order = draw(st.permutations(range(6)))[:seats]
        points = tuple(draw(st.lists(st.integers(0, 90), min_size=seats, max_size=seats)))
        board = draw(st.sampled_from(("", f"x{seats}", f"y{seats}")))
        found.append(MatchResult(tuple(order), points, (1,) * seats, board=board))
    return found


def same(one: StrengthFit[int], other: StrengthFit[int], as_other: dict[int, int] | None = None) -> None:
    called = as_other or {entrant: entrant for entrant in one.entrants}
    for a in one.entrants:
        x, y = called[a], one.entrants[0]
        assert other.strength(x).mean == pytest.approx(one.strength(a).mean, abs=1e-6)
        assert other.interval(x) == pytest.approx(one.interval(a), abs=1e-5)
        assert other.probability(x, called[y]) == pytest.approx(one.probability(a, y), abs=1e-6)
