"""Which of two bots is better: boards that both play from every seat, until that is known well enough."""

from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import aclosing, suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import groupby

from farfalia.arena import Arena, ArenaError
from farfalia.v1 import matches_pb2, record_pb2, tournaments_pb2
from farfalia_engine import Ruleset
from farfalia_server.contract.states import MATCH_OVER
from farfalia_server.local.bot_specs import BotSpec, free_name
from farfalia_server.local.tournament import Terms, TournamentRun
from farfalia_tournaments import (
    Comparison,
    ComparisonAnswer,
    MatchResult,
    Stage,
    StageKind,
    booked,
    compare,
    likely_more,
    without_luck,
)
from farfalia_tournaments.schedules import Boards

#: Boards that are looked up at a time.
_AHEAD = 20


@dataclass(frozen=True)
class ComparisonTerms:
    """What is asked: is the first bot better, the second, or neither, in points per match? Neither by more than the
    margin, or, where a difference is `expected`, neither by that much.

    `firsts` and `seconds` are the entrants that play for the two, at a seat each. `teams` are the seats that play
    together all match, in games that have such.
    """

    firsts: Sequence[str]
    seconds: Sequence[str]
    confidence: float
    margin: float
    expected: float | None = None
    teams: Sequence[Sequence[int]] = ()

    @property
    def first(self) -> str:
        """The name of the first bot."""
        return self.firsts[0]

    @property
    def second(self) -> str:
        """The name of the second bot."""
        return self.seconds[0]

    @property
    def names(self) -> dict[str, str]:
        """The bot for which each entrant plays."""
        return dict.fromkeys(self.firsts, self.first) | dict.fromkeys(self.seconds, self.second)


class ComparisonProgress:
    """What the matches of a tournament answer so far, board by board in the order of the schedule.

    Each board is played from every seat of one table. That order, and not the one in which matches end, decides after
    which board the answer is known: so it does not depend on who is quick.
    """

    def __init__(self, arena: Arena, tournament: int, question: ComparisonTerms) -> None:
        self.found = compare((), question.confidence, question.margin, question.expected)
        #: Matches, on boards that count, in which each of the two lost a seat.
        self.lost: Counter[str] = Counter()
        #: Boards that were played and do not count: one of the two was gone before it was asked.
        self.missed = 0
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
        question = self._question
        boards = len(self._boards)
        return likely_more(self._differences, question.confidence, question.margin, boards, question.expected)

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
        question = self._question
        difference = _difference(board, question)
        if difference is None:
            self.missed += all(match.state == matches_pb2.MATCH_STATE_FINISHED for match in board)
            return True
        for match in board:
            self.lost.update({question.names.get(match.entrants[seat], "") for seat in match.outcome.forfeits} - {""})
        self._differences.append(difference)
        self.found = compare(self._differences, question.confidence, question.margin, question.expected)
        return True


def seated(entrants: Sequence[BotSpec], rules: Ruleset) -> tuple[list[BotSpec], int]:
    """Return who plays, and how many seats each of the first two has: two where the others leave as many.

    At two seats each, a board says nearly as much as two boards at one seat each would. Where partners are fixed each
    has one seat: beside another bot, as in any tournament.
    """
    twice = rules.teams is None and len(entrants) + 2 <= rules.seats
    if not twice:
        return list(entrants), 1
    first, second, *others = entrants
    taken = {entrant.name.lower() for entrant in entrants}
    twins = []
    for entrant in (first, second):
        twins.append(replace(entrant, name=free_name(entrant.name, taken)))
        taken.add(twins[-1].name.lower())
    return [first, second, *twins, *others], 2


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
    watch: Callable[[ComparisonProgress, tournaments_pb2.Tournament], None],
    take: Callable[[record_pb2.Record], None] | None,
) -> tuple[ComparisonProgress, tournaments_pb2.Tournament]:
    """Play until the comparison is decided or all is played; `watch` gets what is known after every change, and `take`
    every record as it opens."""
    number = await tournament_run.begin(terms, entrants)
    tournament = tournaments_pb2.Tournament(id=number)
    progress = ComparisonProgress(arena, number, question)
    async with aclosing(tournament_run.follow(number, take)) as changes:
        async for change in changes:
            tournament = change
            answered = progress.found.answer is not ComparisonAnswer.UNDECIDED
            await progress.look()
            watch(progress, tournament)
            if progress.found.answer is not ComparisonAnswer.UNDECIDED and not answered:
                with suppress(ArenaError):  # its last match may have ended just now
                    request = tournaments_pb2.CancelTournamentRequest(id=number, reason="the question is answered")
                    await arena.ask("CancelTournament", request)
    return progress, tournament


def _difference(board: Sequence[matches_pb2.Match], question: ComparisonTerms) -> float | None:
    """Return how many points per match and seat the first made more than the second, without the luck of the cards;
    None if the board says nothing about that.

    It does not where a match was given up through a fault of the server, or was missed by one of the two. Luck comes
    with the record of a match, which is open when its board is over.
    """
    total = Fraction(0)
    side_of = {seat: side for side, team in enumerate(question.teams) for seat in team}
    for match in board:
        if match.state != matches_pb2.MATCH_STATE_FINISHED:
            return None
        entrants = tuple(match.entrants)
        firsts, seconds = ([entrants.index(name) for name in side] for side in (question.firsts, question.seconds))
        if not set(match.missed).isdisjoint([*firsts, *seconds]):
            return None
        outcome = match.outcome
        result = MatchResult(
            entrants=entrants,
            points=tuple(outcome.points),
            places=tuple(outcome.places),
            forfeits=tuple(outcome.forfeits),
            sides=tuple(side_of[seat] for seat in range(len(entrants))) if side_of else (),
            luck=tuple(Fraction(round(1000 * points), 1000) for points in match.luck),
        )
        scores = without_luck(result, [booked(result, seat) for seat in range(len(entrants))])
        total += sum(scores[seat] for seat in firsts)
        total -= sum(scores[seat] for seat in seconds)
    return float(total / (len(board) * len(question.firsts)))
