"""Learns what cards are worth: a network of three layers by Adam, in NumPy."""

from __future__ import annotations

from itertools import pairwise
from typing import Final

import numpy as np

from farfalia.learning.card_sets import Places
from farfalia.learning.policy_features import MOST, Features
from farfalia.learning.policy_network import FULL, SCALE, Floats32, PolicyNetwork, in_integers

#: What a neuron says at most.
_CEILING: Final = np.float32(FULL / SCALE)
_DECAY, _SQUARES, _TINY = np.float32(0.9), np.float32(0.999), np.float32(1e-8)
#: The guess of cautious is smaller while it learns, of the size of the other inputs.
_GUESS: Final = np.float32(2 / MOST)


class NetworkTraining:
    """A network of real numbers that learns; its first input is what cautious thinks, the others are 0 or 1.

    What comes out is a weighted sum of the last layer and of that first input. `trust` is its weight at the beginning:
    how many points a part is worth.
    """

    def __init__(self, sizes: tuple[int, ...], trust: float, random: np.random.Generator) -> None:
        self._parameters: list[Floats32] = []
        for before, after in pairwise(sizes):
            # Some of the inputs are there at a time; the last layer begins with next to nothing.
            spread = 0.01 if after == 1 else ((8 if before == sizes[0] else 2) / before) ** 0.5
            self._parameters += [
                (random.standard_normal((before, after)) * spread).astype(np.float32),
                np.zeros(after, np.float32),
            ]
        self._parameters.append(np.full(1, trust / _GUESS, np.float32))
        self._means = [np.zeros_like(one) for one in self._parameters]
        self._squares = [np.zeros_like(one) for one in self._parameters]
        self._steps = 0

    def learn(self, inputs: Features, rows: Places, targets: Floats32, rate: float) -> float:
        """Take one step towards these targets, in points; return the mean squared error before it, by row.

        `inputs` is (choices, inputs), `rows` says which choices belong together: what counts is how they differ from
        the mean of their row.
        """
        layers = [inputs.astype(np.float32)]
        guesses = layers[0][:, 0]
        guesses *= _GUESS
        *dense, trust = self._parameters
        for weight, bias in zip(dense[:-2:2], dense[1:-2:2], strict=True):
            layers.append(np.clip(layers[-1] @ weight + bias, 0, _CEILING))
        error = (layers[-1] @ dense[-2])[:, 0] + trust * guesses - targets
        count = np.bincount(rows)
        error -= (np.bincount(rows, error) / np.maximum(count, 1)).astype(np.float32)[rows]
        number_of_rows = np.count_nonzero(count)
        gradients = [np.array([error @ guesses], np.float32)]
        back = error[:, np.newaxis]
        for number in range(len(layers) - 1, -1, -1):
            gradients += [back.sum(axis=0), layers[number].T @ back]
            if number:
                back = back @ dense[2 * number].T
                back *= (layers[number] > 0) & (layers[number] < _CEILING)
        self._step([gradient / np.float32(number_of_rows) for gradient in reversed(gradients)], rate)
        return float(error @ error) / number_of_rows

    def _step(self, gradients: list[Floats32], rate: float) -> None:
        self._steps += 1
        step = np.float32(rate * (1 - _SQUARES**self._steps) ** 0.5 / (1 - _DECAY**self._steps))
        places = zip(self._parameters, gradients, self._means, self._squares, strict=True)
        for parameter, gradient, mean, square in places:
            mean += (1 - _DECAY) * (gradient - mean)
            square += (1 - _SQUARES) * (gradient * gradient - square)
            parameter -= step * mean / (np.sqrt(square) + _TINY)

    def network(self) -> PolicyNetwork:
        """Return what has been learned, in integers."""
        *dense, trust = self._parameters
        weights, biases = [each.copy() for each in dense[::2]], dense[1::2]
        weights[0][0] *= _GUESS
        return in_integers(weights, biases, float(trust[0] * _GUESS))
