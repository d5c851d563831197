"""What a bot decided in a match, in words, for its owner."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from farfalia.v1 import record_pb2
from farfalia_server.records.played_events import deal_events
from farfalia_server.wording.language import gettext
from farfalia_server.wording.phrases import cause
from farfalia_server.wording.table import TABLE_WORDS, DealTold, how_decided
from farfalia_server.wording.translating import translated


@dataclass(frozen=True, slots=True)
class Decision:
    """What a seat did where it was asked: in words, with what the server measured and what it saw go wrong.

    `card` is the last card that lies then, as the address of a replay has it: `3.2`, or empty before the first.
    """

    deal: int
    words: str
    seen: str = ""
    card: str = ""


def decisions(record: record_pb2.Record, seat: int) -> list[Decision]:
    """Return the decisions of a seat, in the order of its questions: the first is that of question 1."""
    seen = {at.strikes: at.text for at in record.incidents if at.seat == seat}
    return [found for deal in range(1, len(record.outcome.deals) + 1) for found in _of_deal(record, seat, deal, seen)]


def _of_deal(record: record_pb2.Record, seat: int, number: int, seen: Mapping[int, str]) -> Iterator[Decision]:
    deal, name = DealTold(), record.seats[seat].name
    events = list(deal_events(record, number, cause))
    for at, event in enumerate(events):
        deal.follow(event)
        if event.get("seat") != seat or "ms" not in event:  # another seat's, or nobody was asked
            continue
        last = deal.cards[-1] if deal.cards else None
        place = gettext(TABLE_WORDS["place"]).format(trick=last.trick, card=last.card) if last else ""
        said = _sentence(event, deal, name, events[at:])
        words = f"{place}: {said}" if place else said
        card = f"{last.trick}.{last.card}" if last else ""
        yield Decision(number, f"{words} ({how_decided(event)})", seen.get(event.get("strikes", 0), ""), card)


def _sentence(event: Mapping[str, Any], deal: DealTold, name: str, from_here: Iterable[Mapping[str, Any]]) -> str:
    if event["type"] == "play":
        return deal.cards[-1].sentences[0]
    if event["type"] == "collect":
        return deal.cards[-1].sentences[-1]
    if event["kind"] == "discard":
        return gettext(TABLE_WORDS["discards"]).format(name=name, cards=", ".join(event["cards"]))
    text = event["text"]
    if event["kind"] == "declare":  # what follows from it is in the words of the game
        text = next((one["trumps_words"] for one in from_here if one.get("trumps_words")), text)
        said = translated(text)
        text = said if text == "no trumps" else gettext("trumps are {trumps}").format(trumps=said)
    return gettext(TABLE_WORDS["decides"]).format(name=name, text=text)
