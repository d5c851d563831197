"""The board of a day: which cards a game has on a day, who sits where, and what house bots make of its seat."""

from __future__ import annotations

import hmac
from collections import Counter
from collections.abc import Awaitable, Callable, Generator
from dataclasses import dataclass, field
from datetime import date
from hashlib import sha256
from typing import Final

from farfalia import bots as house_bots
from farfalia_engine import Deals, board_key, ruleset
from farfalia_server.records.house_bot import HouseBot, Search
from farfalia_server.records.house_names import filler_name, is_playable, quick_house_bots

#: The house bot at all other seats, and the one that plays the person's seat as well, beside those that do not search.
OPPONENT: Final = "cautious"
_SEARCHING: Final = "expert"
#: The name of the board, as of every match outside tournaments.
BOARD: Final = "board-1"
#: What keeps these secrets apart from everything else that follows from the same key.
_LABEL: Final = "farfalia/daily"


def daily_secret(key: bytes, day: str, game: str) -> bytes:
    """Return the secret of a game's deals on a day, 32 bytes.

    `key` is one that no reader of this source has and that all nodes share, so nobody else can know the cards.
    """
    return hmac.digest(key, f"{_LABEL}\0{day}\0{game}".encode(), sha256)


def daily_seat(day: str, game: str) -> int:
    """Return the seat of the person, another one each day."""
    return date.fromisoformat(day).toordinal() % ruleset(game).seats


def daily_entrants(day: str, game: str) -> list[str]:
    """Return the names of the house bots by seat, empty at that of the person."""
    names = [filler_name(OPPONENT, copy) for copy in range(1, ruleset(game).seats)]
    names.insert(daily_seat(day, game), "")
    return names


def daily_players() -> list[str]:
    """Return the house bots that play the person's seat on this machine, those that decide at once first."""
    return [*quick_house_bots(), *filter(is_playable, (_SEARCHING,))]


@dataclass(frozen=True, slots=True)
class DailyMatch:
    """A match on the board of a day in which `house` plays the person's seat, as it would at a table."""

    game: str
    day: str
    house: str
    secret: bytes = field(repr=False)

    def answer(self) -> tuple[int, int]:
        """Play it, for tenths of a second or for half a minute, and return points and place of the seat."""
        play = self._play()
        try:
            search = next(play)
            while True:
                search = play.send(search.answer())
        except StopIteration as end:
            return _result(end)

    async def played(
        self, ask: Callable[[DailyMatch], Awaitable[tuple[int, int]]], search: Callable[[Search], Awaitable[int]]
    ) -> tuple[int, int]:
        """Return what `answer` does; `ask` has a whole match played elsewhere, `search` a decision that takes a while.

        A match full of those is asked for one by one, so that tables need not wait for all of them.
        """
        if self.house not in house_bots.SEARCHING:
            return await ask(self)
        play = self._play()
        try:
            wanted = next(play)
            while True:
                wanted = play.send(await search(wanted))
        except StopIteration as end:
            return _result(end)

    def _play(self) -> Generator[Search, int, tuple[int, int]]:
        """Play on from search to search."""
        rules, mine = ruleset(self.game), daily_seat(self.day, self.game)
        deals = Deals(board_key(self.secret, (), BOARD))
        bots = [HouseBot(self.house if seat == mine else OPPONENT, deals) for seat in range(rules.seats)]
        state, decided, own = rules.new_match(deals), 0, Counter[int]()
        while state.pending is not None:
            seat = state.pending.seats[0]
            bot, view = bots[seat], state.observation(seat)
            if bot.searches:
                action = yield bot.search(view, seat, own[seat])
            else:
                action = bot.decide(view, seat, decided)
            state.apply(action, seat)
            decided += 1
            own[seat] += 1
        assert state.outcome is not None
        points = state.outcome.points
        return points[mine], rules.places(points)[mine]


def _result(end: StopIteration) -> tuple[int, int]:
    result: tuple[int, int] = end.value
    return result
