"""What a bot wrote in a match, beside the decisions that it wrote it over; for its owner."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from farfalia.v1 import bots_pb2, record_pb2
from farfalia_server.cli.output import LINE, prose, say
from farfalia_server.contract.untrusted import clean
from farfalia_server.records.played_events import deal_events
from farfalia_server.wording.phrases import cause
from farfalia_server.wording.table import TABLE_WORDS, DealTold, how_decided


@dataclass(frozen=True, slots=True)
class Decision:
    """What a seat did where it was asked: in words, with what the server measured and what it saw go wrong."""

    deal: int
    words: str
    seen: str = ""


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
        place = TABLE_WORDS["place"].format(trick=deal.cards[-1].trick, card=deal.cards[-1].card) if deal.cards else ""
        said = _sentence(event, deal, name, events[at:])
        words = f"{place}: {said}" if place else said
        yield Decision(number, f"{words} ({how_decided(event)})", seen.get(event.get("strikes", 0), ""))


def _sentence(event: Mapping[str, Any], deal: DealTold, name: str, from_here: Iterable[Mapping[str, Any]]) -> str:
    if event["type"] == "play":
        return deal.cards[-1].sentences[0]
    if event["type"] == "collect":
        return deal.cards[-1].sentences[-1]
    if event["kind"] == "discard":
        return TABLE_WORDS["discards"].format(name=name, cards=", ".join(event["cards"]))
    text = event["text"]
    if event["kind"] == "declare":  # what follows from it is in the words of the game
        text = next((one["trumps_words"] for one in from_here if one.get("trumps_words")), text)
        text = f"trumps are {text}" if text != "no trumps" else text
    return TABLE_WORDS["decides"].format(name=name, text=text)


def print_decisions(played: Sequence[Decision], logs: Iterable[bots_pb2.BotLog], deal: int | None) -> None:
    """Print the decisions, of one deal or all, each with the lines that were written over it."""
    left = list(logs)
    if deal is None:
        left = _print_lines(left, 0)
    before = 0
    for number, decision in enumerate(played, 1):
        if deal not in (None, decision.deal):
            continue
        if decision.deal != before:
            before = decision.deal
            say("", f"Deal {before}:")
        prose(f"  {decision.words}", indent="    ")
        if decision.seen:
            prose(f"      the server saw: {decision.seen}", indent="        ")
        left = _print_lines(left, number)
    if deal is None:
        print_lines(left)


def print_lines(logs: Iterable[bots_pb2.BotLog]) -> None:
    """Print lines without their decisions, each after the number of its question."""
    for number in sorted({log.question for log in logs}):
        say("", f"Question {number}:" if number else "Before the first question:")
        _print_lines(logs, number)


def _print_lines(logs: Iterable[bots_pb2.BotLog], question: int) -> list[bots_pb2.BotLog]:
    """Print the lines of a question; return the others. What follows a line break in a line is set in further."""
    others = []
    for log in logs:
        if log.question != question:
            others.append(log)
            continue
        first, *more = clean(log.line.text, LINE, lines=True).split("\n")
        say(f"      {log.time.ToDatetime():%T}  {first}", *(f"{'':16}{line}" for line in more))
    return others
