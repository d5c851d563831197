"""What people read about a game besides its notation: cards in words, and how trumps came about."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from farfalia_engine.knowledge import SeatKnowledge


@dataclass(frozen=True, slots=True)
class CardFace:
    """A card as text, and in words for those who do not see the colours: `10 of strawberries, a butterfly`.

    The suit is a letter, `W` for a wild card, and a whole word in Farrago, where letters mean other suits.
    The family is empty where there are none.

    >>> ruleset("two").game.wording.faces[9].words
    '10 of strawberries, a butterfly'
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


@dataclass(frozen=True, slots=True)
class TrumpsStory:
    """What is known of how the trumps of a deal came about."""

    #: What the dealer of the deal sees in the end.
    observation: SeatKnowledge
    #: Names by seat.
    names: Sequence[str]
    #: Names of those who decided something about trumps, in order.
    deciders: Sequence[str]
    #: The trick in which a card that did not follow made trumps, 0 if none did.
    found_in: int


class Wording(Protocol):
    """How the cards, trumps and deals of a game are put into words."""

    @property
    def faces(self) -> tuple[CardFace, ...]:
        """All cards, by number."""

    def trumps(self, trumps: int, /) -> tuple[str, str]:
        """Return trumps as a letter, or `NT`, and in words; the letter is empty as long as they are not known."""

    def trumps_origin(self, story: TrumpsStory, /) -> str:
        """Return how trumps came about, where it was not by the dealer's declaration; empty otherwise."""

    def why_won(self, observation: SeatKnowledge, /) -> str:
        """Return why the best card of the trick on the table, which is complete, wins it: `the highest trump`."""

    def deal_type(self, observation: SeatKnowledge, /) -> str:
        """Return the type of the deal; empty where there are none."""


def by_trump_or_suit(suits: Sequence[str], trumps: str) -> str:
    """Return why a trick of these suits is won where the highest trump wins, or else the highest card led."""
    led, number = suits[0], suits.count(trumps)
    if number and led != trumps:
        return "the only trump" if number == 1 else f"the highest of {number} trumps"
    if suits.count(led) == 1:
        return "nobody followed suit"
    return f"the highest of {led}" + (", which are trumps" if number else "")
