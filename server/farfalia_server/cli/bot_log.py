"""What a bot wrote in a match, beside the decisions that it wrote it over; for its owner."""

from collections.abc import Iterable, Sequence

from farfalia.v1 import bots_pb2
from farfalia_server.cli.output import LINE, prose, say
from farfalia_server.contract.untrusted import clean
from farfalia_server.wording.decisions import Decision


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
