"""Processes that are let in for one match each, and matches that wait for them."""

from __future__ import annotations

import asyncio
from pathlib import Path

import grpc
from tests.server.connection_world import EASY, next_turn, soon
from tests.server.rawbot import RawBot

from farfalia.arena import Arena
from farfalia.v1 import bots_pb2, play_pb2
from farfalia_server import settings_loading
from farfalia_server.app import Server
from farfalia_server.local.process_lobby import ProcessLobby
from farfalia_server.net.measures import Measures
from farfalia_server.play.attendance import Players
from farfalia_server.play.clock import SeatClock
from farfalia_server.play.connection import BotConnection
from farfalia_server.play.questions import Seating
from farfalia_server.queue.free_seats import FreeSeats
from farfalia_server.server_play import PrivatePlay
from farfalia_tools.testing import RecordingStream

BOT = 1


class Scene:
    """A lobby in which nobody is waited for, and seats at its only bot's line."""

    def __init__(self) -> None:
        self.lobby = ProcessLobby(
            linger=0.001,
            reconnect_grace=60,
            schedule_flush=next_turn,
            changed=lambda: None,
            measures=Measures(),
            absence_is_loss=True,
        )
        self.free_seats = FreeSeats(self.lobby, 0)
        #: The match for which the bot has a seat reserved.
        self.reserved = 0
        self.connection: BotConnection = self.lobby.connection(BOT)

    def connect(self, matches: int = 64) -> RecordingStream:
        stream = RecordingStream()
        self.connection.attach(stream)
        self.connection.set_capacity(play_pb2.Capacity(matches=matches, questions=64))
        return stream

    def seat(self, match: int) -> Seating:
        seating = Seating(match, 0, SeatClock(EASY), play_pb2.Seated(match=match))
        self.connection.take_seat(seating)
        return seating

    def begins(self, match: int) -> bool:
        _, missing = self.free_seats.of(Players((BOT,)), {BOT: bool(self.reserved)})
        if missing is None:
            self.reserved = match
        return missing is None

    def over(self) -> None:
        """End the bot's match."""
        self.connection.leave(self.reserved)
        self.reserved = 0


async def test_a_process_is_given_one_match_however_many_it_offers() -> None:
    here = Scene()
    process = here.lobby.admit_process(BOT, "first")
    here.connect(matches=64)
    assert here.begins(1)
    assert not here.begins(2)
    here.seat(1)
    assert (process.match, process.finished.is_set()) == (1, False)
    assert not here.begins(2)
    here.over()
    assert process.finished.is_set()
    assert not here.begins(2)


async def test_a_match_waits_for_the_next_process_and_only_for_that() -> None:
    here = Scene()
    here.lobby.admit_process(BOT, "first")
    assert not here.begins(1), "a process that is being started may be absent"
    here.connect()
    assert here.begins(1)
    here.seat(1)
    here.over()
    here.lobby.process_exited(BOT, last=False)
    here.connection.detach()
    assert not here.begins(2)
    here.lobby.admit_process(BOT, "second")
    assert not here.begins(2)
    here.connect()
    assert here.begins(2)


async def test_after_the_last_process_matches_go_on_without_it() -> None:
    here = Scene()
    here.lobby.admit_process(BOT, "first")
    here.lobby.process_exited(BOT, last=True)
    assert here.begins(1)


async def test_the_seat_of_a_process_that_has_ended_is_given_up_at_once() -> None:
    here = Scene()
    here.lobby.admit_process(BOT, "first")
    stream = here.connect()
    seating = here.seat(1)
    here.lobby.process_exited(BOT, last=False)
    assert stream.closed
    here.connection.detach()
    while not seating.absence:
        await asyncio.sleep(0.001)


async def test_a_process_that_was_told_the_end_has_played_its_match() -> None:
    here = Scene()
    process = here.lobby.admit_process(BOT, "first")
    stream = here.connect()
    here.seat(1)
    here.connection.send_finished(play_pb2.Finished(match=1))
    await soon()
    assert process.informed
    assert [finished.match for message in stream.sent for finished in message.finished] == [1]


async def test_only_the_process_whose_turn_it_is_is_let_in(tmp_path: Path) -> None:
    def try_out(address: str, token: str, instance: bytes) -> tuple[grpc.StatusCode, str]:
        with RawBot(address, token, instance=instance) as bot:
            return bot.ending()[:2]

    chosen = settings_loading.load({"data_dir": tmp_path, "grpc_port": 0, "http_port": 0, "admin_token": "admin" * 8})
    private = PrivatePlay(lobby=ProcessLobby)
    async with Server(chosen, private=private) as server, Arena(server.grpc_address, chosen.admin_token) as arena:
        made = await arena.ask("RegisterBot", bots_pb2.RegisterBotRequest(name="ant"))
        refused = (grpc.StatusCode.UNAUTHENTICATED, "TOKEN_REPLACED")
        lobby = server.lobby
        assert isinstance(lobby, ProcessLobby)
        lobby.admit_process(made.bot.id, "of another process")
        assert await asyncio.to_thread(try_out, server.grpc_address, made.token, b"old") == refused
        process = lobby.admit_process(made.bot.id, made.token)
        with RawBot(server.grpc_address, made.token, instance=b"new") as bot:
            await asyncio.to_thread(bot.until, lambda: process.connected)
            process.finished.set()
            assert await asyncio.to_thread(try_out, server.grpc_address, made.token, b"again") == refused
