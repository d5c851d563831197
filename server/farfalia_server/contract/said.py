"""Sentences of refusals that people read on pages, in the language of each reader: the words apart from the values."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any


class Said(str):
    """A sentence, which is in English as a text; `in_words_of` says it in another language.

    Made by `said` and `said_counted`.
    """

    forms: tuple[str, ...]
    values: Mapping[str, object]

    __slots__ = ("forms", "values")

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle words and values: refusals cross worker processes."""
        return _made, (self.forms, self.values)

    def in_words_of(self, translated: Callable[[str], str], plural: Callable[[str, str, int], str]) -> str:
        """Return the sentence with its words as `translated` gives them, or `plural` for a number.

        Of the values only sentences are translated.
        """
        values = {
            name: value.in_words_of(translated, plural) if isinstance(value, Said) else value
            for name, value in self.values.items()
        }
        return _template(self.forms, self.values, translated, plural) % values


def said(template: str, **values: object) -> Said:
    """Return a sentence with `values` in the places `%(name)s` of `template`, which the catalogues of pages have."""
    return _made((template,), values)


def said_counted(one: str, more: str, number: int, **values: object) -> Said:
    """Return a sentence in the form that belongs to `number`, which stands in its place `%(number)s`."""
    return _made((one, more), {"number": number, **values})


def in_english(text: str) -> Said:
    """Return a sentence that no page shows: programs, nodes and administrators alone meet it, in English."""
    return _made(("%(text)s",), {"text": text})


def joined(parts: Sequence[str], between: str = ", ") -> Said:
    """Return several parts with something between them that is the same in every language; parts may be sentences."""
    values = {f"part{number}": part for number, part in enumerate(parts)}
    return _made((between.join(f"%({name})s" for name in values),), values)


def either(words: Sequence[str]) -> str:
    """Return words as a sentence names those of which it expects one: `true or false`."""
    return words[0] if len(words) == 1 else said("%(others)s or %(last)s", others=joined(words[:-1]), last=words[-1])


def _made(forms: tuple[str, ...], values: Mapping[str, object]) -> Said:
    made = Said(_template(forms, values, str, _english) % values)
    made.forms, made.values = forms, values
    return made


def _template(
    forms: tuple[str, ...],
    values: Mapping[str, object],
    translated: Callable[[str], str],
    plural: Callable[[str, str, int], str],
) -> str:
    number = values.get("number")
    if len(forms) == 2 and isinstance(number, int):
        return plural(forms[0], forms[1], number)
    return translated(forms[0])


def _english(one: str, more: str, number: int) -> str:
    return one if number == 1 else more
