"""Options of a game: their valid values, and the errors for invalid ones."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from farfalia_engine.errors import BadOption
from farfalia_engine.hints import closest

_NUMBER = re.compile(r"[1-9][0-9]{0,8}")


@dataclass(frozen=True, slots=True)
class Option:
    """An option: its default (None: it has none), which values are valid, and the sentence that refuses others.

    In the sentence `%(expected)s` is what was expected.
    """

    default: str | None
    expected: str
    accepts: Callable[[str], bool]
    refusal: str = "option %(name)r of %(game)s is %(value)r, expected %(expected)s"


def choice(*values: str) -> Option:
    """Return an option with a few values, the first of which is the default."""
    return Option(
        values[0],
        ", ".join(values),
        values.__contains__,
        refusal="option %(name)r of %(game)s is %(value)r, expected one of %(expected)s",
    )


def number(default: int | None, multiple_of: int = 1) -> Option:
    """Return an option that is a multiple of `multiple_of`, from 1 to 999999999."""
    text = None if default is None else str(default)
    if multiple_of == 1:
        return Option(
            text,
            "a number",
            lambda value: _is_multiple(value, 1),
            refusal="option %(name)r of %(game)s is %(value)r, expected a number, 1 to 999999999",
        )
    return Option(
        text,
        str(multiple_of),
        lambda value: _is_multiple(value, multiple_of),
        refusal="option %(name)r of %(game)s is %(value)r, expected a multiple of %(expected)s, 1 to 999999999",
    )


def values_of(game: str, options: Mapping[str, Option], given: Mapping[str, str]) -> dict[str, str]:
    """Return the value of each option that has one, in the order of their names.

    Raises BadOption, which names what is valid, for an unknown option or an invalid value.
    """
    for name, value in given.items():
        option = options.get(name)
        if option is None:
            close, choices = closest(name, options), ", ".join(sorted(options))
            raise BadOption(
                "%(game)s has no option %(name)r, expected one of: %(choices)s"
                if close is None
                else "%(game)s has no option %(name)r (did you mean %(close)s?), expected one of: %(choices)s",
                game=game,
                name=name,
                choices=choices,
                close=close,
            )
        if not option.accepts(value):
            raise BadOption(option.refusal, name=name, game=game, value=value, expected=option.expected)
    defaults = {name: option.default for name, option in options.items() if option.default is not None}
    return dict(sorted((defaults | dict(given)).items()))


def _is_multiple(text: str, of: int) -> bool:
    return _NUMBER.fullmatch(text) is not None and int(text) % of == 0
