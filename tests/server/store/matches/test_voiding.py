"""Matches that people, or a network that failed, take out of a tournament: what they leave behind."""

from __future__ import annotations

import pytest
from tests.server.arena_world import World
from tests.server.organising.staged import begun, matches_of, names, play_out, play_round

from farfalia.v1 import tournaments_pb2
from farfalia_server.contract.errors import FailedPrecondition, InvalidArgument, NotFound
from farfalia_server.organising.deciding import void_matches
from farfalia_server.organising.entries import families_of
from farfalia_server.organising.stage_progress import StageProgress
from farfalia_server.store import Act, Match, MatchState, PauseCause, Tournament, VoidReason
from farfalia_server.store.matches.voiding import Voided
from farfalia_tournaments import NextRound


async def decide(world: World, number: int, **asked: object) -> Voided:
    """Void what a request names, as Helga."""
    request = tournaments_pb2.VoidMatchesRequest(id=number, **{"reason": "power cut", **asked})  # type: ignore[arg-type]
    return await void_matches(world.store, request, "helga")


async def rounds_of(world: World, tournament: Tournament) -> list[list[Match]]:
    """The matches of each round of the first stage."""
    matches = await matches_of(world, tournament)
    return [[one for one in matches if one.round == number] for number in range(1, 1 + matches[-1].round)]


async def test_a_match_that_is_played_again_counts_once(world: World) -> None:
    """In the planned number, the progress, the rounds and the tables: the void one is in none of them."""
    tournament = await begun(world, 4, "swiss:rounds=1 knockout:advance=1")
    await play_round(world, tournament)
    replayed = (await matches_of(world, tournament))[-1]
    assert (replayed.stage, replayed.round) == (2, 1)
    await world.play(replayed.id)
    for _ in range(2):
        await decide(world, tournament.id, matches=[replayed.id], replay=True)
    shown = await world.reader.tournament(tournament.id)
    assert (shown.matches, shown.finished) == (tournament.expected, 2)
    assert [(row.stage, row.round, row.matches, row.over) for row in shown.schedule] == [(1, 1, 2, 2), (2, 1, 2, 0)]
    tables = shown.stages[1].tables
    assert [len(table.matches) for table in tables] == [1, 1]
    assert replayed.id not in {match for table in tables for match in table.matches}
    matches = await play_out(world, tournament)
    over = await world.reader.tournament(tournament.id)
    assert over.state == tournaments_pb2.TOURNAMENT_STATE_FINISHED
    assert over.matches == over.finished == tournament.expected == len(matches) - 1
    assert [(row.matches, row.over) for row in over.schedule] == [(2, 2), (2, 2), (1, 1)]


async def test_a_match_that_is_void_for_good_is_neither_open_nor_decided(world: World) -> None:
    tournament = await begun(world, 4, "round-robin:rounds=3")
    first, second = await matches_of(world, tournament)
    for match in (first, second):
        await world.play(match.id)
    assert sum(row.matches for row in (await world.reader.tournament(tournament.id)).standings) == 4
    done = await decide(world, tournament.id, matches=[first.id])
    assert (done.matches, done.instead) == ((first.id,), {})
    shown = await world.reader.tournament(tournament.id)
    assert (shown.matches, shown.finished) == (tournament.expected, 1)
    assert sum(row.matches for row in shown.standings) == 2
    left_out = {seat.name for seat in first.seats}
    assert {row.HasField("rating") for row in shown.standings if row.entrant in left_out} == {False}
    await play_round(world, tournament)  # draws the next one
    await play_out(world, tournament)
    over = await world.reader.tournament(tournament.id)
    assert over.state == tournaments_pb2.TOURNAMENT_STATE_FINISHED
    assert over.finished == tournament.expected - 1
    assert sum(row.matches for row in over.standings) == 2 * over.finished


