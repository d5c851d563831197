"""A course of forty teams, from an empty arena to results that are handed out, by the forms of the pages alone."""

from __future__ import annotations

import csv
import io
import os
import re
import subprocess
import sys
import zipfile
from contextlib import ExitStack
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from tests.server.live import ADMIN, LiveServer, live_server, until
from tests.server.system.form_browser import PASSWORD, Browser, token_in

from farfalia.v1 import bots_pb2, matches_pb2, tournaments_pb2

pytestmark = pytest.mark.slow

TEAMS = [f"team-{number:02}" for number in range(1, 41)]
BOTS = [f"{team}-bot" for team in TEAMS]
#: The bots of all teams in one process, so that a network that fails takes them all.
CREW = """
import asyncio, os, time, farfalia
class Slow(farfalia.Bot):
    def play(self, view):
        time.sleep(0.001)
        return max(view.legal)
async def main():
    await asyncio.gather(*(
        farfalia.play(Slow(), server=os.environ["FARFALIA_SERVER"], token=token, matches=4)
        for token in os.environ["TOKENS"].split()
    ), return_exceptions=True)
asyncio.run(main())
"""


class Crew:
    """The teams' bots at play, all in one process that can be ended and begun again."""

    def __init__(self, server: LiveServer) -> None:
        self._server = server
        self._process: subprocess.Popen[bytes] | None = None

    def begin(self, tokens: dict[str, str]) -> None:
        environment = {"FARFALIA_SERVER": self._server.grpc_address, "TOKENS": " ".join(tokens.values())}
        quiet: dict[str, Any] = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.DEVNULL)
        self._process = subprocess.Popen([sys.executable, "-c", CREW], env=os.environ | environment, **quiet)

    def end(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()


def desk(browser: Browser, form: str, status: int = 303, /, **fields: str) -> str:
    answer = browser.send(form, **fields)
    assert answer.status_code == status, answer.text
    return unescape(answer.text)


def shown(server: LiveServer, number: int, wanted: str) -> None:
    until(lambda: wanted in server.page(f"/tournaments/{number}")[1], lambda: str(server.show(number)), 120)


def test_forty_teams_from_an_empty_arena_to_an_archive(tmp_path: Path) -> None:
    (tmp_path / "server").mkdir()
    settings: dict[str, Any] = {"reconnect_grace_ms": 1000, "absence_ms": 2000, "fit_hour": -1, "limit_ms": 500}
    settings |= {"registration": "invitation", "registrations_per_hour": 1000}
    with ExitStack() as stack:
        server = stack.enter_context(live_server(tmp_path / "server", **settings))
        otto = stack.enter_context(Browser(server))
        desk(otto, "admin", name="otto", password=PASSWORD, token=ADMIN)
        desk(otto, "events/create", name="course", title="Card bots", zone="Europe/Rome")
        changed = {"event": "course", "title": "Card bots", "zone": "Europe/Rome", "rated_on": "own", "bots": "1"}
        desk(otto, "events/change", **changed, by_invitation="yes")
        desk(otto, "events/publish", event="course")
        sheet = desk(otto, "events/invite", 200, event="course", codes="40", uses="1", note="teams")
        codes = list(dict.fromkeys(re.findall(r"account\?code=([\w-]+)", sheet)))
        assert len(codes) == len(TEAMS)

        tokens = {}
        for team, bot, code in zip(TEAMS, BOTS, codes, strict=True):
            with Browser(server) as browser:
                desk(browser, "sign-up", name=team, password=PASSWORD, invitation=code)
                tokens[bot] = token_in(desk(browser, "new-bot", 200, name=bot))

        # A team has lost its token, another one cheats, and a name is written wrongly.
        tokens[BOTS[0]] = token_in(desk(otto, "bot-token", 200, bot=BOTS[0]))
        desk(otto, "tournaments/draft/begin", name="Final", event="course")
        desk(otto, "tournaments/draft/game", draft="1", revision="1", name="Final", event="course", ruleset="two")
        stages = "swiss:rounds=3,qualifiers=4 knockout:advance=1"
        desk(otto, "tournaments/draft/format", draft="1", revision="2", boards="datum", stages=stages)
        field = {"draft": "1", "revision": "3"}
        wrong = desk(
            otto, "tournaments/draft/field", 400, **field, bots="\n".join([*BOTS[:5], "team-6-bot", *BOTS[6:]])
        )
        assert "there is no bot team-6-bot" in wrong
        desk(otto, "tournaments/draft/field", **field, bots="\n".join(BOTS))
        plan = otto.client.get("/account/tournaments/draft?draft=1&step=publish").text
        assert "With 40 entrants" in plan
        desk(otto, "tournaments/draft/publish", draft="1", revision="4")
        (number,) = (one.id for one in listed(server))
        cheat = BOTS[-1]
        desk(otto, "people/suspend", account=TEAMS[-1], suspended="yes", reason="plays with somebody")

        crew = Crew(server)
        stack.callback(crew.end)
        crew.begin(tokens)
        connected(server, 39)
        desk(otto, "tournaments/start", tournament=str(number))
        until(lambda: server.show(number).finished >= 20, lambda: str(server.show(number)), 120)
        crew.end()  # as a network that fails: all streams break at once
        until(lambda: server.show(number).HasField("pause"), lambda: str(server.show(number)), 60)
        crew.begin(tokens)
        over = server.wait_for(number)
        assert over.state == tournaments_pb2.TOURNAMENT_STATE_FINISHED
        struck = {row.entrant for row in over.standings if row.strikes or row.forfeits}
        assert struck <= {cheat}, "an outage costs nobody anything"
        assert len([row for row in over.stages[-1].standings if row.place == 1]) == 1
        kinds = {match.state for match in server.matches(number)}
        assert kinds <= {matches_pb2.MATCH_STATE_FINISHED, matches_pb2.MATCH_STATE_VOID}

        # What is handed out: a sheet for each team, a table, and the whole event as a file.
        sheets = server.page(f"/tournaments/{number}/sheets")[1]
        assert set(re.findall(r'id="sheet-\d+">(.*?)<', sheets)) == set(BOTS)
        table = list(csv.DictReader(server.page(f"/api/tournaments/{number}?format=csv")[1].splitlines()))
        assert {row["entrant"] for row in table} >= set(BOTS)
        until(lambda: len(server.page("/ladders/course-two")[1]) > 0)
        desk(otto, "events/close", event="course", sure="yes")
        archive = otto.client.get("/events/course/archive.zip").raise_for_status().content
        with zipfile.ZipFile(io.BytesIO(archive)) as files:
            files.extractall(tmp_path)
            names = files.namelist()
        assert f"course/tournaments/{number}/index.html" in names
        verify = [sys.executable, "-m", "farfalia_server", "verify", str(tmp_path / "course" / "records")]
        verified = subprocess.run(verify, capture_output=True, text=True, check=False)
        assert verified.returncode == 0, verified.stdout + verified.stderr

        # The cheat's account is removed, its name is gone, and next year's course is a copy.
        placeholder = removed(server, otto, TEAMS[-1])
        until(lambda: cheat not in server.page(f"/tournaments/{number}")[1])
        assert placeholder in server.page(f"/tournaments/{number}")[1]
        desk(otto, "events/create", name="course-32", like="course", title="Card bots again")
        copied = otto.client.get("/account/events?event=course-32").text
        assert "Europe/Rome" in copied
        log = otto.client.get("/account/events/log?event=arena&format=csv").text
        assert "plays with somebody" in log
        assert "Traceback" not in server.log()


def listed(server: LiveServer) -> list[tournaments_pb2.Tournament]:
    return list(server.call("ListTournaments", tournaments_pb2.ListTournamentsRequest()).tournaments)


def connected(server: LiveServer, bots: int) -> None:
    """Wait until this many bots are connected."""

    def there() -> int:
        asked = bots_pb2.ListBotsRequest(limit=1000)
        return sum(bot.connected for bot in server.call("ListBots", asked).bots)

    until(lambda: there() >= bots, lambda: str(there()), 120)


def removed(server: LiveServer, otto: Browser, account: str) -> str:
    """Remove an account with its bot, and return the placeholder of the bot."""
    bot = server.call("GetBot", bots_pb2.GetBotRequest(name=f"{account}-bot")).bot
    assert "Remove" in desk(otto, "people/remove", 200, account=account)
    desk(otto, "people/remove", account=account, sure="yes")
    return f"removed-{bot.id}"
