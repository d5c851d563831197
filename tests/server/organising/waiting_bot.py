"""A bot that waits on a ladder."""

from __future__ import annotations

from farfalia.v1 import play_pb2


class WaitingBot:
    """A bot that is connected and plays two matches at a time."""

    def __init__(self, bot: int) -> None:
        self.bot = bot
        self.rulesets: frozenset[str] = frozenset()
        self.offered = 2
        self.told: list[str] = []

    def send(self, message: play_pb2.PlayResponse, /) -> None:
        self.told += [notice.text for notice in message.notices]
