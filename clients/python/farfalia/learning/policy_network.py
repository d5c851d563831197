"""A network that plays: integers alone, so that it answers the same on every machine.

All weights, inputs and what is between the layers are integers, and every sum of products stays below 2 ** 24 whatever
the inputs. float32 holds all of these exactly: however a matrix product orders its sums, nothing is ever rounded, and
the fast products of floating point can be used.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from farfalia.learning.card_sets import Bytes
from farfalia.learning.policy_features import MOST, Position

Floats32 = NDArray[np.float32]

#: What a neuron says goes from 0 to here, in parts of SCALE.
FULL: Final = 255
SCALE: Final = 32
#: Sums of products stay below.
_EXACT: Final = 1 << 24
_MOST_SHIFT: Final = 12
_MOST_WEIGHT: Final = np.iinfo(np.int16).max


@dataclass(frozen=True, slots=True)
class Layer:
    """One layer: `weights` (inputs, outputs) and `biases` (outputs,), integers, both times 2 ** `shift`."""

    weights: Floats32
    biases: Floats32
    shift: int

    def sums(self, inputs: Floats32) -> Floats32:
        """Return the weighted sums, (rows, outputs), times 2 ** `shift`."""
        found: Floats32 = inputs @ self.weights
        found += self.biases
        return found

    def fire(self, inputs: Floats32) -> Floats32:
        """Return what the neurons say of these inputs, from 0 to FULL."""
        sums = self.sums(inputs)
        sums *= np.float32(2.0**-self.shift)
        np.floor(sums, out=sums)
        return np.clip(sums, 0, FULL, out=sums)


class PolicyNetwork:
    """Says of every card how much better or worse than the others it is, beside what cautious thinks of it."""

    def __init__(self, layers: tuple[Layer, ...], trust: int) -> None:
        self._layers = layers
        #: How much a part of a point counts that cautious sees between two cards.
        self._trust = trust

    def values(self, position: Position) -> Floats32:
        """Return what each choice is worth, in parts that are the same for all."""
        found = position.inputs.T.astype(np.float32)
        for layer in self._layers[:-1]:
            found = layer.fire(found)
        values: Floats32 = self._layers[-1].sums(found)[:, 0]
        values += position.choices.guesses.astype(np.float32) * np.float32(self._trust)
        return values

    def choose(self, position: Position) -> Bytes:
        """Return the best card of each row; of equals the first."""
        choices = position.choices
        values = np.full(choices.shape, -np.inf, np.float32)
        values[choices.numbers, choices.rows] = self.values(position)
        cards = np.zeros(choices.shape, np.uint8)
        cards[choices.numbers, choices.rows] = choices.cards
        best: Bytes = cards[values.argmax(axis=0), np.arange(choices.shape[1])]
        return best

    def arrays(self) -> dict[str, NDArray[np.int16] | NDArray[np.int32]]:
        """Return the network as arrays to store."""
        found: dict[str, NDArray[np.int16] | NDArray[np.int32]] = {}
        for number, layer in enumerate(self._layers):
            found[f"weights{number}"] = layer.weights.astype(np.int16)
            found[f"biases{number}"] = layer.biases.astype(np.int32)
        shifts = [layer.shift for layer in self._layers]
        found["scales"] = np.array([*shifts, self._trust], np.int32)
        return found


def from_arrays(arrays: dict[str, NDArray[np.int32]]) -> PolicyNetwork:
    """Return the network that `arrays` made these of."""
    *shifts, trust = arrays["scales"].tolist()
    layers = [
        Layer(arrays[f"weights{number}"].astype(np.float32), arrays[f"biases{number}"].astype(np.float32), shift)
        for number, shift in enumerate(shifts)
    ]
    return PolicyNetwork(tuple(layers), trust)


def in_integers(weights: list[Floats32], biases: list[Floats32], trust: float) -> PolicyNetwork:
    """Return the network of integers that is nearest to one of real numbers.

    The first of its inputs is what cautious thinks, and counts `trust` times itself in what comes out.
    """
    layers = []
    most = np.ones(len(weights[0]), np.float32)
    most[0] = MOST
    for number, (weight, bias) in enumerate(zip(weights, biases, strict=True)):
        first = number == 0
        # The inputs of the first layer stand for themselves, those of others are times SCALE.
        unit = SCALE if first else 1
        bound = most if first else np.full(len(weight), FULL, np.float32)
        # What cautious thinks is added to the last layer: half of the room is for that.
        room = _EXACT // 2 if number == len(weights) - 1 else _EXACT
        for shift in range(_MOST_SHIFT, -1, -1):
            whole = np.rint(weight * (unit * 2.0**shift))
            constant = np.rint(bias * (SCALE * 2.0**shift))
            if np.abs(whole).max() <= _MOST_WEIGHT and (bound @ np.abs(whole) + np.abs(constant)).max() < room:
                break
        layers.append(Layer(whole.astype(np.float32), constant.astype(np.float32), shift))
    of_part = SCALE * 2.0 ** layers[-1].shift
    return PolicyNetwork(tuple(layers), min(round(trust * of_part), _EXACT // 2 // MOST - 1))
