"""How many trumps everybody held when the play of a deal began, from the record of the match."""

from __future__ import annotations

from farfalia_engine.actions import Kind
from farfalia_engine.interfaces import State
from farfalia_engine.record import Record
from farfalia_engine.replaying import replay


def trump_holdings(record: Record) -> list[tuple[int | None, ...]]:
    """Return for each deal, by seat, the trumps in its own hand at the first lead; None if there are none by then.

    The cards of dummies do not count, and neither do those that a dealer has discarded. UnreplayableRecord if the
    match cannot be played again.

    >>> source = DealSource(bytes(32), (), "board-1", board_key=bytes([1] * 32))
    >>> record = Record(
    ...     engine="1.0.0",
    ...     match=1,
    ...     ruleset="four",
    ...     seats=(),
    ...     source=source,
    ...     time_control=TimeControl(limit_ms=1_000, bank_ms=0, grace=0),
    ...     actions=(),
    ...     outcome=None,
    ...     started_ms=1,
    ...     finished_ms=2,
    ... )
    >>> trump_holdings(record)
    [(3, 3, 3, 4)]
    """
    found: list[tuple[int | None, ...]] = []
    for state in replay(record):
        if len(found) < state.deal and state.pending is not None and state.pending.kind is Kind.PLAY:
            found.append(_held(state))
    return found


def _held(state: State) -> tuple[int | None, ...]:
    wording, seats = state.rules.game.wording, range(state.rules.seats)
    # Faces name their suit by its letter, or in games where letters mean other suits by its word.
    suits = wording.trumps(state.trumps) if state.trumps else ()
    trumps = {card for card, face in enumerate(wording.faces) if face.suit in suits}
    if not trumps:
        return (None,) * len(seats)
    return tuple(sum(card in trumps for card in state.observation(seat).hand) for seat in seats)
