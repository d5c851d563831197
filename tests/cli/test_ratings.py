"""`farfalia ratings` and what is done with ratings, against a server on which house bots have played."""

import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.cli.command import Command, Run
from tests.server.live import ADMIN, LiveServer, live_server


@pytest.fixture
def server(tmp_path: Path) -> Iterator[LiveServer]:
    with live_server(tmp_path) as up:
        yield up


@pytest.fixture
def ask(server: LiveServer, farfalia: Command) -> Callable[..., Run]:
    """Runs a command against the server as the admin."""

    def run(*arguments: object) -> Run:
        done = farfalia(*arguments, FARFALIA_SERVER=server.grpc_address, FARFALIA_ADMIN_TOKEN=ADMIN)
        assert "Traceback" not in done.stderr
        return done

    return run


def friday(ask: Callable[..., Run], rounds: int = 2) -> None:
    """Plays a tournament of house bots in a short game."""
    five = [f"house-{name}-1" for name in ("greedy", "cautious", "random")]
    game = ("--game", "basic", "--rounds", rounds)
    made = ask("tournament", "create", "Friday", *five, "house-random-2", "house-random-3", *game, "--start")
    assert made.returncode == 0, made.stderr
    assert ask("tournament", "watch", 1).returncode == 0


def test_the_ladder_is_shown_and_proved(ask: Callable[..., Run]) -> None:
    assert ask("ratings").stdout == "Nobody has a rating for chinkway yet.\n"
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
    assert ask("ratings", "refit", "basic").stdout == "The ladder of basic is fitted from 2 matches.\n"
    assert ask("ratings", "basic").stdout.splitlines()[0].split()[-3:] == ["fit", "from", "to"]
    report = ask("ratings", "collusion", "basic")
    assert (report.returncode, report.stdout) == (0, "")
    assert report.stderr == "0 of 0 pairs with matches enough are flagged.\n"


def test_a_ladder_that_there_is_not_is_a_sentence(ask: Callable[..., Run]) -> None:
    done = ask("ratings", "rebuilt")
    assert done.returncode == 1
    assert "there is no ladder 'rebuilt'" in done.stderr


def test_only_the_admin_rebuilds(server: LiveServer, farfalia: Command) -> None:
    done = farfalia("ratings", "rebuild", "--server", server.grpc_address)
    assert done.returncode == 1
    assert done.stderr.startswith("farfalia: this call needs the admin token")
