"""One bot and its streams, whose calls are in memory."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from tests.server.connection_world import next_turn
from tests.server.session_call import HELLO, Call

from farfalia.v1 import play_pb2
from farfalia_server.net.measures import Measures
from farfalia_server.play.connection import BotConnection
from farfalia_server.play.loop_clock import LoopClock
from farfalia_server.play.session import Session
from farfalia_server.store import NewLogLine


class Scene:
    """One bot with as many streams as it likes, its log lines, and the nonces that were looked at."""

    def __init__(self, connection: BotConnection | None = None) -> None:
        self.lines: list[tuple[int, str]] = []
        self.nonces = 0
        self.clock = LoopClock(Measures(), asyncio.get_running_loop().time)
        self.connection = connection or BotConnection(
            1,
            linger=0.02,
            reconnect_grace=30,
            schedule_flush=next_turn,
            changed=lambda: None,
            measures=Measures(),
            clock=self.clock,
        )

    async def connect(self) -> tuple[Session, Call]:
        call = Call()
        call.send(HELLO)
        context: Any = call
        session = Session(context, log_line=self._log_line, nonces=self._take, ping_interval=10.0, clock=self.clock)
        assert await session.first_message() is not None
        self.connection.attach(session)
        session.serve(self.connection)
        return session, call

    def _log_line(self, bot: int, line: NewLogLine) -> None:
        self.lines.append((line.match_id, line.text))

    def _take(self, bot: int, nonces: Sequence[play_pb2.Nonce]) -> int:
        self.nonces += 1
        return len(nonces)
