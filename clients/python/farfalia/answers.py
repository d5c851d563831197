"""From what a bot's method returns to the action that is sent, with a sentence for every way to get it wrong."""

from __future__ import annotations

from collections.abc import Iterable
from operator import index

from farfalia.errors import BadAnswer
from farfalia_engine import Kind, Observation
from farfalia_engine.actions import (
    BAR_SUIT,
    COLLECT_CARD,
    COLLECT_NONE,
    DECLARE_NONE,
    DECLARE_SUIT,
    DISCARD_CARD,
    DOUBLE_NO,
    DOUBLE_YES,
    FARRAGO_CARDS_END,
    NAME_SUIT,
    PICK_TYPE,
    SHOW_CARD,
    cards_discarded,
    discard_pair,
)
from farfalia_engine.errors import BadAction, RulesetError
from farfalia_engine.farfalia.cards import CARDS

_LEGAL_SHOWN = 15


def play_action(view: Observation, card: int) -> int:
    """Return the action of playing a card; BadAnswer if it is none."""
    return _number(view, "play", card, FARRAGO_CARDS_END, "a number of view.legal")


def collect_action(view: Observation, card: int | None) -> int:
    """Return the action of collecting a card, or of declining by None; BadAnswer for anything else."""
    if card is None:
        return COLLECT_NONE
    return COLLECT_CARD + _number(view, "collect", card, CARDS, "None or a card of the trick")


def declare_action(view: Observation, trumps: int | None) -> int:
    """Return the action of declaring a suit, or no trumps by None; BadAnswer for anything else."""
    return (
        DECLARE_NONE if trumps is None else DECLARE_SUIT + _number(view, "declare", trumps, 4, "None or a suit, 0 to 3")
    )


def discard_action(view: Observation, cards: Iterable[int]) -> int:
    """Return the action of discarding one card or two, in either order; BadAnswer unless they are different cards."""
    try:
        given = sorted(index(card) for card in cards)
    except TypeError:
        given = []
    if len(given) not in (1, 2) or not 0 <= given[0] <= given[-1] < CARDS or len(set(given)) < len(given):
        example = list(discarded_cards(view.legal[0]))
        many = "a list of one card" if len(example) == 1 else "two different cards"
        raise _wrong(view, "discard", cards, f"{many} of view.hand, such as {example}")
    return DISCARD_CARD + given[0] if len(given) == 1 else discard_pair(*given)


def discarded_cards(action: int) -> tuple[int, ...]:
    """Return the cards that an action discards."""
    return cards_discarded(action)


def double_action(double: bool) -> int:
    """Return the action of doubling, or of keeping the wild card;
    BadAnswer unless it is one of the two truth values.
    """
    if double not in (True, False):
        raise BadAnswer(f"double returned {double!r}; expected True or False")
    return DOUBLE_YES if double else DOUBLE_NO


def pick_type_action(view: Observation, number: int) -> int:
    """Return the action of picking a type of deal; BadAnswer if it is none."""
    return PICK_TYPE - 1 + _number(view, "pick_type", number, 11, "a type, 1 to 10", first=1)


def bar_action(view: Observation, suit: int) -> int:
    """Return the action of barring a suit; BadAnswer if it is none."""
    return BAR_SUIT + _number(view, "bar", suit, 4, "a suit, 0 to 3")


def name_trumps_action(view: Observation, suit: int) -> int:
    """Return the action of making a suit trumps; BadAnswer if it is none."""
    return NAME_SUIT + _number(view, "name_trumps", suit, 4, "a suit, 0 to 3")


def show_action(view: Observation, card: int) -> int:
    """Return the action of showing a card; BadAnswer if it is none."""
    return SHOW_CARD + _number(view, "show", card, FARRAGO_CARDS_END, "a card of view.hand")


def checked(view: Observation, action: int) -> int:
    """Return the action, if it is a legal answer to the question of `view`; BadAnswer otherwise, naming both."""
    # True counts as 1, which may be a card, and 2.0 as 2: what was meant is another thing.
    if action in view.legal and not isinstance(action, bool | float):
        return action
    legal = " ".join(_text(view, each) for each in view.legal[:_LEGAL_SHOWN])
    more = " …" if len(view.legal) > _LEGAL_SHOWN else ""
    kind, shift = _METHODS.get(view.kind, _OTHER)
    known = isinstance(action, int) and not isinstance(action, bool) and action >= shift
    returned = f"{action - shift} ({_text(view, action)})" if known else repr(action)
    raise BadAnswer(f"{kind} returned {returned}; legal were {legal}{more}")


def method_of(kind: int | None) -> str:
    """Name of the bot's method that answers questions of this kind."""
    return _METHODS.get(kind, _OTHER)[0]


# The bot's method for each kind, and what is added to its answer to make an action of it.
_METHODS: dict[int | None, tuple[str, int]] = {
    Kind.DISCARD: ("discard", 0),
    Kind.DECLARE: ("declare", DECLARE_SUIT),
    Kind.PLAY: ("play", 0),
    Kind.COLLECT: ("collect", COLLECT_CARD),
    Kind.DOUBLE: ("double", DOUBLE_NO),
    Kind.PICK_TYPE: ("pick_type", PICK_TYPE - 1),
    Kind.BAR: ("bar", BAR_SUIT),
    Kind.NAME_TRUMPS: ("name_trumps", NAME_SUIT),
    Kind.SHOW: ("show", SHOW_CARD),
}
_OTHER = ("decide", 0)


def _number(view: Observation, method: str, value: object, limit: int, expected: str, first: int = 0) -> int:
    try:
        number = -1 if isinstance(value, bool) else index(value)  # type: ignore[arg-type]  # whatever a bot returned
    except TypeError:
        number = -1
    if not first <= number < limit:
        raise _wrong(view, method, value, expected + (_example(view, method, limit) if limit >= CARDS else ""))
    return number


def _example(view: Observation, method: str, limit: int) -> str:
    shift = _METHODS[view.kind][1]
    action = next((each for each in view.legal if 0 <= each - shift < limit), None)
    if action is None:
        return ""
    return f", such as {action - shift} ({_text(view, action).removeprefix(_PREFIXES.get(method, ''))})"


def _wrong(view: Observation, method: str, value: object, expected: str) -> BadAnswer:
    """Return what to tell of an answer that is none, with the numbers of names that it was given for."""
    names = value if isinstance(value, list | tuple) else [value]
    numbers = [_numbered(view, method, name) for name in names if isinstance(name, str)]
    meant = ", ".join(filter(None, numbers))
    return BadAnswer(f"{method} returned {value!r}; expected {expected}{meant and f'; {meant}'}")


def _numbered(view: Observation, method: str, name: str) -> str:
    text = name.strip().upper()
    try:
        action = view.rules.parse(_PREFIXES.get(method, "") + (text.lower() if method == "pick_type" else text))
    except (BadAction, RulesetError):
        return ""
    number = action - _METHODS[view.kind][1] if method in _PREFIXES else action
    return f"{text} is {number}" if number < FARRAGO_CARDS_END else ""


#: What stands before the name in the text of an action of these methods.
_PREFIXES = {
    "collect": "+",
    "declare": "trump=",
    "pick_type": "type=",
    "bar": "bar=",
    "name_trumps": "trump=",
    "show": "show=",
}


def _text(view: Observation, action: int) -> str:
    try:
        return view.text(action)
    except (BadAction, RulesetError):  # a ruleset that only the server knows
        return "no action"
