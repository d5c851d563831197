"""Somebody who has nothing but `/llms.txt` has a bot playing: its commands are run as they stand."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import httpx
import pytest
from tests.server.live import PATIENCE, LiveServer, live_server, until

from farfalia.v1 import accounts_pb2, ladders_pb2


def guide(server: LiveServer) -> str:
    answer = httpx.get(f"http://{server.http_address}/llms.txt", timeout=PATIENCE).raise_for_status()
    assert answer.headers["content-type"].startswith("text/plain")
    return answer.text


def blocks(text: str, language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", text, re.S)


def curl(command: str) -> httpx.Response:
    """Do what a curl command says: it may not be installed here."""
    program, *words = shlex.split(command)
    assert program == "curl"
    headers, body = {}, ""
    while words[0].startswith("-"):
        option, value, *words = words
        if option == "-H":
            name, _, content = value.partition(": ")
            headers[name] = content
        else:
            assert option == "-d"
            body = value
    return httpx.post(words[0], content=body, headers=headers, timeout=PATIENCE)


@pytest.mark.parametrize("registration", ["open", "invitation"])
def test_an_agent_with_nothing_but_the_guide_has_a_bot_playing(tmp_path: Path, registration: str) -> None:
    (tmp_path / "server").mkdir()
    with live_server(tmp_path / "server", registration=registration) as server:
        told = guide(server)
        server.call("OpenLadder", ladders_pb2.OpenLadderRequest(ladder=ladders_pb2.Ladder(ruleset="two", fill=True)))
        names = {"NAME": "agent", "ACCOUNT": "agents-owner", "CODE": ""}
        if registration == "invitation":
            names["CODE"] = server.call("CreateInvitation", accounts_pb2.CreateInvitationRequest()).code
        register, install, start = blocks(told, "sh")
        (command,) = register.strip().splitlines()
        for placeholder, name in names.items():
            command = command.replace(placeholder, name)
        token = curl(command).raise_for_status().json()["botToken"]
        wheel = install.split()[-1]
        assert httpx.get(wheel, timeout=PATIENCE).raise_for_status().content.startswith(b"PK")
        bot = tmp_path / "mybot.py"
        bot.write_text(blocks(told, "python")[0])
        *settings, python, file = shlex.split(start.replace("=TOKEN", f"={token}"))
        assert (python, file) == ("python", bot.name)
        environment = os.environ | dict(setting.split("=", 1) for setting in settings)
        with subprocess.Popen([sys.executable, bot], env=environment) as ran:
            try:
                finished = f"http://{server.http_address}/api/matches?bot=agent&state=finished"
                until(lambda: bool(httpx.get(finished, timeout=PATIENCE).json()["matches"]))
            finally:
                ran.kill()


def test_where_registration_is_closed_the_guide_says_whom_to_ask(tmp_path: Path) -> None:
    with live_server(tmp_path) as server:
        told = guide(server)
    assert "Registration is closed" in told
    assert "RegisterBot" not in told


def test_every_address_of_the_guide_is_there(tmp_path: Path) -> None:
    with live_server(tmp_path, registration="open") as server:
        for address in re.findall(r"\]\((http[^)]+)\)", guide(server)):
            assert httpx.get(address, timeout=PATIENCE).status_code == 200, address
