"""A bot that answers as far as it is let, and the quick game that it plays."""

from __future__ import annotations

from tests.server.rawbot import RawBot, first_legal

from farfalia.v1 import play_pb2, record_pb2

GAME = "three-short"
CONTROL = record_pb2.TimeControl(limit_ms=120_000, bank_ms=0, grace=3)
HOUSE = ("house-greedy-1", "house-greedy-2")


class Pausing:
    """Answers as many questions as it is let, of the deals that it is let."""

    def __init__(self, answers: int, deals: int = 1000) -> None:
        self.left = answers
        self.deals = deals
        self.kept: list[play_pb2.Question] = []

    def __call__(self, bot: RawBot, message: play_pb2.PlayResponse) -> None:
        self.kept += message.questions
        self.go_on(bot, 0)

    def go_on(self, bot: RawBot, answers: int) -> None:
        self.left += answers
        now = [one for one in self.kept if one.view.deal <= self.deals][: self.left]
        self.kept = [one for one in self.kept if one not in now]
        self.left -= len(now)
        first_legal(bot, play_pb2.PlayResponse(questions=now))
