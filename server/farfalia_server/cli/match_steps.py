"""A match on a terminal in words, card by card; the pages say the same."""

import re
import sys
from collections.abc import Iterable

import typer

from farfalia.v1 import record_pb2
from farfalia_server.cli.output import prose, say
from farfalia_server.records.deal_views import DealView
from farfalia_server.records.played_events import deal_events
from farfalia_server.wording.phrases import cause
from farfalia_server.wording.table import TABLE_WORDS, CardTold, DealTold, told

_KEYS = "Keys: t to the end of the trick, d to the next deal, q ends, any other one card."
#: What Ctrl-C, Ctrl-D and Escape send where keys are read one by one.
_ENDS = ("q", "\x03", "\x04", "\x1b", "")


def place_of(text: str, deal: DealView) -> tuple[int, int]:
    """Return trick and card of `4` or `4.2`, counted from 1; BadParameter if the deal has no such card."""
    found = re.fullmatch(r"(\d{1,3})(?:\.(\d{1,3}))?", text, re.ASCII)
    if found is None:
        raise typer.BadParameter(f"There is no card {text!r}; expected its trick and its place in it, such as 4.2.")
    trick, card = int(found[1]), int(found[2] or 1)
    if not 1 <= trick <= len(deal.tricks) or not 1 <= card <= len(deal.tricks[trick - 1].plays):
        tricks, cards = len(deal.tricks), len(deal.seats)
        raise typer.BadParameter(
            f"Deal {deal.number} has no card {trick}.{card}; it has {tricks} tricks of {cards} cards."
        )
    return trick, card


def tell_trick(record: record_pb2.Record, deal: int, place: tuple[int, int]) -> None:
    """Print one trick in words, from a card of it on."""
    for card in _told(record, deal).cards:
        if card.trick == place[0] and card.card >= place[1]:
            _print(card)


def step_through(record: record_pb2.Record, deals: Iterable[int], place: tuple[int, int] | None) -> None:
    """Print deals in words, a card at each key, from a card of the first of them on."""
    prose(_KEYS)
    for number in deals:
        deal = _told(record, number)
        say("")
        prose(" ".join(deal.opening))
        key = ""
        for card in deal.cards:
            if place is not None and (card.trick, card.card) < place:
                continue
            key = key if key == "t" and card.card > 1 else _key()
            if key in _ENDS:
                return
            if key == "d":
                break
            _print(card)
        place = None


def _told(record: record_pb2.Record, deal: int) -> DealTold:
    return told(deal_events(record, deal, cause))


def _print(card: CardTold) -> None:
    place = TABLE_WORDS["place"].format(trick=card.trick, card=card.card)
    note = f" ({card.note})" if card.note else ""
    prose(f"{place}: {' '.join(card.sentences)}{note}")


def _key() -> str:
    """Return the next key; empty when the terminal is gone."""
    import termios  # where there are no such terminals, everything else still works
    import tty

    terminal = sys.stdin.fileno()
    before = termios.tcgetattr(terminal)
    try:
        tty.setraw(terminal, termios.TCSADRAIN)
        return sys.stdin.read(1)
    finally:
        termios.tcsetattr(terminal, termios.TCSADRAIN, before)
