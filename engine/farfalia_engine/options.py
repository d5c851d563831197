"""Options of a game: their valid values, and the errors for invalid ones."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from farfalia_engine.errors import BadOption
from farfalia_engine.hints import did_you_mean

_NUMBER = re.compile(r"[1-9][0-9]{0,8}")


@dataclass(frozen=True, slots=True)
class Option:
    """An option: its default (None: it has none), and which values are valid."""

    default: str | None
    expected: str
    accepts: Callable[[str], bool]


def choice(*values: str) -> Option:
    """Return an option with a few values, the first of which is the default."""
    return Option(values[0], f"one of {', '.join(values)}", values.__contains__)


def number(default: int | None, multiple_of: int = 1) -> Option:
    """Return an option that is a multiple of `multiple_of`, from 1 to 999999999."""
    what = "a number" if multiple_of == 1 else f"a multiple of {multiple_of}"
    text = None if default is None else str(default)
    return Option(text, f"{what}, 1 to 999999999", lambda value: _is_multiple(value, multiple_of))


def values_of(game: str, options: Mapping[str, Option], given: Mapping[str, str]) -> dict[str, str]:
    """Return the value of each option that has one, in the order of their names.

    Raises BadOption, which names what is valid, for an unknown option or an invalid value.
    """
    for name, value in given.items():
        option = options.get(name)
        if option is None:
            close = did_you_mean(name, options)
            raise BadOption(f"{game} has no option {name!r}{close}, expected one of: {', '.join(sorted(options))}")
        if not option.accepts(value):
            raise BadOption(f"option {name!r} of {game} is {value!r}, expected {option.expected}")
    defaults = {name: option.default for name, option in options.items() if option.default is not None}
    return dict(sorted((defaults | dict(given)).items()))


def _is_multiple(text: str, of: int) -> bool:
    return _NUMBER.fullmatch(text) is not None and int(text) % of == 0
