"""Determinizations drawn, against all that are possible: each comes up, none else, and all equally often."""

import pickle
from collections import Counter
from collections.abc import Iterator
from copy import copy
from dataclasses import replace
from itertools import count
from math import sqrt
from random import Random

import pytest
from tests.engine.conftest import Walk
from tests.engine.games import label, pairwise
from tests.engine.possible_determinizations import (
    Determinization,
    determinization_of,
    possible_determinizations,
    ways_at_most,
)

from farfalia_engine import DealType, Observation
from farfalia_engine.farrago.observation import FarragoObservation

Game = tuple[str, dict[str, str]]


def endings(
    walk: Walk, game: Game, wanted: int, deal: int = 0, kind: DealType | None = None
) -> Iterator[tuple[Observation, Counter[Determinization]]]:
    """Observations late in a deal, with few enough determinizations to count one by one, voids known as far as can be.

    One of each deal, or of this one only, or of deals of this type.
    """
    for seed in count(100):
        random = Random(seed)
        last = 0
        for state in walk(seed, *game):
            if state.deal == last or (deal and state.deal != deal) or sum(map(int.bit_count, state._hands)) > 14:
                continue
            observation = state.observation(random.randrange(state.rules.seats))
            if kind is not None and not (isinstance(observation, FarragoObservation) and observation.type is kind):
                continue
            others = [
                place
                for place in range(len(observation.seats))
                if place not in (observation.position, *observation.dummies)
            ]
            void = sum(bool(observation.voids[place]) and observation.held[place] > 1 for place in others)
            if void < min(2, len(others)) or not 12 <= ways_at_most(observation) <= 3000:
                continue
            determinizations = possible_determinizations(observation)
            if 12 <= len(determinizations) <= 300:
                yield observation, determinizations
                last = state.deal
                wanted -= 1
                if not wanted:
                    return


def deviation(observation: Observation, determinizations: Counter[Determinization], seed: int) -> float:
    """By how many of its standard deviations chi-square is above its average; no other determinization may come up."""
    random = Random(seed)
    draws, ways = 12 * len(determinizations), determinizations.total()
    drawn = Counter(determinization_of(observation.sample(random)) for _ in range(draws))
    assert drawn.keys() <= determinizations.keys()
    expected = {determinization: draws * share / ways for determinization, share in determinizations.items()}
    chi_square = sum((drawn[determinization] - often) ** 2 / often for determinization, often in expected.items())
    freedom = len(determinizations) - 1
    return (chi_square - freedom) / sqrt(2 * freedom)


@pytest.mark.parametrize("wanted", [1, pytest.param(4, marks=pytest.mark.prove)])
@pytest.mark.parametrize("game", pairwise(), ids=label)
def test_every_possible_world_is_equally_likely_and_no_other_comes_up(walk: Walk, game: Game, wanted: int) -> None:
    for seed, (observation, determinizations) in enumerate(endings(walk, game, wanted)):
        assert deviation(observation, determinizations, seed) < 4


def test_the_card_that_the_last_dealer_of_three_short_discarded_may_be_any(walk: Walk) -> None:
    for seed, (observation, determinizations) in enumerate(endings(walk, ("three-short", {}), 3, deal=4)):
        assert deviation(observation, determinizations, seed) < 4


def test_a_card_that_was_shown_for_majority_stays_where_it_was_shown(walk: Walk) -> None:
    found = 0
    for observation, determinizations in endings(walk, ("farrago", {"order": "random"}), 3, kind=DealType.MAJORITY):
        assert isinstance(observation, FarragoObservation)
        found += any(card not in observation.plays for card in observation.shown)
        assert deviation(observation, determinizations, observation.deal) < 4
    assert found


def test_a_match_can_be_sampled_again_after_it_was_copied_or_sent(walk: Walk) -> None:
    observation, _ = next(endings(walk, ("chinkway", {}), 1))
    first = determinization_of(observation.sample(Random(1)))
    for other in (copy(observation), replace(observation), pickle.loads(pickle.dumps(observation))):
        assert other == observation
        assert not hasattr(other, "_draw")
        assert determinization_of(other.sample(Random(1))) == first
