"""Cards and actions of Farfalia as people read them.

`S10` plays a card and `WB` a wild one, `+S10` collects a card, `none` declines,
`trump=S` or `trump=NT` declares, `double=yes` or `double=no` decides on doubling,
`discard=S1` and `discard=S1,L13` discard cards.
"""

from functools import cache

from farfalia_engine.actions import (
    COLLECT_CARD,
    COLLECT_NONE,
    DECLARE_NONE,
    DECLARE_SUIT,
    DISCARD_CARD,
    DISCARD_PAIR,
    DOUBLE_NO,
    DOUBLE_YES,
    PAIRS,
)
from farfalia_engine.errors import BadCard
from farfalia_engine.farfalia.cards import CARDS, FAMILIES, RANK, SUIT, SUITS
from farfalia_engine.notation import Words

_ORDINARY_NAMES = tuple(f"{SUITS[SUIT[card]]}{RANK[card]}" for card in range(CARDS))
_CARD_NAMES = (*_ORDINARY_NAMES, *(f"W{family}" for family in FAMILIES))
_CARD_NUMBERS = {name: card for card, name in enumerate(_CARD_NAMES)}


@cache
def words() -> Words:
    """Return the notation of all games of Farfalia."""
    cards = dict(enumerate(_CARD_NAMES))
    texts = dict(cards)
    texts |= {COLLECT_CARD + card: f"+{name}" for card, name in enumerate(_ORDINARY_NAMES)}
    texts[COLLECT_NONE] = "none"
    texts |= {DECLARE_SUIT + suit: f"trump={letter}" for suit, letter in enumerate(SUITS)}
    texts[DECLARE_NONE] = "trump=NT"
    texts[DOUBLE_NO] = "double=no"
    texts[DOUBLE_YES] = "double=yes"
    texts |= {DISCARD_CARD + card: f"discard={name}" for card, name in enumerate(_ORDINARY_NAMES)}
    texts |= {
        DISCARD_PAIR + index: f"discard={_ORDINARY_NAMES[low]},{_ORDINARY_NAMES[high]}"
        for index, (low, high) in enumerate(PAIRS)
    }
    return Words(cards, texts, "S10, WB, +S10, none, trump=S, trump=NT, double=yes, discard=S1 or discard=S1,L13")


def card_text(card: int) -> str:
    """Return the name of a card of Farfalia, as `S10`; BadCard if the number is none.

    >>> card_text(9)
    'S10'
    """
    return words().card_text(card)


def parse_card(text: str) -> int:
    """Return the card of Farfalia of this name, in upper case without spaces; BadCard otherwise.

    >>> parse_card("S10")
    9
    """
    try:
        return _CARD_NUMBERS[text]
    except KeyError:
        raise BadCard(
            f"{text!r} is not a card, expected a suit of S L F O and a rank 1 to 13, as in S10, or W and a family"
        ) from None


def action_text(action: int) -> str:
    """Return the text of an action of Farfalia; BadAction if no action has this number.

    >>> action_text(116)
    'none'
    """
    return words().action_text(action)


def parse_action(text: str) -> int:
    """Return the action of Farfalia of this text, exactly as `action_text` writes it; BadAction otherwise.

    >>> parse_action("trump=S")
    120
    """
    return words().parse_action(text)
