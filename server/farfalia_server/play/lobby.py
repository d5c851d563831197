"""Who is here: the lines of all bots, and seats kept for matches that are about to begin."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from time import monotonic

from farfalia_server.net.measures import Measures
from farfalia_server.play.connection import MOST_AT_ONCE, BotLine
from farfalia_server.play.loop_clock import LoopClock
from farfalia_server.play.process_token import Turn


class Lobby:
    """Lines by bot. `changed` is called whenever a bot comes, goes, or has another seat free.

    `most_matches` is how many matches a bot may have at once.
    """

    def __init__(
        self,
        *,
        hold: float,
        reconnect_grace: float,
        absence: float,
        soon: Callable[[Callable[[], None]], None],
        changed: Callable[[], None],
        measures: Measures,
        away_until: Callable[[], float] = lambda: -math.inf,
        clock: LoopClock | None = None,
        most_matches: int = MOST_AT_ONCE,
    ) -> None:
        self._hold = hold
        self._reconnect_grace = reconnect_grace
        self._absence = absence
        self._soon = soon
        self._changed = changed
        self._measures = measures
        self._away_until = away_until
        self._clock = clock
        self._most_matches = most_matches
        self._lines: dict[int, BotLine] = {}
        self._missed_since: dict[int, float] = {}
        self._kept: dict[int, list[BotLine]] = {}
        #: By match that seats are kept for, the bots that were waited for in vain.
        self._absent: dict[int, frozenset[int]] = {}

    def line(self, bot: int) -> BotLine:
        """The line of a bot, whether it is connected or not."""
        line = self._lines.get(bot)
        if line is None:
            line = BotLine(
                bot,
                hold=self._hold,
                reconnect_grace=self._reconnect_grace,
                soon=self._soon,
                changed=self._changed,
                measures=self._measures,
                away_until=self._away_until,
                clock=self._clock,
                most_matches=self._most_matches,
            )
            self._lines[bot] = line
        return line

    def connected(self) -> dict[int, str]:
        """Bots with a stream: names by number."""
        return {line.bot: line.name for line in self._lines.values() if line.stream is not None}

    def present(self) -> list[BotLine]:
        """The lines of the bots that are connected."""
        return [line for line in self._lines.values() if line.stream is not None]

    def is_connected(self, bot: int) -> bool:
        """The bot has a stream."""
        line = self._lines.get(bot)
        return line is not None and line.stream is not None

    def known(self, bot: int) -> BotLine | None:
        """The line of a bot that has been here since the server started."""
        return self._lines.get(bot)

    def lines(self) -> Iterable[BotLine]:
        """All lines."""
        return self._lines.values()

    def begin_turn(self, bot: int, token: str) -> Turn:
        """From now on a bot is the process with this token, and that for one match; its matches wait for it."""
        turn = self.line(bot).turn = Turn(token)
        return turn

    def end_turn(self, bot: int, *, last: bool) -> None:
        """The process has ended. Matches wait for the next one, or, after the last, go on with a house bot."""
        self.line(bot).abandon(last=last)

    def try_reserve(self, match: int, bots: Iterable[int]) -> int | None:
        """Keeps a seat of each of these bots for a match; or of none, and answers a bot that it has to wait for.

        House bots are not named here. A bot that stays away for longer than the server waits counts as being
        there: a house bot will play for it, so that the others get their match.
        """
        lines = [self.line(bot) for bot in bots]
        missing = [line for line in lines if not self._can_begin(line)]
        if missing:
            return missing[0].bot
        for line in lines:
            line.kept.add(match)
        self._kept[match] = lines
        self._absent[match] = frozenset(line.bot for line in lines if line.stream is None)
        return None

    def absent(self, match: int) -> frozenset[int]:
        """Bots for which house bots play in a match: they were not there when its seats were kept."""
        return self._absent.get(match, frozenset())

    def _can_begin(self, line: BotLine) -> bool:
        if line.stream is not None:
            self._missed_since.pop(line.bot, None)
            return line.ready
        if line.turn is not None:
            return line.turn.last
        now = monotonic()
        return now - self._missed_since.setdefault(line.bot, now) >= self._absence

    def release(self, match: int) -> None:
        """Frees what was kept for a match and not used; the match is over here."""
        self._absent.pop(match, None)
        for line in self._kept.pop(match, ()):
            line.kept.discard(match)
        self._changed()
