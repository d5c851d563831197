"""The connection of a bot whose stream may be on any node, for the tables of this node.

While the bot's gateway is this node, or none, its local connection serves its seats directly. Otherwise seats and
questions are forwarded to its gateway, which times them and sends back the answers. When the bot moves, unanswered
questions are asked again at its new gateway, with the time that was charged at the old one. The new gateway may know
nothing of the match: a table first makes sure that no other one has played on, and asked more, in the meantime.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from time import monotonic

from farfalia.v1 import play_pb2
from farfalia_server.nodes.forwarding import (
    Item,
    Leave,
    SendToNode,
    Tell,
    ask_item,
    encoded,
    given_answer,
    seat_item,
)
from farfalia_server.play.bot_gateway import BotGateway
from farfalia_server.play.connection import BotConnection
from farfalia_server.play.questions import Answer, PendingQuestion, Seating

#: Most seconds that a bot's questions wait to hear what its old gateway charged.
_RELEASE_SECONDS = 1.0
#: Seconds without an answer after which a question is forwarded again: its gateway's mailbox may have lost it.
AGAIN_SECONDS = 3.0


class GatewayFailed(Exception):
    """Raised when a gateway cannot send a question."""


class SharedConnection:
    """The connection of one bot; `local` is its connection on this node, `gateway` its gateway on another one."""

    def __init__(self, local: BotConnection, nodes: SendToNode, gateway: BotGateway | None) -> None:
        self._local = local
        self._nodes = nodes
        self._gateway = gateway
        self._seatings: dict[int, Seating] = {}
        #: By match, the unanswered question, and when it was last forwarded.
        self._open: dict[int, PendingQuestion] = {}
        self._forwarded_at: dict[int, float] = {}
        #: Set while the bot's old gateway is asked for what it charged.
        self._moving: asyncio.TimerHandle | None = None
        self._left: BotGateway | None = None

    @property
    def connected(self) -> bool:
        """Whether the bot has a stream, on any node."""
        return self._local.connected if self._gateway is None else self._gateway.connected

    @property
    def features(self) -> frozenset[str]:
        """The features of its client; none without a stream."""
        if self._gateway is None:
            return self._local.features
        return frozenset(self._gateway.features) if self._gateway.connected else frozenset()

    @property
    def rulesets(self) -> frozenset[str]:
        """Rulesets that the bot plays; empty for all."""
        return self._local.rulesets if self._gateway is None else frozenset(self._gateway.rulesets)

    @property
    def will_not_come(self) -> bool:
        """Whether the bot's process has exited: only a server of its own starts processes of bots."""
        return False

    @property
    def idle(self) -> bool:
        """Whether the bot has no seat at this node's tables."""
        return not self._seatings

    def suspend_clocks(self) -> None:
        """Stop the bot's clocks until it has had time to come back; a live gateway was not down."""
        if self._gateway is None:
            self._local.suspend_clocks()

    # -- seats -----------------------------------------------------------------------------

    def take_seat(self, seating: Seating) -> None:
        """Seat the bot at a table, and tell it."""
        self._seatings[seating.match] = seating
        if self._moving is None:
            self._seat(seating)

    def ask(self, question: PendingQuestion) -> None:
        """Ask a question."""
        question.answered = partial(self._on_answer, question, question.answered)
        self._open[question.key[0]] = question
        if self._moving is None:
            self._ask(question)

    def withdraw(self, match: int) -> None:
        """Remove the open question of a match that is given up; a gateway hears of it when the seat is freed."""
        self._open.pop(match, None)
        if self._holds_seat(match):
            self._local.withdraw(match)

    def leave(self, match: int) -> None:
        """Free the bot's seat in a match."""
        if self._holds_seat(match):
            self._local.leave(match)
        seating = self._seatings.pop(match, None)
        self._open.pop(match, None)
        self._forwarded_at.pop(match, None)
        if seating is not None and self._gateway is not None:
            gateway = self._gateway
            leave = Item(bot=gateway.bot, gateway=gateway.epoch, match=match, epoch=seating.epoch, leave=Leave())
            self._forward(leave)

    def abandon(self) -> None:
        """Leave all seats to the node that takes their matches up; gateways keep them."""
        for match in self._seatings:
            if self._holds_seat(match):
                self._local.hand_over(match)
        self._seatings.clear()
        self._open.clear()

    def expect_no_more(self, match: int) -> None:
        """Note that the bot no longer has a seat in a match."""
        self._local.expect_no_more(match)

    def _holds_seat(self, match: int) -> bool:
        """Return whether the seat at the local connection belongs to a table here, not to another node's."""
        seating = self._seatings.get(match)
        return seating is not None and self._local.seatings.get(match) is seating

    def _seat(self, seating: Seating) -> None:
        if self._gateway is not None:
            self._forward(seat_item(self._gateway.bot, self._gateway.epoch, seating))
        elif self._local.newest_epoch(seating.match) <= seating.epoch:
            # Otherwise a newer owner plays the match: this node was frozen or cut off, and does not know yet.
            self._local.take_seat(seating)

    def _ask(self, question: PendingQuestion) -> None:
        if self._gateway is None:
            if self._holds_seat(question.key[0]):
                self._local.ask(question)
        else:
            self._forwarded_at[question.key[0]] = asyncio.get_running_loop().time()
            self._forward(ask_item(self._gateway.bot, self._gateway.epoch, question))

    def _forward(self, item: Item) -> None:
        assert self._gateway is not None
        self._nodes.send(self._gateway.node, encoded(item))

    def _on_answer(self, question: PendingQuestion, answered: Callable[[Answer], None], answer: Answer) -> None:
        if self._open.get(question.key[0]) is question:
            del self._open[question.key[0]]
            answered(answer)

    # -- messages --------------------------------------------------------------------------

    def send(self, message: play_pb2.PlayResponse) -> None:
        """Tell the bot something."""
        if self._gateway is None:
            self._local.send(message)
        else:
            tell = Tell(message=message.SerializeToString())
            self._forward(Item(bot=self._gateway.bot, gateway=self._gateway.epoch, tell=tell))

    def send_finished(self, finished: play_pb2.Finished) -> None:
        """Tell the bot that a match is over for it, and how."""
        self.send(play_pb2.PlayResponse(finished=[finished]))

    # -- the gateway -----------------------------------------------------------------------

    def receive(self, item: Item) -> None:
        """Handle an item from a gateway; one from another gateway than the bot's current one has no effect."""
        what = item.WhichOneof("what")
        if what == "released" and self._left is not None and item.gateway == self._left.epoch:
            for spent in item.released.spent:
                question = self._open.get(spent.match)
                if question is not None and question.key[1] == spent.number:
                    question.ask_again(spent.ms)
            self._arrive()
        elif what == "answer" and self._gateway is not None and item.gateway == self._gateway.epoch:
            seating, question = self._seatings.get(item.match), self._open.get(item.match)
            if seating is None or question is None or self._moving is not None:
                return
            if seating.epoch == item.epoch and question.key[1] == item.answer.number:
                self._forwarded_at.pop(item.match, None)
                if item.answer.failure:
                    question.failed(GatewayFailed(f"{self._gateway.node} could not ask: {item.answer.failure}"))
                    return
                seating.absence = item.answer.absence
                question.answered(given_answer(item.answer, monotonic()))

    def route(self, gateway: BotGateway | None, left: BotGateway | None = None) -> None:
        """Serve the bot through this gateway from now on; `left` is the one that it has left, if that node is alive."""
        before, self._gateway = self._gateway, gateway
        if before is None and gateway is None:
            return
        if before is not None and gateway is not None and before.epoch == gateway.epoch:
            return  # something about it has changed
        if self._moving is not None:
            return  # it moves on before its questions have arrived
        charged: dict[int, int] = {}
        if before is None:
            charged = {match: self._local.hand_over(match) for match in self._seatings if self._holds_seat(match)}
        for match, question in self._open.items():
            question.ask_again(charged.get(match, 0))
        if left is not None and self._open:
            self._left = left
            self._moving = asyncio.get_running_loop().call_later(_RELEASE_SECONDS, self._arrive)
        else:
            self._arrive()

    def _arrive(self) -> None:
        """Take the seats and ask the questions at the bot's current gateway."""
        if self._moving is not None:
            self._moving.cancel()
        self._moving = self._left = None
        self._forwarded_at.clear()
        for seating in self._seatings.values():
            if seating.house is None and seating.match not in self._open:
                self._seat(seating)
        if self._gateway is None and not self._local.connected:
            self._local.suspend_clocks()  # its gateway is dead: the bot is looking for another node
        for question in list(self._open.values()):
            question.confirm(partial(self._ask_again, question))

    def _ask_again(self, question: PendingQuestion) -> None:
        """Take the seat and ask the question at the bot's current gateway, unless it was answered or the bot moves."""
        match = question.key[0]
        if self._open.get(match) is not question or self._moving is not None:
            return
        if self._gateway is None and self._holds_seat(match):
            return  # it was asked here meanwhile
        self._seat(question.seating)
        self._ask(question)

    def forward_again(self) -> None:
        """Forward questions again that were not answered for a while; a gateway that still has them does nothing, and a
        table whose match another node plays ends.
        """
        if self._gateway is None or self._moving is not None:
            return
        old = asyncio.get_running_loop().time() - AGAIN_SECONDS
        for match, at in list(self._forwarded_at.items()):
            if at <= old and (question := self._open.get(match)) is not None:
                del self._forwarded_at[match]  # until it is forwarded
                question.confirm(partial(self._ask_again, question))
