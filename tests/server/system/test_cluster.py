"""Three servers with one database and one Redis, and five bots that are connected to any of them."""

from __future__ import annotations

import re
import signal
import time
from contextlib import ExitStack
from pathlib import Path

import pytest
from redis import Redis
from tests.server.bot_process import sample_bots
from tests.server.live import PATIENCE
from tests.server.live_nodes import live_nodes
from tests.server.played_once import NAMES, assert_played_once
from tests.server.rawbot import RawBot, first_legal
from tests.server.shared_redis import emptied_redis

from farfalia.v1 import matches_pb2, play_pb2, record_pb2, tournaments_pb2
from farfalia_server.net import redis_keys

#: Matches that are played while nodes go and come back.
_LOAD = 60


@pytest.mark.slow
@pytest.mark.parametrize(
    ("database_url", "trouble"),
    [
        ("postgresql", "killed"),
        ("postgresql", "frozen"),
        pytest.param("sqlite", "killed", marks=pytest.mark.prove),  # so are nodes of a cluster in trouble
        pytest.param("sqlite", "frozen", marks=pytest.mark.prove),
    ],
    indirect=["database_url"],
)
def test_bots_of_three_nodes_play_together_and_lose_nothing_when_one_goes(
    tmp_path: Path, database_url: str, trouble: str
) -> None:
    rounds, redis_url = _LOAD, emptied_redis()
    with (
        live_nodes(tmp_path, *"ABC", redis_url=redis_url, database_url=database_url, max_tables=4) as nodes,
        ExitStack() as bots,
    ):
        first, other, _ = nodes
        sample_bots(bots, NAMES, *nodes)
        tournament = first.tournament(NAMES, rounds=rounds, ruleset="basic")
        before = first.wait_for(tournament, finished=6)
        assert before.state == tournaments_pb2.TOURNAMENT_STATE_RUNNING, "it was over before a node could go"
        if trouble == "killed":
            other.kill()
            other.start()
        else:
            other.process.send_signal(signal.SIGSTOP)
            while "node_went" not in first.log():
                time.sleep(0.1)
            other.process.send_signal(signal.SIGCONT)
        assert unlisted_keys(redis_url) == []
        first.wait_for(tournament)
        assert_played_once(first, tournament, rounds)
        for node in nodes:
            assert "match_voided" not in node.log()
            assert "Traceback" not in node.log()


def unlisted_keys(redis_url: str) -> list[str]:
    """The keys in Redis that are not on the list; a `{name}` of a template stands for anything without a colon."""
    listed = "|".join(re.sub(r"\\{.*?\\}", "[^:]+", re.escape(key.template)) for key in redis_keys.KEYS)
    with Redis.from_url(redis_url, decode_responses=True) as redis:
        return [key for key in redis.scan_iter() if not re.fullmatch(listed, key)]


def without_clock(question: play_pb2.Question) -> bytes:
    """The question, but for the time that its bot has left."""
    other = play_pb2.Question.FromString(question.SerializeToString())
    other.ClearField("clock")
    return other.SerializeToString(deterministic=True)


@pytest.mark.slow
@pytest.mark.parametrize("database_url", [pytest.param("sqlite", marks=pytest.mark.prove), "postgresql"], indirect=True)
def test_all_three_nodes_are_restarted_one_after_the_other_and_nobody_loses_anything(
    tmp_path: Path, database_url: str
) -> None:
    with live_nodes(tmp_path, *"ABC", database_url=database_url, max_tables=4) as nodes, ExitStack() as bots:
        first, _, last = nodes
        sample_bots(bots, NAMES, *nodes)
        load = first.tournament(NAMES, rounds=_LOAD, ruleset="basic")
        first.wait_for(load, finished=3)
        # However fast the load is played: this table waits for its bot until all nodes have been restarted.
        token = first.register("slow")
        patient = record_pb2.TimeControl(limit_ms=600_000, bank_ms=0, grace=0)
        with RawBot(last.grpc_address, token) as bot:
            tournament = first.tournament(["slow", "house-greedy-1"], rounds=1, ruleset="two", control=patient)
            asked = bot.question()
        for node in nodes:
            there = next(other for other in nodes if other is not node)
            with RawBot(there.grpc_address, token, take_over=True) as bot:
                assert without_clock(bot.question()) == without_clock(asked)
                node.process.send_signal(signal.SIGTERM)
                assert node.process.wait(PATIENCE) == 0
                node.start()
        with RawBot(first.grpc_address, token, take_over=True, react=first_legal):
            (held,) = first.wait_for_matches(tournament)
        record = first.record(held.id)
        assert (held.state, record.source.board) == (matches_pb2.MATCH_STATE_FINISHED, "board-1-1")
        assert list(record.incidents) == []
        assert first.verify(record) == []
        first.wait_for(load)
        assert_played_once(first, load, _LOAD)
        for node in nodes:
            assert "match_voided" not in node.log()
            assert "Traceback" not in node.log()
