"""The packs of Farrago: which cards there are, how they rank, what they are called.

A card is its index in the pack, which is written suit by suit, S H D C, ranks
ascending; twins of cards come after that.
"""

from collections.abc import Iterable
from functools import cache
from typing import Final

SUITS: Final = "SHDC"
_RANKS: Final = ("2", "3", "4", "5", "6", "7", "8", "9", "T", "11", "12", "13", "J", "Q", "K", "A")
#: The rank of each name, from 2; the ace is the highest.
RANK_OF: Final = {name: rank for rank, name in enumerate(_RANKS, 2)}
EIGHT: Final = RANK_OF["8"]
ACE: Final = RANK_OF["A"]
#: Bits of a chunk in which sets are looked up.
_CHUNK = 12


class Pack:
    """A pack: `suit` 0 … 3 and `rank` by card, and the set of each suit."""

    def __init__(self, names: Iterable[str], low: int) -> None:
        self.names: Final = tuple(names)
        self.size: Final = len(self.names)
        plain = [name.removesuffix("'") for name in self.names]
        self.suit: Final = bytes(SUITS.index(name[-1]) for name in plain)
        self.rank: Final = bytes(RANK_OF[name[:-1]] for name in plain)
        self.suit_masks: Final = tuple(
            sum(1 << card for card in range(self.size) if self.suit[card] == suit) for suit in range(4)
        )
        #: In ups and downs cards below this rank are low.
        self.low: Final = low
        self.all: Final = bytes(range(self.size))


def cards_in(mask: int) -> tuple[int, ...]:
    """Return the cards of a set, ascending."""
    a, b, c, d, e = _chunks()
    return a[mask & 4095] + b[mask >> 12 & 4095] + c[mask >> 24 & 4095] + d[mask >> 36 & 4095] + e[mask >> 48]


@cache
def _chunks() -> tuple[list[tuple[int, ...]], ...]:
    """Return, by chunk and its bits, the cards that they stand for."""
    tables = []
    for first in range(0, 5 * _CHUNK, _CHUNK):
        sets: list[tuple[int, ...]] = [()]
        for card in range(first, first + _CHUNK):
            sets += [(*cards, card) for cards in sets]
        tables.append(sets)
    return tuple(tables)


def _names(ranks: str) -> list[str]:
    return [f"{rank}{suit}" for suit in SUITS for rank in ranks.split()]


_52 = _names("2 3 4 5 6 7 8 9 T J Q K A")

#: 36 cards, for three players.
SHORT: Final = Pack(_names("6 7 8 9 T J Q K A"), EIGHT)
#: 52 cards, for four players.
FULL: Final = Pack(_52, EIGHT)
#: 60 cards, for five players: sevens and eights twice (G1).
DUPLICATES: Final = Pack([*_52, *(f"{rank}{suit}'" for suit in SUITS for rank in "78")], EIGHT)
#: 60 cards, for five players: elevens, twelves and red thirteens, but no red twos, so that every suit has fifteen (G1).
#: Here eights are low.
FIVE_HUNDRED: Final = Pack(
    [name for name in _names("2 3 4 5 6 7 8 9 T 11 12 13 J Q K A") if name not in ("2H", "2D", "13S", "13C")],
    EIGHT + 1,
)
