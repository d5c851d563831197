"""Tournaments with stages, round by round, as the director draws them."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest
from tests.server.arena_world import World
from tests.server.migrated import sqlite_url
from tests.server.organising.staged import begun, matches_of, names, play_out, play_round
from tests.server.void_attempts import void

from farfalia.v1 import stages_pb2, tournaments_pb2
from farfalia_engine import places
from farfalia_server.contract.errors import FailedPrecondition, InvalidArgument
from farfalia_server.net.worker_process import WorkerProcess
from farfalia_server.organising import stage_progress
from farfalia_server.organising.director import Director
from farfalia_server.organising.round_drawing import RoundDrawing
from farfalia_server.store import Match, MatchState, TournamentState
from farfalia_tournaments import MatchResult


def rounds_of(matches: list[Match]) -> dict[tuple[int, int], int]:
    """How many matches each round of each stage has, in the order in which they were drawn."""
    return dict(Counter((match.stage, match.round) for match in matches))


async def test_nothing_is_drawn_before_the_start(world: World) -> None:
    await world.register(*names(6))
    tournament = await world.plan("staged", names(6), stages="swiss:rounds=3", ruleset="two")
    assert (tournament.rounds, tournament.expected) == (3, 9)
    await Director(world.store, filler="greedy").look()
    assert await matches_of(world, tournament) == []
    message = await world.reader.tournament(tournament.id)
    assert (message.matches, message.finished) == (9, 0)
    (stage,) = message.stages
    assert stage.rounds_drawn == 0
    assert stage.stage == stages_pb2.Stage(kind=stages_pb2.STAGE_KIND_SWISS, rounds=3, boards=stages_pb2.BOARDS_DATUM)


async def test_a_swiss_round_is_drawn_when_the_one_before_is_over_and_nobody_meets_twice(world: World) -> None:
    tournament = await begun(world, 6, "swiss:rounds=3")
    assert rounds_of(await matches_of(world, tournament)) == {(1, 1): 3}
    await play_round(world, tournament, leave=1)
    assert rounds_of(await matches_of(world, tournament)) == {(1, 1): 3}
    await play_round(world, tournament)
    assert rounds_of(await matches_of(world, tournament)) == {(1, 1): 3, (1, 2): 3}
    matches = await play_out(world, tournament)
    assert rounds_of(matches) == {(1, 1): 3, (1, 2): 3, (1, 3): 3}
    assert [match.number for match in matches] == list(range(1, 10))
    assert len({frozenset(match.bot_ids) for match in matches}) == 9
    assert {match.board for match in matches} == {"board-1-1", "board-1-2", "board-1-3"}
    over = await world.store.tournaments.get(tournament.id)
    assert over.state is TournamentState.FINISHED
    assert over.secret


async def test_the_best_of_a_round_robin_go_on_to_a_knockout_and_the_final_decides(world: World) -> None:
    tournament = await begun(world, 6, "round-robin:rounds=5,qualifiers=4 knockout:advance=1")
    matches = await play_out(world, tournament)
    assert rounds_of(matches) == {(1, n): 3 for n in range(1, 6)} | {(2, 1): 2, (2, 2): 1}
    message = await world.reader.tournament(tournament.id)
    assert message.state == tournaments_pb2.TOURNAMENT_STATE_FINISHED
    assert message.matches == message.finished == len(matches) == tournament.expected
    first, second = message.stages
    best = [row.entrant for row in first.standings[:4]]
    assert [row.entrant for row in first.standings if row.qualified] == best
    assert {row.entrant for row in second.standings} == set(best)
    assert [row.reached_round for row in second.standings] == [2, 2, 1, 1]
    (final,) = [match for match in matches if (match.stage, match.round) == (2, 2)]
    assert final.result is not None
    # Points less luck decide, not places: whose cards were worth more may win the match and lose the final.
    scores = [1000 * points - luck for points, luck in zip(final.result.points, final.result.luck, strict=True)]
    if scores[0] != scores[1]:
        winner = final.seats[scores.index(max(scores))].name
        assert message.standings[0].entrant == second.standings[0].entrant == winner
    assert [row.place for row in message.standings] == sorted(row.place for row in message.standings)
    assert [row.entrant for row in message.standings[:4]] == [row.entrant for row in second.standings]
    assert {row.entrant for row in message.standings[4:]} == set(names(6)) - set(best)


async def test_house_bots_sit_where_a_knockout_has_nobody_and_never_go_on(world: World) -> None:
    tournament = await begun(world, 7, "knockout:advance=1", "three")
    matches = await play_out(world, tournament)
    fillers = {seat.name for match in matches for seat in match.seats if seat.filler}
    assert all(name.startswith("house-greedy-") for name in fillers)
    message = await world.reader.tournament(tournament.id)
    assert message.state == tournaments_pb2.TOURNAMENT_STATE_FINISHED
    assert {row.entrant for row in message.stages[0].standings} == set(names(7))
    assert [row.entrant for row in message.standings[:7]] == [row.entrant for row in message.stages[0].standings]
    assert all(row.place == 8 for row in message.standings[7:])


async def test_house_bots_fill_a_field_that_is_smaller_than_a_table(world: World) -> None:
    tournament = await begun(world, 2, "swiss:rounds=2", "three")
    matches = await play_out(world, tournament)
    assert rounds_of(matches) == {(1, 1): 1, (1, 2): 1}
    assert [sum(seat.filler for seat in match.seats) for match in matches] == [1, 1]


async def test_each_stage_has_the_boards_that_it_names(world: World) -> None:
    tournament = await begun(world, 4, "round-robin:rounds=1 round-robin:rounds=1,boards=rotations")
    matches = await play_out(world, tournament)
    assert [(match.stage, match.board, match.replay) for match in matches] == [
        (1, "board-1-1", 1),
        (1, "board-1-1", 1),
        (2, "board-2-1-1", 1),
        (2, "board-2-1-1", 2),
        (2, "board-2-1-2", 1),
        (2, "board-2-1-2", 2),
    ]


async def test_two_directors_that_look_at_once_draw_a_round_once(world: World) -> None:
    await world.register(*names(8))
    tournament = await world.plan("staged", names(8), stages="swiss:rounds=2", ruleset="two")
    await world.store.tournaments.start(tournament.id)
    await asyncio.gather(*(Director(world.store, filler="greedy").look() for _ in range(3)))
    assert rounds_of(await matches_of(world, tournament)) == {(1, 1): 4}


async def test_a_tournament_of_many_matches_is_read_and_drawn_by_the_worker_process_alone(
    world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("farfalia_server.organising.round_drawing.SMALL", 2)
    read, of_tournament = [], world.store.matches.of_tournament

    async def noting(tournament: int) -> list[Match]:
        read.append(tournament)
        return await of_tournament(tournament)

    monkeypatch.setattr(world.store.matches, "of_tournament", noting)
    tournament = await begun(world, 6, "round-robin:rounds=5")
    assert len(read) == 1
    async with WorkerProcess() as worker:
        rounds = RoundDrawing(world.store, worker, sqlite_url(tmp_path / "farfalia.db"))
        director = Director(world.store, rounds, filler="greedy")
        for finished in range(1, 13):
            await world.play(finished)
            await director.look()
    assert len(read) == 1
    assert rounds_of(await of_tournament(tournament.id)) == {(1, number): 3 for number in range(1, 6)}


async def test_a_match_that_is_given_up_does_not_hold_the_next_round_up(world: World) -> None:
    tournament = await begun(world, 4, "swiss:rounds=2")
    await play_round(world, tournament, leave=1)
    last = (await matches_of(world, tournament))[-1]
    for _ in range(5):
        await void(world.store, last.id)
    await Director(world.store, filler="greedy").look()
    assert rounds_of(await matches_of(world, tournament)) == {(1, 1): 2, (1, 2): 2}


async def test_a_cancelled_tournament_has_no_more_rounds_and_cannot_be_cancelled_again(world: World) -> None:
    tournament = await begun(world, 4, "swiss:rounds=2")
    await world.store.tournaments.cancel(tournament.id)
    await Director(world.store, filler="greedy").look()
    matches = await matches_of(world, tournament)
    assert rounds_of(matches) == {(1, 1): 2}
    assert {match.state for match in matches} == {MatchState.CANCELLED}
    with pytest.raises(FailedPrecondition, match="is cancelled; expected planned or running"):
        await world.store.tournaments.cancel(tournament.id)


async def test_the_same_results_give_the_same_rounds(world: World) -> None:
    tournament = await begun(world, 6, "swiss:rounds=2")
    again = await world.plan("again", names(6), stages="swiss:rounds=2", ruleset="two")
    await world.store.tournaments.start(again.id)
    await Director(world.store, filler="greedy").look()
    first, second = await matches_of(world, tournament), await matches_of(world, again)
    assert [match.bot_ids for match in first] == [match.bot_ids for match in second]


@pytest.mark.parametrize(
    ("stages", "field", "words"),
    [
        ("swiss", "stages", "stage 1, swiss: no rounds"),
        ("swiss:rounds=0", "stages", "stage 1, swiss: rounds 0: expected 1 to 10000"),
        ("swiss:rounds=9999,matches=3", "stages", "stage 1, swiss: at least 89991 matches: expected at most 20000"),
        ("swiss:rounds=2,qualifiers=0 knockout", "stages", "stage 1, swiss: qualifiers 0: expected at least 1"),
        ("swiss:rounds=2,qualifiers=7 knockout", "stages", "stage 1, swiss: qualifiers 7: expected at most 6"),
        ("swiss:rounds=2,qualifiers=1 knockout", "stages", "stage 2, knockout: 1 entrants: expected at least 2"),
        (
            "round-robin:rounds=10,matches=400 round-robin:rounds=10,matches=400",
            "stages",
            "these stages are 24000 matches; expected at most 20000",
        ),
    ],
)
async def test_stages_that_cannot_be_are_named_and_leave_nothing_behind(
    world: World, stages: str, field: str, words: str
) -> None:
    await world.register(*names(6))
    with pytest.raises(InvalidArgument, match=words) as refusal:
        await world.plan("staged", names(6), stages=stages, ruleset="two")
    assert refusal.value.field == field
    assert await world.store.tournaments.all() == []


async def test_rounds_beside_stages_are_refused(world: World) -> None:
    await world.register(*names(6))
    with pytest.raises(InvalidArgument, match="rounds is 3 with stages; expected 0, each stage names its own"):
        await world.plan("staged", names(6), rounds=3, stages="swiss:rounds=2", ruleset="two")


async def test_matches_of_tournaments_with_stages_alone_wake_the_director(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Looking costs milliseconds, and most matches belong to a tournament that was planned whole."""
    woken: list[str] = []
    director = Director(world.store, filler="greedy")
    staged = await begun(world, 6, "swiss:rounds=2")
    plain = await world.plan("plain", names(2), rounds=2, ruleset="two")
    await world.store.tournaments.start(plain.id)
    async with director:
        for tournament in (plain, staged):
            monkeypatch.setattr(director, "wake", lambda name=tournament.name: woken.append(name))
            await play_round(world, tournament, leave=1)  # with the last one, the tournament itself changes
    assert set(woken) == {staged.name}


