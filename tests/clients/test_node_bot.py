"""A bot for Node.js that knows nothing but the contract, at tables with Python bots."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Generator, Iterator
from pathlib import Path
from threading import Event

import grpc
import pytest
from tests.cli.command import Command
from tests.clients.nonces import breaking, entered, nonce_in, over, seat
from tests.clients.programs import connected, house, sample
from tests.clients.scripted import End, Messages, Script, answers, greet, question, says, scripted
from tests.server.certificate import make_certificate
from tests.server.live import PATIENCE, LiveServer, live_server

from farfalia.v1 import record_pb2, stages_pb2, tournaments_pb2
from farfalia.v1.play_pb2 import Drain, Notice, PlayResponse

Said = Generator[PlayResponse]

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "clients" / "node"
VECTORS = ROOT / "tests" / "playthroughs" / "deals.json"


@pytest.fixture(scope="module")
def copied(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the bot, installed and copied to where nothing else of the repository is."""
    installed = FOLDER / "node_modules" / ".package-lock.json"
    if not installed.exists() or installed.stat().st_mtime < (FOLDER / "package-lock.json").stat().st_mtime:
        command = ["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund"]
        subprocess.run(command, cwd=FOLDER, check=True, capture_output=True, timeout=300)
    return Path(shutil.copytree(FOLDER, tmp_path_factory.mktemp("node") / "bot"))


@pytest.fixture(scope="module")
def node_bot(copied: Path) -> list[str]:
    return ["node", str(copied / "bot.mjs")]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    with live_server(tmp_path_factory.mktemp("server")) as up:
        yield up


