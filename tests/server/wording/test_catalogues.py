"""Every language says all that pages say, with the same values and the same markup."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from farfalia_server.wording.amounts import duration, grouped, roughly
from farfalia_server.wording.catalogues import catalogue_file
from farfalia_server.wording.language import LANGUAGES, SOURCE, gettext, language, ngettext, speaking
from farfalia_server.wording.phrases import decimal, ordinal
from farfalia_tools import catalogues

CODES = [code for code in LANGUAGES if code != SOURCE]
#: What a translation must keep: places to fill in, and markup.
_KEPT = re.compile(r"%\(\w+\)s|%%|\{\w*\}|<[^>]*>")


@pytest.mark.parametrize("code", CODES)
def test_nothing_lacks_a_translation(code: str) -> None:
    lacking = catalogues.missing(code)
    assert not lacking, f"run `make catalogues`, and translate in {catalogue_file(code)}: {lacking}"


@pytest.mark.parametrize("code", CODES)
def test_a_catalogue_is_as_the_tool_writes_it(code: str) -> None:
    assert catalogue_file(code).read_text() == catalogues.written(code), "run `make catalogues`"


@pytest.mark.parametrize("code", CODES)
def test_a_translation_has_the_values_and_the_markup_of_its_text(code: str) -> None:
    wrong = []
    for message in catalogues.read(code):
        texts = [message.id] if isinstance(message.id, str) else list(message.id)
        forms = list(message.string) if isinstance(message.string, tuple) else [str(message.string)]
        for text, form in zip(texts, forms, strict=True):
            # The form for one may leave out the number.
            least, most = Counter(_KEPT.findall(text)), Counter(_KEPT.findall(texts[-1]))
            found = Counter(_KEPT.findall(form))
            if message.id and found not in (least, most):
                wrong.append(form)
    assert wrong == []


def test_what_a_catalogue_lacks_is_said_in_english() -> None:
    with speaking("it"):
        assert gettext("Nobody has translated this") == "Nobody has translated this"
        assert ngettext("{number} whist drive", "{number} whist drives", 2) == "{number} whist drives"
        assert gettext("") == ""


def test_a_language_is_spoken_for_as_long_as_it_is_asked_for() -> None:
    with speaking("it"):
        with speaking("fr"):
            assert gettext("Deal") == "Donne"
        assert gettext("Deal") == "Smazzata"
    assert (language(), gettext("Deal")) == ("en", "Deal")


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("en", ["1,234,567", "−0.5", "1.5 s", "about 3 hours", "1st", "22nd", "1 minute ago", "0 minutes ago"]),
        ("it", ["1.234.567", "−0,5", "1,5 s", "circa 3 ore", "1º", "22º", "1 minuto fa", "0 minuti fa"]),
        (
            "fr",
            [
                *("1\u202f234\u202f567", "−0,5", "1,5 s", "environ 3 heures", "1er", "22e"),
                *("il y a 1 minute", "il y a 0 minute"),
            ],
        ),
    ],
)
def test_numbers_and_their_words_are_those_of_the_language(code: str, said: list[str]) -> None:
    ages = "{number} minute ago", "{number} minutes ago"
    with speaking(code):
        assert said == [
            grouped(1234567),
            decimal(-0.5, 1),
            duration(1500),
            roughly(3 * 3600),
            ordinal(1),
            ordinal(22),
            *(ngettext(*ages, number).format(number=number) for number in (1, 0)),
        ]
