"""Guests: seats at tables of other nodes, of bots whose streams are here, so that this node is their gateway.

The bot's connection treats a guest like a seat at a table of this node, with a copy of its clock that each question
updates: deadlines, capacity, batching and grace apply to all of the bot's seats together. Its answers go to the table's
node, the host, which judges them.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from functools import partial

from farfalia.v1 import play_pb2
from farfalia_engine import Cause
from farfalia_server.net.service import PeriodicService
from farfalia_server.nodes.forwarding import Item, Post, Released, Spent, answer_item, encoded
from farfalia_server.play.clock import SeatClock
from farfalia_server.play.connection import BotConnection
from farfalia_server.play.lobby import Lobby
from farfalia_server.play.questions import Answer, PendingQuestion, Seating
from farfalia_server.records.codec import time_control
from farfalia_server.store import Store

#: Seconds of silence of a host after which it is looked up whether its match is still in play.
UNHEARD_SECONDS = 30.0


class Guest(Seating):
    """A bot's seat at a table of another node, `host`, at one epoch of the match, in one session of the bot."""

    __slots__ = ("heard_at", "host", "last", "session")

    def __init__(self, host: str, item: Item) -> None:
        message = play_pb2.Seated.FromString(item.seat.seated)
        clock = SeatClock(time_control(message.time_control))
        super().__init__(item.match, message.seat, clock, message, epoch=item.epoch)
        self.host = host
        self.session: int = item.session
        #: The newest answer, in case the host asks for it again.
        self.last: Item | None = None
        self.heard_at = 0.0


class Guests:
    """The guests at this node's connections."""

    def __init__(self, lobby: Lobby, post: Post) -> None:
        self._lobby = lobby
        self._post = post

    def receive(self, host: str, item: Item) -> None:
        """Handle an item from a host; the bot's session is at this node."""
        connection = self._lobby.connection(item.bot)
        match item.WhichOneof("what"):
            case "seat":
                self._seat(connection, host, item)
            case "ask":
                self._ask(connection, item)
            case "leave":
                guest = _guest(connection, item)
                if guest is not None:
                    connection.withdraw(item.match)
                    connection.leave(item.match)

    def release(self, connection: BotConnection) -> None:
        """Give up all seats of a bot that another node serves now, and tell the hosts what was charged here."""
        releases: dict[tuple[str, int], list[Spent]] = {}
        for guest in [seating for seating in connection.seatings.values() if isinstance(seating, Guest)]:
            spent = Spent(match=guest.match, number=guest.questions, ms=connection.hand_over(guest.match))
            releases.setdefault((guest.host, guest.session), []).append(spent)
        for (host, session), spents in releases.items():
            self._post.send(host, encoded(Item(bot=connection.bot, session=session, released=Released(spent=spents))))

    def unheard(self) -> set[int]:
        """Return the matches of guests whose hosts have been silent for a while."""
        before = asyncio.get_running_loop().time() - UNHEARD_SECONDS
        return {
            match
            for connection in self._lobby.connections()
            for match, seating in connection.seatings.items()
            if isinstance(seating, Guest) and seating.heard_at < before
        }

    def forget(self, matches: Collection[int]) -> None:
        """Free the seats in matches that nobody plays any more; their host died before it could say so."""
        for connection in self._lobby.connections():
            for match in [
                m for m, seating in connection.seatings.items() if isinstance(seating, Guest) and m in matches
            ]:
                connection.withdraw(match)
                connection.leave(match)

    def _seat(self, connection: BotConnection, host: str, item: Item) -> None:
        known = connection.seatings.get(item.match)
        if known is not None and (known.epoch, getattr(known, "session", 0)) >= (item.epoch, item.session):
            return
        if item.epoch <= connection.epoch_left(item.match):
            return  # from a node that was frozen while another one played on
        guest = Guest(host, item)
        _set_clock(guest, item.seat.bank_ms, item.seat.strikes)
        guest.heard_at = asyncio.get_running_loop().time()
        connection.take_seat(guest)

    def _ask(self, connection: BotConnection, item: Item) -> None:
        guest, ask = _guest(connection, item), item.ask
        if guest is None:
            return
        guest.heard_at = asyncio.get_running_loop().time()
        if ask.number == guest.answered and guest.last is not None:
            self._post.send(guest.host, encoded(guest.last))
        if ask.number <= guest.questions:
            return
        guest.answered, guest.asked = ask.number - 1, True
        _set_clock(guest, ask.bank_ms, ask.strikes)
        question = PendingQuestion(
            guest,
            ask.number,
            ask.question,
            tuple(ask.legal),
            partial(self._on_answer, connection.bot, guest, ask.number),
            partial(self._on_failure, connection.bot, guest, ask.number),
            resent=ask.resent,
            spent_ms=ask.spent_ms,
        )
        if guest.absence:
            # It may have been asked elsewhere, and the charge says so.
            question.answered(Answer(None, Cause.ABSENT, int(ask.resent), guest.absence))
        else:
            connection.ask(question)

    def _on_answer(self, bot: int, guest: Guest, number: int, answer: Answer) -> None:
        guest.settle(answer.cause, answer.took_ms, guest.clock.strikes + (answer.action is None))
        guest.last = answer_item(bot, guest.session, guest, number, answer)
        self._post.send(guest.host, encoded(guest.last))

    def _on_failure(self, bot: int, guest: Guest, number: int, error: Exception) -> None:
        """Tell the host that the question cannot be sent: its match cannot go on."""
        item = answer_item(bot, guest.session, guest, number, Answer(None, Cause.UNSPECIFIED, 0))
        item.answer.failure = f"{type(error).__name__}: {error}"
        self._post.send(guest.host, encoded(item))


class GuestSweep(PeriodicService):
    """Frees the seats of guests at tables that disappeared silently: their host died before it could say so.

    Such a match is over, or its attempt is void and it waits to be played again.
    """

    def __init__(self, store: Store, guests: Guests) -> None:
        super().__init__("guest sweep", every=UNHEARD_SECONDS / 3)
        self._store = store
        self._guests = guests

    async def _tick(self) -> None:
        unheard = self._guests.unheard()
        if unheard:
            running = {match.id for match in await self._store.matches.running()}
            self._guests.forget((unheard - running) & self._guests.unheard())  # one may have begun again meanwhile


def _guest(connection: BotConnection, item: Item) -> Guest | None:
    """Return the guest that an item is for; None if it is of another epoch or session."""
    guest = connection.seatings.get(item.match)
    if isinstance(guest, Guest) and guest.epoch == item.epoch and guest.session == item.session:
        return guest
    return None


def _set_clock(guest: Guest, bank_ms: int, strikes: int) -> None:
    guest.clock.bank_ms, guest.clock.strikes = bank_ms, strikes
