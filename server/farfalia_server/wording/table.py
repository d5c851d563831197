"""What is said at a table: by the pages' script, which is given these texts, and by the terminal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from farfalia_server.wording.amounts import duration
from farfalia_server.wording.language import gettext
from farfalia_server.wording.translating import event_in_language

#: Texts with their places to fill in. `{name}` is who acts, a dummy being called after its partner.
TABLE_WORDS: Final = {
    "dummy": "{name}'s dummy",
    "dealt": "{name} deals deal {number}.",
    "trumps": "Trumps: {trumps}.",
    "how": "Trumps: {trumps} ({how}).",
    "kind": "Type of deal: {kind}.",
    "proposal": "Proposal: {subjects}.",
    "discards": "{name} discards {cards}.",
    "decides": "{name} decides: {text}.",
    "leads": "{name} leads {card}.",
    "plays": "{name} plays {card}.",
    "wins": "{name} wins trick {number}: {why}.",
    "collects": "{name} collects {card}.",
    "instead_of": "{name} collects {card}; it could also have collected {cards}.",
    "declines": "{name} declines; it could have collected {cards}.",
    "only_played": "Nobody may collect from the first tricks.",
    "nothing": "Nothing can be collected.",
    "burned": "Burned: {cards}.",
    "scored": "Points of deal {number}: {points}.",
    "over": "The match is over.",
    "took": "{time}",
    "bank": "{time} left in the bank",
    "forced": "no other card was legal",
    "house": "a house bot decided: {why}",
    "strike": "strike {number}",
    "behind": "Other tables play the same cards: a deal is shown once all of them have played it.",
    "away": "The server does not answer; the page tries again.",
    "ended": "The match is over. Its page has all deals once its cards are shown.",
    "place": "Trick {trick}, card {card}",
}


@dataclass(frozen=True, slots=True)
class CardTold:
    """A card in words, with what follows from it, and a note on how the decision came about."""

    trick: int
    card: int
    sentences: tuple[str, ...]
    note: str


@dataclass(slots=True)
class DealTold:
    """A deal in words, from its events; the pages' script says the same, card by card."""

    cards: list[CardTold] = field(default_factory=list)
    _choices: list[str] = field(default_factory=list)
    _kind: str = ""
    _trumps: str = ""
    _names: Sequence[str] = ()
    _words: Mapping[str, str] = field(default_factory=dict)
    _deal: Mapping[str, Any] = field(default_factory=dict)
    _trick: int = 0
    _card: int = 0
    _may: Sequence[str] = ()

    @property
    def opening(self) -> list[str]:
        """What comes before the first card: who deals, what was decided, and trumps."""
        said = [_filled("dealt", name=self._who(0), number=self._deal["number"]), *self._choices]
        return said + [text for text in (self._kind, self._trumps) if text]

    def follow(self, event: Mapping[str, Any]) -> None:
        """Take in one event of a deal."""
        event = event_in_language(event)
        kind = event["type"]
        if kind == "match":
            self._names = event["entrants"]
            self._words = {text: face["words"] for text, face in event["faces"].items()}
        elif kind == "deal":
            self._deal = event
        elif kind == "decide":
            self._tell_choice(event)
        elif kind == "known":
            self._tell_known(event)
        elif kind == "play":
            self._tell_play(event)
        elif kind == "trick":
            self._tell_trick(event)
        elif kind == "collect":
            self._tell_collecting(event)
        elif kind == "score":
            points = ", ".join(f"{name} {own}" for name, own in zip(self._names, event["points"], strict=True))
            self._add(_filled("scored", number=event["number"], points=points))

    def _tell_choice(self, event: Mapping[str, Any]) -> None:
        name = self._who(event["position"])
        if event["kind"] == "discard":
            self._choices.append(_filled("discards", name=name, cards=self._named(event["cards"])))
        elif event["kind"] != "declare":
            self._choices.append(_filled("decides", name=name, text=event["text"]))

    def _tell_known(self, event: Mapping[str, Any]) -> None:
        if "kind" in event:
            self._kind = _filled("kind", kind=event["kind"])
        if trumps := event.get("trumps_words"):
            how = event.get("how", "")
            said = _filled("how", trumps=trumps, how=how) if how else _filled("trumps", trumps=trumps)
            if self.cards:
                self._add(said)
            else:
                self._trumps = said

    def _tell_play(self, event: Mapping[str, Any]) -> None:
        leads = not self.cards or self._card == len(self._deal["seats"])
        self._trick, self._card = self._trick + leads, 1 if leads else self._card + 1
        name, card = self._who(event["position"]), self._named([event["card"]])
        said = _filled("leads" if leads else "plays", name=name, card=card)
        self.cards.append(CardTold(self._trick, self._card, (said,), how_decided(event)))

    def _tell_trick(self, event: Mapping[str, Any]) -> None:
        self._may = event["may"]
        self._add(_filled("wins", name=self._who(event["position"]), number=event["number"], why=event["why"]))
        if event["burned"]:
            self._add(_filled("burned", cards=self._named(event["burned"])))
        if event["only_played"]:
            self._add(_filled("only_played"))
        elif self._deal["collecting"] and not self._may:
            self._add(_filled("nothing"))

    def _tell_collecting(self, event: Mapping[str, Any]) -> None:
        name, card = self._who(event["position"]), event["card"]
        others = self._named(other for other in self._may if other != card)
        if card is None:
            self._add(_filled("declines", name=name, cards=others))
        else:
            text = "instead_of" if others else "collects"
            self._add(_filled(text, name=name, card=self._named([card]), cards=others))

    def _add(self, sentence: str) -> None:
        last = self.cards[-1]
        self.cards[-1] = CardTold(last.trick, last.card, (*last.sentences, sentence), last.note)

    def _named(self, cards: Iterable[str]) -> str:
        return "; ".join(self._words[card] for card in cards)

    def _who(self, position: int) -> str:
        name = self._names[self._deal["seats"][position]]
        return _filled("dummy", name=name) if position in self._deal["dummies"] else name


def told(events: Iterable[Mapping[str, Any]]) -> DealTold:
    """Return a deal in words, given its events."""
    deal = DealTold()
    for event in events:
        deal.follow(event)
    return deal


def how_decided(event: Mapping[str, Any]) -> str:
    """Return how a decision came about, in a few words; empty where nothing is known of it."""
    said = [_filled("forced")] if "forced" in event else []
    if "instead" in event:
        said.append(_filled("house", why=event["instead"]))
    if "strikes" in event:
        said.append(_filled("strike", number=event["strikes"]))
    if "ms" in event:
        said.append(_filled("took", time=duration(event["ms"])))
    if "bank" in event:
        said.append(_filled("bank", time=duration(event["bank"])))
    return ", ".join(said)


def _filled(text: str, /, **values: object) -> str:
    return gettext(TABLE_WORDS[text]).format(**values)
