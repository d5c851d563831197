"""Cards and actions of Farrago as people read them.

`AS` plays a card and `7S'` the twin of one, `type=seconds` picks a type, `bar=S`
bars a suit, `trump=H` names trumps, `show=QD` shows a card.
"""

from functools import cache

from farfalia_engine.actions import BAR_SUIT, NAME_SUIT, PICK_TYPE, SHOW_CARD
from farfalia_engine.farrago.deal_types import DealType
from farfalia_engine.farrago.packs import SUITS, Pack
from farfalia_engine.notation import Words


@cache
def words(pack: Pack) -> Words:
    """Return the notation of Farrago with this pack."""
    cards = dict(enumerate(pack.names))
    texts = dict(cards)
    texts |= {PICK_TYPE + kind - 1: f"type={kind.text}" for kind in DealType}
    texts |= {BAR_SUIT + suit: f"bar={letter}" for suit, letter in enumerate(SUITS)}
    texts |= {NAME_SUIT + suit: f"trump={letter}" for suit, letter in enumerate(SUITS)}
    texts |= {SHOW_CARD + card: f"show={name}" for card, name in cards.items()}
    return Words(cards, texts, "AS, type=seconds, bar=S, trump=H or show=QD")
