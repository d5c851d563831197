"""How the shuffled decks get onto the table."""

from typing import Final

from farfalia_engine.farfalia.cards import BIT, FAMILIES, WILD

#: The families of the subjects, five of each; a proposal is five of them.
SUBJECTS: Final = tuple(family for family in range(len(FAMILIES)) for _ in range(5))
#: How many of them are turned up.
PROPOSAL_SIZE: Final = 5


def deal_hands(deck: list[int], positions: int, size: int) -> list[int]:
    """Return one hand per position: `size` cards each, one at a time from position 1 on,
    and the rest to the dealer (F17).

    The deck has its cards as sets of one, so that a hand is their sum.
    """
    dealt = positions * size
    hands = [sum(deck[place:dealt:positions]) for place in range(positions - 1)]
    return [sum(deck[positions - 1 : dealt : positions]) + sum(deck[dealt:]), *hands]


def deal_wilds(deck: list[int], hands: list[int], players: bytes) -> None:
    """Deal one wild card of the ten to each player, clockwise from position 1; dummies get none (F14, F17)."""
    for position, wild in zip(players, deck, strict=False):
        hands[position] |= BIT[WILD + wild // 2]
