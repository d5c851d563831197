"""Many deals at once: random play in lock step, card by card what the engine does with the same random numbers."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Final, cast

import numpy as np
from numpy.typing import NDArray

from farfalia.learning.card_sets import Bytes
from farfalia.learning.lockstep_numbers import TURNED
from farfalia.learning.lockstep_table import LockstepTable
from farfalia_engine import CARDS, GAMES, BadOption, Ruleset, RulesetError, ruleset
from farfalia_engine.farfalia.game import Farfalia
from farfalia_engine.farfalia.layout import Layout
from farfalia_engine.integers import whole

#: Deals side by side: enough that NumPy's calls cost little, few enough that what they work on stays in the cache.
CHUNK: Final = 8192


@dataclass(frozen=True, slots=True, eq=False)
class Trace:
    """What happened, deal by deal along the first axis; all arrays are uint8, cards and families numbered as ever.

    Axes called position are counted from the dealer, who is 0; trick 0 is led by position 1, every other one by the
    winner of the one before.
    """

    #: (deals, 52): the deck from the top, dealt from position 1 on, one card at a time; the rest is the dealer's.
    deck: Bytes
    #: (deals, 0 to 2): what the dealer discarded, ascending.
    discarded: Bytes
    #: (deals,): trumps as in `Trumps`.
    trumps: Bytes
    #: (deals, 5): families of the proposal as they were turned up.
    subjects: Bytes
    #: (deals, tricks, positions): the card that each played.
    plays: Bytes
    #: (deals, tricks): the position that won.
    winners: Bytes
    #: (deals, tricks): the card collected, DECLINED or NOTHING.
    collected: Bytes


@dataclass(frozen=True, slots=True, eq=False)
class Simulation:
    """What came out; points by deal and seat."""

    #: By position: the seat, and the number of its side; equal numbers collect together.
    seats: bytes
    sides: bytes
    #: (deals, seats), int16: what the deal adds to each seat's total.
    points: NDArray[np.int16]
    #: How many actions the engine would have been given in all: every card counts, forced ones too.
    decisions: int
    #: None unless it was asked for.
    trace: Trace | None


def simulate(
    n: int,
    seed: int,
    name: str = "chinkway",
    options: Mapping[str, str] | None = None,
    *,
    deal: int = 1,
    trace: bool = False,
) -> Simulation:
    """Play `n` deals of a game of Farfalia at random, every legal action as likely as the others.

    All are deal number `deal` of a match in which nobody has points yet, which decides who sits where. The same seed
    gives the same deals on every machine, and more of them begin with those that fewer are; `lockstep_numbers` says
    how. A deal takes two bytes a seat, and some 140 more with a trace; what else is needed does not grow with `n`.

    Raises UnknownRuleset, or BadOption also for wild cards, RulesetError for Farrago, ValueError for a number that
    is out of range, and TypeError for one that is not an integer.
    """
    n, seed = whole("n", n), whole("seed", seed)
    if n < 1:
        raise ValueError(f"{n} deals cannot be simulated, expected at least 1")
    if seed < 0:
        raise ValueError(f"seed {seed} is negative, expected 0 or more")
    rules = ruleset(name, options)
    game = _game(rules)
    layout = game.layout(rules.deal_number(deal), (0,) * game.seats * (deal - 1))
    source = np.random.PCG64(seed)
    points = np.empty((n, game.seats), np.int16)
    traced = _room(n, layout) if trace else None
    side = [layout.sides[position] for position in layout.positions]
    decisions = 0
    for first in range(0, n, CHUNK):
        chunk = slice(first, min(first + CHUNK, n))
        table = LockstepTable(layout, source, chunk.stop - first)
        table.play(game.barren)
        points[chunk] = game.weight(deal) * table.points[side].T
        decisions += table.decisions
        if traced:
            for field in fields(traced):
                getattr(traced, field.name)[chunk] = np.moveaxis(getattr(table, field.name), -1, 0)
    return Simulation(layout.seats, layout.sides, points, decisions, traced)


def _game(rules: Ruleset) -> Farfalia:
    name, game = rules.name, cast(Farfalia, rules.game)
    if not game.collecting:
        names = ", ".join(sorted(other for other, kind in GAMES.items() if kind.collecting))
        raise RulesetError("%(game)s is not played in lock step, expected one of: %(names)s", game=name, names=names)
    if game.wilds or game.burnin:
        raise BadOption(
            "%(game)s is played in lock step without wild cards, expected neither double_you nor burnin", game=name
        )
    return game


def _room(n: int, layout: Layout) -> Trace:
    tricks, positions = layout.tricks, len(layout.seats)
    shapes = ((CARDS,), (layout.spare,), (), (TURNED,), (tricks, positions), (tricks,), (tricks,))
    return Trace(*(np.empty((n, *shape), np.uint8) for shape in shapes))
