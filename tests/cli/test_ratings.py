"""`farfalia ratings` and what is done with ratings, against a server on which house bots have played."""

import json
import time
from collections.abc import Callable, Iterator
from statistics import fmean

import grpc
import httpx
import pytest
from tests.cli.command import Command, Run
from tests.server.live import ADMIN, LiveServer, live_server

from farfalia.v1 import ratings_pb2


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    """One for all tests, of which one only lets matches be played."""
    with live_server(tmp_path_factory.mktemp("ratings")) as up:
        yield up


@pytest.fixture
def ask(server: LiveServer, farfalia: Command) -> Callable[..., Run]:
    """Run a command against the server as the admin."""

    def run(*arguments: object) -> Run:
        done = farfalia(*arguments, FARFALIA_SERVER=server.grpc_address, FARFALIA_ADMIN_TOKEN=ADMIN)
        assert "Traceback" not in done.stderr
        return done

    return run


def friday(ask: Callable[..., Run], rounds: int = 2, number: int = 1) -> None:
    """Play a tournament of house bots in a short game, the server's first or another one."""
    five = [f"house-{name}-1" for name in ("greedy", "cautious", "random")]
    game = ("--game", "basic", "--rounds", rounds)
    made = ask("tournament", "create", "Friday", *five, "house-random-2", "house-random-3", *game, "--start")
    assert made.returncode == 0, made.stderr
    assert ask("tournament", "watch", number).returncode == 0


def test_the_ladder_is_shown_and_proved(ask: Callable[..., Run], server: LiveServer) -> None:
    assert ask("ratings").stdout == "No bot has a rating for chinkway yet.\n"
    friday(ask)
    deadline = time.monotonic() + 60
    while "house-greedy-1" not in (shown := ask("ratings", "basic").stdout):
        assert time.monotonic() < deadline, shown
    assert ask("ratings", "show", "basic").stdout == shown
    proved = ask("ratings", "rebuild")
    assert (proved.returncode, proved.stdout) == (0, "")
    assert proved.stderr.endswith("2 matches give the ratings that are shown.\n")
    found = json.loads(ask("ratings", "rebuild", "--replace", "--json").stdout)
    assert (found["checked"], found["over"], found["differences"]) == (2, True, [])
    assert ask("ratings", "fit", "basic").stdout == "The ladder of basic is fitted from 2 matches.\n"
    assert ask("ratings", "basic").stdout.splitlines()[0].split()[-4:] == ["fit", "from", "to", "strength"]
    report = ask("ratings", "collusion", "basic")
    assert (report.returncode, report.stdout) == (0, "")
    assert report.stderr.splitlines()[-1] == "0 of 0 pairs with enough matches are flagged."
    report = ask("ratings", "collusion", "--tournament", 1, "--json")
    assert (report.returncode, json.loads(report.stdout)) == (0, {"effects": []})
    assert report.stderr == "Looking through all matches of tournament 1 …\n"
    assert "there is no tournament 77" in ask("ratings", "collusion", "--tournament", 77).stderr
    both = ask("ratings", "collusion", "basic", "--tournament", 1)
    assert (both.returncode, "expected one of them" in both.stderr) == (2, True)
    with pytest.raises(grpc.RpcError) as refused:
        server.call("ReportCollusion", ratings_pb2.ReportCollusionRequest(ladder="basic", tournament=1))
    assert "tournament and ladder are both given" in str(refused.value)
    what_the_tournament_said_is_held_against_the_next_one(ask, server)


def what_the_tournament_said_is_held_against_the_next_one(ask: Callable[..., Run], server: LiveServer) -> None:
    with httpx.Client(base_url=f"http://{server.http_address}") as client:
        tournament = client.get("/tournaments/1").text
        shown = client.get("/api/tournaments/1").json()["pairs"]
        assert "Not counted yet: it is counted every night" in client.get("/ladders/basic").text
        friday(ask, number=2)
        again = {(one["row"], one["column"]) for one in client.get("/api/tournaments/2").json()["pairs"]}
        ask("ratings", "fit", "basic")
        bins = client.get("/api/ratings?ladder=basic").json()["pairs"]
        page = client.get("/ladders/basic?order=name").text  # the other one is kept for a while
    assert sum(int(one["pairs"]) for one in bins) == len(shown) // 2 == len(again) // 2 > 0
    chances = [max(one["stronger"], 1 - one["stronger"]) for one in shown]
    for one in bins:
        inside = [chance for chance in chances if one["low"] <= chance < one["high"]]
        assert len(inside) == 2 * int(one["pairs"])
        assert one["shown"] == pytest.approx(fmean(inside))
        assert 0.4 < one["said"] <= one["shown"]
        assert f"{100 * one['shown']:.1f} %</td>" in page
    assert "Did crosstables come true?" in page
    assert "how often such percentages came true</a>" in tournament


def test_a_ladder_that_there_is_not_is_a_sentence(ask: Callable[..., Run]) -> None:
    done = ask("ratings", "rebuilt")
    assert done.returncode == 1
    assert "there is no ladder 'rebuilt'" in done.stderr
    assert "there is no ladder 'chinkwy' (did you mean chinkway?); expected one of" in ask("ratings", "chinkwy").stderr


def test_what_is_not_there_can_be_listed(ask: Callable[..., Run]) -> None:
    tournament, bot = ask("tournament", "show", 7), ask("bot", "show", "nobody")
    assert tournament.stderr == "farfalia: there is no tournament 7; `farfalia tournament list` shows all there are\n"
    assert bot.stderr == "farfalia: there is no bot 'nobody'; `farfalia bot list` shows all there are\n"


def test_only_the_admin_rebuilds(server: LiveServer, farfalia: Command) -> None:
    done = farfalia("ratings", "rebuild", "--server", server.grpc_address)
    assert done.returncode == 1
    assert done.stderr == (
        "farfalia: this call needs the admin token; show the right one with --admin-token or FARFALIA_ADMIN_TOKEN\n"
    )
    wrong = farfalia("ratings", "rebuild", "--server", server.grpc_address, "--admin-token", "guessed")
    assert wrong.returncode == 1
    assert wrong.stderr.startswith(
        "farfalia: the token is not this server's, or was replaced; expected the admin token; show"
    )


def test_the_port_of_the_pages_is_told_from_that_of_commands(server: LiveServer, farfalia: Command) -> None:
    done = farfalia("ratings", "--server", server.http_address)
    assert done.returncode == 1
    assert "is the port of web pages; bots and commands connect to another one, 7600 by default" in done.stderr


def test_work_on_a_whole_ladder_says_that_it_is_going_on(ask: Callable[..., Run]) -> None:
    done = ask("ratings", "fit", "three", "--json")
    assert done.stderr.startswith("Fitting the ladder of three from all its results")
    assert json.loads(done.stdout)["matches"] == 0


def test_the_ladder_is_named_in_the_same_place_by_every_command(ask: Callable[..., Run]) -> None:
    opened = ask("ladder", "open", "basic", "--tables", 2)
    assert opened.stdout.startswith("basic: open, ")
    assert "with --fill, house bots take empty seats." in opened.stderr
    assert ask("ladder", "close", "basic").stdout == "The ladder of basic is closed.\n"
