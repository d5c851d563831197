"""What tests of the command share: how it is called, and records for it to look at."""

import json
import os
import subprocess
from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Any

from tests.cli import forked

import farfalia_engine as engine
from farfalia_server.records import codec, files

Run = subprocess.CompletedProcess[str]

#: Nothing takes this long; a command that hangs fails its test.
LIMIT = 300


def environment(**more: str) -> dict[str, str]:
    """This process's environment without what would tell the command something."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("FARFALIA_")}
    return {**kept, "COLUMNS": "100", **more}


class Command:
    """`farfalia …` as a process of its own in this folder, without a terminal, with these settings."""

    def __init__(self, folder: Path, **settings: str) -> None:
        self.folder = folder
        self._settings = settings

    def __call__(self, *arguments: object, **more: str) -> Run:
        """What came of it."""
        return forked.run(list(map(str, arguments)), self.folder, environment(**{**self._settings, **more}), LIMIT)

    def told(self, *arguments: object, **more: str) -> str:
        """What it prints; it must succeed."""
        done = self(*arguments, **more)
        assert (done.returncode, done.stderr.count("Traceback")) == (0, 0), done.stdout + done.stderr
        return done.stdout

    def refused(self, *arguments: object, code: int = 1, **more: str) -> str:
        """What it says on standard error; it must fail with this code, and print nothing."""
        done = self(*arguments, **more)
        said = done.stdout + done.stderr
        assert (done.returncode, done.stdout, said.count("Traceback")) == (code, "", 0), said
        return done.stderr


def played(
    seed: int = 1, match: int = 7, game: str = "chinkway", options: Mapping[str, str] | None = None
) -> engine.Record:
    """The record of a match that chance has played, as a server would write it."""
    rules = engine.ruleset(game, options)
    random = Random(seed)
    secret = random.randbytes(32)
    seats = [
        engine.RecordSeat(name, name, nonce=f"nonce of {name}".encode())
        for name in ("ada", "ben", "cleo", "dan", "eve")[: rules.seats]
    ]
    nonces = tuple(sorted(seat.nonce for seat in seats))
    source = engine.DealSource(
        commitment=engine.commitment(secret),
        nonces=nonces,
        board="board-1",
        board_key=engine.board_key(secret, nonces, "board-1"),
        secret=secret,
    )
    state = rules.new_match(engine.Deals(source.board_key))
    actions = [
        engine.RecordedAction(seat, action, at, 0, engine.Cause.FORCED if forced else engine.Cause.BOT)
        for at, (seat, action, forced) in enumerate(
            engine.play_to_end(state, [lambda observation: random.choice(observation.legal)] * rules.seats)
        )
    ]
    return engine.Record(
        engine=engine.__version__,
        match=match,
        ruleset=rules.name,
        options=rules.options,
        seats=tuple(seats),
        source=source,
        time_control=engine.TimeControl(1000, 10_000, 3),
        actions=tuple(actions),
        outcome=state.outcome,
        started_ms=1_700_000_000_000,
        finished_ms=1_700_000_060_000,
    )


def write(path: Path, record: engine.Record, **changes: Any) -> Path:
    """Write a sealed record to a file; `changes` are made to its JSON after that."""
    path.parent.mkdir(exist_ok=True)
    files.write(path, codec.seal(codec.to_message(record)))
    if changes:
        path.write_text(json.dumps({**json.loads(path.read_text()), **changes}))
    return path
