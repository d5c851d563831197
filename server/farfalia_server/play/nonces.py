"""Nonces, which bots add to the secrets that their cards come from: asked for, collected, stored.

A secret is fixed and its commitment published before anybody is asked, so neither the server nor a single bot can
choose the deals. For a tournament a bot has time from its creation to its start, and is asked again whenever it
connects; for a match outside tournaments it is asked when the match begins.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from functools import partial
from types import TracebackType

import structlog

from farfalia.v1 import play_pb2
from farfalia_engine import NONCE_BYTES
from farfalia_server.contract.errors import StoreError
from farfalia_server.net.service import Service
from farfalia_server.play import limits
from farfalia_server.play.fair_queue import FairQueue
from farfalia_server.play.lobby import Lobby
from farfalia_server.records.messages import beacon_message
from farfalia_server.store import Change, NonceReceipt, Store, Tournament

log = structlog.get_logger(__name__)

#: Seconds that a start waits for nonces of connected bots that have not answered.
ANSWER_SECONDS = 1.0
#: The owner of the server's own jobs, among those of bots.
_NOBODY = 0
#: The largest number that a column holds.
_NUMBERS = 2**63

_REFUSALS = {
    NonceReceipt.SECOND: ("NONCE_GIVEN", "you have given {of} another nonce before, which stays"),
    NonceReceipt.LATE: ("NONCE_LATE", "the nonces of {of} are settled, and yours is not among them"),
    NonceReceipt.NOT_ENTERED: ("NOT_ENTERED", "you are not entered for {of}, so it takes no nonce of yours"),
}


class NonceCollector(Service):
    """Collects nonces and stores them one by one, each bot in turn.

    Unless it is `open`, no bot is asked and no nonce is accepted.
    """

    def __init__(self, store: Store, lobby: Lobby, *, open: bool = True) -> None:
        super().__init__("nonces")
        self._store = store
        self._lobby = lobby
        self._open = open
        self._jobs: FairQueue[Callable[[], Awaitable[None]]] = FairQueue()
        #: By bot: tournaments for which it was asked and has not answered; tournaments for which it will be asked.
        self._wanted: defaultdict[int, set[int]] = defaultdict(set)
        self._connecting: set[int] = set()
        self._arrivals = asyncio.Event()
        #: By match: the nonces so far of the bots that were asked.
        self._asked: dict[int, dict[int, bytes | None]] = {}

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._jobs.close()
        await super().__aexit__(kind, error, trace)

    def on_tournament(self, change: Change) -> None:
        """Ask the connected entrants of a tournament, which may be new."""
        if self._open:
            self._jobs.put(_NOBODY, partial(self._ask_entrants, change.id))

    def on_connect(self, bot: int) -> None:
        """Ask a bot that has just connected for all missing nonces."""
        if self._open and bot not in self._connecting:
            self._connecting.add(bot)
            self._jobs.put(bot, partial(self._ask_bot, bot))

    def receive(self, bot: int, nonces: Sequence[play_pb2.Nonce]) -> int:
        """Accept a bot's nonces and return the cost in tokens; a notice tells the bot what was refused."""
        cost = 0
        for done, given in enumerate(nonces[: limits.NONCES_IN_MESSAGE]):
            if cost > limits.USELESS_BURST:
                return cost + len(nonces) - done
            cost += self._receive(bot, given)
        return cost + max(0, len(nonces) - limits.NONCES_IN_MESSAGE)

    def receive_forwarded(self, bot: int, given: play_pb2.Nonce) -> None:
        """Accept a bot's nonce for a match, through the node to which the bot is connected."""
        if self._open and given.match in self._asked:
            self._receive_for_match(bot, given)

    def _receive(self, bot: int, given: play_pb2.Nonce) -> int:
        if len(given.nonce) not in NONCE_BYTES:
            expected = f"expected {NONCE_BYTES[0]} to {NONCE_BYTES[-1]}"
            text = f"the nonce for {_of(given)} has {len(given.nonce)} bytes; {expected}"
            self._notice(bot, given, "NONCE_LENGTH", text)
            return 1
        if not self._open:
            return self._answer(bot, given, NonceReceipt.LATE)
        if given.match:
            return self._receive_for_match(bot, given)
        if given.tournament >= _NUMBERS:
            return self._answer(bot, given, NonceReceipt.NOT_ENTERED)
        job = partial(self._receive_for_tournament, bot, given)
        if given.tournament in self._wanted[bot]:
            self._wanted[bot].discard(given.tournament)
            self._jobs.put(bot, job)
            return 0
        self._jobs.put(bot, job, most=limits.UNASKED_NONCES)
        return 1 if bot in self._connecting else limits.NONCE_COST

    async def settle(self, tournament: int) -> None:
        """Wait until all connected entrants have answered, or their time is over."""

        async def missing() -> bool:
            return self._open and any(map(self._lobby.is_connected, await self._store.nonces.awaited(tournament)))

        await self._until_none(missing)

    async def gather(self, entered: play_pb2.Entered, bots: Sequence[int]) -> dict[int, bytes]:
        """Ask these bots, if connected, for nonces for a match's secret, and wait as `settle` does."""
        if not self._open:
            return {}
        given = self._asked[entered.match] = dict.fromkeys(bots)

        async def missing() -> bool:
            return any(nonce is None and self._lobby.is_connected(bot) for bot, nonce in given.items())

        try:
            for bot in bots:
                self._lobby.tell(bot, play_pb2.PlayResponse(entered=[entered]))
            await self._until_none(missing)
        finally:
            del self._asked[entered.match]
        return {bot: nonce for bot, nonce in given.items() if nonce is not None}

    async def _until_none(self, missing: Callable[[], Awaitable[bool]]) -> None:
        loop = asyncio.get_running_loop()
        end = loop.time() + ANSWER_SECONDS
        while True:
            arrivals = self._arrivals
            if not await missing() or loop.time() >= end:
                return
            with suppress(TimeoutError):
                async with asyncio.timeout_at(end):
                    await arrivals.wait()

    async def _run(self) -> None:
        while (job := await self._jobs.get()) is not None:
            try:
                await job()
            except StoreError as error:
                log.warning("nonce_lost", error=str(error))
            except Exception:  # one bot's nonce must not end the task that handles those of all bots
                log.exception("nonce_lost")

    async def _ask_entrants(self, tournament: int) -> None:
        awaited = await self._store.nonces.awaited(tournament)
        for bot, wanted in self._wanted.items():
            if bot not in awaited:
                wanted.discard(tournament)
        here = [bot for bot in awaited if self._lobby.is_here(bot)]
        if here:
            for bot in here:
                self._wanted[bot].add(tournament)
            message = play_pb2.PlayResponse(entered=[_entered(await self._store.tournaments.get(tournament))])
            for bot in here:
                self._lobby.tell(bot, message)

    async def _ask_bot(self, bot: int) -> None:
        self._connecting.discard(bot)
        entered = list(map(_entered, await self._store.nonces.asked_of(bot)))
        self._wanted[bot] = {one.tournament for one in entered}
        if entered:
            self._lobby.tell(bot, play_pb2.PlayResponse(entered=entered))

    async def _receive_for_tournament(self, bot: int, given: play_pb2.Nonce) -> None:
        what = await self._store.nonces.standing(given.tournament, bot, given.nonce)
        if what is None:
            what = await self._store.nonces.give(given.tournament, bot, given.nonce)
        self._answer(bot, given, what)

    def _receive_for_match(self, bot: int, given: play_pb2.Nonce) -> int:
        asked = self._asked.get(given.match, {})
        if bot not in asked:
            if self._lobby.forward_nonce(bot, given):
                return 0
            late = not asked and given.match in self._lobby.connection(bot).seatings
            return self._answer(bot, given, NonceReceipt.LATE if late else NonceReceipt.NOT_ENTERED)
        if asked[bot] is None:
            asked[bot] = given.nonce
            return self._answer(bot, given, NonceReceipt.KEPT)
        if asked[bot] != given.nonce:
            self._answer(bot, given, NonceReceipt.SECOND)
        return 1

    def _answer(self, bot: int, given: play_pb2.Nonce, what: NonceReceipt) -> int:
        """Tell the bot that a nonce was refused; return the cost in tokens."""
        if what is NonceReceipt.KEPT:
            arrivals, self._arrivals = self._arrivals, asyncio.Event()
            arrivals.set()
            return 0
        reason, text = _REFUSALS[what]
        self._notice(bot, given, reason, text.format(of=_of(given)))
        return 1

    def _notice(self, bot: int, given: play_pb2.Nonce, reason: str, text: str) -> None:
        tournament = 0 if given.match else given.tournament
        notice = play_pb2.Notice(reason=reason, text=text, match=given.match, tournament=tournament)
        self._lobby.tell(bot, play_pb2.PlayResponse(notices=[notice]))


def _of(given: play_pb2.Nonce) -> str:
    return f"match {given.match}" if given.match else f"tournament {given.tournament}"


def _entered(tournament: Tournament) -> play_pb2.Entered:
    beacon = None if tournament.beacon is None else beacon_message(tournament.beacon)
    return play_pb2.Entered(
        tournament=tournament.id,
        commitment=tournament.commitment,
        beacon=beacon,
        value_function=tournament.value_function,
    )
