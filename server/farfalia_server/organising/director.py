"""Draws the rounds of tournaments with stages, each when its time has come, and ends them after the last.

What comes next follows from what was played, so that nothing is kept here: after a crash the director looks again, and
of the directors of several nodes one writes the round down. Rounds of a round robin are drawn as soon as no match
waits, those that follow from results when there are all of them.
"""

import structlog

from farfalia_server.errors import FarfaliaServerError
from farfalia_server.organising.fillers import fillers
from farfalia_server.organising.round_drawing import RoundDrawing
from farfalia_server.organising.stage_messages import stages_stored
from farfalia_server.organising.stage_progress import new_match
from farfalia_server.store import Change, DueTournament, Seat, Store, Topic
from farfalia_server.store.change_service import ChangeService
from farfalia_tournaments import NextRound, TournamentOver

log = structlog.get_logger(__name__)

#: Seconds from one look to the next at most: other nodes' matches are not announced here.
_LOOK_SECONDS = 2.0
#: After a failure.
_PAUSE_SECONDS = 1.0


class Director(ChangeService):
    """The service that draws `rounds`; `filler` names the house bot of empty seats; `async with` runs it."""

    unavailable = (FarfaliaServerError,)

    def __init__(self, store: Store, rounds: RoundDrawing | None = None, *, filler: str) -> None:
        super().__init__(store.changes, "director", every=_LOOK_SECONDS, pause=_PAUSE_SECONDS)
        self._store = store
        self._rounds = rounds or RoundDrawing(store)
        self._filler = filler

    async def look(self) -> None:
        """Take every tournament as far as it goes without another match being played."""
        for due in await self._store.rounds.due():
            if not (due.running and _follows_results(due)):
                await self._advance(due)

    def _changed(self, change: Change) -> None:
        begun = change.stage and change.state is not None and not change.state.waiting
        if begun or change.topic is Topic.TOURNAMENT:
            self.wake()

    async def _look(self) -> None:
        await self.look()

    async def _advance(self, due: DueTournament) -> None:
        """Draw the next round, or end the tournament, if it is time for that."""
        drawing = await self._rounds.of(due)
        drawn, entrants = drawing.next, drawing.entrants
        if isinstance(drawn, NextRound):
            empty = max(match.entrants.count(None) for match in drawn.matches)
            bots = await fillers(self._store, self._filler, empty, {entrant.name for entrant in entrants})
            seats = [Seat(bot.id, bot.name, filler=True) for bot in bots]
            new = [new_match(match, entrants, seats) for match in drawn.matches]
            if await self._store.rounds.draw(due.id, new, entrants=entrants, after=drawing.matches):
                log.info("round_drawn", tournament=due.id, stage=drawn.stage, round=drawn.round)
        elif isinstance(drawn, TournamentOver):
            await self._store.rounds.end(due.id, after=drawing.matches)


def _follows_results(due: DueTournament) -> bool:
    """Return whether the next round cannot be drawn while a match of this stage is played."""
    return due.stage > 0 and stages_stored(due.stages)[due.stage - 1].follows_results
