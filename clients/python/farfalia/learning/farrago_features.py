"""What a network is told of the cards of Farrago that may be played: what the seat may know and nothing more."""

from __future__ import annotations

from typing import Final

import numpy as np

from farfalia.learning.lockstep_farrago import FarragoEstimates, FarragoTable
from farfalia.learning.lockstep_policy import Floats
from farfalia.learning.policy_features import FEW, TENTHS, Choices, Flags, Position, choices_of, position_of
from farfalia_engine.farrago.deal_types import DealType

#: What cautious thinks is told in these parts of a trick.
_PARTS: Final = 24
_ONE: Final = np.uint64(1)
_MOST_TRICKS: Final = 13
_RANKS: Final = np.arange(2, 18, dtype=np.uint8)[:, np.newaxis]
_MOST_POSITIONS: Final = 5
_WON: Final = np.arange(-4, 4)[:, np.newaxis]
#: How many tricks a hand promises, and how far that brings it above par; no bound is a sum that comes up.
_PROMISED: Final = np.array([0.5, 1, 1.5, 2, 2.5, 3, 4, 5])[:, np.newaxis] - 0.0317
_ABOVE: Final = np.array([-2, -1, 0, 1])[:, np.newaxis] - 0.0317


def farrago_position(table: FarragoTable) -> Position:
    """Return the positions of a table of Farrago; suits are told apart by the trumps and the trick alone."""
    found = table.estimates()
    choices = choices_of(found.cards, found.values, _PARTS)
    at = choices.numbers, choices.rows
    return position_of(choices, _of_cards(table, choices, found.hold[at], found.luck[at]), _of_rows(table, found))


def _of_rows(table: FarragoTable, found: FarragoEstimates) -> Flags:
    """Return what is the same for all choices of a row, (inputs, rows)."""
    rows, acting, count = table.rows, table.acting, len(table.rows)
    hand, unseen = table.hands[acting, rows], table.unseen()
    won = table.won[acting, rows]
    others = np.sort(table.won[(acting + np.arange(1, table.positions)[:, np.newaxis]) % table.positions, rows], axis=0)
    tables = table.tables
    trumps = np.append(tables.suits, [0, 0]).astype(np.uint64)[table.trumps.astype(np.intp) - 1]
    same = [
        *(np.arange(1, _MOST_TRICKS + 1) == table.left),
        *(np.arange(_MOST_POSITIONS) == table.step),
        *(np.arange(3, _MOST_POSITIONS + 1) == table.positions),
        *(np.array(DealType) == table.kind),
        table.step == table.positions - 1,
    ]
    promised = found.promised
    low_led = tables.rank[table.trick[0]] < table.low if table.step else np.zeros(count, np.bool_)
    owner = np.where(table.step > 0, table.won[table.owner, rows] - table.par, -9)
    return np.concatenate(
        [
            np.repeat(np.array(same, np.bool_)[:, np.newaxis], count, axis=1),
            [found.going, trumps != 0, low_led],
            won - table.par == _WON,
            won + promised / 2 - table.par >= _ABOVE,
            promised >= _PROMISED,
            owner == _WON,
            others[-1] - table.par == _WON,
            *(each >= FEW for each in map(np.bitwise_count, (hand & trumps, unseen & trumps, table.legal()))),
        ]
    )


def _of_cards(table: FarragoTable, choices: Choices, hold: Floats, luck: Floats) -> Flags:
    """Return what is so of single choices, (inputs, choices)."""
    card, rows, acting, tables = choices.cards, choices.rows, table.acting, table.tables
    hand, unseen = table.hands[acting, table.rows][rows], table.unseen()[rows]
    suit = tables.suit[card]
    of_suit = tables.suits[suit]
    index = table.trumps[rows].astype(np.intp) * len(tables.suit) + card
    stronger, rivals = tables.stronger[index], tables.rivals[index]
    later = (acting + np.arange(1, table.positions)[:, np.newaxis])[:, rows] % table.positions
    to_come = np.arange(1, table.positions)[:, np.newaxis] < table.positions - table.step
    void = (table.voids[later, rows] >> suit & 1).view(np.bool_)
    if table.step:
        follows, wins = suit == tables.suit[table.trick[0]][rows], table.chosen(rows).would_win(card)
    else:
        follows = wins = np.ones(len(card), np.bool_)
    weaker = rivals & ~stronger
    return np.concatenate(
        [
            tables.rank[card] == _RANKS,
            [
                tables.rank[card] < table.low,
                suit + 1 == table.trumps[rows],
                follows,
                wins,
                (hand & stronger) != 0,
                (hand & weaker & ~(_ONE << card)) != 0,
            ],
            hold >= TENTHS,
            luck >= TENTHS,
            *(
                np.bitwise_count(cards) >= FEW
                for cards in (unseen & stronger, unseen & weaker, hand & of_suit, unseen & of_suit)
            ),
            void.sum(axis=0) >= FEW[:3],
            (void & to_come).sum(axis=0) >= FEW[:3],
        ]
    )
