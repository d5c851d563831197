"""Whoever does not trust our code recomputes a tournament and a ladder from what the server publishes."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.server.live import PATIENCE, LiveServer, live_server, until
from tests.server.rawbot import RawBot, first_legal

from farfalia.v1 import bots_pb2, play_pb2, ratings_pb2, record_pb2, stages_pb2, tournaments_pb2

TABLE, DEALS, DICE, RATINGS = SCRIPTS = [
    Path(__file__).with_name(f"recompute_{name}.py") for name in ("table", "deals", "dice", "ratings")
]
GAME, MATCHES = "basic", 6
RANDOM = "house-random-"


def wrong(bot: RawBot, message: play_pb2.PlayResponse) -> None:
    """Answer with what is never legal."""
    for question in message.questions:
        bot.act(question.match, question.number, 9999)


@pytest.fixture(scope="module")
def downloads(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What a stranger downloads after two tournaments: one bot loses its seat and then has a second version, one never
    comes.
    """
    folder = tmp_path_factory.mktemp("strangers")
    terms: dict[str, Any] = {
        "rounds": 1,
        "ruleset": GAME,
        "control": record_pb2.TimeControl(limit_ms=60_000, bank_ms=0, grace=0),
        "network_rule": tournaments_pb2.NetworkRule(percent=0, seconds=30),  # an outage explains no strike
    }
    with live_server(tmp_path_factory.mktemp("server"), fit_hour=-1, absence_ms=1000) as server:
        for name, house in (("ada", "greedy"), ("ben", "cautious")):
            server.register(name, house)
        token = server.register("cleo")
        server.register("eve")
        entrants = ["ada", "ben", "cleo", "house-random-1"]
        with RawBot(server.grpc_address, token, rulesets=(GAME,), react=wrong):
            rotations = stages_pb2.BOARDS_ROTATIONS
            cup = server.tournament([*entrants, "eve"], boards=rotations, **terms)
            server.wait_for(cup)
        server.call("RegisterBot", bots_pb2.RegisterBotRequest(name="cleo", version="2"))
        with RawBot(server.grpc_address, token, rulesets=(GAME,), react=first_legal):
            server.wait_for(server.tournament(entrants, **terms))
        chain = ratings_pb2.ListRatingChainRequest(ladder=GAME)
        until(lambda: len(server.call("ListRatingChain", chain).entries) == MATCHES)
        download(server, cup, folder)
    return folder


def download(server: LiveServer, cup: int, folder: Path) -> None:
    with httpx.Client(base_url=f"http://{server.http_address}", timeout=PATIENCE) as client:

        def save(name: str, address: str, accept: str = "*/*") -> None:
            answer = client.get(address, headers={"accept": accept})
            (folder / name).write_text(answer.raise_for_status().text, encoding="utf-8")

        save("tournament.json", f"/api/tournaments/{cup}")
        save("matches.json", f"/api/matches?tournament={cup}&limit=1000")
        save("records.ndjson", f"/api/records?tournament={cup}")
        save("ladder.ndjson", f"/api/records?ladder={GAME}")
        save("chain.ndjson", f"/api/ladders/{GAME}/chain")
        save("ratings.json", f"/api/ratings?ladder={GAME}&all_versions=true&limit=1000")
        for match in server.matches(cup):
            save(f"events-{match.id}.ndjson", f"/api/matches/{match.id}/events", "application/x-ndjson")


def recompute(script: Path, folder: Path) -> subprocess.CompletedProcess[str]:
    """A script by a Python that sees nothing but itself."""
    command = [sys.executable, "-I", "-S", str(script), str(folder)]
    return subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_each_script_is_short_and_needs_nothing_but_the_standard_library(script: Path) -> None:
    text = script.read_text()
    assert set(re.findall(r"^(?:import|from) (\w+)", text, re.MULTILINE)) <= sys.stdlib_module_names
    assert len(text.splitlines()) <= 176


def test_a_tournament_and_a_ladder_are_what_a_stranger_computes(downloads: Path) -> None:
    answers = sum(
        action.get("cause") == "CAUSE_HOUSE" and record["seats"][action.get("seat", 0)]["bot"].startswith(RANDOM)
        for record in map(json.loads, (downloads / "records.ndjson").read_text().splitlines())
        for action in record["actions"]
    )
    assert answers > 100
    for script, said in (
        (TABLE, "the table of 5 matches agrees"),
        (DEALS, "the keys of 5 matches and 15 deals agree"),
        (DICE, f"{answers} answers of house bots agree with their dice"),
        (RATINGS, "6 matches of a ladder agree"),
    ):
        done = recompute(script, downloads)
        assert (done.returncode, done.stderr) == (0, ""), done.stdout
        assert done.stdout == f"{said}\n"
    chain = [json.loads(line) for line in (downloads / "chain.ndjson").read_text().splitlines()]
    assert {len([seat for seat in entry["seats"] if "mu" in seat]) for entry in chain} == {4}, (
        "one has missed its matches, another one only fills the table"
    )


def edit(folder: Path, name: str, change: Callable[[Any], None]) -> None:
    """Change the first line of a file."""
    first, *rest = (folder / name).read_text().splitlines(keepends=True)
    document = json.loads(first)
    change(document)
    (folder / name).write_text(json.dumps(document) + "\n" + "".join(rest))


def call_all_random(record: Any) -> None:
    """Say that chance decided for every seat."""
    for seat in record["seats"]:
        seat.update(bot=f"{RANDOM}2")


@pytest.mark.parametrize(
    ("script", "name", "change", "said"),
    [
        (TABLE, "tournament.json", lambda it: it["standings"][0].update(points=1), "points: published 1, computed "),
        (
            TABLE,
            "tournament.json",
            lambda it: it["standings"][0].update(adjusted=0.5),
            "adjusted: published 0.5, computed ",
        ),
        (
            TABLE,
            "tournament.json",
            lambda it: it["standings"][0].update(relative=0.5),
            "relative: published 0.5, computed ",
        ),
        (TABLE, "tournament.json", lambda it: it["standings"][1].update(margin=0.1), "±: published 0.1, computed "),
        (TABLE, "tournament.json", lambda it: it["pairs"][0].update(stronger=1.0), "published 1.0, computed 0."),
        (DEALS, "records.ndjson", lambda it: it["source"].update(board="board-9"), "board key: published "),
        (DEALS, "records.ndjson", lambda it: it["source"]["nonces"].append("AAAA"), "board key: published "),
        (DICE, "records.ndjson", call_all_random, ": published "),
        (DICE, "records.ndjson", lambda it: it["source"].update(boardKey="A" * 43 + "="), "expected one of ["),
        (RATINGS, "chain.ndjson", lambda it: it["seats"][0].update(version="9"), "entry 1, hash: published "),
        (RATINGS, "ratings.json", lambda it: it["bots"][0]["rating"].update(mu=30.0), "ladder, mu of "),
    ],
)
def test_a_stranger_sees_what_was_changed(
    downloads: Path, tmp_path: Path, script: Path, name: str, change: Callable[[Any], None], said: str
) -> None:
    folder = Path(shutil.copytree(downloads, tmp_path / "copy"))
    edit(folder, name, change)
    done = recompute(script, folder)
    assert (done.returncode, done.stderr) == (1, "")
    assert said in done.stdout
