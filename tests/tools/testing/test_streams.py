"""Streams in memory, on the connection of a bot."""

from __future__ import annotations

from tests.server.connection_world import EASY, Connected, soon

from farfalia_engine import Cause
from farfalia_tools.testing import FirstLegalStream


async def test_a_stream_plays_the_first_legal_action_and_fails_or_is_silent_as_told() -> None:
    table = Connected(EASY)
    stream = FirstLegalStream(connection=table.connection, failing={2}, silent_after=2)
    causes = []
    for _ in range(2):
        table.ask(1)
        await soon()
        causes.append(table.answers.pop(1).cause)
    table.ask(1)
    await soon()
    assert causes == [Cause.BOT, Cause.FAILURE]
    assert 1 not in table.answers
    assert [question.number for question in stream.questions()] == [1, 2, 3]
