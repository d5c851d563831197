"""What ladders knew before: how it enters the fit, against dense algebra, and how sure one may be of it."""

import math
import random
from dataclasses import replace

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.examples import few
from tests.tournaments.fields import TWO_FAMILIES, field, played, two_families
from tests.tournaments.statistics.strengths.fits import Results, results, same

from farfalia_tournaments import Strength, StrengthFit, fit_strengths

Known = dict[int, Strength]


@st.composite
def known(draw: st.DrawFn) -> Known:
    """What is known of some of six entrants."""
    who = draw(st.sets(st.integers(0, 5), min_size=2))
    return {one: Strength(draw(st.integers(-20, 20)), draw(st.sampled_from((0.5, 2.0, 8.0)))) for one in sorted(who)}


def in_points(results: Results) -> Results:
    """Whole points, as fields are drawn in hundredths."""
    return [replace(one, points=tuple(round(made / 100) for made in one.points)) for one in results]


@few
@given(results(), st.integers(0, 5), st.floats(-20, 20))
def test_what_is_known_of_one_alone_or_of_strangers_changes_nothing(played: Results, one: int, mean: float) -> None:
    alone = fit_strengths(played)
    assert fit_strengths(played, known={one: Strength(mean, 1.0), 7: Strength(0.0, 1.0)}) == alone
    assert not alone.known


@few
@given(results(), known(), st.integers(-100, 100))
def test_the_middle_of_a_ladder_changes_nothing(played: Results, known: Known, more: int) -> None:
    moved = {one: Strength(own.mean + more, own.deviation) for one, own in known.items()}
    same(fit_strengths(played, known=known), fit_strengths(played, known=moved))


@few
@given(results(), known())
def test_next_to_nothing_known_is_nothing_known(played: Results, known: Known) -> None:
    vague = {one: Strength(own.mean, 1e6) for one, own in known.items()}
    same(fit_strengths(played), fit_strengths(played, known=vague))


@few
@given(results(), known())
def test_what_is_known_for_sure_is_what_comes_out(played: Results, known: Known) -> None:
    sure = {one: Strength(own.mean, 1e-3) for one, own in known.items()}
    fit = fit_strengths(played, known=sure)
    for one in fit.known:
        for other in fit.known:
            apart = fit.strength(one).mean - fit.strength(other).mean
            assert apart == pytest.approx(known[one].mean - known[other].mean, abs=0.3)


@pytest.mark.parametrize("families", [{}, TWO_FAMILIES])
def test_strengths_follow_from_what_is_published_of_a_ladder(families: dict[int, str]) -> None:
    results = in_points(two_families(2, 40))
    rng = random.Random(4)
    known = {one: Strength(rng.gauss(40, 5), 1 + one / 4) for one in range(1, 9)}
    fit = fit_strengths(results, families=families, known=known)
    assert set(fit.known) == set(known)
    told, right, square = numpy.zeros((10, 10)), numpy.zeros(10), 0.0
    for result in results:
        centre = numpy.eye(5) - 1 / 5
        scores = centre @ numpy.array(result.points)
        who = list(result.entrants)
        told[numpy.ix_(who, who)] += centre
        right[who] += scores
        square += scores @ scores
    for part in fit.components:
        # Strengths, means of families, and the ladder's offset: everything is written down, nothing taken out.
        size = 10 + len(fit.families) + 1
        design, weights, values = numpy.zeros((len(known), size)), numpy.array(part.known_precisions), []
        for row, one in enumerate(fit.known):
            design[row, one] = design[row, -1] = 1
            values.append(known[one].mean)
        own = numpy.zeros((size, size))
        own[:10, :10] = told
        for one, precision in enumerate(part.precisions):
            link = numpy.zeros(size)
            link[one] = 1
            for number, family in enumerate(fit.families):
                if one in family:
                    link[10 + number] = -1
            own += precision * numpy.outer(link, link)
        for number, precision in enumerate(part.family_precisions):
            own[10 + number, 10 + number] += precision
        by_ladder = design.T @ numpy.diag(weights) @ design
        whole = own + by_ladder
        side = numpy.concatenate([right, numpy.zeros(size - 10)])
        inverse = numpy.linalg.inv(whole)
        found = inverse @ (side + design.T @ (weights * numpy.array(values)))
        degrees = 4 * len(results) + 1 + numpy.trace(inverse @ by_ladder) - 1
        luck = (square - 2 * found @ side + found @ own @ found + 1) / degrees
        off = numpy.eye(10) - 1 / 10
        assert part.degrees == pytest.approx(degrees)
        assert list(part.means) == pytest.approx(list(off @ found[:10]), abs=1e-6)
        covariances = numpy.array(part.covariances)
        numpy.testing.assert_allclose(covariances, luck * off @ inverse[:10, :10] @ off, atol=1e-6)
        for one, precision in zip(fit.known, part.known_precisions, strict=True):
            assert math.sqrt(luck / precision) == pytest.approx(known[one].deviation, rel=1e-3)


def surely(fit: StrengthFit[int]) -> float:
    """How sure it is, over all pairs."""
    pairs = [(one, other) for one in fit.entrants for other in fit.entrants if one < other]
    return sum(abs(fit.probability(*pair) - 0.5) for pair in pairs) / len(pairs)


def test_a_ladder_orders_a_close_field_and_one_of_equals_makes_it_less_sure() -> None:
    rng = random.Random(3)
    skills = [float(number) for number in range(10)]
    results = in_points(played(rng, skills, 30))
    alone = fit_strengths(results)
    order = fit_strengths(results, known={one: Strength(skill, 0.7) for one, skill in enumerate(skills)}).order()
    assert order == list(range(9, -1, -1)) != alone.order()
    level = fit_strengths(results, known={one: Strength(0.0, 0.7) for one in range(10)})
    assert surely(level) < surely(alone)


def test_a_ladder_that_knows_two_well_shows_how_close_they_are() -> None:
    results = in_points(played(random.Random(5), [0.0] * 10, 12))
    alone = fit_strengths(results)
    doubtful = [(one, other) for one in range(10) for other in range(one) if not alone.knows_probability(one, other)]
    assert doubtful
    well = fit_strengths(results, known={one: Strength(0.0, 1.0) for one in range(10)})
    assert all(well.knows_probability(*pair) for pair in doubtful)
    barely = fit_strengths(results, known={one: Strength(0.0, 10.0) for one in range(10)})
    assert not all(barely.knows_probability(*pair) for pair in doubtful)


def test_a_ladder_that_knows_some_says_nothing_of_the_others() -> None:
    results = in_points(played(random.Random(5), [0.0] * 10, 20))
    fit = fit_strengths(results, known={one: Strength(10.0 * one, 0.5) for one in range(3)})
    assert fit.order().index(2) < fit.order().index(1) < fit.order().index(0)
    assert all(fit.strength(one).deviation > 1 for one in range(3, 10))


def test_a_field_of_sixty_takes_what_is_known_with_and_without_families() -> None:
    rng = random.Random(5)
    skills = field(rng, 60, skill=3)
    results = in_points(played(rng, skills, 240))
    known = {one: Strength(skills[one], 0.5) for one in range(60)}
    strong, weak = max(range(60), key=skills.__getitem__), min(range(60), key=skills.__getitem__)
    for families in ({}, {one: f"owner {one // 2}" for one in range(60)}):
        fit = fit_strengths(results, families=families, known=known)
        assert fit.probability(strong, weak) > 0.999
        errors = [fit.strength(one).mean - skills[one] + sum(skills) / 60 for one in range(60)]
        assert max(map(abs, errors)) < 1.5
