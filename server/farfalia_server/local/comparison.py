"""Which of two bots is better: boards that both play from every seat, until that is known well enough."""

from collections.abc import Callable, Sequence
from contextlib import aclosing, suppress
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby

from farfalia.arena import Arena, ArenaError
from farfalia.v1 import matches_pb2, record_pb2, tournaments_pb2
from farfalia_engine import Ruleset
from farfalia_server.contract.states import MATCH_OVER
from farfalia_server.local.bot_specs import BotSpec
from farfalia_server.local.tournament import Terms, TournamentRun
from farfalia_tournaments import (
    Comparison,
    ComparisonAnswer,
    MatchResult,
    Stage,
    StageKind,
    compare,
    likely_more,
    relative_score,
)
from farfalia_tournaments.schedules import Boards

#: Boards that are looked up at a time.
_AHEAD = 20


@dataclass(frozen=True)
class ComparisonTerms:
    """What is asked: is the first bot better, the second, or neither by more than the margin, in points per match?

    `teams` are the seats that play together all match, in games that have such.
    """

    first: str
    second: str
    confidence: float
    margin: float
    teams: Sequence[Sequence[int]] = ()


class ComparisonProgress:
    """What the matches of a tournament answer so far, board by board in the order of the schedule.

    Each board is played from every seat of one table. That order, and not the one in which matches end, decides after
    which board the answer is known: so it does not depend on who is quick.
    """

    def __init__(self, arena: Arena, tournament: int, question: ComparisonTerms) -> None:
        self.found = compare((), question.confidence, question.margin)
        self._arena = arena
        self._tournament = tournament
        self._question = question
        self._differences: list[float] = []
        self._boards: list[list[int]] = []
        self._next = 0

    @property
    def likely_more(self) -> int | None:
        """How many more boards are likely until there is an answer; None if that cannot be said, or there is one."""
        if self.found.answer is not ComparisonAnswer.UNDECIDED:
            return None
        return likely_more(self._differences, self._question.confidence, self._question.margin, len(self._boards))

    async def look(self) -> Comparison:
        """Return what is known now; once there is an answer, it stays."""
        if not self._boards:  # those of a stage are drawn after the start, all at once
            planned = [match async for match in self._arena.all_matches(tournament=self._tournament)]
            boards = groupby(reversed(planned), key=lambda match: match.board)
            self._boards = [[match.id for match in board] for _, board in boards]
        while self.found.answer is ComparisonAnswer.UNDECIDED and self._next < len(self._boards):
            ahead = self._boards[self._next : self._next + _AHEAD]
            read = self._arena.all_matches(
                tournament=self._tournament, before=ahead[-1][-1] + 1, limit=sum(map(len, ahead))
            )
            matches = {match.id: match async for match in read}
            if not sum(self._take([matches[number] for number in board]) for board in ahead):
                break
        return self.found

    def _take(self, board: Sequence[matches_pb2.Match]) -> bool:
        """Count a board if it is the next one, and all its matches are over."""
        if self.found.answer is not ComparisonAnswer.UNDECIDED or board[0].id != self._boards[self._next][0]:
            return False
        if any(match.state not in MATCH_OVER for match in board):
            return False
        self._next += 1
        difference = _difference(board, self._question)
        if difference is not None:
            self._differences.append(difference)
            self.found = compare(self._differences, self._question.confidence, self._question.margin)
        return True


def comparison_schedule(boards: int, rules: Ruleset) -> tuple[int, tuple[Stage, ...]]:
    """Return the rounds of a tournament of one table that plays each board from every seat, or its stages.

    Where seats play together there is a stage, in which the first two are never partners: boards on which they are
    would tell nothing about them.
    """
    if not rules.teams:
        return boards, ()
    matches = boards * rules.seats
    return 0, (Stage(StageKind.ROUND_ROBIN, 1, matches=matches, boards=Boards.ROTATIONS, opposed=True),)


async def play_comparison(
    arena: Arena,
    tournament_run: TournamentRun,
    terms: Terms,
    entrants: Sequence[BotSpec],
    question: ComparisonTerms,
    watch: Callable[[Comparison, int | None, tournaments_pb2.Tournament], None],
    take: Callable[[record_pb2.Record], None] | None,
) -> tuple[Comparison, tournaments_pb2.Tournament]:
    """Play until the comparison is decided or all is played; `watch` gets what is known after every change,
    and how many more boards are likely, and `take` every record as it opens."""
    number = await tournament_run.begin(terms, entrants)
    tournament = tournaments_pb2.Tournament(id=number)
    progress = ComparisonProgress(arena, number, question)
    async with aclosing(tournament_run.follow(number, take)) as changes:
        async for change in changes:
            tournament = change
            answered = progress.found.answer is not ComparisonAnswer.UNDECIDED
            watch(await progress.look(), progress.likely_more, tournament)
            if progress.found.answer is not ComparisonAnswer.UNDECIDED and not answered:
                with suppress(ArenaError):  # its last match may have ended just now
                    request = tournaments_pb2.CancelTournamentRequest(id=number, reason="the question is answered")
                    await arena.ask("CancelTournament", request)
    return progress.found, tournament


def _difference(board: Sequence[matches_pb2.Match], question: ComparisonTerms) -> float | None:
    """Return how many points per match the first made more than the second; None if the board says nothing about that.

    It does not where a match was given up through a fault of the server, or was missed by one of the two.
    """
    total = Fraction(0)
    side_of = {seat: side for side, team in enumerate(question.teams) for seat in team}
    for match in board:
        if match.state != matches_pb2.MATCH_STATE_FINISHED:
            return None
        entrants = tuple(match.entrants)
        seats = [entrants.index(name) for name in (question.first, question.second)]
        if not set(match.missed).isdisjoint(seats):
            return None
        outcome = match.outcome
        result = MatchResult(
            entrants=entrants,
            points=tuple(outcome.points),
            places=tuple(outcome.places),
            forfeits=tuple(outcome.forfeits),
            sides=tuple(side_of[seat] for seat in range(len(entrants))) if side_of else (),
        )
        total += relative_score(result, seats[0]) - relative_score(result, seats[1])
    return float(total / len(board))