def test_a_bot_that_knows_nothing_but_the_contract_plays_whole_matches(
    node_bot: list[str], server: LiveServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")  # nothing listens there, and nothing is asked of it
    names = [*house(server, "anna", "berta"), "cautious", "chance", "node"]
    server.register("chance", house="random")
    token = server.register("node")
    with connected(server, "cautious", sample("cautious")):
        tournament = server.tournament(names, rounds=6, start=False)
        total = server.show(tournament).matches
        with connected(server, "node", [*node_bot, str(total)], token) as node:
            server.wait_for_nonces(tournament)
            server.call("StartTournament", tournaments_pb2.StartTournamentRequest(id=tournament))
            matches = server.wait_for_matches(tournament)
            told, said = node.communicate(timeout=PATIENCE)
    assert node.returncode == 0, said
    assert said.splitlines() == ["farfalia: connected as node"]
    finished = [json.loads(line) for line in told.splitlines()]
    assert sorted(int(over["match"]) for over in finished) == sorted(match.id for match in matches)
    for ended in finished:
        record = server.record(int(ended["match"]))
        assert server.verify(record) == []
        assert list(record.incidents) == []
        assert record.seats[ended["seat"]].bot == "node"
        assert len(record.seats[ended["seat"]].nonce) == 16
        assert list(record.outcome.points) == ended["points"]
        chosen = [action for action in record.actions if action.seat == ended["seat"]]
        assert sum(action.cause == record_pb2.CAUSE_BOT for action in chosen) > 50

    # It wins tricks on purpose: more than a bot that leaves everything to chance.
    def points(name: str) -> int:
        return sum(
            points
            for over in finished
            for seat, points in zip(server.record(int(over["match"])).seats, over["points"], strict=True)
            if seat.bot == name
        )

    assert points("node") > points("chance")


@pytest.mark.slow
def test_the_node_bot_plays_over_tls(node_bot: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    certificate, key = make_certificate(tmp_path, "ours")
    monkeypatch.setenv("GRPC_DEFAULT_SSL_ROOTS_FILE_PATH", str(certificate))
    with (
        live_server(tmp_path, tls_cert=certificate, tls_key=key) as server,
        connected(server, "node", [*node_bot, "1"]) as node,
    ):
        assert server.grpc_address.startswith("https://")
        (match,) = server.wait_for_matches(
            server.tournament(["node"], rounds=1, ruleset="two", boards=stages_pb2.BOARDS_FRESH)
        )
        node.communicate(timeout=PATIENCE)
        record = server.record(match.id)
    assert node.returncode == 0
    assert list(record.incidents) == []
    assert record_pb2.CAUSE_BOT in {action.cause for action in record.actions}


def test_an_unknown_token_ends_the_node_bot_with_a_sentence(node_bot: list[str], server: LiveServer) -> None:
    environment = os.environ | {"FARFALIA_SERVER": server.grpc_address, "FARFALIA_TOKEN": "nobody"}
    ended = subprocess.run(node_bot, env=environment, capture_output=True, text=True, timeout=PATIENCE)
    assert ended.returncode == 1
    assert ended.stderr.startswith("farfalia: ")
    assert "at " not in ended.stderr.splitlines()[-1]


def test_sigterm_ends_the_node_bot_gracefully(node_bot: list[str], server: LiveServer) -> None:
    with connected(server, "polite", node_bot) as node:
        assert node.stderr is not None
        assert node.stderr.readline() == "farfalia: connected as polite\n"
        node.terminate()
        assert node.wait(PATIENCE) == 0


def test_the_deals_of_the_node_bot_are_the_published_ones(copied: Path) -> None:
    command = ["node", str(copied / "vectors.mjs"), str(VECTORS)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 0, done.stderr
    published = {name: len(rows) for name, rows in json.loads(VECTORS.read_text()).items() if name != "algorithm"}
    assert json.loads(done.stdout) == published


def test_the_lock_file_names_no_registry() -> None:
    lock = json.loads((FOLDER / "package-lock.json").read_text())
    assert not any("resolved" in package for package in lock["packages"].values())


def test_the_node_bot_carries_the_contract_as_it_is() -> None:
    carried = sorted((FOLDER / "proto").rglob("*.proto"))
    assert [path.name for path in carried] == ["cards.proto", "play.proto", "record.proto"]
    for path in carried:
        assert path.read_text() == (ROOT / path.relative_to(FOLDER)).read_text(), "run `make proto`"


def play_through(node_bot: list[str], *scripts: Script) -> str:
    """Let the bot play these scripts, and be refused after them; returns what it said."""
    with scripted(*scripts) as server:
        environment = os.environ | {"FARFALIA_SERVER": f"http://{server.address}", "FARFALIA_TOKEN": "token"}
        ended = subprocess.run(node_bot, env=environment, capture_output=True, text=True, timeout=PATIENCE)
    assert ended.returncode == 1
    return ended.stderr


def test_the_node_bot_plays_on_a_draining_server_until_another_stream_has_taken_over(node_bot: list[str]) -> None:
    taken_over = Event()
    instances = []

    def draining(messages: Messages) -> Said:
        instances.append((yield from greet(messages)).hello.instance)
        yield PlayResponse(drain=Drain(grace_ms=10_000))
        yield PlayResponse(questions=[question(1)])
        assert answers(messages)[0].match == 1
        assert taken_over.wait(PATIENCE)
        raise End(grpc.StatusCode.ABORTED, "STREAM_REPLACED")

    def following(messages: Messages) -> Said:
        instances.append((yield from greet(messages)).hello.instance)
        taken_over.set()
        yield PlayResponse(questions=[question(2)])
        assert answers(messages)[0].match == 2

    said = play_through(node_bot, draining, following)
    assert instances[0] == instances[1]
    assert said.count("connected as tester") == 2


def test_the_node_bot_tries_again_after_whatever_a_proxy_may_say(node_bot: list[str]) -> None:
    codes = [grpc.StatusCode.CANCELLED, grpc.StatusCode.UNKNOWN, grpc.StatusCode.DEADLINE_EXCEEDED]
    said = play_through(node_bot, *(says(ends=End(code, "")) for code in codes))
    assert said.count("connected as tester") == len(codes)


def test_the_node_bot_says_what_became_of_a_nonce_and_accuses_only_where_it_must(node_bot: list[str]) -> None:
    def following(messages: Messages) -> Said:
        yield from greet(messages, open=seat([b"another's"], tournament=3, match=5).seated)
        for tournament in (4, 6):
            yield entered(tournament=tournament)
            nonce_in(messages)
            yield seat([b"another's"], tournament=tournament, match=tournament)
        yield PlayResponse(notices=[Notice(reason="NONCE_LATE", text="too late", tournament=6)])
        for match in (4, 5, 6):
            yield over(match)

    said = play_through(node_bot, breaking, following)
    assert "match 5: our nonce was left out; it may have been lost when the connection broke" in said
    assert "match 4: our nonce was left out; the server may have chosen the deals" in said
    assert "match 6: our nonce" not in said


@pytest.mark.slow
def test_the_node_bot_keeps_the_contract(copied: Path, tmp_path: Path) -> None:
    told = Command(tmp_path).told("conform", "--bot", f"node {copied / 'bot.mjs'}")
    assert "failed" not in told
