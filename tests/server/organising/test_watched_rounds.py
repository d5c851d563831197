"""Bots that are lost while a round is drawn, or between two rounds: nothing is drawn from what that has spoiled."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import pytest
from tests.server.arena_world import World
from tests.server.live import PATIENCE
from tests.server.organising.network_room import finish, room, staged_room
from tests.server.organising.staged import begun, matches_of

from farfalia_server.net import wall_clock
from farfalia_server.organising.director import Director
from farfalia_server.organising.network_watch import NetworkWatch
from farfalia_server.organising.round_drawing import Drawing, RoundDrawing, drawing_of
from farfalia_server.store import (
    Act,
    DueTournament,
    MatchState,
    PauseCause,
    Store,
    Topic,
    TournamentState,
)


class HeldDrawing(RoundDrawing):
    """Drawing that takes until it is released."""

    def __init__(self, store: Store) -> None:
        super().__init__(store)
        self.begun, self.released = asyncio.Event(), asyncio.Event()

    async def of(self, due: DueTournament) -> Drawing:
        drawing = await super().of(due)
        self.begun.set()
        await self.released.wait()
        return drawing


async def test_bots_that_are_lost_while_a_round_is_drawn_pause_the_tournament_before_it(world: World) -> None:
    tournament, here = await staged_room(world, "round-robin:rounds=3")
    for match in await matches_of(world, tournament):
        await world.store.claims.claim(match.id, "node-a")
    drawing, seen, paused = HeldDrawing(world.store), asyncio.Event(), asyncio.Event()

    def reachable() -> set[int]:
        seen.set()
        return here.there

    watch = NetworkWatch(world.store, reachable, lambda: here.now)
    async with asyncio.timeout(PATIENCE), Director(world.store, drawing, filler="greedy", watch=watch):
        await asyncio.gather(drawing.begun.wait(), seen.wait())
        unlisten = world.store.changes.on(tuple(Topic), lambda change: paused.set())
        here.there = set()
        here.now += 1
        try:
            await paused.wait()
        finally:
            unlisten()
            drawing.released.set()
    assert await here.acts() == [Act.START, Act.PAUSE]
    assert {match.round for match in await matches_of(world, tournament)} == {1}


async def test_bots_that_are_lost_between_two_rounds_are_missed_when_the_next_is_drawn(world: World) -> None:
    tournament, here = await staged_room(world, "swiss:rounds=2")
    await here.after(1)
    for match in await matches_of(world, tournament):
        await world.play(match.id)
    assert not await here.after(1)
    assert not await here.after(1, lost=2)
    assert not await here.after(300, lost=2), "nobody has a match to play"
    await Director(world.store, filler="greedy").look()
    assert await here.after(1, lost=2)
    assert not await here.after(1, lost=0) or not await here.after(10)


async def test_no_round_is_drawn_from_strikes_that_an_unnoticed_outage_may_explain(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    tournament, here = await staged_room(world, "swiss:rounds=2")
    await here.after(1)
    director = Director(world.store, filler="greedy", watch=here.watch)
    first, second = await matches_of(world, tournament)
    assert await finish(world, first.id, slow=0)
    assert await finish(world, second.id, slow=0)
    await director.look()
    assert {match.round for match in await matches_of(world, tournament)} == {1}
    real = wall_clock.now
    monkeypatch.setattr(wall_clock, "now", lambda: real() + timedelta(seconds=11))
    await director.look()
    assert {match.round for match in await matches_of(world, tournament)} == {1, 2}


async def test_one_bot_that_is_struck_is_no_outage_and_delays_nobody(world: World) -> None:
    tournament, here = await staged_room(world, "swiss:rounds=2")
    await here.after(1)
    first, second = await matches_of(world, tournament)
    assert await finish(world, first.id)
    assert await finish(world, second.id, slow=0)
    await Director(world.store, filler="greedy", watch=here.watch).look()
    assert {match.round for match in await matches_of(world, tournament)} == {1, 2}


@pytest.mark.parametrize("percent", [50, 0])
async def test_a_tournament_does_not_end_with_strikes_that_an_outage_may_explain(
    world: World, monkeypatch: pytest.MonkeyPatch, percent: int
) -> None:
    here = await room(world, 2, (percent, 30, 10))
    director = Director(world.store, filler="greedy", watch=here.watch)
    *before, other, last = await world.store.matches.of_tournament(here.number)
    for match in before:
        assert await finish(world, match.id)
    for match, bot in zip((other, last), here.bots, strict=True):
        assert await finish(world, match.id, slow=match.bot_ids.index(bot))
    await director.look()
    over = (await world.store.tournaments.get(here.number)).state is TournamentState.FINISHED
    assert over is not bool(percent), "a tournament that never pauses waits for no word of an outage"
    if over:
        return
    assert await here.after(1, lost=2), "both are missed"
    again = [match for match in await world.store.matches.of_tournament(here.number) if match.id > last.id]
    assert [match.state for match in again] == [MatchState.QUEUED] * 2


async def test_a_tournament_whose_last_strikes_are_explained_by_no_outage_ends_soon(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = await room(world, 2)
    director = Director(world.store, filler="greedy", watch=here.watch)
    for number, match in enumerate(await world.store.matches.of_tournament(here.number)):
        assert await finish(world, match.id, slow=match.bot_ids.index(here.bots[number % 2]))
    await director.look()
    assert (await world.store.tournaments.get(here.number)).state is TournamentState.RUNNING
    real = wall_clock.now
    monkeypatch.setattr(wall_clock, "now", lambda: real() + timedelta(seconds=11))
    await director.look()
    assert (await world.store.tournaments.get(here.number)).state is TournamentState.FINISHED
    assert (await here.acts())[-1] is Act.FINISH


async def test_a_round_that_was_worked_out_before_a_pause_is_not_drawn_and_nothing_ends(world: World) -> None:
    tournament = await begun(world, 4, "swiss:rounds=2")
    entrants = await world.store.tournaments.entrants(tournament.id)
    for match in await matches_of(world, tournament):
        await world.play(match.id)
    await world.store.pauses.pause(tournament.id, PauseCause.ORGANISER, "lunch", who="helga")
    assert not await world.store.rounds.draw(tournament.id, [], entrants=entrants, after=2, void=0)
    assert not await world.store.rounds.end(tournament.id, after=2, void=0)
    assert (await world.store.tournaments.get(tournament.id)).pause is not None


async def test_a_round_that_was_worked_out_from_a_result_that_is_void_by_now_is_not_drawn(world: World) -> None:
    tournament = await begun(world, 4, "swiss:rounds=2")
    for match in await matches_of(world, tournament):
        await world.play(match.id)
    before = await drawing_of(world.store, tournament.id)
    await world.store.voiding.void(tournament.id, [(await matches_of(world, tournament))[0].id], text="wrong bots")
    after = await drawing_of(world.store, tournament.id)
    rounds = world.store.rounds
    for drawing, counts in ((before, False), (after, True)):
        entrants, number, void = drawing.entrants, drawing.matches, drawing.void
        assert await rounds.draw(tournament.id, [], entrants=entrants, after=number, void=void) is counts
