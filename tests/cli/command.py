"""What tests of the command share: how it is called, and records for it to look at."""

import json
import os
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path
from random import Random
from typing import Any

import farfalia_engine as engine
from farfalia_server.records import codec, files

Run = subprocess.CompletedProcess[str]
Command = Callable[..., Run]

#: Nothing takes this long; a command that hangs fails its test.
LIMIT = 300


def environment(**more: str) -> dict[str, str]:
    """This process's environment without what would tell the command something."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("FARFALIA_")}
    return {**kept, "COLUMNS": "100", **more}


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
    actions: list[engine.RecordedAction] = []
    while state.pending:
        seat = state.pending.seats[0]
        if len(state.pending.seats) > 1:
            seat = random.choice(state.pending.seats)
        legal = state.legal_actions(seat)
        cause = engine.Cause.BOT if len(legal) > 1 else engine.Cause.FORCED
        action = random.choice(legal)
        actions.append(engine.RecordedAction(seat, action, len(actions), 0, cause))
        state.apply(action, seat)
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
