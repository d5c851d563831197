"""A language for tests alone, whose words are longer than ours and can be told from them."""

from __future__ import annotations

import re
from gettext import NullTranslations

import pytest

from farfalia_server.wording import language, translating

#: The language in whose place it stands.
CODE = "it"
#: What each of its words ends with.
MARK = "ẍ"
#: What no language changes in a text: places to fill in, markup with what it names, characters as HTML has them.
_KEPT = re.compile(r"(%\(\w+\)s|%%|\{\w*\}|<code>.*?</code>|<[^>]*>|&#?\w+;)", re.DOTALL)
_WORD = re.compile(r"[^\W\d_]+(?:(?:['’]|&#39;)[^\W\d_]+)*")


class LongWords(NullTranslations):
    """The catalogue: each word of a text, and two fifths more."""

    def gettext(self, message: str) -> str:
        parts = _KEPT.split(message)
        return "".join(part if at % 2 else _WORD.sub(_longer, part) for at, part in enumerate(parts))

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return self.gettext(msgid1 if n == 1 else msgid2)


def speak_long_words(patch: pytest.MonkeyPatch) -> None:
    """Let pages in Italian be in long words, in this process."""
    patch.setattr(language, "catalogue", lambda code: LongWords())
    translating._translated.cache_clear()


def _longer(word: re.Match[str]) -> str:
    return word[0] + MARK * (1 + len(word[0]) * 2 // 5)
