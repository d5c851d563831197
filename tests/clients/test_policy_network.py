"""Networks that play: learned from the same lessons they are the same, and integers leave nothing to rounding."""

from __future__ import annotations

import numpy as np
import pytest

from farfalia.learning.card_lessons import CardLessons
from farfalia.learning.network_training import NetworkTraining
from farfalia.learning.policy_features import MOST
from farfalia.learning.policy_network import FULL, PolicyNetwork, from_arrays
from farfalia.learning.self_play import SelfPlay, positions


def learned(seed: int, name: str = "two") -> PolicyNetwork:
    """A network after a short training."""
    lessons = CardLessons([SelfPlay(name)], 1.0, seed, kept=2000)
    lessons.more(60)
    training = NetworkTraining((lessons.inputs, 16, 8, 1), 0.05, np.random.default_rng(seed))
    for _ in range(40):
        training.learn(*lessons.some(200), 3e-3)
    return training.network()


def test_the_same_seed_gives_the_same_weights() -> None:
    first, again, other = (learned(seed).arrays() for seed in (1, 1, 2))
    assert first.keys() == again.keys() == other.keys()
    assert all((first[key] == again[key]).all() for key in first)
    assert any((first[key] != other[key]).any() for key in first)


def test_what_it_learns_brings_it_closer_to_what_cards_came_to() -> None:
    lessons = CardLessons([SelfPlay("two")], 1.0, 1, kept=2000)
    lessons.more(200)
    training = NetworkTraining((lessons.inputs, 16, 8, 1), 0.05, np.random.default_rng(1))
    errors = [training.learn(*lessons.some(500), 3e-3) for _ in range(150)]
    assert np.mean(errors[-30:]) < np.mean(errors[:30])


@pytest.mark.parametrize("name", ["chinkway", "farrago"])
def test_sums_are_those_of_integers_in_any_order(name: str) -> None:
    network, game = learned(3, name), SelfPlay(name)
    position = positions(game.dealt(np.random.PCG64(1), 300))
    arrays = network.arrays()
    found = position.inputs.T.astype(np.int64)
    *shifts, trust = arrays["scales"].tolist()
    for number, shift in enumerate(shifts):
        found = found @ arrays[f"weights{number}"].astype(np.int64) + arrays[f"biases{number}"]
        if number < len(shifts) - 1:
            found = np.clip(found >> shift, 0, FULL)
    wanted = found[:, 0] + trust * position.choices.guesses.astype(np.int64)
    assert (network.values(position) == wanted).all()


def test_no_sum_leaves_what_float32_holds() -> None:
    arrays = learned(4).arrays()
    for number in range(3):
        most = np.full(len(arrays[f"weights{number}"]), FULL if number else 1)
        if not number:
            most[0] = MOST
        sums = most @ np.abs(arrays[f"weights{number}"].astype(np.int64)) + np.abs(arrays[f"biases{number}"])
        assert sums.max() < 2**24


def test_a_network_that_is_stored_chooses_as_before() -> None:
    network, game = learned(5), SelfPlay("two")
    stored = {key: array.astype(np.int32) for key, array in network.arrays().items()}
    table = game.dealt(np.random.PCG64(2), 200)
    while table.left:
        position = positions(table)
        cards = network.choose(position)
        assert (from_arrays(stored).choose(position) == cards).all()
        assert ((table.legal() >> cards.astype(np.uint64)) & np.uint64(1) == 1).all()
        table.play(cards)
