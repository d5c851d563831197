"""What a seat may know, as one line of text: equal for equal observations of a seat, and for no others."""

from collections.abc import Iterable, Iterator

from farfalia_engine import CARDS, DECLINED, FAMILIES, NAME_SUIT, DealType, Observation, Trumps
from farfalia_engine.actions import DECLARE_SUIT


def observation_text(observation: Observation) -> str:
    """Return everything that an observation says, in the engine's notation; what is empty is left out."""
    return "; ".join(f"{what} {text}" for what, text in _parts(observation) if text)


def cards_text(observation: Observation, cards: Iterable[int]) -> str:
    """Return cards by their names."""
    return " ".join(map(observation.rules.card_text, cards))


def trumps_text(observation: Observation) -> str:
    """Return the letter of the suit that is trumps, or NT; empty before they are declared."""
    if observation.trumps == Trumps.UNSPECIFIED:
        return ""
    if observation.trumps == Trumps.NONE:
        return "NT"
    return suit_text(observation, observation.trumps - 1)


def suit_text(observation: Observation, suit: int) -> str:
    """Return the letter of a suit."""
    first = NAME_SUIT if observation.types else DECLARE_SUIT
    return observation.rules.text(first + suit).removeprefix("trump=")


def families_text(families: Iterable[int]) -> str:
    """Return the letters of families."""
    return " ".join(FAMILIES[family] for family in families)


def types_text(types: Iterable[int]) -> str:
    """Return the names of types of deal."""
    return " ".join(DealType(kind).text for kind in types)


def _parts(observation: Observation) -> Iterator[tuple[str, str]]:
    yield "seat", str(observation.seat)
    yield "deal", str(observation.deal)
    yield "seats", _numbers(observation.seats)
    yield "scores", _numbers(observation.scores)
    yield "types", types_text(observation.types)
    yield "wild cards", _numbers(observation.wilds)
    yield "doubling", _numbers(observation.doubled)
    yield "bars", " ".join(suit_text(observation, suit) for suit in observation.bars)
    yield "shown", cards_text(observation, observation.shown)
    yield "trumps", trumps_text(observation)
    yield "proposal", families_text(observation.subjects)
    yield "hand", cards_text(observation, observation.hand)
    yield "discarded", cards_text(observation, observation.discarded)
    for dummy, face_up, covering in zip(observation.dummies, observation.face_up, observation.covering, strict=True):
        yield f"dummy {dummy}", cards_text(observation, face_up)
        yield f"on dummy {dummy}", cards_text(observation, covering)
    yield "tricks", ", ".join(_tricks(observation))
    if observation.choice:
        yield "chosen", observation.rules.text(observation.choice)
    if observation.kind is not None:
        yield "asked", f"{observation.kind.name.lower()} at {observation.acting}"


def _tricks(observation: Observation) -> Iterator[str]:
    """Yield by trick the position that led, the cards, and what was collected."""
    n = len(observation.seats)
    for number, leader in enumerate(observation.leaders):
        text = f"{leader}: {cards_text(observation, observation.plays[n * number : n * (number + 1)])}"
        if number < len(observation.collected):
            card = observation.collected[number]
            fate = observation.rules.card_text(card) if card < CARDS else "none" if card == DECLINED else ""
            text += f" +{fate}"
        yield text


def _numbers(numbers: Iterable[int]) -> str:
    return " ".join(map(str, numbers))