async def test_a_result_from_which_a_round_was_drawn_is_void_only_after_that_round(world: World) -> None:
    tournament = await begun(world, 4, "swiss:rounds=2 knockout:advance=1")
    for _ in range(2):
        await play_round(world, tournament)
    by_round = {(one.stage, one.round): one.id for one in await matches_of(world, tournament)}
    for stage, round_ in ((1, 1), (1, 2)):
        with pytest.raises(FailedPrecondition, match="void the later rounds first, the last one first") as refusal:
            await decide(world, tournament.id, matches=[by_round[stage, round_]])
        assert refusal.value.reason == "LATER_ROUNDS_DRAWN"
    await decide(world, tournament.id, stage=2, round=1)
    await decide(world, tournament.id, stage=1, round=2)
    assert (await decide(world, tournament.id, matches=[by_round[1, 1]])).matches == (by_round[1, 1],)
    voided = {one.id for one in await matches_of(world, tournament) if one.state is MatchState.VOID}
    assert set(by_round.values()) <= voided


async def test_a_void_round_is_drawn_anew_once_the_results_behind_it_have_changed(world: World) -> None:
    tournament = await begun(world, 4, "swiss:rounds=3")
    for _ in range(2):
        await play_round(world, tournament)
    first, second, third = await rounds_of(world, tournament)
    await world.store.pauses.pause(tournament.id, PauseCause.ORGANISER, "power cut", who="helga")
    for round_ in (3, 2):
        await decide(world, tournament.id, stage=1, round=round_)
    # The first round has no results any more, as after a power cut: seeds 1 and 2 meet again.
    await decide(world, tournament.id, stage=1, round=1, replay=True)
    for outdated in (second, third):
        again = await decide(world, tournament.id, matches=[one.id for one in outdated], replay=True)
        assert (again.matches, again.instead) == ((), {}), "nobody plays seats that were drawn from other results"
    with pytest.raises(NotFound, match="has no stage 1, round 2; expected one that has been drawn"):
        await decide(world, tournament.id, stage=1, round=2, replay=True)
    await world.store.pauses.resume(tournament.id, who="helga")
    shown = await world.reader.tournament(tournament.id)
    assert (shown.matches, shown.finished) == (6, 0)
    assert [(row.stage, row.round, row.matches, row.over) for row in shown.schedule] == [(1, 1, 2, 0)]
    await play_out(world, tournament)
    matches = await matches_of(world, tournament)
    counted = [one for one in matches if one.replaced_by is None]
    assert [(one.round, one.state) for one in counted] == [(n, MatchState.FINISHED) for n in (1, 1, 2, 2, 3, 3)]
    assert not {one.board for one in counted} & {one.board for one in (*first, *second, *third)}
    assert len({one.board for one in counted if one.round == 2}) == 1, "the tables of a round share a board"
    assert len({frozenset(one.bot_ids) for one in counted}) == 6, "nobody meets anybody twice"
    over = await world.reader.tournament(tournament.id)
    assert over.state == tournaments_pb2.TOURNAMENT_STATE_FINISHED
    assert over.finished == over.matches == 6
    entrants = await world.store.tournaments.entrants(tournament.id)
    follow = StageProgress.of(
        await world.store.tournaments.get(tournament.id),
        entrants,
        [one for one in counted if one.round == 1],
        families_of(entrants, await world.store.bots.by_ids(entrant.bot_id for entrant in entrants)),
    ).next()
    assert isinstance(follow, NextRound)
    numbers = {entrant.bot_id: entrant.number for entrant in entrants}
    assert [match.entrants for match in follow.matches] == [
        tuple(numbers[bot] for bot in one.bot_ids) for one in counted if one.round == 2
    ], "the seats follow from the new results"


