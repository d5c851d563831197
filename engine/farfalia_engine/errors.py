"""What the engine refuses.

EngineError
├── RulesetError
│   ├── UnknownRuleset
│   └── BadOption
├── BadCard              a text or number that is not a card
├── BadAction            a text or number that is not an action
├── BadKey               a secret, nonce or key of the wrong length
├── IllegalAction        an action that the rules do not allow now
├── UnreplayableRecord   a record that cannot be played again
└── Unsolvable           a position that the double-dummy solver cannot solve
"""

from typing import Any


class EngineError(ValueError):
    """Everything below: a value from outside that the engine cannot accept."""


class RulesetError(EngineError):
    """A match that cannot be set up as asked.

    `template` is its sentence with places `%(name)s`, and `values` has what stands in them, so that it can be said in
    another language.
    """

    def __init__(self, template: str, **values: object) -> None:
        super().__init__(template % values)
        self.template, self.values = template, values

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle words and values, so that the error can cross processes."""
        return _again, (type(self), self.template, self.values)


class UnknownRuleset(RulesetError):
    """No game has this name."""


class BadOption(RulesetError):
    """The game has no such option, or not with this value."""


class BadCard(EngineError):
    """Not a card, as text or as number."""


class BadAction(EngineError):
    """Not an action of any game, as text or as number."""


class BadKey(EngineError):
    """A secret, nonce or key that has the wrong length."""


class IllegalAction(EngineError):
    """An action that the rules do not allow at this moment; the state is unchanged."""

    def __init__(self, name: str, reason: str) -> None:
        super().__init__(f"{name} is illegal: {reason}")
        #: The action as text, or its number if no action has it.
        self.name = name
        #: Why it is illegal.
        self.reason = reason

    def __reduce__(self) -> tuple["type[IllegalAction]", tuple[str, str]]:
        """Pickle with both arguments, so that the error can cross processes."""
        return type(self), (self.name, self.reason)


def _again(kind: type[RulesetError], template: str, values: dict[str, object]) -> RulesetError:
    return kind(template, **values)


class UnreplayableRecord(EngineError):
    """A record that cannot be played again; the message names the action."""


class Unsolvable(EngineError):
    """A position from which `solve` cannot solve the deal: not in its play, or too far from its end."""
