"""A board that one table has played while another still holds it: who could learn its cards, and when they open."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import cast

from tests.server.card_traces import MARKED, Traces
from tests.server.live import PATIENCE, LiveServer, live_server
from tests.server.rawbot import RawBot, first_legal

from farfalia.v1 import play_pb2, record_pb2, stages_pb2, tournaments_pb2
from farfalia_server.store.matches.archive import pack, unpack

CLUMSY = ("ada", "ben", "cleo")
GAME, FEATURES = "three-short", ("results", "records")
SLOW, SPARE, IDLE = "slow", "spare", "idle"
HOUSE = ("house-greedy-1", "house-greedy-2")
CONTROL = record_pb2.TimeControl(limit_ms=600_000, bank_ms=0, grace=3)


@dataclass
class Scene:
    """A tournament of one round: the match `over` has ended, `held` has the same board and waits for one bot."""

    server: LiveServer
    tournament: int
    over: int
    held: int
    slow: Slow
    tokens: Mapping[str, str]
    traces: Traces
    bots: Mapping[str, RawBot]
    planned: tuple[int, int]

    @property
    def entrants(self) -> list[str]:
        return [*self.tokens, *HOUSE]


@dataclass
class Slow:
    """Answers every question but those of one match, which it keeps; without a number, those of all its matches."""

    held: int | None
    kept: list[play_pb2.Question] = field(default_factory=list)
    free: bool = False

    def __call__(self, bot: RawBot, message: play_pb2.PlayResponse) -> None:
        if not self.free:
            self.kept += [question for question in message.questions if self.held in (None, question.match)]
        answered = [question for question in message.questions if self.free or self.held not in (None, question.match)]
        first_legal(bot, play_pb2.PlayResponse(questions=answered))

    def play_on(self, bot: RawBot) -> None:
        self.free = True
        first_legal(bot, play_pb2.PlayResponse(questions=self.kept))


def clumsy() -> Callable[[RawBot, play_pb2.PlayResponse], None]:
    """Answer with the first legal action, after one answer in each match that is not legal."""
    erred: set[int] = set()

    def react(bot: RawBot, message: play_pb2.PlayResponse) -> None:
        questions = []
        for question in message.questions:
            if question.match in erred:
                questions.append(question)
            else:
                erred.add(question.match)
                bot.act(question.match, question.number, 9999)
        first_legal(bot, play_pb2.PlayResponse(questions=questions))

    return react


@contextmanager
def held_board(folder: Path, *, rotations: bool) -> Iterator[Scene]:
    """Start a server in a folder and play the round, with rotations or against a datum, until one match alone waits."""
    with live_server(folder) as server, ExitStack() as streams:
        names = [SLOW, *CLUMSY[:1]] if rotations else [SLOW, *CLUMSY]
        tokens = {name: server.register(name) for name in (*names, SPARE)}
        server.register(IDLE)
        planned = tuple(server.tournament([HOUSE[0]], rounds=1, start=False) for _ in range(2))
        number = server.tournament(
            names if rotations else [*names, *HOUSE],
            rounds=1,
            start=False,
            control=CONTROL,
            ruleset=GAME,
            boards=stages_pb2.BOARDS_ROTATIONS if rotations else stages_pb2.BOARDS_DATUM,
        )
        matches = sorted(server.matches(number), key=lambda match: match.id)
        assert len(matches) == (3 if rotations else 2)
        slow = Slow(matches[-1].id if rotations else None)
        bots = {
            name: streams.enter_context(
                RawBot(
                    server.grpc_address,
                    token,
                    features=FEATURES,
                    rulesets=(GAME,),
                    react=slow if name == SLOW else clumsy(),
                )
            )
            for name, token in tokens.items()
        }
        for bot in bots.values():
            bot.until(partial(bool, bot.messages))
        server.call("StartTournament", tournaments_pb2.StartTournamentRequest(id=number))
        server.wait_for(number, finished=len(matches) - 1)
        bots[SLOW].until(lambda: slow.kept)
        matches = sorted(server.matches(number), key=lambda match: match.id)  # as drawn at the start
        held = slow.kept[0].match
        over = next(
            match.id for match in matches if match.id != held and any(name in match.entrants for name in CLUMSY)
        )
        record, secret = kept_record(folder / "data/farfalia.db", over)
        quote = next((one.text for one in record.incidents if "legal were" in one.text), "")
        assert quote, record.incidents
        _void(folder / "data/farfalia.db", over, quote)
        mark(folder / "data/farfalia.db", over, record)
        yield Scene(
            server, number, over, held, slow, tokens, Traces(record, secret), bots, cast("tuple[int, int]", planned)
        )


def kept_record(database: Path, match: int) -> tuple[record_pb2.Record, bytes]:
    """A record and the secret of its deals, as nobody but the server can read them."""
    connection = sqlite3.connect(database)
    (data,) = connection.execute("SELECT data FROM record WHERE match_id = ?", (match,)).fetchone()
    (secret,) = connection.execute(
        "SELECT coalesce(m.secret, t.secret) FROM match m LEFT JOIN tournament t ON m.tournament_id = t.id"
        " WHERE m.id = ?",
        (match,),
    ).fetchone()
    connection.close()
    return unpack(match, data), secret


def mark(database: Path, match: int, record: record_pb2.Record) -> None:
    """Let a match have points that can be found anywhere, in its row and in its record."""
    connection = sqlite3.connect(database, timeout=PATIENCE)
    marked = record_pb2.Record()
    marked.CopyFrom(record)
    marked.outcome.points[:] = MARKED
    connection.execute("UPDATE record SET data = ? WHERE match_id = ?", (pack(marked), match))
    points = json.dumps(MARKED)
    connection.execute(
        "UPDATE \"match\" SET result = json_set(result, '$.points', json(?)) WHERE id = ?", (points, match)
    )
    for seat, made in enumerate(MARKED):
        connection.execute("UPDATE seat_result SET points = ? WHERE match_id = ? AND seat = ?", (made, match, seat))
    connection.commit()
    connection.close()


def _void(database: Path, match: int, text: str) -> None:
    """Say that an attempt on the match's board was void: no real server fails on demand and says what it was about."""
    connection = sqlite3.connect(database, timeout=PATIENCE)
    connection.execute(
        "INSERT INTO void_attempt (match_id, attempt, reason, text, voided)"
        " VALUES (?, 1, 'unplayable', ?, '2026-11-20 18:22:05.000000')",
        (match, text),
    )
    connection.commit()
    connection.close()
