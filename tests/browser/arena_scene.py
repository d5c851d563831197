"""A real server in the middle of a season: two tournaments over, one with a final, one at the table, one planned."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Lock

from tests.server.invented_prices import give_prices_in
from tests.server.live import LiveServer, live_server
from tests.server.rawbot import RawBot, first_legal

from farfalia.v1 import cards_pb2, matches_pb2, play_pb2, record_pb2, stages_pb2

#: Those who play with a program of their own, and house bots beside them.
OWN = ("ada", "ben")
HOUSE = tuple(f"house-{kind}-{copy}" for kind in ("greedy", "cautious", "random") for copy in (1, 2, 3))[:8]
#: As many rounds as a bot needs for a place on the ladder.
ROUNDS = 10
#: A Swiss of two rounds from which four go on to a knock-out of two.
STAGES = (
    stages_pb2.Stage(kind=stages_pb2.STAGE_KIND_SWISS, rounds=2, qualifiers=4),
    stages_pb2.Stage(kind=stages_pb2.STAGE_KIND_KNOCKOUT, advance=1),
)
_PATIENT = record_pb2.TimeControl(limit_ms=600_000, bank_ms=0, grace=3)


class Player:
    """Takes the first legal action; once, if it is clumsy, a card that is not. Of what is `held`, only as it is let."""

    def __init__(self, *, clumsy: bool = False) -> None:
        self._clumsy = clumsy
        self._let: int | None = None
        self._one_at_a_time = Lock()  # the stream has a thread of its own
        self.asked: list[play_pb2.Question] = []

    def hold(self, answers: int | None) -> None:
        """From now on answer at most this number of questions, or all of them."""
        self._let = answers

    def let(self, bot: RawBot, answers: int) -> None:
        """Answer this number of further questions."""
        with self._one_at_a_time:
            self._let = (self._let or 0) + answers
        self(bot, play_pb2.PlayResponse())

    def __call__(self, bot: RawBot, message: play_pb2.PlayResponse) -> None:
        with self._one_at_a_time:
            self.asked += message.questions
            now = self.asked[: self._let]
            self.asked = self.asked[len(now) :]
            if self._let is not None:
                self._let -= len(now)
        for card in [one for one in now if self._clumsy and one.kind == cards_pb2.DECISION_KIND_PLAY][:1]:
            self._clumsy = False
            bot.act(card.match, card.number, max(card.legal) + 1)
            now.remove(card)
        first_legal(bot, play_pb2.PlayResponse(questions=now))


@dataclass
class Scene:
    """The server, and the numbers of what there is to look at."""

    server: LiveServer
    bot: RawBot
    player: Player
    over: int
    staged: int
    running: int
    planned: int
    match: int  # over, in which ben has a strike
    live: int  # at the table until `player` goes on
    priced: int  # over, with prices

    @property
    def address(self) -> str:
        return f"http://{self.server.http_address}"


@contextmanager
def scene(folder: Path) -> Iterator[Scene]:
    with live_server(folder) as server:
        tokens = [server.register(name) for name in OWN]
        player, clumsy = Player(), Player(clumsy=True)
        with RawBot(server.grpc_address, tokens[0], react=player) as ada:
            with RawBot(server.grpc_address, tokens[1], react=clumsy):
                over = server.tournament((*OWN, *HOUSE), name="Spring Cup", rounds=ROUNDS, control=_PATIENT)
                server.wait_for(over)
                staged = server.tournament(HOUSE, name="Summer Finals", ruleset="two", stages=STAGES, control=_PATIENT)
                server.wait_for(staged)
            finished = server.matches(over)
            struck = next(one.id for one in finished if "ben" in one.entrants and server.record(one.id).incidents)
            priced = next(one.id for one in server.matches(staged) if "house-greedy-1" in one.entrants)
            with ThreadPoolExecutor(1) as other:  # a browser's driver may keep the event loop of this thread
                other.submit(asyncio.run, give_prices_in(folder / "data" / "farfalia.db", priced)).result()
            player.hold(7)
            names = ("ada", *HOUSE[:2])
            running = server.tournament(
                names,
                name="Autumn Evening",
                rounds=2,
                ruleset="three-short",
                boards=stages_pb2.BOARDS_FRESH,
                control=_PATIENT,
            )
            planned = server.tournament((*OWN, *HOUSE), name="Winter League", stages=[], start=False, persons=True)
            ada.until(lambda: player.asked)
            live = next(one.id for one in server.matches(running) if one.state == matches_pb2.MATCH_STATE_RUNNING)
            yield Scene(server, ada, player, over, staged, running, planned, struck, live, priced)
