"""What a network is told of the cards of Farfalia that may be played: what the seat may know and nothing more."""

from __future__ import annotations

from functools import cache
from typing import Final

import numpy as np

from farfalia.learning import lockstep_rules as rules
from farfalia.learning.card_sets import Places, Sets
from farfalia.learning.lockstep_cautious import CautiousTable
from farfalia.learning.lockstep_policy import Floats
from farfalia.learning.policy_features import FEW, TENTHS, Choices, Flags, Position, choices_of, position_of
from farfalia_engine.farfalia.cards import CARDS, FAMILIES, FAMILY, RANK, SUIT, SUIT_MASKS, mask_of

#: What cautious thinks is told in sixteenths of a point.
_PARTS: Final = 16
_RANK_OF: Final = np.array(list(RANK[:CARDS]), np.uint8)
_FAMILY_OF: Final = np.array(list(FAMILY[:CARDS]), np.intp)
_SUITS: Final[Sets] = np.array(SUIT_MASKS, np.uint64)
_NO_SUIT: Final = np.append(_SUITS, np.uint64(0))
_HIGHER: Final[Sets] = np.array([SUIT_MASKS[SUIT[card]] & -(2 << card) for card in range(CARDS)], np.uint64)
_LOWER: Final[Sets] = np.array([SUIT_MASKS[SUIT[card]] & (1 << card) - 1 for card in range(CARDS)], np.uint64)
_OF_FAMILY: Final[Sets] = np.array(
    [mask_of([card for card in range(CARDS) if FAMILY[card] == family]) for family in range(len(FAMILIES))], np.uint64
)
#: Where the number of cards of each family stands in what is missing.
_SHIFTS: Final = (rules.FAMILY_BITS * np.arange(len(FAMILIES), dtype=np.uint16))[:, np.newaxis]
_MOST_POSITIONS: Final = 5
_MOST_TRICKS: Final = 17
_RANKS: Final = np.arange(1, 14, dtype=np.uint8)[:, np.newaxis]


def farfalia_position(table: CautiousTable) -> Position:
    """Return the positions of a table of Farfalia.

    Which suit is which makes no difference, and no input says it; sides are counted from the one that plays.
    """
    cards, values, winning = table.estimates()
    choices = choices_of(cards, values, _PARTS)
    sides, unseen = _sides_of(bytes(table.sides.tolist()))[table.acting].T, table.unseen()
    of_cards = _of_cards(table, choices, sides, unseen, winning[choices.numbers, choices.rows])
    return position_of(choices, of_cards, _of_rows(table, sides, unseen))


@cache
def _sides_of(sides: bytes) -> Places:
    """Return by position its own side, the one of the next position that is another, and the rest, (positions, 3).

    Where there are two sides, the second of them stands for the third, too.
    """
    found = []
    for position in range(len(sides)):
        distinct = list(dict.fromkeys(sides[position:] + sides[:position]))
        found.append((distinct + distinct[-1:] * 2)[:3])
    return np.array(found, np.intp)


def _of_rows(table: CautiousTable, sides: Places, unseen: Sets) -> Flags:
    """Return what is the same for all choices of a row, (inputs, rows)."""
    rows, acting, count = table.rows, table.acting, len(table.rows)
    missing = table.missing[sides, rows]
    wanted = missing[:, np.newaxis] >> _SHIFTS & 7
    lies = (table.trick & _OF_FAMILY[:, np.newaxis]) != 0
    fitting = ((wanted > 0) & lies).sum(axis=1, dtype=np.uint8)
    trumps = _NO_SUIT[np.minimum(table.trumps - np.uint8(1), np.uint8(4))]
    hand = table.hands[acting, rows]
    later = (acting + np.arange(1, table.positions - table.step)[:, np.newaxis]) % table.positions
    friends = (table.sides[later] == table.sides[acting]).sum(axis=0, dtype=np.uint8)
    collected = 5 - wanted.sum(axis=1, dtype=np.uint8)
    choices = np.bitwise_count(table.legal())
    led_trumps = table.led + np.uint8(1) == table.trumps
    ruffed = (table.step > 0) & ~led_trumps & (table.best // np.uint8(13) + np.uint8(1) == table.trumps)
    same = [
        *(np.arange(1, _MOST_TRICKS + 1) == table.left),
        *(np.arange(_MOST_POSITIONS) == table.step),
        table.barren,
        table.positions == 3,
    ]
    return np.concatenate(
        [
            np.repeat(np.array(same, np.bool_)[:, np.newaxis], count, axis=1),
            acting == np.arange(_MOST_POSITIONS)[:, np.newaxis],
            [
                table.is_dummy[acting],
                trumps != 0,
                ruffed,
                (table.step > 0) & (table.sides[table.owner] == table.sides[acting]),
            ],
            *((each >= FEW) for each in (np.bitwise_count(hand & trumps), np.bitwise_count(unseen & trumps), choices)),
            *((each == np.arange(6)[:, np.newaxis]) for each in collected),
            *((each >= FEW[:2]) for each in (*fitting, *wanted[:2, 0])),
            friends == np.arange(3, dtype=np.uint8)[:, np.newaxis],
        ]
    )


def _of_cards(table: CautiousTable, choices: Choices, sides: Places, unseen: Sets, winning: Floats) -> Flags:
    """Return what is so of single choices, (inputs, choices)."""
    card, rows, acting = choices.cards, choices.rows, table.acting
    hand, unseen, sides = table.hands[acting, table.rows][rows], unseen[rows], sides[:, rows]
    suit = card // np.uint8(13)
    of_suit = _SUITS[suit]
    trump = suit + np.uint8(1) == table.trumps[rows]
    family = _FAMILY_OF[card]
    wanted = table.missing[sides, rows] >> (rules.FAMILY_BITS * family).astype(np.uint16) & 7
    out = np.bitwise_count(unseen & _OF_FAMILY[family])
    later = (acting + np.arange(1, table.positions)[:, np.newaxis])[:, rows] % table.positions
    to_come = np.arange(1, table.positions)[:, np.newaxis] < table.positions - table.step
    void = (table.voids[later, rows] >> suit & 1).view(np.bool_)
    friend = table.sides[later] == sides[0]
    if table.dummies:
        shown = table.is_dummy[later] | (later == table.viewer[acting][rows])
        above = shown & ((table.hands[later, rows] & _HIGHER[card]) != 0)
    else:
        above = np.zeros(void.shape, np.bool_)
    follows = suit == table.led[rows] if table.step else np.ones(len(card), np.bool_)
    wins = table.would_win(card, rows) if table.step else np.ones(len(card), np.bool_)
    higher, lower = unseen & _HIGHER[card], unseen & _LOWER[card]
    return np.concatenate(
        [
            _RANK_OF[card] == _RANKS,
            [trump, follows, wins, family == 0, (hand & _HIGHER[card]) != 0, (hand & _LOWER[card]) != 0],
            [(void & friend).any(axis=0), (above & friend).any(axis=0), (above & ~friend).any(axis=0)],
            [(above & friend & to_come).any(axis=0), (above & ~friend & to_come).any(axis=0)],
            np.bitwise_count(higher) >= FEW,
            np.bitwise_count(lower) >= FEW,
            np.bitwise_count(hand & of_suit) >= FEW,
            (void & ~friend).sum(axis=0) >= FEW[:3],
            out >= FEW,
            wanted > 0,
            wanted[:2] > 1,
            winning >= TENTHS,
        ]
    )
