"""A tournament whose bots are lost and come back, and the watch over them."""

from __future__ import annotations

from collections.abc import Collection

from tests.server.arena_world import World, played
from tests.server.organising.staged import begun, names
from tests.server.store_world import claim

from farfalia.v1 import tournaments_pb2
from farfalia_server.organising.network_watch import NetworkWatch
from farfalia_server.store import (
    Act,
    Tournament,
)


class Room:
    """A tournament whose first round is drawn, its bots, who of them is reachable, and the watch over all."""

    def __init__(self, here: World, tournament: Tournament, bots: Collection[int]) -> None:
        self.here = here
        self.number = tournament.id
        self.bots = sorted(bots)
        self.there = set(bots)
        self.now = 1000.0
        self.watch = NetworkWatch(here.store, lambda: self.there, lambda: self.now)

    async def after(self, seconds: float, *, lost: int | None = None) -> bool:
        """Let time pass, with the first `lost` bots lost from now on; return whether the tournament is paused."""
        if lost is not None:
            self.there = set(self.bots[lost:])
        self.now += seconds
        await self.watch.look()
        return await self.paused()

    async def paused(self) -> bool:
        return (await self.here.store.tournaments.get(self.number)).pause is not None

    async def acts(self) -> list[Act]:
        return [act.act for act in await self.here.store.acts.of(self.number)]


async def room_of(here: World, tournament: Tournament) -> Room:
    """The room of all who are no house bots."""
    return Room(here, tournament, [bot.id for bot in await here.store.bots.all() if not bot.house])


async def staged_room(here: World, stages: str) -> tuple[Tournament, Room]:
    """Four bots in a tournament with stages, its first round drawn."""
    tournament = await begun(here, 4, stages)
    return tournament, await room_of(here, tournament)


async def room(here: World, bots: int, rule: tuple[int, int, int] = (50, 30, 10), house: int = 0) -> Room:
    """All bots are seen once, in a tournament in which they have matches to play; some house bots are entrants, too."""
    await here.register(*names(bots))
    request = tournaments_pb2.CreateTournamentRequest(
        name="room",
        bots=[*names(bots), *(f"house-greedy-{number}" for number in range(1, house + 1))],
        ruleset="two",
        rounds=2 * (bots + house),
        network_rule=tournaments_pb2.NetworkRule(percent=rule[0], seconds=rule[1], settling=rule[2]),
    )
    tournament = await here.planner.plan(request)
    await here.store.tournaments.start(tournament.id)
    found = await room_of(here, tournament)
    await found.watch.look()
    return found


async def finish(here: World, match: int, *, slow: int | None = None) -> bool:
    """Play a match, with a strike for one seat; return whether it counts."""
    claimed = await claim(here.store, match, "node-a")
    return await here.store.claims.finish(match, claimed.match.epoch, played(claimed, slow))
