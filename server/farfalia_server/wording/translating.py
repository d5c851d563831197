"""What the rooms below say of cards, plans, waiting and what went wrong, in the language of the reader.

They speak English. Their sentences are few, and they are known here with their places; what a game from another
package says, or a person, stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache, lru_cache
from typing import Any, Final

from farfalia_engine.farfalia.wording import FAMILY_WORDS
from farfalia_engine.farfalia.wording import SUIT_WORDS as FARFALIA_SUITS
from farfalia_engine.farrago.wording import SUIT_WORDS as FARRAGO_SUITS
from farfalia_server.wording.language import SOURCE, gettext, language, speaking

#: Of the engine. What stands at `{suit}` and `{rank}` are words, which are translated, too.
_OF_CARDS: Final = (
    "{rank} of {suit}, a butterfly",
    "{rank} of {suit}, the second one",
    "{rank} of {suit}",
    "wild card, burns {suit}",
    "no trumps",
    "not declared yet",
    "not known yet",
    "the first subject",
    "the only trump",
    "the highest of {number} trumps",
    "nobody followed suit",
    "the highest of {suit}, which are trumps",
    "the highest of {suit}, the highest suit",
    "the highest of {suit}, after a high lead",
    "the lowest of {suit}, after a low lead",
    "the highest of {suit}",
    "the last of equal highest ranks",
    "the highest rank of all",
    "the second-highest of {suit}",
    "nobody followed: the second rank of all",
    "the ace of the suit led",
    "snap: the rank that was led, in another suit",
    "named by {name}",
    "the first suit that did not follow, in trick {number}",
    "spades and hearts trump each other, diamonds and clubs too",
    "{name} barred {suit}",
    "{name} showed {card}",
    "{name}'s dummy",
)
#: Of the tournaments: how even a plan is, and why a bot waits.
_OF_TOURNAMENTS: Final = (
    "Everybody meets everybody else exactly {span} time: a balanced design.",
    "Everybody meets everybody else exactly {span} times: a balanced design.",
    "Any two entrants meet {span} times: even within one, the best possible with this number of matches.",
    "Any two entrants meet {span} times: the best possible with this number of matches.",
    "Any two entrants meet {span} times: the best that the search found.",
    "Paired by score; in a trial, any two met {span} times.",
    "For everybody to meet everybody, {number} tables are enough: design=short.",
    "That is so in whole rounds: later tables go to those who can still be among the first.",
    "A design in which everybody meets everybody equally often is not known to exist.",
    "{number} or {more}",
    "{number} to {more}",
    "; then ",
    "{number} at {more} table",
    "{number} at {more} tables",
    "{number} bye",
    "{number} byes",
    "{number} house bot",
    "{number} house bots",
    "It plays as many matches at a time as it can.",
    "A table needs {others}, and {are} waiting.",
    "A table needs {others}, all of different owners, and {are} waiting.",
    "{number} other",
    "{number} others",
    "none is",
    "1 is",
    "{number} are",
    "It is the first in line, and sits at the next table.",
    "It is number {place} of {number} in line, by matches played; a table seats {more}.",
    "It is first.",
    "It is among the first {number}.",
    "It is not first.",
    "It is not among the first {number}.",
    "It can still be first, and has no table in this round: seats are drawn by how open that is.",
    "It can still be among the first {number}, and has no table in this round: seats are drawn by how open that is.",
    "It stays first: tables go to those of whom that is open.",
    "It stays among the first {number}: tables go to those of whom that is open.",
    "It cannot be first any more: tables go to those who can.",
    "It cannot be among the first {number} any more: tables go to those who can.",
    "The first is known: {name}.",
    "The first {number} are known: {names}.",
    "It is open for everybody, and everybody plays.",
    "{number} of {more} can still be first: {names}.",
    "Of {number} it is open whether they are among the first {more}: {names}.",
    "Of the others that is settled, within half of the doubt that is allowed; they fill empty seats.",
)
#: Of the arena: why a tournament or a program waits, and why cards are not shown.
_OF_ARENA: Final = (
    "It has not been started.",
    "A nonce has come from {number} of {more} bots.",
    "Waiting for {names} to connect.",
    "{names} and {name}",
    "Paused by {name}.",
    "Paused by {name}: {reason}.",
    "Paused: {reason}.",
    "Missing: {names}.",
    "It goes on by itself when they are back.",
    "To end the wait, withdraw them, or run: {command}",
    "They are back, and it goes on by itself in a few seconds.",
    "Matches in play are played on.",
    "a host checks it as soon as one has time",
    "no host is there that checks it; who runs the arena starts one with farfalia host",
    "The cards and the result of match {number} are shown once every match on its board is over: {more} of stage"
    " {stage}, round {round} are not over yet.",
    "The cards and the result of match {number} are shown once every match on its board is over: {more} of stage"
    " {stage}, round {round} is not over yet.",
    "The cards and the result of match {number} are shown once every match on its board is over: {more} of round"
    " {round} are not over yet.",
    "The cards and the result of match {number} are shown once every match on its board is over: {more} of round"
    " {round} is not over yet.",
)
#: Of play: what the server saw go wrong with a decision. The last one follows another.
_OF_PLAY: Final = (
    "action {number} is not legal; legal were {numbers}",
    "the bot said that it failed; its owner's log has what it said",
    "the bot failed: {reason}",
    "no answer within {number} ms",
    "no answer within {number} ms and {more} ms of the bank",
    "not connected, and no answer within {number} ms",
    "not connected, and no answer within {number} ms and {more} ms of the bank",
    "the bot was not connected",
    "the bot was not connected any more",
    "the bot does not play {name}, as its hello says",
    "for as long as which it had waited behind the bot's capacity of {number}",
)
_SENTENCES: Final = (*_OF_CARDS, *_OF_TOURNAMENTS, *_OF_ARENA, *_OF_PLAY)
_SUITS: Final = (*FARFALIA_SUITS.values(), "butterflies", *FARRAGO_SUITS)
_RANKS: Final = ("jack", "queen", "king", "ace")
#: All these words and sentences, for the catalogues.
TRANSLATED: Final = (*_SENTENCES, *_SUITS, *_RANKS, *FAMILY_WORDS.values())
_NUMBER: Final = r"[\d,]+"
#: What may stand at a place.
_PLACES: Final = {
    "suit": "|".join(_SUITS),
    "rank": rf"{'|'.join(_RANKS)}|\d+",
    "others": r"\d+ others?",
    "are": r"none is|1 is|\d+ are",
    "numbers": r"\d+(?:, \d+)*(?:, …)?",
    "names": r"\S.*",
    "reason": r".+",
    "command": r"farfalia .+",
    "span": rf"{_NUMBER}(?: (?:or|to) {_NUMBER})?",
    "name": r"\S+",
    "card": r"\S+",
    **dict.fromkeys(("number", "more", "place", "stage", "round"), _NUMBER),
}
#: Places whose words are translated.
_WORDS: Final = ("suit", "rank", "others", "are", "span")
_BETWEEN_SENTENCES: Final = re.compile(r"(?<=\.) (?=[A-Z])")
#: What a sentence of several parts is taken apart by: rounds, and what several have done.
_JOINTS: Final = ("; then ", ", ")
#: The fields of an event that are texts of the engine.
_TOLD: Final = ("trumps_words", "how", "why")


def translated(text: str) -> str:
    """Return a text of the rooms below in the language of the reader; as it is if it is none of theirs.

    >>> translated("10 of strawberries, a butterfly")
    '10 of strawberries, a butterfly'
    """
    return text if language() == SOURCE or not text else _translated(text, language())


def event_in_language(event: Mapping[str, Any]) -> dict[str, Any]:
    """Return an event of a deal with its words in the language of the reader."""
    told = dict(event)
    if language() == SOURCE:
        return told
    for name in _TOLD:
        if name in told:
            told[name] = translated(told[name])
    if "faces" in told:
        told["faces"] = {card: {**face, "words": translated(face["words"])} for card, face in told["faces"].items()}
    return told


@lru_cache(maxsize=4096)
def _translated(text: str, code: str) -> str:
    with speaking(code):
        return _whole(text)


def _whole(text: str) -> str:
    sentences = _BETWEEN_SENTENCES.split(text)
    if len(sentences) > 1:
        return " ".join(map(_whole, sentences))
    if (found := _filled(text)) is not None:
        return found
    for joint in _JOINTS:
        if joint in text:
            return (gettext(joint) if joint in TRANSLATED else joint).join(map(_whole, text.split(joint)))
    # The last of several rounds.
    return f"{_filled(text[:-1]) or text[:-1]}." if text.endswith(".") else text


def _filled(text: str) -> str | None:
    """Return a word or a sentence translated; None if it is none that is known."""
    if text in TRANSLATED:
        return gettext(text)
    for sentence, pattern in _patterns().items():
        if found := pattern.fullmatch(text):
            return gettext(sentence).format(**{name: _at_place(name, own) for name, own in found.groupdict().items()})
    return None


def _at_place(name: str, own: str) -> str:
    if name in _WORDS:
        return _filled(own) or own
    names, _, last = own.rpartition(" and ")
    if name == "names" and names:
        return gettext("{names} and {name}").format(names=names, name=_filled(last) or last)
    return own


@cache
def _patterns() -> dict[str, re.Pattern[str]]:
    # What joins two names is not told from other sentences with an "and".
    return {one: re.compile(_pattern(one)) for one in _SENTENCES if "{" in one and one != "{names} and {name}"}


def _pattern(sentence: str) -> str:
    parts = re.split(r"\{(\w+)\}", sentence)
    return "".join(f"(?P<{part}>{_PLACES[part]})" if at % 2 else re.escape(part) for at, part in enumerate(parts))
