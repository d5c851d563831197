"""Tournaments with stages in a world, and how to play them."""

from __future__ import annotations

from tests.server.arena_world import World

from farfalia_server.organising.director import Director
from farfalia_server.store import Match, MatchState, Tournament

OPEN = (MatchState.QUEUED, MatchState.RUNNING)


def names(count: int) -> list[str]:
    return [f"bot-{number}" for number in range(count)]


async def begun(here: World, bots: int, stages: str, ruleset: str = "two") -> Tournament:
    """A tournament that has been started, its first round drawn."""
    await here.register(*names(bots))
    tournament = await here.plan("staged", names(bots), stages=stages, ruleset=ruleset)
    await here.store.tournaments.start(tournament.id)
    await Director(here.store, filler="greedy").look()
    return tournament


async def matches_of(here: World, tournament: Tournament) -> list[Match]:
    return await here.store.matches.of_tournament(tournament.id)


async def play_round(here: World, tournament: Tournament, *, leave: int = 0) -> int:
    """Play what waits, all but the last few; return how many there were. Each time another director looks."""
    waiting = [match for match in await matches_of(here, tournament) if match.state in OPEN]
    for match in waiting[: len(waiting) - leave]:
        await here.play(match.id)
    await Director(here.store, filler="greedy").look()
    return len(waiting)


async def play_out(here: World, tournament: Tournament) -> list[Match]:
    """Play all rounds; return all matches."""
    while await play_round(here, tournament):
        pass
    return await matches_of(here, tournament)
