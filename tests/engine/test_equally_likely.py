"""Sampled worlds against all worlds that are possible: each comes up, none else, and all equally often."""

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
from tests.engine.games import ALL, label
from tests.engine.possible_worlds import World, possible_worlds, ways_at_most, world_of

from farfalia_engine import DealType, Observation
from farfalia_engine.farrago.observation import FarragoObservation

Game = tuple[str, dict[str, str]]


def endings(walk: Walk, game: Game, wanted: int, deal: int = 0) -> Iterator[tuple[Observation, Counter[World]]]:
    """Observations late in a deal, of worlds few enough to be counted one by one, voids known as far as can be.

    One of each deal, or of this one only.
    """
    for seed in count(100):
        random = Random(seed)
        last = 0
        for state in walk(seed, *game):
            if state.deal == last or (deal and state.deal != deal) or sum(map(int.bit_count, state._hands)) > 14:
                continue
            seen = state.observation(random.randrange(state.rules.seats))
            others = [place for place in range(len(seen.seats)) if place not in (seen.position, *seen.dummies)]
            void = sum(bool(seen.voids[place]) and seen.held[place] > 1 for place in others)
            if void < min(2, len(others)) or not 12 <= ways_at_most(seen) <= 3000:
                continue
            worlds = possible_worlds(seen)
            if 12 <= len(worlds) <= 300:
                yield seen, worlds
                last = state.deal
                wanted -= 1
                if not wanted:
                    return


def deviation(seen: Observation, worlds: Counter[World], seed: int) -> float:
    """By how many of its standard deviations chi-square is above what it is on average; no other world may come up."""
    random = Random(seed)
    draws, ways = 12 * len(worlds), worlds.total()
    drawn = Counter(world_of(seen.sample(random)) for _ in range(draws))
    assert drawn.keys() <= worlds.keys()
    expected = {world: draws * share / ways for world, share in worlds.items()}
    chi_square = sum((drawn[world] - often) ** 2 / often for world, often in expected.items())
    freedom = len(worlds) - 1
    return (chi_square - freedom) / sqrt(2 * freedom)


@pytest.mark.parametrize("game", ALL, ids=label)
def test_every_possible_world_is_equally_likely_and_no_other_comes_up(walk: Walk, game: Game) -> None:
    for seed, (seen, worlds) in enumerate(endings(walk, game, 2)):
        assert deviation(seen, worlds, seed) < 4


def test_the_card_that_the_last_dealer_of_three_short_set_aside_may_be_any(walk: Walk) -> None:
    for seed, (seen, worlds) in enumerate(endings(walk, ("three-short", {}), 3, deal=4)):
        assert deviation(seen, worlds, seed) < 4


def test_a_card_that_was_shown_for_majority_stays_where_it_was_shown(walk: Walk) -> None:
    found = 0
    for seen, worlds in endings(walk, ("farrago", {"order": "random"}), 40):
        assert isinstance(seen, FarragoObservation)
        if seen.type is DealType.MAJORITY:
            found += any(card not in seen.plays for card in seen.shown)
            assert deviation(seen, worlds, seen.deal) < 4
    assert found


def test_a_match_can_be_sampled_again_after_it_was_copied_or_sent(walk: Walk) -> None:
    seen, _ = next(endings(walk, ("chinkway", {}), 1))
    first = world_of(seen.sample(Random(1)))
    for other in (copy(seen), replace(seen), pickle.loads(pickle.dumps(seen))):
        assert other == seen
        assert not hasattr(other, "_draw")
        assert world_of(other.sample(Random(1))) == first
