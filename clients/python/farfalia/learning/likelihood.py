"""How likely others would have played as they did, had they held the cards of this world or that one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Final, TypeAlias

import numpy as np

from farfalia.learning.lockstep_cautious import CautiousTable
from farfalia.learning.lockstep_policy import Floats, PolicyTable
from farfalia.learning.lockstep_worlds import layout_of, number_of, table_from_start
from farfalia_engine import CARDS, FAMILY, FarfaliaObservation, FarragoObservation, Kind, Observation, State
from farfalia_engine.farfalia.hand_values import SUITS, likely_trumps

#: Returns for each world the logarithm of how likely it is, up to a constant; -inf for one that is impossible.
Likelihood: TypeAlias = Callable[[Observation, Sequence[State]], Floats]

#: Worlds that are drawn to choose from, at most, and for each one that is wanted.
_DRAWN: Final = 400
_CHOICE: Final = 10
#: They are weighed less sharply until they count as much as this number of equally likely ones.
_EFFECTIVE: Final = 40
#: How much worse a card must look to cautious to be e times less likely; and the share of cards that are any card.
_SOFT: Final = 0.15
_ANY: Final = 0.1
#: How likely a dealer declares what looks like its longest and strongest suit.
_DECLARED: Final = 0.8


def log_likelihood(view: Observation, worlds: Sequence[State]) -> Floats:
    """Return for each world, a determinization of the view, the logarithm of how likely others play as they did.

    They are taken for players who mostly choose the card that cautious would, or one that it thinks nearly as good, and
    for dealers who mostly declare their longest suit. What a dummy plays, what is collected and how Farrago's trumps
    come about says little about hands, and is left out. ValueError for a game that is not played in lock step.
    """
    if not plays_in_lockstep(view):
        raise ValueError(
            f"{view.ruleset} {view.options or ''}".strip() + " is not played in lock step, expected another"
        )
    likelihood = _declared(view, worlds)
    if not view.plays:
        return likelihood
    table = table_from_start(view, worlds)
    positions = len(view.seats)
    silent = {view.position, *view.dummies}
    for index, card in enumerate(view.plays):
        trick, place = divmod(index, positions)
        if (view.leaders[trick] + place) % positions not in silent:
            likelihood += _played(table, card)
        table.play(np.full(len(worlds), card, np.uint8))
        if place == positions - 1 and isinstance(table, CautiousTable):
            # What was collected is known; the table has made a choice of its own.
            for side in range(len(table.missing)):
                table.missing[side] = _missing(view, side, trick + 1)
    return likelihood


def plays_in_lockstep(view: Observation) -> bool:
    """Return whether tables in lock step know the game: not where wild cards are played, nor in other families."""
    return isinstance(view, FarfaliaObservation | FarragoObservation) and view.options.get("burnin") != "on"


def likely_worlds(
    view: Observation, random: Random, number: int, likelihood: Likelihood = log_likelihood
) -> tuple[list[State], Floats]:
    """Return up to this number of determinizations of the view, and how often each counts: together that number.

    They are chosen from up to ten times as many, and from 400 at most or from `number`, which `Observation.sample`
    draws, as often as `world_weights` of this likelihood says; one that is chosen several times comes once. With a
    likelihood of your own you weigh by what you know of the others. ValueError if number is less than 1, or if that
    likelihood returns another number of values, or finds all worlds impossible.
    """
    if number < 1:
        raise ValueError(f"number is {number}, expected at least 1")
    drawn = [view.sample(random) for _ in range(max(number, min(_DRAWN, _CHOICE * number)))]
    found = np.asarray(likelihood(view, drawn), np.float64)
    if found.shape != (len(drawn),):
        raise ValueError(f"likelihood returned the shape {found.shape}, expected ({len(drawn)},): one of each world")
    bounds = np.cumsum(world_weights(found)) * number
    # Every world stands on a line for as long as it is likely; a comb with a tooth at every unit takes those it meets.
    teeth = random.random() + np.arange(number)
    met = np.minimum(np.searchsorted(bounds, teeth), len(drawn) - 1)
    chosen, counts = np.unique(met, return_counts=True)
    return [drawn[index] for index in chosen], counts.astype(np.float64)


def world_weights(likelihood: Floats) -> Floats:
    """Return what worlds of this log likelihood count, 1 together: as likely as they are, but less sharply if few of
    them would count alone, so that they count like 40 equally likely ones or half of those that are possible.

    ValueError if none is possible, or if a value is not a number.
    """
    if np.isnan(likelihood).any() or not np.isfinite(likelihood.max(initial=-np.inf)):
        raise ValueError("no world is possible by this likelihood, expected a finite value of one at least")
    enough = min(_EFFECTIVE, np.isfinite(likelihood).sum() / 2)
    while True:
        weights: Floats = np.exp(likelihood - likelihood.max())
        weights /= weights.sum()
        if 1 / (weights @ weights) >= enough:
            return weights
        likelihood = 0.8 * likelihood


def _played(table: PolicyTable, card: int) -> Floats:
    """Return how likely this card is played now, by row, as a logarithm."""
    legal = table.legal()
    choices = np.bitwise_count(legal)
    if choices.max() < 2:
        return np.zeros(len(legal))
    _, values = table.values()
    chances = np.exp((values - values.max(axis=0)) / _SOFT)
    chances /= chances.sum(axis=0)
    index = np.bitwise_count(legal & np.uint64((1 << card) - 1)).astype(np.intp)
    likelihood: Floats = np.log((1 - _ANY) * chances[index, table.rows] + _ANY / choices)
    return likelihood


def _declared(view: Observation, worlds: Sequence[State]) -> Floats:
    """Return how likely another dealer declares these trumps, as a logarithm; 0 where nobody declares."""
    likelihood: Floats = np.zeros(len(worlds))
    if not view.rules.game.collecting or not view.trumps or view.position == 0:
        return likelihood
    pending = layout_of(view).first
    kinds = []
    while pending.kind is not Kind.PLAY:
        kinds.append(pending.kind)
        pending = pending.following
    if Kind.DECLARE not in kinds:
        return likelihood
    shown = 0
    for index, card in enumerate(view.plays):
        trick, place = divmod(index, len(view.seats))
        if (view.leaders[trick] + place) % len(view.seats) == 0 and card < CARDS:
            shown |= 1 << card
    for number, world in enumerate(worlds):
        hand = world.hands[0] | shown
        likely = likely_trumps(hand) + 1 == view.trumps
        likelihood[number] = np.log(_DECLARED if likely else (1 - _DECLARED) / SUITS)
    return likelihood


def _missing(view: Observation, side: int, tricks: int) -> int:
    """Return what a side was missing after this number of tricks; see `lockstep_rules`."""
    missing = number_of(view.subjects)
    for winner, card in zip(view.winners[:tricks], view.collected, strict=False):
        if view.sides[winner] == side and card < CARDS:
            missing -= number_of((FAMILY[card],))
    return missing
