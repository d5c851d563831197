"""What a seat may know, as one line of text: equal for equal observations of a seat, and for no others."""

from collections.abc import Iterable, Iterator

from farfalia_engine import CARDS, DECLINED, FAMILIES, NAME_SUIT, DealType, Observation, Trumps
from farfalia_engine.actions import DECLARE_SUIT


def observation_text(seen: Observation) -> str:
    """Return everything that an observation says, in the engine's notation; what is empty is left out."""
    return "; ".join(f"{what} {text}" for what, text in _parts(seen) if text)


def cards_text(seen: Observation, cards: Iterable[int]) -> str:
    """Return cards by their names."""
    return " ".join(map(seen.rules.card_text, cards))


def trumps_text(seen: Observation) -> str:
    """Return the letter of the suit that is trumps, or NT; empty before they are declared."""
    if seen.trumps == Trumps.UNSPECIFIED:
        return ""
    if seen.trumps == Trumps.NONE:
        return "NT"
    return suit_text(seen, seen.trumps - 1)


def suit_text(seen: Observation, suit: int) -> str:
    """Return the letter of a suit."""
    first = NAME_SUIT if seen.types else DECLARE_SUIT
    return seen.rules.text(first + suit).removeprefix("trump=")


def families_text(families: Iterable[int]) -> str:
    """Return the letters of families."""
    return " ".join(FAMILIES[family] for family in families)


def types_text(types: Iterable[int]) -> str:
    """Return the names of types of deal."""
    return " ".join(DealType(kind).text for kind in types)


def _parts(seen: Observation) -> Iterator[tuple[str, str]]:
    yield "seat", str(seen.seat)
    yield "deal", str(seen.deal)
    yield "seats", _numbers(seen.seats)
    yield "scores", _numbers(seen.scores)
    yield "types", types_text(seen.types)
    yield "wild cards", _numbers(seen.wilds)
    yield "doubling", _numbers(seen.doubled)
    yield "bars", " ".join(suit_text(seen, suit) for suit in seen.bars)
    yield "shown", cards_text(seen, seen.shown)
    yield "trumps", trumps_text(seen)
    yield "proposal", families_text(seen.subjects)
    yield "hand", cards_text(seen, seen.hand)
    yield "discarded", cards_text(seen, seen.discarded)
    for dummy, face_up, covering in zip(seen.dummies, seen.face_up, seen.covering, strict=True):
        yield f"dummy {dummy}", cards_text(seen, face_up)
        yield f"on dummy {dummy}", cards_text(seen, covering)
    yield "tricks", ", ".join(_tricks(seen))
    if seen.choice:
        yield "chosen", seen.rules.text(seen.choice)
    if seen.kind is not None:
        yield "asked", f"{seen.kind.name.lower()} at {seen.acting}"


def _tricks(seen: Observation) -> Iterator[str]:
    """Yield by trick the position that led, the cards, and what was collected."""
    n = len(seen.seats)
    for number, leader in enumerate(seen.leaders):
        text = f"{leader}: {cards_text(seen, seen.plays[n * number : n * (number + 1)])}"
        if number < len(seen.collected):
            card = seen.collected[number]
            fate = seen.rules.card_text(card) if card < CARDS else "none" if card == DECLINED else ""
            text += f" +{fate}"
        yield text


def _numbers(numbers: Iterable[int]) -> str:
    return " ".join(map(str, numbers))
