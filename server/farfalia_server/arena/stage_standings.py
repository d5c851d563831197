"""The stages of a tournament as the contract's messages: who plays in each, how they stand, who qualifies."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from fractions import Fraction

from farfalia.v1 import stages_pb2, standings_pb2
from farfalia_server.organising.entries import entry_names, holders_of, numbers_of
from farfalia_server.organising.stage_messages import stage_message
from farfalia_server.organising.stage_progress import StageProgress, StageStandings
from farfalia_server.records.results import match_result
from farfalia_server.store import Entrant, Match
from farfalia_tournaments import Reason, booked, why_no_table
from farfalia_tournaments.stages import Contest, KnockoutScores, contest_sentence

#: Why an entrant of a stage has no table, as the contract has it; `local_presence` has those of ladders.
WAITS = {
    Reason.NOT_DRAWN: stages_pb2.STAGE_WAIT_NOT_DRAWN,
    Reason.AHEAD: stages_pb2.STAGE_WAIT_AHEAD,
    Reason.BEHIND: stages_pb2.STAGE_WAIT_BEHIND,
}


def stage_messages(
    progress: StageProgress, entrants: Sequence[Entrant], matches: Sequence[Match]
) -> list[stages_pb2.StageStandings]:
    """Return all stages, in their order; those that have not begun have no standings."""
    names = {entrant.number: entrant.name for entrant in entrants}
    messages = []
    for at, stage in enumerate(progress.standings(), start=1):
        rows: list[stages_pb2.StageStanding] = []
        for number, place in enumerate(stage.places, start=1):
            score = None if place.score is None else float(place.score)
            row = stages_pb2.StageStanding(
                place=number,
                entrant=names[place.entrant],
                score=score,
                reached_round=place.reached,
                qualified=place.entrant in stage.qualified,
            )
            _tell_outlook(row, place.entrant, stage)
            if rows and (rows[-1].reached_round, rows[-1].score) == (row.reached_round, row.score):
                row.place = rows[-1].place
            rows.append(row)
        messages.append(
            stages_pb2.StageStandings(
                stage=stage_message(stage.stage),
                rounds_drawn=stage.drawn,
                standings=rows,
                tables=_tables(stage, [match for match in matches if match.stage == at], entrants),
                byes=[
                    stages_pb2.KnockoutBye(round=played.number, entrant=names[number])
                    for played in stage.knockout
                    for number in played.byes
                ],
                contest=contest_sentence(stage.contest, names) if stage.contest else "",
                contest_reason=_contest_reason(stage.contest),
            )
        )
    return messages


def _tell_outlook(row: stages_pb2.StageStanding, entrant: int, stage: StageStandings) -> None:
    """Say in a row whether its entrant will be among the first of a stage that ends once these are known."""
    contest = stage.contest
    if contest is None or entrant not in contest.chances:
        return
    row.chance = contest.chances[entrant]
    if entrant in contest.contenders:
        row.outlook = stages_pb2.OUTLOOK_OPEN
    else:
        row.outlook = stages_pb2.OUTLOOK_AHEAD if entrant in contest.first else stages_pb2.OUTLOOK_BEHIND
    if (contest.known or entrant not in stage.seated) and (waits := why_no_table(contest, entrant)):
        row.waiting, row.waiting_reason = waits.sentence, WAITS[waits.reason]


def _contest_reason(contest: Contest | None) -> stages_pb2.ContestReason:
    """Return how far the question of a stage is answered that ends once its first are known."""
    if contest is None:
        return stages_pb2.CONTEST_REASON_UNSPECIFIED
    if contest.known:
        return stages_pb2.CONTEST_REASON_KNOWN
    everybody = len(contest.contenders) == len(contest.first) + len(contest.others)
    return stages_pb2.CONTEST_REASON_ALL_OPEN if everybody else stages_pb2.CONTEST_REASON_NARROWED


def _tables(
    stage: StageStandings, matches: Sequence[Match], entrants: Sequence[Entrant]
) -> list[stages_pb2.KnockoutTable]:
    """Return the tables of a stage that is a knock-out, by round and table; `matches` are those of the stage."""
    numbers, now = numbers_of(entrants), holders_of(entrants)
    reached = {place.entrant: place.reached for place in stage.places}
    found = []
    for played in stage.knockout:
        tables: defaultdict[int, list[Match]] = defaultdict(list)
        for match in matches:
            if match.round == played.number:
                tables[match.table].append(match)
        for table, own in sorted(tables.items()):
            seated = {
                numbers.get(seat.bot_id, -seat.bot_id): name
                for match in own
                for seat, name in zip(match.seats, entry_names(match, now), strict=True)
            }
            points = _points(own, now)
            rows = [
                stages_pb2.KnockoutResult(
                    entrant=seated[number],
                    points=points[seated[number]],
                    score=None if number not in played.scores else float(played.scores[number]),
                    advanced=reached.get(number, 0) > played.number,
                    house=number not in reached,
                )
                for number in sorted(seated, key=lambda one: _by_score(one, played, stage.seeds))
            ]
            if all(match.state.over for match in own):
                for row in rows:
                    row.place = 1 + sum(other.score > row.score for other in rows)
            found.append(
                stages_pb2.KnockoutTable(
                    round=played.number,
                    table=table,
                    entrants=sorted(seated.values()),
                    advanced=sorted(row.entrant for row in rows if row.advanced),
                    matches=[match.id for match in own],
                    results=rows,
                )
            )
    return found


def _by_score(number: int, played: KnockoutScores, seeds: Sequence[int]) -> tuple[bool, Fraction, int]:
    """Return what sorts the entrants of a table as they advance, those without a result and house bots last."""
    seed = seeds.index(number) if number in seeds else len(seeds)
    return number not in played.scores, -played.scores.get(number, Fraction(0)), seed


def _points(matches: Sequence[Match], now: Mapping[int, str]) -> Counter[str]:
    """Return the points of each entrant in finished matches; none where it lost its seat."""
    found: Counter[str] = Counter()
    for match in matches:
        if match.result is not None:
            result = match_result(match, entry_names(match, now))
            for seat, name in enumerate(result.entrants):
                found[name] += booked(result, seat)
    return found


def in_final_order(
    rows: Sequence[standings_pb2.Standing], progress: StageProgress, entrants: Sequence[Entrant]
) -> list[standings_pb2.Standing]:
    """Return the rows of a tournament's table in the order in which its stages leave them;
    house bots in between come last.
    """
    placed = {entrants[one.entrant].name: (at, one.place) for at, one in enumerate(progress.final())}
    last = len(placed) + 1
    ordered = sorted(rows, key=lambda row: placed.get(row.entrant, (last, last)))
    for row in ordered:
        row.place = placed.get(row.entrant, (last, last))[1]
    return ordered
