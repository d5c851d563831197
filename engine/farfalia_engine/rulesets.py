"""A ruleset by its name and options."""

from collections.abc import Mapping
from functools import lru_cache

from farfalia_engine.errors import UnknownRuleset
from farfalia_engine.games import GAMES
from farfalia_engine.hints import closest
from farfalia_engine.interfaces import Ruleset


def ruleset(name: str, options: Mapping[str, str] | None = None) -> Ruleset:
    """Return the ruleset of this name; UnknownRuleset or BadOption, naming what there is.

    >>> ruleset("four", {"hands": "8"})
    Ruleset(name='four', options={'hands': '8'})
    """
    return _ruleset(name, tuple(sorted(options.items())) if options else ())


# Observations ask for their ruleset again and again; numbers in options are anyone's choice, so not all are kept.
@lru_cache(maxsize=256)
def _ruleset(name: str, given: tuple[tuple[str, str], ...]) -> Ruleset:
    kind = GAMES.get(name)
    if kind is None:
        close = closest(name, GAMES)
        raise UnknownRuleset(
            "there is no game %(name)r, expected one of: %(choices)s"
            if close is None
            else "there is no game %(name)r (did you mean %(close)s?), expected one of: %(choices)s",
            name=name,
            close=close,
            choices=", ".join(sorted(GAMES)),
        )
    game = kind(dict(given))
    changed = {option: value for option, value in game.chosen.items() if value != kind.options[option].default}
    return Ruleset(game, name, changed)
