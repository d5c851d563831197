"""A tournament with stages as the tournaments' room takes it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from farfalia_engine import ruleset
from farfalia_server.organising.entries import numbers_of
from farfalia_server.organising.stage_messages import stages_stored
from farfalia_server.organising.staging import PLAN_SEED
from farfalia_server.records.results import match_result
from farfalia_server.store import Entrant, Match, NewMatch, Seat, Tournament
from farfalia_tournaments import (
    AwaitedResults,
    DrawnMatch,
    Entry,
    FinalStanding,
    NextRound,
    Stage,
    StageKind,
    TournamentOver,
    final_standings,
    next_round,
)
from farfalia_tournaments import Match as ScheduledMatch
from farfalia_tournaments.stages import (
    Contest,
    KnockoutScores,
    PlayedRounds,
    StageResults,
    StageStanding,
    stage_contest,
)


@dataclass(frozen=True, slots=True)
class StageStandings:
    """A stage so far: rounds drawn, who plays in it, best first, and who has qualified for the next.

    A knock-out that has begun has its members, best seed first, and its rounds; house bots that are no entrants have
    negative numbers there, those of their bots. A stage that ends once the first are known has who can still be among
    them, and who has a table in its last round.
    """

    stage: Stage
    drawn: int
    places: tuple[StageStanding, ...]
    qualified: frozenset[int]
    seeds: tuple[int, ...] = ()
    knockout: tuple[KnockoutScores, ...] = ()
    contest: Contest | None = None
    seated: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class StageProgress:
    """What was drawn and played; entrants are called by their numbers, best seed first."""

    stages: tuple[Stage, ...]
    entries: tuple[Entry, ...]
    played: tuple[DrawnMatch, ...]
    seats: int
    seed: str
    teams: tuple[tuple[int, ...], ...]

    @classmethod
    def of(
        cls,
        tournament: Tournament,
        entrants: Sequence[Entrant],
        matches: Sequence[Match],
        families: Mapping[str, str],
    ) -> StageProgress:
        """Return how far a tournament with stages has come; `families` are as `families_of` returns them."""
        rules = ruleset(tournament.ruleset, tournament.options)
        numbers = numbers_of(entrants)
        return cls(
            stages_stored(tournament.stages),
            tuple(Entry(one.number, one.came, one.gone, families[one.name]) for one in entrants),
            tuple(_played(match, numbers) for match in matches if match.replaced_by is None),
            rules.seats,
            tournament.seed or PLAN_SEED,
            rules.teams or (),
        )

    def next(self) -> NextRound | AwaitedResults | TournamentOver:
        """Return what is next; the same for the same matches."""
        return next_round(self.stages, self.entries, self.played, seats=self.seats, seed=self.seed, teams=self.teams)

    def final(self) -> list[FinalStanding]:
        """Return how everybody stands over all stages, best first."""
        return final_standings(self.stages, self.entries, self.played, seats=self.seats)

    def standings(self) -> list[StageStandings]:
        """Return how everybody stands in each stage."""
        played = PlayedRounds(self.played)
        results = StageResults(self.stages, self.entries, played, self.seats)
        standings = []
        for number, stage in enumerate(self.stages, start=1):
            drawn = len(played.rounds(number))
            begun = drawn > 0 or number == 1
            qualified = results.members(number + 1) if number < len(self.stages) and played.rounds(number + 1) else ()
            places = tuple(results.places(number)) if begun else ()
            standings.append(StageStandings(stage, drawn, places, frozenset(qualified)))
            if begun and stage.kind is StageKind.KNOCKOUT:
                seeds, knockout = tuple(results.members(number)), results.knockout(number).rounds
                standings[-1] = replace(standings[-1], seeds=seeds, knockout=knockout)
            if drawn and stage.until is not None:
                standings[-1] = replace(
                    standings[-1],
                    contest=stage_contest(
                        self.stages,
                        self.entries,
                        played,
                        number,
                        seats=self.seats,
                        seed=self.seed,
                        teams=self.teams,
                    ),
                    seated=frozenset(
                        entrant
                        for table in played.tables(number, played.rounds(number)[-1])
                        for entrant in table
                        if entrant is not None
                    ),
                )
        return standings


def new_match(match: ScheduledMatch, entrants: Sequence[Entrant], fillers: Sequence[Seat]) -> NewMatch:
    """Return a drawn match as it is written down; house bots sit where no entrant does."""
    free = iter(fillers)
    seats = (next(free) if number is None else entrants[number].seat for number in match.entrants)
    return NewMatch(match.round, match.board, tuple(seats), match.stage, match.table, match.replay)


def _played(match: Match, numbers: dict[int, int]) -> DrawnMatch:
    scheduled = ScheduledMatch(
        match.stage,
        match.round,
        match.table,
        match.board,
        match.replay,
        tuple(numbers.get(bot) for bot in match.bot_ids),
    )
    # House bots that are no entrants have numbers below all others.
    players = [numbers.get(bot, -bot) for bot in match.bot_ids]
    result = None if match.result is None else match_result(match, players)
    return DrawnMatch(scheduled, result, void=match.state.given_up)
