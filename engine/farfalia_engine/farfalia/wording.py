"""Cards and trumps of Farfalia in words."""

from functools import cached_property
from typing import Final

from farfalia_engine.farfalia.cards import CARDS, FAMILIES, FAMILY, RANK, SUIT, SUITS, WILD
from farfalia_engine.farfalia.notation import card_text
from farfalia_engine.knowledge import SeatKnowledge
from farfalia_engine.wording import CardFace, TrumpsStory, by_trump_or_suit

SUIT_WORDS: Final = {"S": "strawberries", "L": "leaves", "F": "fishes", "O": "seashells"}
FAMILY_WORDS: Final = {"B": "butterfly", "S": "strawberry", "L": "leaf", "F": "fish", "O": "seashell"}
#: What a wild card burns.
_BURNED_WORDS: Final = {"B": "butterflies", **SUIT_WORDS}


class FarfaliaWording:
    """The same for all games of Farfalia."""

    @cached_property
    def faces(self) -> tuple[CardFace, ...]:
        """All cards, by number, wild cards last."""
        return tuple(map(_face, range(CARDS + len(FAMILIES))))

    def trumps(self, trumps: int, /) -> tuple[str, str]:
        """Return trumps as a letter, or `NT`, and in words; the letter is empty as long as they are not known."""
        if not trumps:
            return "", "not declared yet"
        if trumps > len(SUITS):
            return "NT", "no trumps"
        letter = SUITS[trumps - 1]
        return letter, SUIT_WORDS[letter]

    def trumps_origin(self, story: TrumpsStory, /) -> str:
        """Return the first subject, where nobody declares."""
        return "the first subject" if story.observation.subjects and not story.deciders else ""

    def why_won(self, observation: SeatKnowledge, /) -> str:
        """Return why the best card of the trick on the table wins it."""
        suits = [SUIT_WORDS[SUITS[SUIT[card]]] if card < CARDS else "" for card in observation.trick]
        letter, words = self.trumps(observation.trumps)
        return by_trump_or_suit(suits, words if letter in SUIT_WORDS else "no trumps")

    def deal_type(self, observation: SeatKnowledge, /) -> str:
        """Return an empty text: there are no types."""
        del observation
        return ""


def _face(card: int) -> CardFace:
    text, family = card_text(card), FAMILIES[FAMILY[card]]
    if card >= WILD:
        return CardFace(text, "W", 0, family, f"wild card, burns {_BURNED_WORDS[family]}")
    suit, rank = SUITS[SUIT[card]], RANK[card]
    words = f"{rank} of {SUIT_WORDS[suit]}" + (", a butterfly" if family == "B" else "")
    return CardFace(text, suit, rank, family, words)


FARFALIA_WORDING: Final = FarfaliaWording()
