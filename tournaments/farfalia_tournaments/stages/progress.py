"""What is next in a tournament of stages: a pure function of what was played, so that it can go on after any stop."""

from collections.abc import Iterable, Sequence
from fractions import Fraction

from farfalia_tournaments.stages.contest import Contest
from farfalia_tournaments.stages.drawing import Draw, Teams
from farfalia_tournaments.stages.model import (
    AwaitedResults,
    DrawnMatch,
    Entry,
    FinalStanding,
    NextRound,
    Stage,
    TournamentOver,
)
from farfalia_tournaments.stages.played_rounds import PlayedRounds
from farfalia_tournaments.stages.stage_results import StageResults


def next_round(
    stages: Sequence[Stage],
    entries: Sequence[Entry],
    played: Iterable[DrawnMatch],
    *,
    seats: int,
    seed: str,
    teams: Teams = (),
) -> NextRound | AwaitedResults | TournamentOver:
    """Return the round to be drawn next, or how many results are awaited, or that the tournament is over.

    `entries` are in the order of seeding; the stages have passed `check_stages`. The rounds of a round robin follow
    one another without waiting, so that they can be queued by asking again with each round's matches among the
    played; all others, and those that end once the first are known, wait for the results of the round before. Who
    leaves is replaced by a house bot in a round robin, and not drawn any more elsewhere; who comes late plays if the
    first stage is Swiss and not over. The same arguments give the same round; matches may be in any order.
    """
    played_rounds = PlayedRounds(played)
    draw = Draw(stages, StageResults(stages, entries, played_rounds, seats), played_rounds, seats, seed, teams)
    for stage in range(1, len(stages) + 1):
        if any(played_rounds.rounds(later) for later in range(stage + 1, len(stages) + 1)):
            continue
        missing = played_rounds.missing(stage)
        drawn = None if missing and stages[stage - 1].follows_results else draw.round(stage)
        if drawn:
            return drawn
        if missing:
            return AwaitedResults(missing)
    return TournamentOver()


def stage_contest(
    stages: Sequence[Stage],
    entries: Sequence[Entry],
    played: PlayedRounds,
    stage: int,
    *,
    seats: int,
    seed: str,
    teams: Teams = (),
) -> Contest | None:
    """Return who can still be among the first of a stage that ends once these are known; None for other stages.

    Also None until every entrant has a result. Entrants that have left are not counted.
    """
    return Draw(stages, StageResults(stages, entries, played, seats), played, seats, seed, teams).contest(stage)


def final_standings(
    stages: Sequence[Stage], entries: Sequence[Entry], played: Iterable[DrawnMatch], *, seats: int
) -> list[FinalStanding]:
    """Return everybody who has played or waits to play, best first: later stages before earlier ones, as they stand.

    Equal entrants of a stage share a place.
    """
    played_rounds = PlayedRounds(played)
    results = StageResults(stages, entries, played_rounds, seats)
    begun = [stage for stage in range(1, len(stages) + 1) if stage == 1 or played_rounds.rounds(stage)]
    rows: list[FinalStanding] = []
    for stage in reversed(begun):
        listed = {row.entrant for row in rows}
        keys: list[tuple[int, Fraction | None]] = []
        start = len(rows)
        for place in results.places(stage):
            if place.entrant in listed:
                continue
            keys.append((place.reached, place.score))
            score = None if place.score is None else float(place.score)
            rows.append(FinalStanding(start + 1 + keys.index(keys[-1]), place.entrant, stage, score))
    return rows
