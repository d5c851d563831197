"""The typed calls of the Python client are the contract's, and an organiser's afternoon is a script of twenty lines."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from tests.server.live import ADMIN, live_server

import farfalia.arena
from farfalia.arena import Arena, ArenaError
from farfalia.v1 import arena_pb2, events_pb2
from farfalia_tools import arena_client


def test_the_typed_calls_are_those_of_the_contract(tmp_path: Path) -> None:
    kept = arena_client.FILE.read_text(encoding="utf-8")
    made = tmp_path / "arena_calls.py"
    made.write_text(arena_client.written(), encoding="utf-8")
    configuration = Path(__file__).parents[2] / "pyproject.toml"
    for command in (("check", "--fix", "--quiet"), ("format", "--quiet")):
        subprocess.run([sys.executable, "-m", "ruff", *command, "--config", configuration, made], check=True)
    assert made.read_text(encoding="utf-8") == kept, "make proto writes it"
    calls = arena_pb2.DESCRIPTOR.services_by_name["ArenaService"].methods
    assert kept.count("    async def ") - 1 == len([call for call in calls if not call.server_streaming])


async def test_calls_take_keywords_and_refusals_have_their_reason(tmp_path: Path) -> None:
    with live_server(tmp_path) as server:
        async with Arena(server.grpc_address, ADMIN) as arena:
            made = await arena.create_account(name="ada", bot="ant")
            assert made.bot_token
            await arena.create_event(event=events_pb2.Event(name="course", title="A course"))
            hidden = await arena.moderate_bot(name="ant", hidden=True)
            assert (hidden.bot.hidden, hidden.bot.suspended) == (True, False)
            assert (await arena.moderate_bot(name="ant", hidden=False)).bot.hidden is False
            assert [event.name for event in (await arena.list_events()).events] == ["course", "arena"]
            with pytest.raises(ArenaError) as taken:
                await arena.create_account(name="ada")
            assert (taken.value.reason, taken.value.field) == ("NAME_TAKEN", "")
            with pytest.raises(ArenaError) as wrong:
                await arena.create_account(name="two words")
            assert (wrong.value.reason, wrong.value.field) == ("FIELD_INVALID", "name")
        async with Arena(server.grpc_address) as nobody:
            with pytest.raises(ArenaError, match="needs the token"):
                await nobody.create_tournament(name="cup")


def test_the_example_plays_a_tournament(tmp_path: Path) -> None:
    (example,) = re.findall(r"```python\n(.*?)```", farfalia.arena.__doc__ or "", re.S)
    with live_server(tmp_path) as server:
        script = example.replace("127.0.0.1:7600", server.grpc_address).replace('token="…"', f"token={ADMIN!r}")
        file = tmp_path / "afternoon.py"
        file.write_text(script, encoding="utf-8")
        ran = subprocess.run([sys.executable, file], capture_output=True, text=True, check=True, timeout=120)
    assert "2 of 2 matches" in ran.stdout
    assert re.search(r"^1 house-\w+-1 \d+$", ran.stdout, re.M)
