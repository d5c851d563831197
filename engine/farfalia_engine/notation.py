"""How the cards and actions of a game are written."""

from collections.abc import Mapping
from typing import Protocol

from farfalia_engine.errors import BadAction, BadCard
from farfalia_engine.integers import whole


class Notation(Protocol):
    """How the cards and actions of a game are written."""

    def card_text(self, card: int, /) -> str:
        """Return the name of a card; BadCard if the number is none."""

    def action_text(self, action: int, /) -> str:
        """Return the text of an action; BadAction if no action has this number."""

    def parse_action(self, text: str, /) -> int:
        """Return the action of this text; BadAction if it is none."""


class Words:
    """A notation that is a list of actions and their texts; `example` says how a few of them look."""

    def __init__(self, cards: Mapping[int, str], texts: Mapping[int, str], example: str) -> None:
        self._cards = cards
        self._texts = texts
        self._actions = {text: action for action, text in texts.items()}
        self._example = example

    def card_text(self, card: int, /) -> str:
        """Return the name of a card; BadCard if the number is none."""
        try:
            return self._cards[whole("card", card)]
        except (KeyError, TypeError):
            raise BadCard(f"{card} is not a card, expected 0 to {len(self._cards) - 1}") from None

    def action_text(self, action: int, /) -> str:
        """Return the text of an action; BadAction if no action has this number."""
        try:
            return self._texts[whole("action", action)]
        except (KeyError, TypeError):
            raise BadAction(f"{action} is not the number of an action") from None

    def parse_action(self, text: str, /) -> int:
        """Return the action of this text, exactly as `action_text` writes it; BadAction otherwise."""
        try:
            return self._actions[text]
        except KeyError:
            raise BadAction(f"{text!r} is not an action, expected one like {self._example}") from None
