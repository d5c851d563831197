"""How likely others would have played as they did, had they held the cards of this world or that one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from farfalia.learning.lockstep_cautious import CautiousTable
from farfalia.learning.lockstep_policy import Floats
from farfalia.learning.lockstep_worlds import layout_of, number_of, table_from_start
from farfalia.learning.play_models import PlayEvidence, log_chances
from farfalia_engine import CARDS, FAMILY, FarfaliaObservation, FarragoObservation, Kind, Observation, State
from farfalia_engine.farfalia.hand_values import SUITS, likely_trumps

#: How likely a dealer declares what looks like its longest and strongest suit.
_DECLARED: Final = 0.8


def evidence_of(view: Observation, worlds: Sequence[State]) -> PlayEvidence:
    """Return what the others' decisions say about worlds, determinizations of the view, and about how they play.

    Each of them follows one of the models of play, and dealers mostly declare their longest suit. What a dummy plays,
    what is collected and how Farrago's trumps come about says little about hands, and is left out. ValueError for a
    game that is not played in lock step.
    """
    if not plays_in_lockstep(view):
        game = f"{view.ruleset} {view.options or ''}".strip()
        raise ValueError(f"{game} is not played in lock step, expected another")
    positions = len(view.seats)
    evidence = PlayEvidence(_declared(view, worlds), positions)
    if not view.plays:
        return evidence
    table = table_from_start(view, worlds)
    silent = {view.position, *view.dummies}
    for index, card in enumerate(view.plays):
        trick, place = divmod(index, positions)
        position = (view.leaders[trick] + place) % positions
        if position not in silent:
            legal = table.legal()
            choices = np.bitwise_count(legal).astype(np.intp)
            if choices.max() > 1:
                _, values = table.values()
                lower = np.bitwise_count(legal & np.uint64((1 << card) - 1)).astype(np.intp)
                evidence.add(position, log_chances(values, lower, choices))
        table.play(np.full(len(worlds), card, np.uint8))
        if place == positions - 1 and isinstance(table, CautiousTable):
            # What was collected is known; the table has made a choice of its own.
            for side in range(len(table.missing)):
                table.missing[side] = _missing(view, side, trick + 1)
    return evidence


def plays_in_lockstep(view: Observation) -> bool:
    """Return whether tables in lock step know the game: not where wild cards are played, nor in other families."""
    return isinstance(view, FarfaliaObservation | FarragoObservation) and view.options.get("burnin") != "on"


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