async def test_a_tournament_ends_by_its_rule_before_all_rounds_are_played(world: World) -> None:
    # Of two, one is the stronger with 50 % at least after any result.
    tournament = await begun(world, 2, "round-robin:rounds=9,until-first=1,until-percent=50")
    assert (tournament.rounds, tournament.expected) == (9, 9)
    await Director(world.store, filler="greedy").look()
    assert rounds_of(await matches_of(world, tournament)) == {(1, 1): 1}
    assert rounds_of(await play_out(world, tournament)) == {(1, 1): 1}
    over = await world.reader.tournament(tournament.id)
    assert over.state == tournaments_pb2.TOURNAMENT_STATE_FINISHED
    assert (over.stages[0].rounds_drawn, over.stages[0].stage.until_first) == (1, 1)
    assert (over.rounds, over.matches, over.finished) == (9, 1, 1)


async def test_tables_go_to_those_who_can_still_be_first_and_the_others_see_why(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Nothing but places decides here: the results of matches do not matter.
    tournament = await begun(world, 6, "round-robin:rounds=20,until-first=1")
    best, second, *_ = names(6)
    monkeypatch.setattr(stage_progress, "match_result", lambda match, players: _ahead(match, players, best, second))
    for _ in range(12):
        if not await play_round(world, tournament):
            break
    message = await world.reader.tournament(tournament.id)
    (stage,) = message.stages
    of = {row.entrant: row for row in stage.standings}
    assert stage.contest_reason == stages_pb2.CONTEST_REASON_NARROWED
    assert stage.contest.startswith(f"2 of 6 can still be first: {best} and {second}.")
    assert {name for name, row in of.items() if row.outlook == stages_pb2.OUTLOOK_OPEN} == {best, second}
    assert {row.waiting for name, row in of.items() if row.outlook == stages_pb2.OUTLOOK_BEHIND} == {
        "It cannot be first any more: tables go to those who can."
    }
    assert sum(row.chance for row in stage.standings) == pytest.approx(1)
    matches = await matches_of(world, tournament)
    last = max(match.round for match in matches)
    assert [{seat.name for seat in match.seats} for match in matches if match.round == last] == [{best, second}]


def _ahead(match: Match, players: Sequence[int], *leaders: str) -> MatchResult[int]:
    """A result in which leaders are far ahead of the others, and level with each other."""
    luck = random.Random(match.number)
    points = tuple(100 + 60 * (seat.name in leaders) + luck.randrange(-9, 10) for seat in match.seats)
    return MatchResult(tuple(players), points, tuple(places(points)), board=match.board)