async def test_rounds_that_are_replayed_together_are_drawn_one_after_the_other(world: World) -> None:
    tournament = await begun(world, 4, "swiss:rounds=3 knockout:advance=1")
    for _ in range(2):
        await play_round(world, tournament)
    first, second, third = await rounds_of(world, tournament)
    done = await decide(
        world, tournament.id, matches=[first[0].id, *(one.id for one in (*second, *third))], replay=True
    )
    assert set(done.instead) == {first[0].id}
    counted = [one for one in await matches_of(world, tournament) if one.replaced_by is None]
    assert [(one.round, one.state) for one in counted] == [(1, MatchState.FINISHED), (1, MatchState.QUEUED)]


async def test_a_round_that_is_void_alone_is_not_drawn_anew(world: World) -> None:
    tournament = await begun(world, 4, "swiss:rounds=3")
    await play_round(world, tournament)
    await decide(world, tournament.id, stage=1, round=2)
    await play_round(world, tournament)
    assert [one.round for one in await matches_of(world, tournament)] == [1, 1, 2, 2, 3, 3]


async def test_a_finished_tournament_keeps_the_rounds_that_are_void(world: World) -> None:
    tournament = await begun(world, 4, "swiss:rounds=2")
    await play_out(world, tournament)
    await decide(world, tournament.id, stage=1, round=2)
    await decide(world, tournament.id, stage=1, round=1)
    assert {one.replaced_by for one in await matches_of(world, tournament)} == {None}


async def test_rounds_of_a_round_robin_follow_from_no_results_and_are_void_in_any_order(world: World) -> None:
    tournament = await begun(world, 4, "round-robin:rounds=3")
    await play_out(world, tournament)
    first = (await matches_of(world, tournament))[0]
    assert (await decide(world, tournament.id, matches=[first.id])).matches == (first.id,)


async def test_matches_that_are_not_known_are_named_and_nothing_happens(world: World) -> None:
    tournament = await begun(world, 4, "swiss:rounds=2")
    (first, *_) = await matches_of(world, tournament)
    other = await world.plan("other", names(4), rounds=1, ruleset="two")
    (foreign, *_) = await matches_of(world, other)
    for wrong in (99, foreign.id):
        with pytest.raises(NotFound, match=f"there is no match {wrong} in tournament {tournament.id}"):
            await decide(world, tournament.id, matches=[first.id, wrong])
    for asked, words in (
        ({"round": 3, "stage": 1}, "has no stage 1, round 3; expected one that has been drawn, with its stage"),
        ({"round": 1}, "has no round 1; expected one that has been drawn, with its stage if there are stages"),
    ):
        with pytest.raises(NotFound, match=words) as unknown:
            await decide(world, tournament.id, **asked)
        assert unknown.value.reason == "ROUND_UNKNOWN"
    with pytest.raises(InvalidArgument, match="reason is empty; expected why the matches are void"):
        await decide(world, tournament.id, matches=[first.id], reason="  ")
    for both in ({}, {"matches": [first.id], "round": 1, "stage": 1}):
        with pytest.raises(InvalidArgument, match="expected either numbers of matches or a round"):
            await decide(world, tournament.id, **both)
    assert {one.state for one in await matches_of(world, tournament)} == {MatchState.QUEUED}
    assert [act.act for act in await world.store.acts.of(tournament.id)] == [Act.START]


async def test_a_finished_tournament_loses_results_and_replays_none(world: World) -> None:
    tournament = await begun(world, 2, "round-robin:rounds=1")
    (only,) = await play_out(world, tournament)
    with pytest.raises(FailedPrecondition, match="its secret is public, so everybody knows its next cards") as refusal:
        await decide(world, tournament.id, matches=[only.id], replay=True)
    assert refusal.value.reason == "TOURNAMENT_FINISHED"
    assert (await decide(world, tournament.id, matches=[only.id])).matches == (only.id,)
    (attempt,) = await world.store.void_attempts.newest(tournament_id=tournament.id)
    assert (attempt.reason, attempt.text) == (VoidReason.ORGANISER, "power cut")
    log = await world.store.acts.of(tournament.id)
    assert [(act.act, act.who, act.subject) for act in log][-1] == (Act.VOID, "helga", f"match {only.id}")
