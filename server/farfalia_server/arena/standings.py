"""The standings of a tournament, computed from its matches."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from uuid import uuid4

from farfalia.v1 import stages_pb2, standings_pb2, tournaments_pb2
from farfalia_server.arena.first_place import first_place_message
from farfalia_server.arena.messages import rating_values
from farfalia_server.arena.stage_standings import in_final_order, stage_messages
from farfalia_server.arena.tournament_progress import matches_per_hour, schedule
from farfalia_server.organising.entries import entry_names, holders_of
from farfalia_server.organising.stage_progress import StageProgress
from farfalia_server.rating.ladder_knowledge import known_entrants, known_strengths
from farfalia_server.records.looks import MOST_COMPARED, looks_of
from farfalia_server.records.results import baseline_without_luck, board_identity, match_result
from farfalia_server.store import Entrant, LadderKnowledge, Match, MatchState, Tournament
from farfalia_tournaments import (
    MatchResult,
    Rating,
    RatingSystem,
    Standing,
    StrengthFit,
    beyond_strength,
    count_missed,
    crosstable,
    fit_strengths,
    rate_units,
    shown,
    standings,
    units,
)
from farfalia_tournaments.schedules import Boards


@dataclass(frozen=True, slots=True)
class StandingsSnapshot:
    """What a tournament shows besides its row, the bots that still have matches to play, and the first match that is
    not over.

    `shown` has `finished`, `results_withheld`, `standings`, `strength_model`, `pair_model`, `pairs`, `stages`,
    `schedule`, `matches_per_hour`, `first_place` and `baselines_missing`: one message, since snapshots travel between
    processes.
    Snapshots with different stamps may differ.
    """

    shown: tournaments_pb2.Tournament = field(default_factory=tournaments_pb2.Tournament)
    unfinished: frozenset[int] = frozenset()
    front: int = 0
    stamp: str = ""


@dataclass(frozen=True, slots=True)
class RatingPrefix:
    """Ratings after the first matches of the schedule, all of which are over and may be seen.

    Matches are rated in the order of the schedule, so these need not be rated again.
    """

    matches: int = 0
    ratings: Mapping[str, Rating] = field(default_factory=dict)


def make_standings(
    system: RatingSystem,
    rated: RatingPrefix,
    tournament: Tournament,
    matches: Sequence[Match],
    entrants: Sequence[Entrant],
    house: set[str],
    families: Mapping[str, str],
    knowledge: Sequence[LadderKnowledge],
    baselines: Mapping[str, Sequence[int]],
    former: Mapping[int, str],
) -> tuple[RatingPrefix, StandingsSnapshot]:
    """Return the ratings that are settled now, and the snapshot to show.

    `rated` is what was settled last time, `house` has the names of house bots, `families` what entrants have in common
    with those that are nearly like them, `knowledge` is what a ladder knew of bots before, `baselines` are house bots'
    points by board, `former` the names of bots that were replaced. What those have made counts for their entries;
    ratings alone are of the bots that played.
    """
    over = [match for match in matches if match.result is not None]
    results = {match.id: match_result(match, [seat.name for seat in match.seats]) for match in over}
    now = holders_of(entrants)
    of_entries = [match_result(match, entry_names(match, now)) for match in over]
    rated, ratings = _ratings(system, rated, matches, results)
    called = {
        board_identity(match): baseline_without_luck(match, baselines[match.board])
        for match in matches
        if match.board in baselines
    }
    known = known_entrants(entrants, knowledge, over)
    snapshot = _snapshot(of_entries, ratings, tournament, matches, entrants, house, families, known, called)
    if former:
        _name_former(snapshot.shown.standings, [*results.values()], entrants, former)
    snapshot.shown.baselines_missing = _missing(tournament, matches, baselines)
    return rated, snapshot


def _snapshot(
    results: Sequence[MatchResult[str]],
    ratings: Mapping[str, Rating],
    tournament: Tournament,
    matches: Sequence[Match],
    entrants: Sequence[Entrant],
    house: set[str],
    families: Mapping[str, str],
    known: Mapping[str, LadderKnowledge],
    baselines: Mapping[str, Sequence[int]],
) -> StandingsSnapshot:
    # Places are won in this tournament alone. Who is stronger is another question: what is known besides helps there.
    fit, looks = fit_strengths(results, baselines, families), looks_of(tournament, matches)
    strengths = pairwise = fit.watched(looks)
    if known:
        pairwise = fit_strengths(results, baselines, families, known_strengths(known)).watched(looks)
    ranked = standings(results, ratings, baselines, strengths)
    rows = [_standing(row, tournament.ruleset, row.entrant in house) for row in ranked]
    played = {row.entrant for row in rows}
    missed = count_missed(results)
    rows += [
        standings_pb2.Standing(
            place=len(ranked) + 1,
            entrant=entrant.name,
            house=entrant.name in house,
            forfeits=missed[entrant.name],
            missed=missed[entrant.name],
        )
        for entrant in entrants
        if entrant.name not in played
    ]
    stages: list[stages_pb2.StageStandings] = []
    if tournament.stages:
        progress = StageProgress.of(tournament, entrants, matches, families)
        stages = stage_messages(progress, entrants, matches)
        rows = in_final_order(rows, progress, entrants)
    gone = {entrant.name for entrant in entrants if entrant.gone is not None}
    for row in rows:
        row.withdrawn = row.entrant in gone
    unfinished = [match for match in matches if not match.state.over]
    message = tournaments_pb2.Tournament(
        finished=sum(match.state is MatchState.FINISHED for match in matches),
        results_withheld=sum(match.result_withheld for match in matches),
        standings=rows,
        pairs=_pairs(results, rows, pairwise) if len(rows) <= MOST_COMPARED else (),
        stages=stages,
        strength_model=_strength_model(strengths, [row.entrant for row in rows], {}) if played else None,
        pair_model=_strength_model(pairwise, [row.entrant for row in rows], known) if pairwise.known else None,
        schedule=schedule(matches),
        matches_per_hour=matches_per_hour(matches),
        first_place=first_place_message(tournament, matches, rows, fit),
    )
    return StandingsSnapshot(
        message,
        frozenset(bot for match in unfinished for bot in match.bot_ids),
        min((match.id for match in unfinished), default=0),
        uuid4().hex,
    )


def _name_former(
    rows: Sequence[standings_pb2.Standing],
    results: Sequence[MatchResult[str]],
    entrants: Sequence[Entrant],
    former: Mapping[int, str],
) -> None:
    """Say in rows of standings which bots have played for their entries before; `results` are by bot."""
    own = Counter(name for result in results for name in shown(result))
    names = {entrant.name: [former[one.bot_id] for one in entrant.former] for entrant in entrants if entrant.former}
    for row in rows:
        row.formerly.extend(names.get(row.entrant, ()))
        if row.formerly and row.HasField("rating"):
            row.rating.matches = own[row.entrant]


def _pairs(
    results: Sequence[MatchResult[str]],
    rows: Sequence[standings_pb2.Standing],
    strengths: StrengthFit[str],
) -> Iterator[standings_pb2.Pair]:
    numbers = {row.entrant: number for number, row in enumerate(rows)}
    beyond = {}
    for own in beyond_strength(results):
        beyond[own.entrant, own.other] = own.points, own.error, own.stands_out
        beyond[own.other, own.entrant] = -own.points, own.error, own.stands_out
    compared: dict[tuple[str, str], tuple[float, float, float, bool]] = {}
    for (one, other), pair in crosstable(results).items():
        points, error, stands_out = beyond.get((one, other), (0.0, 0.0, False))
        upper, lower = sorted((one, other), key=numbers.__getitem__)
        if (upper, lower) not in compared:
            interval, stronger = strengths.difference_interval(upper, lower), strengths.probability(upper, lower)
            compared[upper, lower] = *interval, stronger, not strengths.knows_probability(upper, lower)
        low, high, stronger, doubtful = compared[upper, lower]
        if one != upper:
            low, high, stronger = -high, -low, 1 - stronger
        yield standings_pb2.Pair(
            row=numbers[one],
            column=numbers[other],
            meetings=pair.meetings,
            better=pair.better,
            equal=pair.equal,
            stronger=stronger,
            beyond_strength=points,
            beyond_error=error,
            stands_out=stands_out,
            difference=strengths.strength(one).mean - strengths.strength(other).mean,
            difference_low=low,
            difference_high=high,
            doubtful=doubtful,
        )


def _strength_model(
    fit: StrengthFit[str], entrants: Sequence[str], known: Mapping[str, LadderKnowledge]
) -> standings_pb2.StrengthModel:
    """Return the model behind the strengths of these entrants, some of which may have no results."""
    shown_of = set(fit.entrants)
    of = [fit.precisions(entrant) if entrant in shown_of else [0.0] * len(fit.components) for entrant in entrants]
    return standings_pb2.StrengthModel(
        hand=fit.hand,
        block=fit.block,
        luck=fit.luck,
        priors=[
            standings_pb2.StrengthPrior(
                weight=part.weight,
                precisions=[own[number] for own in of],
                families=part.family_precisions,
                known=part.known_precisions,
            )
            for number, part in enumerate(fit.components)
        ],
        families=[
            standings_pb2.StrengthFamily(rows=sorted(map(list(entrants).index, family))) for family in fit.families
        ],
        known=[
            standings_pb2.KnownStrength(
                row=list(entrants).index(entrant),
                ladder=known[entrant].ladder,
                mean=known[entrant].mean,
                sigma=known[entrant].sigma,
                matches=known[entrant].matches,
            )
            for entrant in fit.known
        ],
    )


def _missing(tournament: Tournament, matches: Sequence[Match], baselines: Mapping[str, Sequence[int]]) -> int:
    """Return how many boards with a single table still lack the house bots' points."""
    if tournament.boards != Boards.DATUM:
        return 0
    tables = Counter(match.board for match in matches)
    alone = {match.board for match in matches if match.result is not None and tables[match.board] == 1}
    return len(alone - baselines.keys())


