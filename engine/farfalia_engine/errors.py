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


class EngineError(ValueError):
    """Everything below: a value from outside that the engine cannot accept."""


class RulesetError(EngineError):
    """A match that cannot be set up as asked."""


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


class UnreplayableRecord(EngineError):
    """A record that cannot be played again; the message names the action."""


class Unsolvable(EngineError):
    """A position from which `solve` cannot solve the deal: not in its play, or too far from its end."""
