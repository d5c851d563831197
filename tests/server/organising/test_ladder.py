"""Ladders that never end, on a real server."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import grpc
import pytest
from tests.server.bot_process import bot_process
from tests.server.live import PATIENCE, LiveServer, live_server
from tests.server.rawbot import RawBot, first_legal

from farfalia.bots import HOUSE
from farfalia.v1 import bots_pb2, ladders_pb2, matches_pb2, ratings_pb2

pytestmark = pytest.mark.slow


@contextmanager
def bot(server: LiveServer, name: str, owner: str = "", offered: int = 2) -> Iterator[None]:
    """A bot that is connected for as long as the block runs."""
    token = server.call("RegisterBot", bots_pb2.RegisterBotRequest(name=name, owner=owner)).token
    with RawBot(server.grpc_address, token, matches=offered, react=first_legal):
        yield


def open_ladder(server: LiveServer, **terms: object) -> ladders_pb2.Ladder:
    ladder = ladders_pb2.Ladder(**terms)  # type: ignore[arg-type]
    opened: ladders_pb2.Ladder = server.call("OpenLadder", ladders_pb2.OpenLadderRequest(ladder=ladder)).ladder
    return opened


def matches(server: LiveServer) -> list[matches_pb2.Match]:
    return list(server.call("ListMatches", matches_pb2.ListMatchesRequest(limit=1000)).matches)


def finished(server: LiveServer) -> list[matches_pb2.Match]:
    return [match for match in matches(server) if match.state == matches_pb2.MATCH_STATE_FINISHED]


def until(server: LiveServer, holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 2 * PATIENCE
    while not holds():
        assert time.monotonic() < deadline, server.log()[-3000:]
        time.sleep(0.2)


def shares(server: LiveServer) -> Counter[str]:
    """How many matches everybody has played."""
    return Counter(name for match in finished(server) for name in match.entrants)


def ratings(server: LiveServer, ladder: str) -> Counter[str]:
    """How many matches everybody is rated by."""
    rows = server.call("ListRatings", ratings_pb2.ListRatingsRequest(ladder=ladder)).bots
    return Counter({row.bot: row.rating.matches for row in rows})


def connected(server: LiveServer) -> set[str]:
    return {bot.name for bot in server.call("ListBots", bots_pb2.ListBotsRequest()).bots if bot.connected}


def waiting(server: LiveServer, name: str) -> list[str]:
    return [
        f"{wait.ladder}: {wait.text}" for wait in server.call("GetBot", bots_pb2.GetBotRequest(name=name)).bot.waiting
    ]


def test_connected_bots_are_seated_evenly_until_the_ladder_is_closed(tmp_path: Path) -> None:
    names = ["ant", "bee", "cat", "dog"]
    with live_server(tmp_path) as server, ExitStack() as here:
        for name in names:
            here.enter_context(bot(server, name))
        until(server, lambda: connected(server) == set(names))
        assert open_ladder(server, ruleset="two", tables=2).tables == 2
        until(server, lambda: len(finished(server)) >= 8)
        (ladder,) = server.call("ListLadders", ladders_pb2.ListLaddersRequest()).ladders
        assert (ladder.ruleset, ladder.tables) == ("two", 2)
        assert sum(match.state != matches_pb2.MATCH_STATE_FINISHED for match in matches(server)) <= 2
        server.call("CloseLadder", ladders_pb2.CloseLadderRequest(ladder="two"))
        until(
            server, lambda: len(finished(server)) == len(matches(server)) and ratings(server, "two") == shares(server)
        )
        assert set(shares(server)) == set(names)
        assert max(shares(server).values()) - min(shares(server).values()) <= 3
        records = [server.record(match.id) for match in finished(server)]
        assert len({record.source.board_key for record in records}) == len(records)
        assert all(server.verify(record) == [] for record in records)


def test_bots_of_one_owner_wait_for_others_and_are_told_why(tmp_path: Path) -> None:
    with live_server(tmp_path) as server, bot(server, "ant", "ada"), bot(server, "bee", "ada"):
        open_ladder(server, ruleset="two")
        until(server, lambda: bool(waiting(server, "ant")) and bool(waiting(server, "bee")))
        assert "of different owners" in waiting(server, "ant")[0]
        assert matches(server) == []
        with bot(server, "cat", "ben"):
            until(server, lambda: len(finished(server)) >= 3)
        assert not any({"ant", "bee"} <= set(match.entrants) for match in matches(server))


def test_a_single_bot_is_told_that_it_waits_for_others_or_plays_with_house_bots(tmp_path: Path) -> None:
    with live_server(tmp_path) as server, bot(server, "ant"):
        open_ladder(server, ruleset="three")
        until(server, lambda: bool(waiting(server, "ant")))
        assert waiting(server, "ant") == ["three: A table needs 2 others, and none is waiting."]
        server.call("CloseLadder", ladders_pb2.CloseLadderRequest(ladder="three"))
        open_ladder(server, ruleset="three", fill=True)
        until(server, lambda: len(finished(server)) >= 2)
        assert waiting(server, "ant") == []
        assert all(sorted(match.entrants)[0] == "ant" for match in finished(server))
        rungs = {f"house-{name}-1" for name in HOUSE}
        until(server, lambda: set(ratings(server, "three")) == {"ant", *rungs})


@pytest.mark.parametrize("offered", [1, 2])
def test_two_ladders_of_one_game_seat_the_same_bots_each_by_its_own_terms(tmp_path: Path, offered: int) -> None:
    with live_server(tmp_path) as server, bot(server, "ant", offered=offered), bot(server, "bee", offered=offered):
        open_ladder(server, ruleset="two", tables=1)
        open_ladder(server, name="burning", ruleset="two", options={"burnin": "on"}, tables=1)

        def played(ladder: str) -> list[matches_pb2.Match]:
            return [match for match in finished(server) if match.ladder == ladder]

        until(server, lambda: min(len(played("two")), len(played("burning"))) >= 2)
        for name in ("two", "burning"):
            server.call("CloseLadder", ladders_pb2.CloseLadderRequest(ladder=name))
        until(server, lambda: len(finished(server)) == len(matches(server)))
        counts = {name: len(played(name)) for name in ("two", "burning")}
        until(server, lambda: all(ratings(server, name).total() == 2 * counts[name] for name in counts))
        for name, options in (("two", {}), ("burning", {"burnin": "on"})):
            assert all(server.record(match.id).options == options for match in played(name))


def test_a_ladder_stays_open_over_a_crash(tmp_path: Path) -> None:
    with (
        live_server(tmp_path) as server,
        bot_process(server, "ant", "random"),
        bot_process(server, "bee", "random"),
    ):
        open_ladder(server, ruleset="two", options={"burnin": "on"})
        until(server, lambda: len(finished(server)) >= 1)
        server.kill()
        server.start()
        before = len(finished(server))
        until(server, lambda: len(finished(server)) >= before + 2)
        assert all(server.record(match.id).options == {"burnin": "on"} for match in finished(server))


def test_what_cannot_be_opened_or_closed_is_refused_with_a_reason(tmp_path: Path) -> None:
    with live_server(tmp_path) as server:
        open_ladder(server)
        for call, sentence in (
            (lambda: open_ladder(server), "the ladder chinkway is open; close it first"),
            (lambda: open_ladder(server, ruleset="whist"), "whist"),
            (lambda: open_ladder(server, ruleset="four", options={"hands": "3"}), "expected a multiple of 4"),
            (lambda: open_ladder(server, ruleset="four", tables=9999), "tables is 9999; expected at most 1000"),
            (
                lambda: server.call("CloseLadder", ladders_pb2.CloseLadderRequest(ladder="four")),
                "the ladder four is not open",
            ),
        ):
            with pytest.raises(grpc.RpcError) as refused:
                call()
            assert sentence in str(refused.value.details())
        assert [one.ruleset for one in server.call("ListLadders", ladders_pb2.ListLaddersRequest()).ladders] == [
            "chinkway"
        ]