def _ratings(
    system: RatingSystem, rated: RatingPrefix, matches: Sequence[Match], results: Mapping[int, MatchResult[str]]
) -> tuple[RatingPrefix, Mapping[str, Rating]]:
    """Return what is settled by now, and the ratings after all finished matches, in the order of the schedule.

    `results` are those of the finished matches that may be seen, by match.

    Matches of one table in one round are rated together if they have equal cards.
    """
    ratings, front, settled, settling = dict(rated.ratings), rated.matches, rated, True
    for _, group in groupby(matches[rated.matches :], key=_table_of):
        table = list(group)
        ratings = rate_units(units([results[match.id] for match in table if match.id in results]), system, ratings)
        front += len(table)
        settling = settling and all(match.state.over and not match.result_withheld for match in table)
        if settling:
            settled = RatingPrefix(front, ratings)
    return settled, ratings


def _table_of(match: Match) -> tuple[int, int, frozenset[int]]:
    return match.stage, match.round, frozenset(match.bot_ids)


def _standing(row: Standing[str], ladder: str, house: bool) -> standings_pb2.Standing:
    rating = row.rating
    return standings_pb2.Standing(
        place=row.place,
        entrant=row.entrant,
        house=house,
        matches=row.matches,
        points=row.points,
        relative=row.relative,
        adjusted=row.adjusted,
        units=row.units,
        places=row.places,
        rating=None if rating is None else rating_values(ladder, rating.mu, rating.sigma, row.matches),
        strikes=row.strikes,
        forfeits=row.forfeits,
        missed=row.missed,
        margin=(row.interval[1] - row.interval[0]) / 2,
        best_rank=row.ranks[0],
        worst_rank=row.ranks[1],
        brackets=row.brackets,
    )
