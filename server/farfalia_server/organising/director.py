"""Starts tournaments whose time has come, draws the rounds of those with stages, and ends them after the last.

What comes next follows from what was played, so that nothing is kept here: after a crash the director looks again. In a
cluster one node has the role of the director, and SQL refuses the writes of a node that has lost it. Rounds of a round
robin are drawn as soon as no match waits, those that follow from results when there are all of them. Nothing is drawn
for a tournament that is paused, or from a result with a strike before an outage would have been noticed. The watch over
the networks is part of the role, in a task of its own: drawing a round of a large field takes tens of seconds, in which
bots can be lost.
"""

from types import TracebackType
from typing import Self

import structlog

from farfalia_server.contract.errors import FarfaliaServerError
from farfalia_server.organising.fillers import fillers
from farfalia_server.organising.network_watch import NetworkWatch
from farfalia_server.organising.round_drawing import RoundDrawing
from farfalia_server.organising.stage_messages import stages_stored
from farfalia_server.organising.stage_progress import new_match
from farfalia_server.organising.starting import Starting
from farfalia_server.store import Change, DueTournament, Seat, Store, Topic
from farfalia_server.store.change_service import ChangeService
from farfalia_tournaments import NextRound, TournamentOver

log = structlog.get_logger(__name__)

#: Seconds from one look for rounds to the next at most, since an announcement of another node may be missed.
_LOOK_SECONDS = 2.0
#: After a failure.
_PAUSE_SECONDS = 1.0


class Director(ChangeService):
    """The service that draws `rounds`; `filler` names the house bot of empty seats; `async with` runs it.

    With a `watch` it runs that as well, until the last round that it draws is drawn. With `starting` it starts
    tournaments whose time has come.
    """

    topics = (Topic.MATCH, Topic.TOURNAMENT)
    unavailable = (FarfaliaServerError,)

    def __init__(
        self,
        store: Store,
        rounds: RoundDrawing | None = None,
        *,
        filler: str,
        watch: NetworkWatch | None = None,
        starting: Starting | None = None,
    ) -> None:
        super().__init__(store.changes, "director", every=_LOOK_SECONDS, pause=_PAUSE_SECONDS)
        self._store = store
        self._rounds = rounds or RoundDrawing(store)
        self._filler = filler
        self._watch = watch
        self._starting = starting

    async def __aenter__(self) -> Self:
        if self._watch is not None:
            await self._watch.__aenter__()
        return await super().__aenter__()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            await super().__aexit__(kind, error, trace)
        finally:
            if self._watch is not None:
                await self._watch.__aexit__(kind, error, trace)

    async def look(self) -> None:
        """Take every tournament as far as it goes without another match being played."""
        for due in await self._store.rounds.due():
            if (due.running and _follows_results(due)) or await self._waits_for_word(due):
                continue
            if due.stages:
                await self._advance(due)
            else:
                await self._store.rounds.end(due.id, after=due.matches, void=due.void)

    async def _waits_for_word(self, due: DueTournament) -> bool:
        """Return whether results that decide what is next may prove to be spoiled; a later look finds out."""
        return self._watch is not None and not due.running and await self._store.pauses.may_be_spoiled(due.id)

    def _changed(self, change: Change) -> None:
        begun = change.stage and change.state is not None and not change.state.waiting
        if begun or change.topic is Topic.TOURNAMENT:
            self.wake()

    async def _tick(self) -> None:
        if self._starting is not None:
            await self._starting.start_due()
        await self.look()

    async def _advance(self, due: DueTournament) -> None:
        """Draw the next round, or end the tournament, if it is time for that."""
        drawing = await self._rounds.of(due)
        drawn, entrants = drawing.next, drawing.entrants
        after, void = drawing.matches, drawing.void
        if isinstance(drawn, NextRound):
            empty = max(match.entrants.count(None) for match in drawn.matches)
            bots = await fillers(self._store, self._filler, empty, {entrant.name for entrant in entrants})
            seats = [Seat(bot.id, bot.name, filler=True) for bot in bots]
            new = [new_match(match, entrants, seats) for match in drawn.matches]
            if await self._store.rounds.draw(due.id, new, entrants=entrants, after=after, void=void):
                log.info("round_drawn", tournament=due.id, stage=drawn.stage, round=drawn.round)
        elif isinstance(drawn, TournamentOver):
            await self._store.rounds.end(due.id, after=after, void=void)


def _follows_results(due: DueTournament) -> bool:
    """Return whether the next round cannot be drawn while a match of this stage is played."""
    return due.stage > 0 and stages_stored(due.stages)[due.stage - 1].follows_results
