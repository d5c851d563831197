"""Asks bots what they add to the secrets that their cards come from, and takes what they answer.

A secret is fixed, and its commitment shown, before anybody is asked: then neither the server nor a bot alone can choose
the deals. For a tournament a bot has time from the creation to the start, and is asked again whenever it connects; for
a match outside tournaments it is asked when the match begins.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence
from contextlib import suppress
from functools import partial
from types import TracebackType

import structlog

from farfalia.v1 import play_pb2
from farfalia_engine import NONCE_BYTES
from farfalia_server.arena.messages import beacon_message
from farfalia_server.errors import StoreError
from farfalia_server.lobby import Lobby
from farfalia_server.store import Change, Given, Store, Topic, Tournament
from farfalia_server.supervision import supervised

log = structlog.get_logger(__name__)

#: Seconds that a start waits for the nonces of bots that are connected and have not answered.
PATIENCE = 1.0
#: Numbers that a column holds end here.
_NUMBERS = 2**63

_REFUSALS = {
    Given.SECOND: ("NONCE_GIVEN", "you have given {of} another nonce before, which stays"),
    Given.LATE: ("NONCE_LATE", "the nonces of {of} are settled, and yours is not among them"),
    Given.NOT_ENTERED: ("NOT_ENTERED", "you are not entered for {of}, so it takes no nonce of yours"),
}


class NonceDesk:
    """Takes nonces at once and writes them down in its own time, in the order in which they came.

    Unless it is `open`, nobody is asked and nothing is taken.
    """

    def __init__(self, store: Store, lobby: Lobby, *, open: bool = True) -> None:
        self._store = store
        self._lobby = lobby
        self._open = open
        self._jobs: asyncio.Queue[Callable[[], Awaitable[None]] | None] = asyncio.Queue()
        self._worker: asyncio.Task[None] | None = None
        self._news = asyncio.Event()
        #: By match: what the bots that were asked have given so far.
        self._asked: dict[int, dict[int, bytes | None]] = {}

    async def __aenter__(self) -> NonceDesk:
        self._worker = supervised(self._work(), "nonces")
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._jobs.put_nowait(None)
        if self._worker is not None:
            await self._worker

    def heard(self, change: Change) -> None:
        """A tournament may be new: its entrants who are here are asked."""
        if self._open and change.topic is Topic.TOURNAMENT:
            self._jobs.put_nowait(partial(self._ask_entrants, change.id))

    def greet(self, bot: int) -> None:
        """A bot has connected: it is asked what it has not answered yet."""
        if self._open:
            self._jobs.put_nowait(partial(self._ask_bot, bot))

    def take(self, bot: int, nonces: Iterable[play_pb2.Nonce]) -> None:
        """Takes what a bot gives; what cannot be taken is answered with a notice."""
        for given in nonces:
            of = f"match {given.match}" if given.match else f"tournament {given.tournament}"
            if len(given.nonce) not in NONCE_BYTES:
                text = (
                    f"the nonce for {of} has {len(given.nonce)} bytes; expected {NONCE_BYTES[0]} to {NONCE_BYTES[-1]}"
                )
                self._notice(bot, "NONCE_LENGTH", text)
            elif not self._open:
                self._answer(bot, of, Given.LATE)
            elif given.match:
                self._answer(bot, of, self._take_for_match(given.match, bot, given.nonce))
            elif given.tournament >= _NUMBERS:
                self._answer(bot, of, Given.NOT_ENTERED)
            else:
                self._jobs.put_nowait(partial(self._take_for_tournament, bot, given.tournament, given.nonce))

    async def settle(self, tournament: int) -> None:
        """Returns when all entrants who are connected have answered, or their time is over."""

        async def missing() -> bool:
            return self._open and any(map(self._lobby.is_connected, await self._store.nonces.awaited(tournament)))

        await self._until_none(missing)

    async def gather(self, match: int, commitment: bytes, bots: Sequence[int]) -> dict[int, bytes]:
        """Asks those of the bots who are connected what they add to a match's secret, and waits as `settle` does."""
        if not self._open:
            return {}
        given = self._asked[match] = dict.fromkeys(bots)
        entered = play_pb2.Entered(match=match, commitment=commitment)

        async def missing() -> bool:
            return any(nonce is None and self._lobby.is_connected(bot) for bot, nonce in given.items())

        try:
            for bot in bots:
                self._lobby.line(bot).tell(play_pb2.PlayResponse(entered=[entered]))
            await self._until_none(missing)
        finally:
            del self._asked[match]
        return {bot: nonce for bot, nonce in given.items() if nonce is not None}

    async def _until_none(self, missing: Callable[[], Awaitable[bool]]) -> None:
        loop = asyncio.get_running_loop()
        end = loop.time() + PATIENCE
        while True:
            news = self._news
            if not await missing() or loop.time() >= end:
                return
            with suppress(TimeoutError):
                await asyncio.wait_for(news.wait(), end - loop.time())

    async def _work(self) -> None:
        while (job := await self._jobs.get()) is not None:
            try:
                await job()
            except StoreError as error:
                log.warning("a nonce was lost, or not asked for", why=str(error))

    async def _ask_entrants(self, tournament: int) -> None:
        here = [bot for bot in await self._store.nonces.awaited(tournament) if self._lobby.is_connected(bot)]
        if here:
            frame = play_pb2.PlayResponse(entered=[_entered(await self._store.tournaments.get(tournament))])
            for bot in here:
                self._lobby.line(bot).tell(frame)

    async def _ask_bot(self, bot: int) -> None:
        entered = list(map(_entered, await self._store.nonces.asked_of(bot)))
        if entered:
            self._lobby.line(bot).tell(play_pb2.PlayResponse(entered=entered))

    async def _take_for_tournament(self, bot: int, tournament: int, nonce: bytes) -> None:
        what = await self._store.nonces.give(tournament, bot, nonce)
        self._answer(bot, f"tournament {tournament}", what)

    def _take_for_match(self, match: int, bot: int, nonce: bytes) -> Given:
        asked = self._asked.get(match)
        if asked is None:
            return Given.LATE if match in self._lobby.line(bot).seatings else Given.NOT_ENTERED
        if bot not in asked:
            return Given.NOT_ENTERED
        asked[bot] = asked[bot] or nonce
        return Given.KEPT if asked[bot] == nonce else Given.SECOND

    def _answer(self, bot: int, of: str, what: Given) -> None:
        if what is Given.KEPT:
            news, self._news = self._news, asyncio.Event()
            news.set()
        else:
            reason, text = _REFUSALS[what]
            self._notice(bot, reason, text.format(of=of))

    def _notice(self, bot: int, reason: str, text: str) -> None:
        self._lobby.line(bot).tell(play_pb2.PlayResponse(notices=[play_pb2.Notice(reason=reason, text=text)]))


def _entered(tournament: Tournament) -> play_pb2.Entered:
    beacon = None if tournament.beacon is None else beacon_message(tournament.beacon)
    return play_pb2.Entered(tournament=tournament.id, commitment=tournament.commitment, beacon=beacon)
