"""Starting tournaments: at once, or by themselves when their time has come."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime

import structlog

from farfalia_server.contract.errors import FailedPrecondition, InvalidArgument, NotFound
from farfalia_server.organising.draw import draw
from farfalia_server.organising.planning import checked_beacon
from farfalia_server.organising.start_times import check_not_over, check_start_at, check_start_with
from farfalia_server.store import Event, LadderKnowledge, Store, Tournament

log = structlog.get_logger(__name__)


class Starting:
    """Starts tournaments; `before_start` is called with the number of one that is about to start, `started` after it
    has. `known` returns what ladders know of the entrants of one that is about to start.
    """

    def __init__(
        self,
        store: Store,
        before_start: Callable[[int], Awaitable[None]],
        started: Callable[[], None],
        known: Callable[[Tournament], Awaitable[Sequence[LadderKnowledge]]],
    ) -> None:
        self._store = store
        self._before_start = before_start
        self._started = started
        self._known = known

    async def start(self, number: int, *, beacon_value: str = "", who: str = "") -> Tournament:
        """Settle its nonces, take down what ladders know, draw its schedule and queue its matches.

        Errors are as `Tournaments.start` raises them; FailedPrecondition (EVENT_OVER) if its event has ended.
        """
        value = checked_beacon(beacon_value)
        check_not_over(await self._event(number))
        await self._before_start(number)
        known = await self._known(await self._store.tournaments.get(number))
        tournament = await self._store.tournaments.start(number, beacon_value=value, draw=draw, known=known, who=who)
        self._started()
        return tournament

    async def schedule(self, number: int, at: datetime | None, *, with_event: bool = False, who: str) -> Tournament:
        """Let a tournament start by itself at a time, or with its event, or by hand for neither.

        InvalidArgument for a time that is over, or at which its event is; FailedPrecondition (BEACON_VALUE_MISSING) for
        a tournament that starts with a public value, which somebody has to give.
        """
        if at is not None:
            check_start_at("at", at, await self._event(number))
        elif with_event:
            check_start_with(await self._event(number))
        return await self._store.tournaments.schedule(number, at, who, with_event=with_event)

    async def _event(self, tournament: int) -> Event:
        return await self._store.events.get(await self._store.tournaments.event(tournament))

    async def start_due(self) -> None:
        """Start the tournaments whose time has come. One that cannot be started waits for somebody to start it."""
        for number in await self._store.tournaments.due_to_start():
            try:
                await self.start(number)
            except (FailedPrecondition, InvalidArgument, NotFound) as error:
                log.warning("start_failed", tournament=number, reason=str(error))
                await self._store.tournaments.forget_start(number)
