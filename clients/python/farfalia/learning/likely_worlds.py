"""Worlds that a seat may be in, weighed by how others have played: what a search tries its actions in."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final, TypeAlias

import numpy as np

from farfalia.learning.likelihood import evidence_of
from farfalia.learning.lockstep_policy import Floats, Whims
from farfalia.learning.lockstep_worlds import cards_of
from farfalia.learning.play_models import PLAY_MODELS, PlayEvidence
from farfalia_engine import Kind, Observation, State

#: Returns for each world the logarithm of how likely it is, up to a constant; -inf for one that is impossible.
Likelihood: TypeAlias = Callable[[Observation, Sequence[State]], Floats]

#: Worlds drawn at a time, at most, and for each one that is taken: those that fit best to what others did.
_DRAWN: Final = 400
_CHOICE: Final = 10
#: They are weighed less sharply until they count as much as this number of equally likely ones.
_EFFECTIVE: Final = 40
#: Numbers of cards are below this one.
_CARDS: Final = 64


@dataclass(frozen=True, slots=True, eq=False)
class LikelyWorlds:
    """Worlds, how much each counts, and how likely each position follows each model of play there."""

    worlds: list[State]
    #: By world; their sum is the number that was asked for.
    counts: Floats
    #: (models, positions, worlds); see `play_models`.
    models: Floats


def likely_worlds(view: Observation, random: Random, number: int, likelihood: Likelihood | None = None) -> LikelyWorlds:
    """Return up to this number of worlds, determinizations of the view.

    They are chosen from up to ten times as many, and from 400 at most or from `number`, which `Observation.sample`
    draws, as often as `world_weights` says. They are weighed by how others have played, or by a likelihood of your own.
    ValueError if number is less than 1, if that likelihood returns another number of values or finds all worlds
    impossible, and without one for a game that is not played in lock step.
    """
    if number < 1:
        raise ValueError(f"number is {number}, expected at least 1")
    drawn, times = _drawn(view, random, max(number, min(_DRAWN, _CHOICE * number)))
    if likelihood is None:
        evidence = evidence_of(view, drawn)
        found = evidence.log_likelihood
    else:
        found = np.asarray(likelihood(view, drawn), np.float64)
        if found.shape != (len(drawn),):
            raise ValueError(
                f"likelihood returned the shape {found.shape}, expected ({len(drawn)},): one of each world"
            )
        evidence = PlayEvidence(found, len(view.seats))
    bounds = np.cumsum(world_weights(found, times)) * number
    # Every world stands on a line for as long as it is likely; a comb with a tooth at every unit takes those it meets.
    teeth = random.random() + np.arange(number)
    met = np.minimum(np.searchsorted(bounds, teeth), len(drawn) - 1)
    chosen, counts = np.unique(met, return_counts=True)
    return LikelyWorlds([drawn[index] for index in chosen], counts.astype(np.float64), evidence.models[..., chosen])


def whims_in(view: Observation, likely: LikelyWorlds, random: Random) -> Whims | None:
    """Draw how all others play on in each of the worlds: as cautious does, or with whims; None if all are cautious.

    A dummy is played as its partner plays the other hand. This seat plays as cautious does.
    """
    count = len(likely.worlds)
    numbers = np.random.Generator(np.random.PCG64(random.getrandbits(64)))
    drawn = numbers.random((likely.models.shape[1], count))
    model = (drawn >= likely.models.cumsum(axis=0)[:-1]).sum(axis=0)
    scale = np.array([model.whim for model in PLAY_MODELS])[model]
    scale[view.position] = 0.0
    scale = scale[[view.seats.index(seat) for seat in view.seats]]
    if not scale.any():
        return None
    return Whims(scale, -np.log(-np.log(1 - numbers.random((_CARDS, count)))))


def _drawn(view: Observation, random: Random, number: int) -> tuple[list[State], Floats]:
    """Draw this number of worlds; return those that differ in what is left of this deal, and how often each came."""
    worlds = [view.sample(random) for _ in range(number)]
    if view.kind not in (Kind.PLAY, Kind.COLLECT):
        return worlds, np.ones(number)  # what is turned up next differs, too
    different = {cards_of(world): world for world in worlds}
    times = Counter(map(cards_of, worlds))
    return list(different.values()), np.array([times[cards] for cards in different], np.float64)


def world_weights(likelihood: Floats, times: Floats | None = None) -> Floats:
    """Return what worlds of this log likelihood count, 1 together: as likely as they are, but less sharply if few of
    them would count alone, so that they count like 40 equally likely ones or half of those that are possible.

    `times` says how often each was drawn; once, if it is left out.

    ValueError if none is possible, or if a value is not a number.
    """
    if np.isnan(likelihood).any() or not np.isfinite(likelihood.max(initial=-np.inf)):
        raise ValueError("no world is possible by this likelihood, expected a finite value of one at least")
    # Rounding must not decide, where half of them are equal.
    drawn = np.ones(len(likelihood)) if times is None else times
    enough = min(_EFFECTIVE, drawn[np.isfinite(likelihood)].sum() / 2) * (1 - 1e-9)
    while True:
        weights: Floats = drawn * np.exp(likelihood - likelihood.max())
        weights /= weights.sum()
        if 1 / (weights**2 / drawn).sum() >= enough:
            return weights
        likelihood = 0.8 * likelihood
