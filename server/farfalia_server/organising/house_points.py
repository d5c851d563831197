"""What house bots make of a board: a measure of its luck where no other table has played it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from farfalia import bots as house_bots
from farfalia_engine import Deals, Ruleset, play_to_end, ruleset

#: Who plays all seats: good enough to use a good hand, and the same in every match.
PLAYER = "greedy"


def house_points(rules: Ruleset, key: bytes) -> tuple[int, ...]:
    """Return the points by seat of a match with the board of this key in which a house bot plays all seats."""
    state = rules.new_match(Deals(key))
    play_to_end(state, [house_bots.create(PLAYER).decide for _ in range(rules.seats)])
    assert state.outcome is not None
    return state.outcome.points


def points_of_boards(boards: Sequence[tuple[str, Mapping[str, str], bytes]]) -> list[tuple[int, ...]]:
    """Return `house_points` of several boards: each is a ruleset's name, its options, and the key of the board."""
    return [house_points(ruleset(name, options), key) for name, options, key in boards]
