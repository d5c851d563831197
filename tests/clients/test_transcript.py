"""The transcript for authors without an SDK is what a real server sends and takes.

`python -m tests.clients.test_transcript` plays the match anew and writes clients/transcript.jsonl.
"""

from __future__ import annotations

import asyncio
import json
import queue
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import grpc
from google.protobuf import json_format
from google.protobuf.message import Message

from farfalia.arena import Arena
from farfalia.v1 import play_pb2, tournaments_pb2
from farfalia_engine import TimeControl
from farfalia_server import settings_loading
from farfalia_server.app import Server
from farfalia_server.organising.planning import Planner
from farfalia_server.store import Store

ROOT = Path(__file__).parents[2]
TRANSCRIPT = ROOT / "clients" / "transcript.jsonl"
KINDS = {"bot": play_pb2.PlayRequest, "server": play_pb2.PlayResponse}
#: What decides the cards; a real server draws its secret, and a real bot its nonce, at random.
SECRET, NONCE = bytes(range(32)), b"a bot's own bytes"
TERMS = tournaments_pb2.CreateTournamentRequest(
    name="transcript",
    ruleset="four",
    options={"target": "1"},
    bots=["ada", *(f"house-random-{n}" for n in (1, 2, 3))],
    rounds=1,
)
HELLO = play_pb2.Hello(
    client="transcript",
    client_version="1",
    instance=b"sixteen bytes ..",
    capacity=play_pb2.Capacity(matches=1, questions=1),
    features=["results"],
)
#: Fields that differ from one match to the next, by the message that holds them.
PASSING = {
    "Ping": {"nonce"},
    "Pong": {"nonce"},
    "Welcome": {"server_version", "pages"},
    "Clock": {"round_trip_us"},
    "Result": {"charged_ms"},
    "Rating": {"mu", "sigma", "conservative"},  # their last digits
}
Line = tuple[str, Message]


def read() -> list[Line]:
    """Who speaks and the message, line by line."""
    lines = []
    for text in TRANSCRIPT.read_text().splitlines():
        ((side, message),) = json.loads(text).items()
        lines.append((side, json_format.ParseDict(message, KINDS[side]())))
    return lines


def written(lines: Sequence[Line]) -> str:
    """The transcript as a file."""
    return "".join(
        json.dumps({side: json_format.MessageToDict(message)}, separators=(",", ":")) + "\n" for side, message in lines
    )


def lasting(message: Message) -> Any:
    """What of a message is the same in every match."""
    passing = PASSING.get(message.DESCRIPTOR.name, set())
    found = {}
    for field, value in message.ListFields():
        if field.name not in passing:
            nested = field.message_type is not None and not field.message_type.GetOptions().map_entry
            if nested:
                value = [lasting(one) for one in value] if field.is_repeated else lasting(value)
            found[field.name] = value
    return found


def entries(lines: Sequence[Line]) -> list[tuple[str, str, Any]]:
    """What each side says, one thing after the other, however it is spread over messages."""
    return [
        (side, field, entry)
        for side, message in lines
        for field, value in lasting(message).items()
        for entry in (value if isinstance(value, list) else [value])
    ]


def answer(message: play_pb2.PlayResponse) -> play_pb2.PlayRequest:
    """What the bot says to a message: always the first legal action, and goodbye when its rating has come."""
    reply = play_pb2.PlayRequest(
        actions=[play_pb2.Action(match=q.match, number=q.number, action=q.legal[0]) for q in message.questions],
        nonces=[play_pb2.Nonce(tournament=e.tournament, match=e.match, nonce=NONCE) for e in message.entered],
    )
    if message.HasField("ping"):
        reply.pong.nonce = message.ping.nonce
    if message.ratings:
        reply.goodbye.SetInParent()
    return reply


def converse(address: str, token: str) -> Iterator[Line]:
    """Play until the server ends the stream."""
    out: queue.SimpleQueue[play_pb2.PlayRequest] = queue.SimpleQueue()
    with grpc.insecure_channel(address) as channel:
        play: Any = channel.stream_stream(
            "/farfalia.v1.PlayService/Play",
            request_serializer=play_pb2.PlayRequest.SerializeToString,
            response_deserializer=play_pb2.PlayResponse.FromString,
        )
        reply = play_pb2.PlayRequest(hello=HELLO)
        call = play(iter(out.get, None), metadata=[("authorization", f"Bearer {token}")])
        out.put(reply)
        yield "bot", reply
        for message in call:
            yield "server", message
            reply = answer(message)
            if reply.ByteSize():
                out.put(reply)
                yield "bot", reply


async def play_anew(folder: Path) -> list[Line]:
    """The same match on a new server: a tournament whose secret is known, of a bot and three house bots."""
    chosen = settings_loading.load(
        {"data_dir": folder, "grpc_port": 0, "http_port": 0, "admin_token": "admin", "ping_interval_ms": 60_000}
    )
    async with await Store.open(chosen.effective_database_url) as store:
        _, token = await store.bots.register("ada")
        control = TimeControl(limit_ms=60_000, bank_ms=30_000, grace=3)
        await Planner(store, time_control=control, filler="random", secret=SECRET).plan(TERMS)
    async with Server(chosen) as server, Arena(server.grpc_address, "admin") as arena:
        playing = asyncio.create_task(asyncio.to_thread(lambda: list(converse(server.grpc_address, token))))
        asked = tournaments_pb2.GetTournamentRequest(id=1)
        while "from 1 of 1 bots" not in (await arena.ask("GetTournament", asked)).tournament.waiting:
            assert not playing.done(), playing.result()
            await asyncio.sleep(0.02)
        await arena.ask("StartTournament", tournaments_pb2.StartTournamentRequest(id=1))
        return await playing


def test_the_transcript_can_be_read_and_every_answer_in_it_is_legal() -> None:
    asked: dict[tuple[int, int], play_pb2.Question] = {}
    seen: set[str] = set()
    for side, message in read():
        seen |= {f"{side} {field.name}" for field, _ in message.ListFields()}
        if isinstance(message, play_pb2.PlayResponse):
            for question in message.questions:
                assert question.number == len(asked) + 1
                asked[question.match, question.number] = question
        elif isinstance(message, play_pb2.PlayRequest):
            for action in message.actions:
                assert action.action in asked[action.match, action.number].legal
    assert seen == {
        *(f"bot {name}" for name in ("hello", "pong", "nonces", "actions", "goodbye")),
        *(f"server {name}" for name in ("welcome", "ping", "entered", "seated", "questions", "results", "finished")),
        "server ratings",
    }


def test_the_transcript_is_what_a_server_sends_today(tmp_path: Path) -> None:
    assert entries(read()) == entries(asyncio.run(play_anew(tmp_path))), "run `python -m tests.clients.test_transcript`"


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        TRANSCRIPT.write_text(written(asyncio.run(play_anew(Path(folder)))))
