"""The items that hosts and gateways send each other: see `forwarding.proto`."""

from __future__ import annotations

from typing import Protocol

from farfalia_engine import Cause
from farfalia_server.nodes.forwarding_pb2 import (
    Answer,
    Ask,
    Dismiss,
    Item,
    Items,
    Leave,
    NonceGiven,
    Released,
    Seat,
    Spent,
    Tell,
)
from farfalia_server.play.questions import Answer as GivenAnswer
from farfalia_server.play.questions import PendingQuestion, Seating

__all__ = [
    "Answer",
    "Ask",
    "Dismiss",
    "Item",
    "Items",
    "Leave",
    "NonceGiven",
    "Released",
    "Seat",
    "SendToNode",
    "Spent",
    "Tell",
]


class SendToNode(Protocol):
    """Delivers items to other nodes: in order for each node, as a rule exactly once, or not at all."""

    def send(self, node: str, data: bytes, /) -> None:
        """Send `Items` to a node; never blocks."""


def encoded(item: Item) -> bytes:
    """Return an item as bytes to send."""
    return Items(items=[item]).SerializeToString()


def seat_item(bot: int, gateway: int, seating: Seating) -> Item:
    """Return the item that gives the bot a seat."""
    clock = seating.clock
    seat = Seat(seated=seating.message.SerializeToString(), bank_ms=clock.bank_ms, strikes=clock.strikes)
    return Item(bot=bot, gateway=gateway, match=seating.match, epoch=seating.epoch, seat=seat)


def ask_item(bot: int, gateway: int, question: PendingQuestion) -> Item:
    """Return the item of a question, with the clock as the host knows it."""
    seating = question.seating
    ask = Ask(
        number=question.key[1],
        question=question.encoded,
        legal=question.legal,
        bank_ms=seating.clock.bank_ms,
        strikes=seating.clock.strikes,
        resent=question.resent,
        spent_ms=question.spent_ms,
        takes_back=question.takes_back,
    )
    return Item(bot=bot, gateway=gateway, match=seating.match, epoch=seating.epoch, ask=ask)


def answer_item(bot: int, gateway: int, seating: Seating, number: int, answer: GivenAnswer) -> Item:
    """Return the item of an answer to a question."""
    given = Answer(
        number=number,
        cause=answer.cause,
        took_ms=answer.took_ms,
        text=answer.text,
        absence=seating.absence,
        hinted=answer.hinted,
        take_back=answer.take_back,
    )
    if answer.action is not None:
        given.action = answer.action
    return Item(bot=bot, gateway=gateway, match=seating.match, epoch=seating.epoch, answer=given)


def given_answer(answer: Answer, at: float) -> GivenAnswer:
    """Return the answer in an item, for the table."""
    action = answer.action if answer.HasField("action") else None
    return GivenAnswer(action, Cause(answer.cause), answer.took_ms, answer.text, at, answer.hinted, answer.take_back)
