"""Keeps a database of this version for later ones: `python -m tests.server.upgrade`, once for each release.

A real server plays a little on SQLite. What the file has then goes into `SCHEMA.sql`, and what the server shows of it
into `SCHEMA.json`, beside this file.
"""

from __future__ import annotations

import os
import sqlite3
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path

from tests.cli import forked
from tests.server.live import ADMIN, PATIENCE, LiveServer, live_server
from tests.server.upgrade.contents import contents

from farfalia.v1 import accounts_pb2
from farfalia_server.store.sql.migrate import newest_schema

HERE = Path(__file__).parent


def main() -> None:
    kept = HERE / f"{newest_schema()}.sql"
    if kept.exists():
        sys.exit(f"{kept} is there already: a database of a release never changes")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with live_server(folder, fit_hour=-1) as server:
            _play(server)
            shown = _settled(server)
            server.process.terminate()
            server.process.wait(PATIENCE)
        with closing(sqlite3.connect(folder / "data" / "farfalia.db")) as database:
            kept.write_text("\n".join(database.iterdump()) + "\n")
    kept.with_suffix(".json").write_text(shown)


def _play(server: LiveServer) -> None:
    server.call("CreateAccount", accounts_pb2.CreateAccountRequest(name="olga", role=accounts_pb2.ROLE_ORGANISER))
    server.call("CreateInvitation", accounts_pb2.CreateInvitationRequest(uses=3, note="class 3b"))
    for name in ("ada", "ben"):
        server.register(name, "greedy")
    server.wait_for(server.tournament(["ada", "ben"], rounds=2, ruleset="two"))
    cup = ["ada", "ben", "house-random-1", "house-random-2"]
    stages = "swiss:rounds=1,qualifiers=2 knockout:advance=1"
    words = ["tournament", "create", "Cup", *cup, "--game", "two", "--stages", stages, "--start"]
    where = {"FARFALIA_SERVER": server.grpc_address, "FARFALIA_ADMIN_TOKEN": ADMIN}
    done = forked.run(words, server.folder, os.environ | where, PATIENCE)
    assert done.returncode == 0, done.stderr
    server.wait_for(2)
    server.tournament(["ada", "ben"], rounds=1, ruleset="two", start=False)


def _settled(server: LiveServer) -> str:
    """What the server shows once it has rated all matches and knows all baselines."""
    while True:
        shown = contents(server)
        with closing(sqlite3.connect(server.folder / "data" / "farfalia.db")) as database:
            unrated = "SELECT count(*) FROM match WHERE state = 'finished' AND rating_seq IS NULL"
            ((count,),) = database.execute(unrated)
        if not count and "baselinesMissing" not in shown and shown == contents(server):
            return shown
        time.sleep(0.1)


if __name__ == "__main__":
    main()
