"""A command that is killed, or fails, in the middle of its tournament: what was played by then is not lost."""

import asyncio
import json
import re
import signal
from collections import Counter
from contextlib import aclosing
from pathlib import Path

import pytest
from tests.cli import forked
from tests.cli.bots import LOW, waiting
from tests.cli.command import LIMIT, Command, environment
from tests.server.live import until

from farfalia_server import logs
from farfalia_server.cli.private_server import PrivateServer
from farfalia_server.local.bot_specs import parse
from farfalia_server.local.tournament import Terms, TournamentRun
from farfalia_tournaments.schedules import Boards

#: Words that play at two seats with the bot of this file, which waits for hours after a few matches.
COMMANDS = {
    "run": ("run", "--bot", "low.py", "--rounds", "20"),
    "compare": ("compare", "one=random", "low.py", "--most", "40"),
}
TERMS = ("--game", "two", "--limit-ms", "600000", "--records", "records")


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_that_is_killed_has_written_the_records_of_all_boards_played(
    farfalia: Command, tmp_path: Path, name: str
) -> None:
    (tmp_path / "low.py").write_text(waiting(LOW, after=7))
    process, told = forked.watched((*COMMANDS[name], *TERMS), environment(), tmp_path, tmp_path / "out")
    folder = tmp_path / "records"
    with told:
        until(lambda: played_out(folder))
        written = played_out(folder)
        process.send_signal(signal.SIGKILL)
    assert process.wait(LIMIT) == -signal.SIGKILL
    assert written <= played_out(folder)
    farfalia.told("verify", "records")


def played_out(folder: Path) -> set[str]:
    """The boards of which a folder has both matches."""
    found = Counter(json.loads(path.read_text())["source"]["board"] for path in folder.glob("match-*.json"))
    return {board for board, matches in found.items() if matches == 2}


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_that_fails_shows_how_those_stand_who_played(farfalia: Command, tmp_path: Path, name: str) -> None:
    (tmp_path / "low.py").write_text(waiting(LOW, after=7))
    (tmp_path / "records" / "match-3.json").mkdir(parents=True)  # no file can have this name
    done = farfalia(*COMMANDS[name], *TERMS)
    assert done.returncode == 1
    assert "records/match-3.json cannot be written: Is a directory" in done.stderr
    assert "Traceback" not in done.stderr
    assert " matches, cancelled" in " ".join(done.stdout.split())
    assert re.search(r"\blow +\d", done.stdout)
    assert {path.name for path in (tmp_path / "records").iterdir() if path.is_file()} >= {"match-1.json"}


async def test_nobody_plays_on_for_bots_whose_command_is_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A process that the command itself ends has not lost its match: house bots do not play it out."""
    monkeypatch.setattr(logs, "configure", lambda *_, **__: None)  # other tests look at the log of this process, too
    started = tmp_path / "started"
    hanging = f"open('{started}', 'a').write('.')\nos.path.getsize('{started}') > 3 and time.sleep(9999)\n"
    (tmp_path / "low.py").write_text(f"import os, time\n{hanging}{LOW}")
    entrants = parse([f"low={tmp_path / 'low.py'}", "random"])
    async with PrivateServer.in_(tmp_path / "data", afresh=True).up() as running:
        play = TournamentRun(running.arena, running.server.grpc_address, tmp_path, running.processes)
        await play.enter(running.programs, entrants, patience=LIMIT)
        number = await play.begin(Terms("stopped", game="two", rounds=20, boards=Boards.ROTATIONS), entrants)
        async with aclosing(play.follow(number, None)) as changes:
            async for change in changes:
                if change.finished == 3:
                    break
        await asyncio.sleep(1)  # a table of house bots is over long before
        outcome = await play.so_far(number, None)
    assert outcome.tournament.finished == 3
    assert [row.missed for row in outcome.tournament.standings] == [0, 0]
