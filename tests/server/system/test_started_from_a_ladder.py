"""A tournament on a real server starts from a ladder: page, JSON and terminal say so, and a stranger recomputes it."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.cli import forked
from tests.cli.command import LIMIT, environment
from tests.server.arena_world import FIVE, world
from tests.server.live import ADMIN, PATIENCE, LiveServer, live_server

from farfalia.v1 import stages_pb2
from farfalia_server.rating.rater import Rater

RECOMPUTE = Path(__file__).parents[2] / "strangers" / "recompute_table.py"
GAME = "basic"
KNEW = "Probabilities start from what the ladder basic knew of 5 of these 6 entrants when the tournament started"
ALONE = "Places, strengths and probabilities come from this tournament alone."


async def _ladder(folder: Path) -> None:
    """House bots that a ladder knows by a hundred matches."""
    async with world(folder) as here:
        for name in FIVE:
            await here.store.bots.register_house(name, "greedy")
        await here.play_all(await here.plan("before", FIVE, 100, GAME))
        await Rater(here.store).rate_all()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    folder = tmp_path_factory.mktemp("arena")
    (folder / "data").mkdir()
    asyncio.run(_ladder(folder / "data"))
    with live_server(folder, fit_hour=-1) as running:
        running.register("fox", "random")
        yield running


def get(server: LiveServer, path: str, language: str = "en") -> str:
    with httpx.Client(base_url=f"http://{server.http_address}", timeout=PATIENCE) as client:
        return client.get(path, headers={"Accept-Language": language}).raise_for_status().text


def told(server: LiveServer, number: int) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(get(server, f"/api/tournaments/{number}"))
    return found


def terminal(server: LiveServer, *arguments: object) -> str:
    settings = environment(FARFALIA_SERVER=server.grpc_address, FARFALIA_ADMIN_TOKEN=ADMIN)
    done = forked.run(list(map(str, arguments)), server.folder, settings, LIMIT)
    assert done.returncode == 0, done.stderr
    return " ".join(done.stdout.split())


@pytest.mark.parametrize("boards", ["fresh", "rotations"])
def test_a_stranger_recomputes_a_tournament_that_starts_from_a_ladder(
    server: LiveServer, tmp_path: Path, boards: str
) -> None:
    kind = stages_pb2.BOARDS_FRESH if boards == "fresh" else stages_pb2.BOARDS_ROTATIONS
    number = server.tournament([*FIVE, "fox"], rounds=4, ruleset=GAME, boards=kind, unrated=True)
    server.wait_for(number)
    row = told(server, number)
    known = row["pairModel"]["known"]
    assert {row["standings"][one["row"]]["entrant"] for one in known} == set(FIVE)
    assert all(one["ladder"] == GAME and one["matches"] >= 100 and one["sigma"] > 0 for one in known)
    assert KNEW in get(server, f"/tournaments/{number}")
    assert KNEW in terminal(server, "tournament", "show", number)
    assert "Le probabilità partono da ciò che la graduatoria basic sapeva di 5 di questi 6 partecipanti" in get(
        server, f"/tournaments/{number}", "it"
    )
    assert "Les probabilités partent de ce que l’échelle basic savait de 5 de ces 6 participants" in get(
        server, f"/tournaments/{number}", "fr"
    )
    for name, address in (
        ("tournament.json", f"/api/tournaments/{number}"),
        ("matches.json", f"/api/matches?tournament={number}&limit=1000"),
        ("records.ndjson", f"/api/records?tournament={number}"),
    ):
        (tmp_path / name).write_text(get(server, address), encoding="utf-8")
    command = [sys.executable, "-I", "-S", str(RECOMPUTE), str(tmp_path)]
    added = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert added.returncode == 0, added.stdout + added.stderr


def test_an_organiser_lets_a_tournament_stand_alone(server: LiveServer) -> None:
    made = terminal(server, "tournament", "create", "cup", *FIVE, "--game", GAME, "--alone", "--start", "--json")
    number = int(json.loads(made)["id"])
    server.wait_for(number)
    row = told(server, number)
    assert row["alone"]
    assert row["strengthModel"]["known"] == []
    assert "pairModel" not in row
    assert ALONE in get(server, f"/tournaments/{number}")
    assert ALONE in terminal(server, "tournament", "show", number)
