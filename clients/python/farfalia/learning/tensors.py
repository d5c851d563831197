"""What a seat may know, and what it may do, as NumPy arrays of a size that a ruleset fixes.

>>> from farfalia_engine import Deals, ruleset
>>> rules = ruleset("two")
>>> observation = rules.new_match(Deals(bytes(32))).observation(1)
>>> tensor = observation_tensor(observation)
>>> tensor.shape == (observation_size(rules),)
True
>>> hand = tensor[tensor_layout(rules).fields["hand"].slice]
>>> hand.nonzero()[0].tolist() == list(observation.hand)
True
"""

import numpy as np
from numpy.typing import NDArray

from farfalia.learning.tensor_layout import tensor_layout
from farfalia.learning.tensor_writer import Tensor, tensor_writer
from farfalia_engine import Observation, Ruleset, State

Mask = NDArray[np.int8]

__all__ = ["Mask", "Tensor", "action_count", "action_mask", "observation_size", "observation_tensor", "tensor_layout"]


def observation_size(rules: Ruleset) -> int:
    """Return how many numbers an observation's tensor has; `tensor_layout(rules).fields` says which they are."""
    return tensor_layout(rules).size


def observation_tensor(observation: Observation, out: Tensor | None = None) -> Tensor:
    """Return all that the seat may know, as `tensor_layout` describes it: zeros and ones, but for points and deals.

    It is written into `out`, which must be flat and of the right size, or else into a new array. ValueError otherwise.
    """
    writer = tensor_writer(observation.rules)
    if out is None:
        out = np.empty(writer.size, np.float32)
    elif out.shape != (writer.size,) or out.dtype != np.float32:
        raise ValueError(f"out has shape {out.shape} and type {out.dtype}, expected ({writer.size},) and float32")
    writer.write(observation, out)
    return out


def action_count(rules: Ruleset) -> int:
    """Return how many numbers there are for actions: the engine's, up to the highest that this ruleset can offer."""
    return tensor_layout(rules).actions


def action_mask(asked: Observation | State, seat: int | None = None, out: Mask | None = None) -> Mask:
    """Return 1 for each legal action, by its number: of an observation's seat, or of this seat (None: the first asked).

    All are 0 if that seat is not asked. It is written into `out`, which must be flat and of the right size, or else
    into a new array. ValueError otherwise.
    """
    count = action_count(asked.rules)
    if out is None:
        out = np.zeros(count, np.int8)
    elif out.shape != (count,):
        raise ValueError(f"out has shape {out.shape}, expected ({count},)")
    else:
        out.fill(0)
    legal = asked.legal if isinstance(asked, Observation) else asked.legal_actions(seat)
    if legal:
        out[np.array(legal)] = 1
    return out
