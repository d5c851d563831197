"""Remote seats: seats at tables of other nodes, of bots whose streams are here, so that this node is their gateway.

The bot's connection treats one like a seat at a table of this node, with a copy of its clock that each question
updates: deadlines, capacity, batching and grace apply to all of the bot's seats together. Its answers go to the table's
node, the table node, which judges them. When the bot connects to another node, `shared_connection` takes its seats
there.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from functools import partial

from farfalia.v1 import play_pb2
from farfalia_engine import Cause
from farfalia_server.net.service import PeriodicService
from farfalia_server.nodes.forwarding import Item, Released, SendToNode, Spent, answer_item, encoded
from farfalia_server.play.clock import SeatClock
from farfalia_server.play.connection import BotConnection
from farfalia_server.play.lobby import Lobby
from farfalia_server.play.questions import Answer, PendingQuestion, Seating
from farfalia_server.records.codec import time_control
from farfalia_server.store import Store

#: Seconds of silence of a table node after which it is looked up whether its match is still in play.
UNHEARD_SECONDS = 30.0


class RemoteSeat(Seating):
    """A bot's seat at a table of another node, `table_node`, at one epoch of the match and of the bot's gateway."""

    __slots__ = ("gateway", "heard_at", "last", "table_node")

    def __init__(self, table_node: str, item: Item) -> None:
        message = play_pb2.Seated.FromString(item.seat.seated)
        clock = SeatClock(time_control(message.time_control))
        super().__init__(item.match, message.seat, clock, message, epoch=item.epoch)
        self.table_node = table_node
        self.gateway: int = item.gateway
        #: The newest answer, in case the table node asks for it again.
        self.last: Item | None = None
        self.heard_at = 0.0


class RemoteSeats:
    """The remote seats at this node's connections."""

    def __init__(self, lobby: Lobby, nodes: SendToNode) -> None:
        self._lobby = lobby
        self._nodes = nodes

    def receive(self, table_node: str, item: Item) -> None:
        """Handle an item from a table node; the bot's gateway is at this node."""
        connection = self._lobby.connection(item.bot)
        match item.WhichOneof("what"):
            case "seat":
                self._seat(connection, table_node, item)
            case "ask":
                self._ask(connection, item)
            case "leave":
                remote = _guest(connection, item)
                if remote is not None:
                    connection.withdraw(item.match)
                    connection.leave(item.match)

    def release(self, connection: BotConnection) -> None:
        """Give up all seats of a bot that another node serves now, and tell the table nodes what was charged here."""
        releases: dict[tuple[str, int], list[Spent]] = {}
        for remote in [seating for seating in connection.seatings.values() if isinstance(seating, RemoteSeat)]:
            spent = Spent(match=remote.match, number=remote.questions, ms=connection.hand_over(remote.match))
            releases.setdefault((remote.table_node, remote.gateway), []).append(spent)
        for (table_node, gateway), spents in releases.items():
            self._nodes.send(
                table_node, encoded(Item(bot=connection.bot, gateway=gateway, released=Released(spent=spents)))
            )

    def unheard(self) -> set[int]:
        """Return the matches of remote seats whose table nodes have been silent for a while."""
        before = asyncio.get_running_loop().time() - UNHEARD_SECONDS
        return {
            match
            for connection in self._lobby.connections()
            for match, seating in connection.seatings.items()
            if isinstance(seating, RemoteSeat) and seating.heard_at < before
        }

    def forget(self, matches: Collection[int]) -> None:
        """Free the seats in matches that nobody plays any more; their table_node died before it could say so."""
        for connection in self._lobby.connections():
            for match in [
                m for m, seating in connection.seatings.items() if isinstance(seating, RemoteSeat) and m in matches
            ]:
                connection.withdraw(match)
                connection.leave(match)

    def _seat(self, connection: BotConnection, table_node: str, item: Item) -> None:
        known = connection.seatings.get(item.match)
        if known is not None and (known.epoch, getattr(known, "gateway", 0)) >= (item.epoch, item.gateway):
            return
        if item.epoch <= connection.epoch_left(item.match):
            return  # from a node that was frozen while another one played on
        remote = RemoteSeat(table_node, item)
        _set_clock(remote, item.seat.bank_ms, item.seat.strikes)
        remote.heard_at = asyncio.get_running_loop().time()
        connection.take_seat(remote)

    def _ask(self, connection: BotConnection, item: Item) -> None:
        remote, ask = _guest(connection, item), item.ask
        if remote is None:
            return
        remote.heard_at = asyncio.get_running_loop().time()
        if ask.number == remote.answered and remote.last is not None:
            self._nodes.send(remote.table_node, encoded(remote.last))
        if ask.number <= remote.questions:
            return
        remote.answered, remote.asked = ask.number - 1, True
        _set_clock(remote, ask.bank_ms, ask.strikes)
        question = PendingQuestion(
            remote,
            ask.number,
            ask.question,
            tuple(ask.legal),
            partial(self._on_answer, connection.bot, remote, ask.number),
            partial(self._on_failure, connection.bot, remote, ask.number),
            resent=ask.resent,
            spent_ms=ask.spent_ms,
            takes_back=ask.takes_back,
        )
        if remote.absence:
            # It may have been asked elsewhere, and the charge says so.
            question.answered(Answer(None, Cause.ABSENT, int(ask.resent), remote.absence))
        else:
            connection.ask(question)

    def _on_answer(self, bot: int, remote: RemoteSeat, number: int, answer: Answer) -> None:
        is_fault = answer.action is None and not answer.take_back
        remote.settle(answer.cause, answer.took_ms, remote.clock.strikes + is_fault)
        remote.last = answer_item(bot, remote.gateway, remote, number, answer)
        self._nodes.send(remote.table_node, encoded(remote.last))

    def _on_failure(self, bot: int, remote: RemoteSeat, number: int, error: Exception) -> None:
        """Tell the table_node that the question cannot be sent: its match cannot go on."""
        item = answer_item(bot, remote.gateway, remote, number, Answer(None, Cause.UNSPECIFIED, 0))
        item.answer.failure = f"{type(error).__name__}: {error}"
        self._nodes.send(remote.table_node, encoded(item))


class RemoteSeatSweep(PeriodicService):
    """Frees remote seats at tables that disappeared silently: their table_node died before it could say so.

    Such a match is over, or its attempt is void and it waits to be played again.
    """

    def __init__(self, store: Store, seats: RemoteSeats) -> None:
        super().__init__("remote sweep", every=UNHEARD_SECONDS / 3)
        self._store = store
        self._seats = seats

    async def _tick(self) -> None:
        unheard = self._seats.unheard()
        if unheard:
            running = {match.id for match in await self._store.matches.running()}
            self._seats.forget((unheard - running) & self._seats.unheard())  # one may have begun again meanwhile


def _guest(connection: BotConnection, item: Item) -> RemoteSeat | None:
    """Return the remote seat that an item is for; None if it is of another epoch or gateway."""
    remote = connection.seatings.get(item.match)
    if isinstance(remote, RemoteSeat) and remote.epoch == item.epoch and remote.gateway == item.gateway:
        return remote
    return None


def _set_clock(remote: RemoteSeat, bank_ms: int, strikes: int) -> None:
    remote.clock.bank_ms, remote.clock.strikes = bank_ms, strikes
