"""Entering late and leaving early."""

from __future__ import annotations

from collections import Counter

import grpc
import pytest
from tests.server.arena_client import Arena
from tests.server.arena_world import World
from tests.server.organising.staged import begun, matches_of, names, play_out, play_round
from tests.server.store_world import claim

from farfalia.v1 import tournaments_pb2
from farfalia_server.contract.errors import (
    AlreadyExists,
    FailedPrecondition,
    FarfaliaServerError,
    InvalidArgument,
    NotFound,
)
from farfalia_server.organising.entering import Entering
from farfalia_server.rating.ladder_knowledge import LadderKnowing
from farfalia_server.store import Match, MatchState, Tournament, WantedMatches


def desk(here: World) -> Entering:
    return Entering(here.store, here.planner, LadderKnowing(here.store).of_late)


def seated(matches: list[Match], name: str) -> list[Match]:
    return [match for match in matches if name in {seat.name for seat in match.seats}]


async def whole(here: World, bots: int, ruleset: str = "two", rounds: int = 4) -> Tournament:
    """A round robin without stages that has been started."""
    await here.register(*names(bots))
    tournament = await here.plan("whole", names(bots), rounds=rounds, ruleset=ruleset)
    return await here.store.tournaments.start(tournament.id)


async def test_who_leaves_a_swiss_is_replaced_where_it_was_drawn_and_drawn_no_more(world: World) -> None:
    tournament = await begun(world, 6, "swiss:rounds=3")
    left = await desk(world).withdraw(tournament.id, "bot-2")
    assert (left.playing, left.filled) == (0, 1)
    matches = await play_out(world, tournament)
    assert seated(matches, "bot-2") == []
    assert len(seated(matches, "house-greedy-1")) == 1
    assert Counter(match.round for match in matches) == {1: 3, 2: 2, 3: 2}
    message = await world.reader.tournament(tournament.id)
    assert message.state == tournaments_pb2.TOURNAMENT_STATE_FINISHED
    assert [row.entrant for row in message.standings if row.withdrawn] == ["bot-2"]


async def test_a_match_that_is_being_played_is_finished_first(world: World) -> None:
    tournament = await begun(world, 4, "swiss:rounds=2")
    mine = seated(await matches_of(world, tournament), "bot-0")[0]
    await claim(world.store, mine.id, "node-a")
    left = await desk(world).withdraw(tournament.id, "bot-0")
    assert (left.playing, left.filled) == (1, 0)
    assert seated(await matches_of(world, tournament), "bot-0") == [(await world.store.matches.get(mine.id))]
    matches = await play_out(world, tournament)
    assert len(seated(matches, "bot-0")) == 1


async def test_who_has_seen_a_match_with_other_seats_cannot_play_it(world: World) -> None:
    tournament = await begun(world, 4, "swiss:rounds=2")
    match = seated(await matches_of(world, tournament), "bot-0")[0]
    await desk(world).withdraw(tournament.id, "bot-0")
    assert await world.store.claims.claim(match.id, "node-a", match.epoch) is None
    bots = await world.store.bots.by_ids((await world.store.matches.get(match.id)).bot_ids)
    newest = await world.store.match_search.newest(
        WantedMatches(bot_id=next(bot.id for bot in bots.values() if bot.house))
    )
    assert [one.id for one in newest] == [match.id]
    gone = await world.store.bots.by_name("bot-0")
    assert await world.store.match_search.newest(WantedMatches(bot_id=gone.id)) == []


async def test_two_who_leave_one_table_are_replaced_by_two_house_bots(world: World) -> None:
    tournament = await whole(world, 5, "chinkway", rounds=2)
    await desk(world).withdraw(tournament.id, "bot-0")
    await desk(world).withdraw(tournament.id, "bot-1")
    for match in await matches_of(world, tournament):
        assert len(set(match.bot_ids)) == 5
        assert sum(seat.filler for seat in match.seats) == 2
        await world.play(match.id)
    message = await world.reader.tournament(tournament.id)
    assert message.state == tournaments_pb2.TOURNAMENT_STATE_FINISHED


async def test_who_leaves_after_a_stage_is_not_among_those_who_go_on(world: World) -> None:
    tournament = await begun(world, 4, "round-robin:rounds=2,qualifiers=2 knockout:advance=1")
    await play_round(world, tournament)
    leader = (await world.reader.tournament(tournament.id)).stages[0].standings[0].entrant
    await desk(world).withdraw(tournament.id, leader)
    matches = await play_out(world, tournament)
    final = [match for match in matches if match.stage == 2]
    assert len(final) == 1
    assert leader not in {seat.name for seat in final[0].seats}


async def test_late_entry_in_a_swiss_counts_from_the_next_round(world: World) -> None:
    tournament = await begun(world, 4, "swiss:rounds=3,qualifiers=2 knockout:advance=1")
    await world.register("late", "later")
    await desk(world).enter(tournament.id, "late")
    await desk(world).enter(tournament.id, "later")
    await play_round(world, tournament)
    matches = await matches_of(world, tournament)
    assert [match.round for match in seated(matches, "late")] == [2]
    await play_round(world, tournament)
    await world.register("latest")
    with pytest.raises(FailedPrecondition, match="all rounds of its first stage are drawn: it is too late to enter"):
        await desk(world).enter(tournament.id, "latest")
    await play_round(world, tournament)
    with pytest.raises(FailedPrecondition, match="its first stage is over: it is too late to enter"):
        await desk(world).enter(tournament.id, "latest")
    await play_out(world, tournament)
    with pytest.raises(FailedPrecondition, match="is finished; expected planned or running"):
        await desk(world).enter(tournament.id, "latest")


