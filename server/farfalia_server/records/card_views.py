"""Cards as people look at them: as text, in words, and with what they are told apart by."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from farfalia_engine import CARDS, FAMILIES, FAMILY, RANK, SUIT, SUITS, WILD, card_text
from farfalia_engine.games.farrago import Farrago

if TYPE_CHECKING:
    from farfalia_engine import Ruleset
    from farfalia_engine.farrago.packs import Pack

SUIT_WORDS = {"S": "strawberries", "L": "leaves", "F": "fishes", "O": "seashells"}
FAMILY_WORDS = {"B": "butterfly", "S": "strawberry", "L": "leaf", "F": "fish", "O": "seashell"}
#: What a wild card burns.
_BURNED_WORDS = {"B": "butterflies", **SUIT_WORDS}
#: The suits of Farrago, in the order of its packs.
FARRAGO_SUITS = ("spades", "hearts", "diamonds", "clubs")
_RANK_WORDS = {"T": "10", "J": "jack", "Q": "queen", "K": "king", "A": "ace"}


@dataclass(frozen=True, slots=True)
class CardView:
    """A card as text, and in words for those who do not see the colours: `10 of strawberries, a butterfly`.

    The suit is a letter, `W` for a wild card, and a whole word in Farrago, where letters mean other suits.
    The family is empty where there are none.
    """

    text: str
    suit: str
    rank: int
    family: str
    words: str

    @property
    def butterfly(self) -> bool:
        """It collects as a butterfly instead of as its suit's symbol."""
        return self.family == "B" and not self.wild

    @property
    def wild(self) -> bool:
        """It burns cards of its family."""
        return self.suit == "W"


def cards_of(rules: Ruleset) -> tuple[CardView, ...]:
    """All cards of a game, by number."""
    if isinstance(rules.game, Farrago):
        return tuple(_farrago_card(rules.game.pack, card) for card in rules.game.pack.all)
    return tuple(map(_farfalia_card, range(CARDS + len(FAMILIES))))


def trumps_text(rules: Ruleset, trumps: int) -> tuple[str, str]:
    """Trumps as a letter, or `NT`, and in words; the letter is empty as long as they are not known."""
    farrago = isinstance(rules.game, Farrago)
    if not trumps:
        return "", "not known yet" if farrago else "not declared yet"
    if trumps > len(SUITS):
        return "NT", "no trumps"
    if farrago:
        word = FARRAGO_SUITS[trumps - 1]
        return word[0].upper(), word
    letter = SUITS[trumps - 1]
    return letter, SUIT_WORDS[letter]


def _farfalia_card(card: int) -> CardView:
    text, family = card_text(card), FAMILIES[FAMILY[card]]
    if card >= WILD:
        return CardView(text, "W", 0, family, f"wild card, burns {_BURNED_WORDS[family]}")
    suit, rank = SUITS[SUIT[card]], RANK[card]
    words = f"{rank} of {SUIT_WORDS[suit]}" + (", a butterfly" if family == "B" else "")
    return CardView(text, suit, rank, family, words)


def _farrago_card(pack: Pack, card: int) -> CardView:
    text, suit = pack.names[card], FARRAGO_SUITS[pack.suit[card]]
    rank = text.removesuffix("'")[:-1]
    words = f"{_RANK_WORDS.get(rank, rank)} of {suit}" + (", the second one" if text.endswith("'") else "")
    return CardView(text, suit, pack.rank[card], "", words)
