"""`farfalia mcp`: a real client of the Model Context Protocol plays over standard input and output."""

from __future__ import annotations

import asyncio
import json
import re
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from mcp import Client, StdioServerParameters
from tests.cli.command import Command, environment
from tests.server.live import live_server

from farfalia.question_words import question_words
from farfalia.v1 import record_pb2
from farfalia_engine import GAMES, Deals, Observation, play_to_end, ruleset
from farfalia_server.cli.mcp import mcp
from farfalia_server.contract.errors import FarfaliaServerError

ROOT = Path(__file__).parents[2]
#: Calls a tool and returns its text, and whether that is an error.
Call = Callable[..., Awaitable[tuple[str, bool]]]


def talk(script: Callable[[Call], Awaitable[None]], **more: str) -> list[str]:
    """Start the command, let this script call its tools, and return their names."""

    async def run() -> list[str]:
        command = StdioServerParameters(
            command=sys.executable, args=["-m", "farfalia_server", "mcp"], env=environment(**more)
        )
        async with Client(command) as client:

            async def call(tool: str, **arguments: object) -> tuple[str, bool]:
                result = await client.call_tool(tool, arguments)
                (content,) = result.content
                assert content.type == "text"
                return content.text, bool(result.is_error)

            await script(call)
            return [tool.name for tool in (await client.list_tools()).tools]

    return asyncio.run(run())


def legal(told: str) -> list[str]:
    """The texts of the actions that are offered."""
    return re.findall(r"^- ([^:\n]+)", told, re.MULTILINE)


@pytest.mark.parametrize("game", ["two", "farrago"])
def test_a_model_plays_a_whole_match_against_sample_bots(game: str) -> None:
    async def play(call: Call) -> None:
        told, wrong = await call("play_match", game=game, opponents=["greedy", "random"], seed=7)
        first, decisions = told, 0
        while not told.startswith("The match is over."):
            decisions += 1
            told, wrong = await call("act", action=legal(told)[0])
            assert not wrong, told
        assert decisions > 20
        assert re.search(r"Your place: \d of \d\. Points: you \d+, seat 1 \d+", told)
        assert await call("play_match", game=game, opponents=["greedy", "random"], seed=7) == (first, False)

    assert talk(play) == ["games", "rules", "play_match", "next_decision", "act"]


def test_what_a_model_gets_wrong_is_told_and_the_question_stays_open() -> None:
    async def play(call: Call) -> None:
        for tool in ("next_decision", "act"):
            told, wrong = await call(tool, **({"action": "S1"} if tool == "act" else {}))
            assert wrong
            assert "no match has begun: call play_match" in told
        told, wrong = await call("play_match", game="fuor")
        assert wrong
        assert "there is no game 'fuor' (did you mean four?)" in told
        told, wrong = await call("play_match", opponents=["gredy"])
        assert wrong
        assert "There is no sample bot 'gredy'; expected one of random, greedy" in told
        told, wrong = await call("play_match", game="two", opponents=[])
        assert wrong
        assert "opponents is empty, expected some of random" in told
        told, wrong = await call("rules", game="tarot")
        assert wrong
        assert "there are no rules of 'tarot', expected " in told
        asked, _ = await call("play_match", game="two", seed=1)
        told, wrong = await call("act", action="nothing")
        assert wrong
        assert f"'nothing' is not legal, expected one of {', '.join(legal(asked))}" in told
        assert await call("next_decision") == (asked, False)
        told, wrong = await call("act", action=f" {legal(asked)[0].upper()} ")
        assert not wrong

    talk(play)


def test_a_model_is_taught_each_game() -> None:
    async def play(call: Call) -> None:
        told, _ = await call("games")
        assert [line.partition(":")[0] for line in told.splitlines()] == sorted(GAMES)
        for game in GAMES:
            told, wrong = await call("rules", game=game)
            assert not wrong
            assert len(told) > 500

    talk(play)


def test_a_model_has_a_seat_on_an_arena(tmp_path: Path) -> None:
    with live_server(tmp_path) as server:
        token = server.register("model")
        minutes = record_pb2.TimeControl(limit_ms=600_000, bank_ms=1000, grace=3)

        async def play(call: Call) -> None:
            bots = ["model", "house-random-1"]
            number = await asyncio.to_thread(server.tournament, bots, rounds=1, ruleset="two", control=minutes)
            told, _ = await call("next_decision")
            heard = told
            while "is over. Your place:" not in told:
                action = legal(told)
                told, wrong = await (call("act", action=action[0]) if action else call("next_decision"))
                assert not wrong, told
                heard += told
            assert "You have seat " in heard
            assert re.search(r"^Time: (600|5\d\d) s, and then 1 s of the bank\.$", heard, re.MULTILINE)
            done = await asyncio.to_thread(server.wait_for, number)
            (row,) = (row for row in done.standings if row.entrant == "model")
            assert (row.matches, row.strikes) == (1, 0)

        where = {"FARFALIA_SERVER": server.grpc_address, "FARFALIA_TOKEN": token}
        assert talk(play, **where) == ["games", "rules", "next_decision", "act"]


def test_a_model_that_a_server_refuses_is_told_why(tmp_path: Path) -> None:
    async def play(call: Call) -> None:
        told, _ = await call("next_decision")
        assert "token" in told

    with live_server(tmp_path) as server:
        talk(play, FARFALIA_SERVER=server.grpc_address, FARFALIA_TOKEN="farfalia_wrong")


def test_a_wrong_setting_is_told_before_anything_is_started(tmp_path: Path) -> None:
    said = Command(tmp_path).refused("mcp", "--server", "ftp://arena", code=2, FARFALIA_TOKEN="token")
    assert "The server's address is 'ftp://arena'" in said


def test_without_its_extra_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "mcp.server.mcpserver", None)
    monkeypatch.delitem(sys.modules, "farfalia_server.local.model_seat", raising=False)
    with pytest.raises(
        FarfaliaServerError,
        match=r"needs the package mcp, which the extra 'mcp' brings: /.* -m pip install 'farfalia\[mcp\]'$",
    ):
        mcp(token="")


@pytest.mark.parametrize("name", sorted(GAMES))
def test_every_question_can_be_read(name: str) -> None:
    rules, told = ruleset(name), []

    def decide(observation: Observation) -> int:
        words = question_words(observation)
        assert legal(words) == [observation.text(action) for action in observation.legal]
        assert all(f" {rules.card_text(card)}" in words for card in observation.hand)
        told.append(words)
        return observation.legal[-1]

    for _ in play_to_end(rules.new_match(Deals(bytes(32))), [decide] * rules.seats):
        pass
    assert len(told) > 20
    assert not any("None" in words for words in told)


def test_the_configuration_on_the_page_starts_it() -> None:
    page = (ROOT / "docs" / "bots.md").read_text()
    (found,) = re.findall(r"## A language model at the table\n.*?```json\n(.*?)```", page, re.DOTALL)
    server = json.loads(found)["mcpServers"]["farfalia"]
    assert (server["command"], server["args"]) == ("farfalia", ["mcp"])
