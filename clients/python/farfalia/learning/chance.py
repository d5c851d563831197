"""Explicit chance: decks that are drawn card by card, from outside, where the engine would shuffle."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Final, TypeVar

from farfalia_engine import FAMILIES, Deals, DealType, Ruleset
from farfalia_engine.deals import KEY_BYTES

T = TypeVar("T")

_DECK: Final = bytes(range(256))


class Decks(Deals):
    """Decks that are given, by their labels; others come unshuffled, and are noted as wanted."""

    __slots__ = ("given", "wanted")

    def __init__(self, given: Mapping[str, bytes]) -> None:
        super().__init__(bytes(KEY_BYTES))
        self.given: Final = given
        #: How many numbers each deck has that was asked for in vain.
        self.wanted: Final[dict[str, int]] = {}

    def shuffle(self, label: str, n: int) -> list[int]:
        """Return the deck of this label: what was drawn of it, and below that the rest."""
        if label not in self.given:
            self.wanted[label] = n
        top = self.given.get(label, b"")
        return [*top, *_DECK[:n].translate(None, top)]

    def shuffled(self, label: str, things: Iterable[T]) -> list[T]:
        """Return these things in that order: where `shuffle` has k, thing k."""
        deck = list(things)
        return [deck[number] for number in self.shuffle(label, len(deck))]


@dataclass(frozen=True, slots=True)
class Drawing:
    """A deck that is being drawn. Subjects and wild cards of the same family are the same outcome, their family.

    Of a deck whose label ends in `first` only one is drawn: a small game may so have one outcome for each deal.
    """

    label: str
    #: How many numbers the deck has, how many are drawn of it, and how many in a row are alike.
    size: int
    count: int
    alike: int
    #: What was drawn so far.
    top: bytes = b""

    @classmethod
    def of(cls, label: str, size: int, seats: int) -> "Drawing":
        """Return the deck of this label, whole; no more is drawn of it than the engine looks at."""
        count, alike = {"subjects": (5, 5), "wilds": (seats, 2), "first": (1, 1)}.get(_what(label), (size, 1))
        return cls(label, size, count, alike)

    @property
    def done(self) -> bool:
        """Whether no more is drawn of this deck."""
        return len(self.top) == self.count

    @property
    def left(self) -> bytes:
        """The numbers that are left, ascending."""
        return _DECK[: self.size].translate(None, self.top)

    def outcomes(self) -> list[tuple[int, float]]:
        """Return what may be drawn next, ascending, and how likely it is."""
        left, alike = self.left, self.alike
        chance = 1 / len(left)
        if alike == 1:
            return [(number, chance) for number in left]
        outcomes = [number // alike for number in left]
        return [(outcome, outcomes.count(outcome) * chance) for outcome in sorted(set(outcomes))]

    def after(self, outcome: int) -> "Drawing":
        """Return the deck once this was drawn: the first number of that outcome. ValueError if none is left."""
        for number in self.left:
            if number // self.alike == outcome:
                return replace(self, top=self.top + bytes((number,)))
        raise ValueError(f"{outcome} cannot be drawn, expected one of {[outcome for outcome, _ in self.outcomes()]}")

    def text(self, rules: Ruleset, outcome: int) -> str:
        """Return what an outcome is called."""
        match _what(self.label):
            case "types":
                return f"type={DealType(outcome + 1).text}"
            case "subjects":
                return f"subject={FAMILIES[outcome]}"
            case "wilds":
                return f"wild={FAMILIES[outcome]}"
            case "first":
                return f"first={outcome}"
            case _:
                return f"deal={rules.card_text(outcome)}"


def _what(label: str) -> str:
    return label.rpartition("/")[2]
