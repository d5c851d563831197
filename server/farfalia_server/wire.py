"""What the engine says, as the contract's messages."""

from __future__ import annotations

from farfalia.v1 import cards_pb2
from farfalia_engine import Observation


def view_message(seen: Observation) -> cards_pb2.View:
    """The View of a seat: all that the observation holds, nothing more."""
    return cards_pb2.View(
        seat=seen.seat,
        deal=seen.deal,
        deals=seen.deals,
        seats=seen.seats,
        sides=seen.sides,
        scores=seen.scores,
        totals=seen.totals,
        trumps=seen.trumps,  # type: ignore[arg-type]  # the engine's numbers are the contract's
        subjects=seen.subjects,
        hand=seen.hand,
        set_aside=seen.set_aside,
        plays=seen.plays,
        leaders=seen.leaders,
        winners=seen.winners,
        collected=seen.collected,
        held=seen.held,
        ruleset=seen.ruleset,
        options=seen.options,
        acting=seen.acting,
        dummies=seen.dummies,
        face_up=seen.face_up,
        covering=seen.covering,
        wilds=seen.wilds,
        doubled=seen.doubled,
        choice=seen.choice,
        types=seen.types,
        bars=seen.bars,
        shown=seen.shown,
    )
