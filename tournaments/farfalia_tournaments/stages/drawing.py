"""The next round of one stage, of whatever kind."""

import random
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache

from farfalia_tournaments.schedules.boards import Seating, board_round
from farfalia_tournaments.schedules.chance import shuffled
from farfalia_tournaments.schedules.grouping import grouped
from farfalia_tournaments.schedules.knockout import default_advance, knockout_round
from farfalia_tournaments.schedules.model import Schedule
from farfalia_tournaments.schedules.round_robin import round_robin
from farfalia_tournaments.schedules.swiss import seated, swiss_round
from farfalia_tournaments.stages.contest import Contest, chosen_seats, contest_of, opposed_pair
from farfalia_tournaments.stages.model import NextRound, Stage, StageKind
from farfalia_tournaments.stages.played_rounds import PlayedRounds
from farfalia_tournaments.stages.stage_results import StageResults

#: Seats that play together, as `round_robin` takes them; hashable, as a schedule is kept for them.
Teams = tuple[tuple[int, ...], ...]

#: A round's number, its tables and byes, or None if the stage has no more rounds.
_Drawn = tuple[int, Sequence[Seating], Sequence[int]] | None


class Draw:
    """The drawing of rounds of each kind."""

    def __init__(
        self,
        stages: Sequence[Stage],
        results: StageResults,
        played_rounds: PlayedRounds,
        seats: int,
        seed: str,
        teams: Teams,
    ) -> None:
        self._stages, self._results, self._played_rounds, self._seats = stages, results, played_rounds, seats
        self._seed, self._teams = seed, teams

    def round(self, number: int) -> NextRound | None:
        """Draw the next round of a stage; None if it has no more, or needs none."""
        stage = self._stages[number - 1]
        contest = self.contest(number)
        if contest is not None and contest.known:
            return None
        opposed: Sequence[int] = self._results.members(number)[:2] if stage.opposed else ()
        if contest is not None and len(contest.contenders) < len(self._present(number)):
            drawn = self._final(number, contest)
            if drawn is not None and not opposed and self._teams:
                seated_now = [entrant for table in drawn[1] for entrant in table if entrant is not None]
                opposed = opposed_pair(contest, seated_now, self._rng(number, drawn[0]))
        else:
            rounds = {
                StageKind.ROUND_ROBIN: self._round_robin,
                StageKind.SWISS: self._swiss,
                StageKind.KNOCKOUT: self._knockout,
            }
            drawn = rounds[stage.kind](number)
        if drawn is None:
            return None
        round_, tables, byes = drawn
        earlier = self._played_rounds.matches(number)
        matches = board_round(
            tables,
            stage.boards,
            matches=stage.matches,
            stage=number,
            number=round_,
            earlier=earlier,
            teams=self._teams,
            opposed=opposed,
        )
        return NextRound(number, round_, matches, tuple(byes))

    def contest(self, number: int) -> Contest | None:
        """Return who can still be among the first of a stage that ends once these are known; None for others."""
        stage, rounds = self._stages[number - 1], self._played_rounds.rounds(number)
        if stage.until is None or not rounds:
            return None
        return contest_of(
            stage.until,
            self._results.counted(number),
            self._results.strengths(number),
            self._present(number),
            rounds=len(rounds),
            planned=self._planned(number),
        )

    def _final(self, number: int, contest: Contest) -> _Drawn:
        """Draw tables for those who can still be among the first, as long as the stage has rounds left."""
        round_ = self._next(number)
        if round_ > self._planned(number):
            return None
        rng = self._rng(number, round_)
        tables = max(1, len(contest.contenders) // self._seats)
        chosen = chosen_seats(contest, tables * self._seats, rng)
        history = self._played_rounds.history(number)
        # Where house bots fill the only table, there is nothing to group.
        groups = [chosen] if tables == 1 else grouped(chosen, self._seats, history.meetings, rng)
        full = [[*group, *[None] * (self._seats - len(group))] for group in groups]
        byes = [entrant for entrant in self._present(number) if entrant not in chosen]
        return round_, [seated(shuffled(rng, table), history) for table in full], byes

    def _planned(self, number: int) -> int:
        """Return how many rounds a round robin or a Swiss has at most."""
        stage = self._stages[number - 1]
        return stage.rounds or len(self._schedule(number).rounds)

    def _schedule(self, number: int) -> Schedule:
        stage, size = self._stages[number - 1], max(len(self._results.members(number)), self._seats)
        return stage_schedule(
            size, self._seats, stage.rounds, seed=self._seed, stage=number, teams=self._teams, short=stage.short
        )

    def _round_robin(self, number: int) -> _Drawn:
        members = self._results.members(number)
        schedule = self._schedule(number)
        there = set(self._present(number))
        named = {place: entrant for place, entrant in enumerate(members) if entrant in there}
        for round_ in range(self._next(number), len(schedule.rounds) + 1) if len(there) > 1 else ():
            drawn = schedule.rounds[round_ - 1]
            tables = [[named.get(place) for place in table] for table in drawn.tables]
            # Nobody may be left of a table, or of all tables of a round.
            if played := [table for table in tables if any(entrant is not None for entrant in table)]:
                return round_, played, [named[place] for place in drawn.byes if place in named]
        return None

    def _swiss(self, number: int) -> _Drawn:
        round_ = self._next(number)
        there = self._present(number)
        if round_ > (self._stages[number - 1].rounds or 0) or len(there) < 2:
            return None
        if len(there) < self._seats:
            return round_, [[*there, *[None] * (self._seats - len(there))]], []
        scores = self._results.scores(number)
        drawn = swiss_round(
            {entrant: scores.get(entrant, Fraction(0)) for entrant in there},
            self._seats,
            self._played_rounds.history(number),
            rng=self._rng(number, round_),
        )
        return round_, drawn.tables, drawn.byes

    def _knockout(self, number: int) -> _Drawn:
        state = self._results.knockout(number)
        there = set(self._present(number))
        still_in = [entrant for entrant in state.still_in if entrant in there]
        if state.decided or len(still_in) < 2:
            return None
        round_ = self._next(number)
        drawn = knockout_round(
            still_in,
            self._seats,
            self._stages[number - 1].advance or default_advance(self._seats),
            self._played_rounds.history(number),
            Counter(state.byes),
            rng=self._rng(number, round_),
        )
        return round_, drawn.tables, drawn.byes

    def _next(self, number: int) -> int:
        return 1 + max(self._played_rounds.rounds(number), default=0)

    def _present(self, number: int) -> list[int]:
        there = set(self._results.present(self._played_rounds.before(number + 1)))
        return [entrant for entrant in self._results.members(number) if entrant in there]

    def _rng(self, stage: int, number: int) -> random.Random:
        return random.Random(f"{self._seed}/{stage}/{number}")


@lru_cache(maxsize=16)
def stage_schedule(
    entrants: int,
    seats: int,
    rounds: int | None,
    *,
    seed: str,
    stage: int,
    teams: Teams = (),
    short: bool = False,
) -> Schedule:
    """Return the schedule of a round robin, which is the same whenever its stage is asked for its next round."""
    chance = seed if stage == 1 else f"{seed}/{stage}"
    return round_robin(entrants, seats, rounds, rng=random.Random(chance), teams=teams, short=short)
