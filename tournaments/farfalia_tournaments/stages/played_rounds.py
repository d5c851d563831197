"""What was drawn and played so far, by stages and rounds."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace

from farfalia_tournaments.results import MatchResult
from farfalia_tournaments.schedules.boards import Match
from farfalia_tournaments.schedules.history import History
from farfalia_tournaments.stages.model import DrawnMatch


class PlayedRounds:
    """The drawn matches, whose order is of no consequence."""

    def __init__(self, played: Iterable[DrawnMatch]) -> None:
        self._rounds: defaultdict[tuple[int, int], list[DrawnMatch]] = defaultdict(list)
        for one in sorted(played, key=lambda one: (one.match.table, one.match.board, one.match.replay)):
            self._rounds[one.match.stage, one.match.round].append(one)

    def rounds(self, stage: int) -> list[int]:
        """Return the numbers of the rounds that were drawn in a stage."""
        return sorted(number for one, number in self._rounds if one == stage)

    def before(self, stage: int, number: int = 1) -> int:
        """Return how many rounds were drawn before one."""
        return sum(drawn < (stage, number) for drawn in self._rounds)

    def missing(self, stage: int) -> int:
        """Return how many matches of a stage are not over."""
        return sum(one.result is None and not one.void for one in self._of(stage))

    def matches(self, stage: int) -> list[Match]:
        """Return the matches of a stage."""
        return [one.match for one in self._of(stage)]

    def results(self, stage: int, number: int | None = None) -> list[MatchResult[int]]:
        """Return the results of a stage, or of one of its rounds, each with the name of its board."""
        return [
            replace(one.result, board=one.result.board or one.match.board)
            for one in (self._of(stage) if number is None else self._rounds.get((stage, number), []))
            if one.result is not None
        ]

    def tables(self, stage: int, number: int) -> list[tuple[int | None, ...]]:
        """Return the tables of a round, each in the seats of its first match."""
        first: dict[int, tuple[int | None, ...]] = {}
        for one in self._rounds.get((stage, number), []):
            first.setdefault(one.match.table, one.match.entrants)
        return list(first.values())

    def history(self, stage: int) -> History:
        """Count who met whom in a stage."""
        return History.of(self.tables(stage, number) for number in self.rounds(stage))

    def _of(self, stage: int) -> list[DrawnMatch]:
        return [one for number in self.rounds(stage) for one in self._rounds[stage, number]]
