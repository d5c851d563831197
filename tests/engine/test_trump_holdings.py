"""How many trumps everybody held when the play of a deal began."""

from __future__ import annotations

import pytest
from tests.engine.games import PAIRWISE, label
from tests.engine.recorded import recorded

from farfalia_engine import Kind, State, TrumpHoldings, replay


def held(state: State, seat: int) -> int | None:
    """The trumps in a hand by the texts of its cards: S10 is of suit S, and so is Farrago's TS."""
    if not 1 <= state.trumps <= 4:
        return None
    farrago = state.rules.name == "farrago"
    trumps = ("SHDC" if farrago else "SLFO")[state.trumps - 1]
    texts = [state.rules.text(card).removeprefix("play ") for card in state.observation(seat).hand]
    return [text.rstrip("'")[-1] if farrago else text[0] for text in texts].count(trumps)


@pytest.mark.parametrize("game", PAIRWISE, ids=label)
def test_trumps_are_counted_in_the_hands_before_the_first_lead(game: tuple[str, dict[str, str]]) -> None:
    record = recorded(*game)
    counted = [
        tuple(held(state, seat) for seat in range(state.rules.seats))
        for state in replay(record)
        if state.pending is not None and state.pending.kind is Kind.PLAY and not state.plays
    ]
    assert record.outcome is not None
    assert len(counted) == len(record.outcome.deals)
    holdings = TrumpHoldings()
    for state in replay(record):
        holdings.look(state)
    assert holdings.by_deal == counted
