"""`farfalia ratings` and what is done with ratings, against a server on which house bots have played."""

import json
from statistics import fmean
from typing import Any

import grpc
import httpx
import pytest
from tests.cli.asked_server import admin, server
from tests.cli.command import Command
from tests.server.live import LiveServer, until

from farfalia.v1 import ratings_pb2

__all__ = ["admin", "server"]


def friday(admin: Command, rounds: int = 2, number: int = 1) -> None:
    """Play a tournament of house bots in a short game, the server's first or another one."""
    five = [f"house-{name}-1" for name in ("greedy", "cautious", "random")]
    game = ("--game", "basic", "--rounds", rounds)
    admin.told("tournament", "create", "Friday", *five, "house-random-2", "house-random-3", *game, "--start")
    admin.told("tournament", "watch", number)


def test_the_ladder_is_shown_and_proved(admin: Command, server: LiveServer) -> None:
    assert admin.told("ratings") == "No bot has a rating for chinkway yet.\n"
    friday(admin)
    until(lambda: "house-greedy-1" in admin.told("ratings", "basic"))
    assert admin.told("ratings", "show", "basic") == admin.told("ratings", "basic")
    proved = admin("ratings", "rebuild")
    assert (proved.returncode, proved.stdout) == (0, "")
    assert proved.stderr.endswith("2 matches give the ratings that are shown.\n")
    found = json.loads(admin.told("ratings", "rebuild", "--replace", "--json"))
    assert (found["checked"], found["over"], found["differences"]) == (2, True, [])
    assert admin.told("ratings", "fit", "basic") == "The ladder of basic is fitted from 2 matches.\n"
    assert admin.told("ratings", "basic").splitlines()[0].split()[-3:] == ["fit", "from", "to"]
    report = admin("ratings", "collusion", "basic")
    assert (report.returncode, report.stdout) == (0, "")
    assert report.stderr.splitlines()[-1] == "0 of 0 pairs with enough matches are flagged."
    report = admin("ratings", "collusion", "--tournament", 1, "--json")
    assert (report.returncode, json.loads(report.stdout)) == (0, {"matches": 2, "read": 2, "effects": []})
    assert report.stderr == "Looking through all matches of tournament 1 …\n"
    assert "there is no tournament 77" in admin("ratings", "collusion", "--tournament", 77).stderr
    both = admin("ratings", "collusion", "basic", "--tournament", 1)
    assert (both.returncode, "expected one of them" in both.stderr) == (2, True)
    with pytest.raises(grpc.RpcError) as refused:
        server.call("ReportCollusion", ratings_pb2.ReportCollusionRequest(ladder="basic", tournament=1))
    assert "tournament and ladder are both given" in str(refused.value)
    what_the_tournament_said_is_held_against_the_next_one(admin, server)


def what_the_tournament_said_is_held_against_the_next_one(admin: Command, server: LiveServer) -> None:
    with httpx.Client(base_url=f"http://{server.http_address}") as client:
        shown = settled_pairs(client, 1)
        tournament = client.get("/tournaments/1").text
        assert "Not counted yet: it is counted every night" in client.get("/ladders/basic").text
        friday(admin, number=2)
        again = {(one["row"], one["column"]) for one in settled_pairs(client, 2)}
        admin("ratings", "fit", "basic")
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


def settled_pairs(client: httpx.Client, number: int) -> list[dict[str, Any]]:
    """Return the pairs of a tournament's crosstable after house bots have played its boards, which changes them."""
    address = f"/api/tournaments/{number}"
    # A busy server says that standings are not ready yet.
    until(lambda: client.get(address).json().get("baselinesMissing") == 0)
    pairs: list[dict[str, Any]] = client.get(address).json()["pairs"]
    return pairs


def test_the_port_of_the_pages_is_told_from_that_of_commands(server: LiveServer, farfalia: Command) -> None:
    said = farfalia.refused("ratings", "--server", server.http_address)
    assert "is the port of web pages; bots and commands connect to another one, 7600 by default" in said


def test_work_on_a_whole_ladder_says_that_it_is_going_on(admin: Command) -> None:
    done = admin("ratings", "fit", "three", "--json")
    assert done.stderr.startswith("Fitting the ladder of three from all its results")
    assert json.loads(done.stdout)["matches"] == 0


def test_the_ladder_is_named_in_the_same_place_by_every_command(admin: Command) -> None:
    opened = admin("ladder", "open", "basic", "--tables", 2)
    assert opened.stdout.startswith("basic: open, ")
    assert "with --fill, house bots take empty seats." in opened.stderr
    assert admin.told("ladder", "close", "basic") == "The ladder basic is closed.\n"
