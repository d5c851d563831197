"""Every word that a page shows comes from a catalogue: in a language of long words, no word of ours is left."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser

import pytest
from tests.server.long_words import CODE, MARK, speak_long_words
from tests.server.web_site import FIVE, Site

from farfalia_engine import GAMES
from farfalia_server.wording import translating
from farfalia_server.wording.language import LANGUAGES
from farfalia_server.wording.rules import RULES

#: Pages of the season, and those whose words follow from a game.
PAGES = (
    *("/", "/ladders/chinkway", "/ladders/four", "/tournaments", "/tournaments/1", "/tournaments/2", "/tournaments/3"),
    *("/tournaments/1/projector", "/tournaments/1/sheets", "/tournaments/1/boards/board-1-1"),
    *("/tournaments/1/boards/board-1-1?deal=3", "/matches", "/matches?bot=ant&against=bee", "/matches/1"),
    *("/matches/1/1", "/matches/4", "/bots", "/bots?search=nobody", "/bots/ant", "/bots/ant/opponents"),
    *("/bots?owner=nobody", "/search?q=nobody", "/search"),
    *("/bots/ant/incidents", "/bots/ant/vs/bee", "/nodes", "/rules", *(f"/rules/{game}" for game in RULES)),
    *("/events", "/events/arena", "/account", "/account/lost", "/nowhere", "/downloads/"),
)
#: Elements whose text is the same in every language.
NOT_LANGUAGE = {"code", "pre", "script", "style", "svg"}
SPOKEN = {"aria-label", "title", "alt", "placeholder"}
#: Names, and words of programs.
NAMES = {
    *(word for name in GAMES for word in name.split("-")),
    *(name.lower() for name in (*FIVE, *LANGUAGES.values())),
    *("spring", "summer", "autumn", "farfalia", "test", "board", "arena", "json", "csv", "ndjson", "utc", "house"),
    *("greedy", "cautious", "random", "expert", "learned", "node", "ada", "ben", "cleo", "dan", "eve", "nobody"),
    *("skint", "barred", "majority", "surprise", "red", "black", "top", "suit", "rank", "seconds", "ups", "downs"),
    *("snap", "double", "you", "burnin", "whl", "flat", "monte", "carlo"),
}
_WORD = re.compile(r"[^\W\d_]{3,}(?:['’][^\W\d_]+)?")
#: An address; a day, which is written in Italian; a file; the title of the public arena, as its organisers like it.
_NOT_OURS = re.compile(r"https?://\S+|\d{1,2} \w{3} \d{4}|\S+\.(?:json|jsonl|md|mjs|proto|whl|zip)\b|The public arena")


class Shown(HTMLParser):
    """The texts that a page shows or has read out, but for what is marked as English."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []
        self._inside: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if self._inside:
            if tag == self._inside[0]:
                self._inside.append(tag)
            return
        if tag in NOT_LANGUAGE or (given.get("lang") not in (None, CODE)):
            self._inside.append(tag)
        else:
            self.texts += [given[name] or "" for name in given.keys() & SPOKEN]

    def handle_endtag(self, tag: str) -> None:
        if self._inside and tag == self._inside[0]:
            self._inside.pop()

    def handle_data(self, data: str) -> None:
        if not self._inside:
            self.texts.append(data)


@pytest.fixture
def long_words(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    speak_long_words(monkeypatch)
    yield
    translating._translated.cache_clear()


def left_over(html: str) -> list[str]:
    """The texts of a page with a word that no catalogue has changed."""
    shown = Shown()
    shown.feed(html)
    found = []
    for text in shown.texts:
        words = _WORD.findall(_NOT_OURS.sub("", text))
        if words := [word for word in words if MARK not in word and word.lower() not in NAMES]:
            found.append(f"{' '.join(text.split())[:80]}: {', '.join(words)}")
    return found


async def test_no_word_of_ours_is_left_on_a_page(season: Site, long_words: None) -> None:
    season.client.headers["accept-language"] = CODE
    found = {path: left_over((await season.client.get(path)).text) for path in PAGES}
    assert {path: texts for path, texts in found.items() if texts} == {}