async def test_late_entry_takes_the_place_of_a_house_bot_in_what_has_not_begun(world: World) -> None:
    tournament = await whole(world, 2, "three", rounds=3)
    first = (await matches_of(world, tournament))[0]
    await world.play(first.id)
    await world.register("late")
    await desk(world).enter(tournament.id, "late")
    matches = await matches_of(world, tournament)
    assert len(seated(matches, "late")) == len(matches) - 1
    assert not any(seat.filler for match in matches[1:] for seat in match.seats)
    await world.register("later")
    with pytest.raises(FailedPrecondition, match="no house bot whose place could be taken"):
        await desk(world).enter(tournament.id, "later")


async def test_before_the_start_the_schedule_is_drawn_again_and_nonces_are_kept(world: World) -> None:
    await world.register(*names(5))
    tournament = await world.plan("planned", names(4), rounds=6, ruleset="two")
    bot = await world.store.bots.by_name("bot-1")
    await world.store.nonces.give(tournament.id, bot.id, b"eight by")
    await desk(world).enter(tournament.id, "bot-4")
    matches = await matches_of(world, tournament)
    assert {seat.name for match in matches for seat in match.seats} == set(names(5))
    assert {match.state for match in matches} == {MatchState.PLANNED}
    message = await world.reader.tournament(tournament.id)
    assert (message.rounds, message.matches) == (6, 12)
    await desk(world).withdraw(tournament.id, "bot-0")
    entrants = await world.store.tournaments.entrants(tournament.id)
    assert [entrant.name for entrant in entrants] == names(5)[1:]
    assert [entrant.nonce for entrant in entrants] == [b"eight by", b"", b"", b""]
    assert len(await matches_of(world, tournament)) == 12


async def test_a_field_before_the_start_can_change_only_to_one_that_can_play(world: World) -> None:
    await world.register(*names(4))
    stages = "swiss:rounds=2,qualifiers=4 knockout:advance=1"
    tournament = await world.plan("staged", names(4), stages=stages, ruleset="two")
    with pytest.raises(InvalidArgument, match="stage 1, swiss: qualifiers 4: expected at most 3"):
        await desk(world).withdraw(tournament.id, "bot-0")
    assert [one.name for one in await world.store.tournaments.entrants(tournament.id)] == names(4)
    one = await world.plan("one", names(1), ruleset="two")
    with pytest.raises(InvalidArgument, match="0 bots are named"):
        await desk(world).withdraw(one.id, "bot-0")


async def test_what_cannot_be_is_refused_with_a_reason_and_changes_nothing(world: World) -> None:
    tournament = await begun(world, 4, "knockout:advance=1")
    await world.register("late")
    await desk(world).withdraw(tournament.id, "bot-3")
    before = await world.store.tournaments.entrants(tournament.id), await matches_of(world, tournament)
    refusals: list[tuple[str, str, type[FarfaliaServerError], str]] = [
        ("enter", "late", FailedPrecondition, "its first stage is a knock-out: it is too late"),
        ("enter", "bot-0", AlreadyExists, "bot-0 has already entered tournament 1"),
        ("enter", "bot-3", FailedPrecondition, "bot-3 has withdrawn from tournament 1 and cannot re-enter"),
        ("enter", "nobody", NotFound, "nobody"),
        ("withdraw", "bot-3", FailedPrecondition, "bot-3 has already withdrawn from tournament 1"),
        ("withdraw", "late", NotFound, "late has not entered tournament 1"),
    ]
    for call, name, error, words in refusals:
        with pytest.raises(error, match=words):
            await getattr(desk(world), call)(tournament.id, name)
    assert (await world.store.tournaments.entrants(tournament.id), await matches_of(world, tournament)) == before


async def test_a_bot_enters_and_leaves_with_its_own_token_and_no_other(arena: Arena) -> None:
    ant, bee, *_ = await arena.five()
    made = await arena.ask("CreateTournament", arena.admin, name="x", bots=["cat", "dog"], rounds=2, ruleset="two")
    number = made.tournament.id
    code, reason, _ = await arena.refused("EnterTournament", bee, id=number, bot="ant")
    assert (code, reason) == (grpc.StatusCode.PERMISSION_DENIED, "NOT_ALLOWED")
    entered = await arena.ask("EnterTournament", ant, id=number, bot="ant")
    assert [row.entrant for row in entered.tournament.standings] == ["cat", "dog", "ant"]
    code, reason, _ = await arena.refused("EnterTournament", ant, id=number, bot="ant")
    assert (code, reason) == (grpc.StatusCode.ALREADY_EXISTS, "ENTRANT_KNOWN")
    left = await arena.ask("WithdrawFromTournament", ant, id=number, bot="ant")
    assert [row.entrant for row in left.tournament.standings] == ["cat", "dog"]
    code, reason, _ = await arena.refused("WithdrawFromTournament", ant, id=number, bot="ant")
    assert (code, reason) == (grpc.StatusCode.NOT_FOUND, "ENTRANT_UNKNOWN")
