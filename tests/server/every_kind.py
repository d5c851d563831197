"""Tournaments of every kind, played in the database of a server that is started afterwards."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from tests.server.arena_world import World, world

from farfalia.v1 import stages_pb2
from farfalia_server.organising.director import Director
from farfalia_server.organising.entering import Entering
from farfalia_server.rating.ladder_knowledge import LadderKnowing
from farfalia_server.rating.rater import Rater

NAMES = ("ant", "bee", "cat", "dog", "eel", "fox", "gnu", "hen", "ibex", "jay", "kiwi")


@dataclass(frozen=True)
class Kind:
    """How a tournament is planned, and what happens in it."""

    bots: int
    rounds: int = 0
    game: str = "chinkway"
    options: tuple[tuple[str, str], ...] = ()
    boards: stages_pb2.Boards = stages_pb2.BOARDS_UNSPECIFIED
    stages: str = ""
    changes: bool = False  # after its first match one entrant leaves and another one comes
    starts: bool = True


KINDS = {
    "datum": Kind(10, 3, boards=stages_pb2.BOARDS_DATUM),
    "rotations": Kind(5, 5, boards=stages_pb2.BOARDS_ROTATIONS),
    "fresh": Kind(6, 5, boards=stages_pb2.BOARDS_FRESH),
    "swiss": Kind(10, stages="swiss:rounds=3", changes=True),
    "knock-out": Kind(7, game="two", stages="knockout:advance=1,matches=2,boards=fresh"),
    "several stages": Kind(9, game="three", stages="swiss:rounds=2,qualifiers=6 knockout:advance=2,matches=2"),
    "four": Kind(4, 3, "four", (("double_you", "on"),)),
    "two": Kind(2, 3, "two"),
    "farrago": Kind(4, 3, "farrago", (("players", "4"),)),
    "filled": Kind(2, 11),
    "planned": Kind(5, 2, starts=False),
}


async def play_every_kind(folder: Path) -> dict[str, int]:
    """Play them in the database of this folder; their numbers."""
    async with world(folder) as here:
        await here.register(*NAMES, "lynx")
        numbers = {name: await _play(here, name, kind) for name, kind in KINDS.items()}
        await here.store.bots.renew("ant", "2")
        await here.play_all(await here.plan("with a new version", NAMES[:5], rounds=2))
        await Rater(here.store).rate_all()
        return numbers


async def _play(here: World, name: str, kind: Kind) -> int:
    bots = NAMES[: kind.bots]
    tournament = await here.plan(name, bots, kind.rounds, kind.game, dict(kind.options), kind.boards, kind.stages)
    if not kind.starts:
        return tournament.id
    await here.store.tournaments.start(tournament.id)
    director, entering, changes = (
        Director(here.store, filler="greedy"),
        Entering(here.store, here.planner, LadderKnowing(here.store).of_late),
        kind.changes,
    )
    while True:
        await director.look()
        waiting = [one for one in await here.store.matches.of_tournament(tournament.id) if not one.state.over]
        if not waiting:
            return tournament.id
        await here.play(waiting[0].id)
        if changes:
            changes = False
            await entering.withdraw(tournament.id, bots[1])
            await entering.enter(tournament.id, NAMES[kind.bots])
