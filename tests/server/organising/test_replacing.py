"""One entrant is replaced by another bot: who plays what is left, and whose results count for whom."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from tempfile import TemporaryDirectory

import grpc
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.examples import fewest
from tests.server.arena_client import Arena
from tests.server.arena_world import World, played, world
from tests.server.organising.staged import begun, matches_of, names, play_out, play_round
from tests.server.store_world import claim

from farfalia.v1 import tournaments_pb2
from farfalia_server.contract.errors import AlreadyExists, FailedPrecondition, FarfaliaServerError, NotFound
from farfalia_server.organising.entering import Entering
from farfalia_server.organising.entries import numbers_of
from farfalia_server.rating.ladder_knowledge import LadderKnowing
from farfalia_server.store import Act, Match, MatchState, Takeover, Tournament, VoidReason
from farfalia_server.web.result_sheets import result_sheets


def desk(here: World) -> Entering:
    return Entering(here.store, here.planner, LadderKnowing(here.store).of_late)


def seated(matches: Sequence[Match], name: str) -> list[Match]:
    return [match for match in matches if name in {seat.name for seat in match.seats}]


async def whole(here: World, bots: int, ruleset: str = "two", rounds: int = 4) -> Tournament:
    """A round robin without stages that has been started, and a bot `new` beside it."""
    await here.register(*names(bots), "new")
    tournament = await here.plan("whole", names(bots), rounds=rounds, ruleset=ruleset)
    return await here.store.tournaments.start(tournament.id)


async def test_before_the_start_a_bot_gets_the_place_of_another_in_the_field(world: World) -> None:
    await world.register(*names(4), "new")
    tournament = await world.plan("planned", names(4), rounds=3, ruleset="two")
    before = await matches_of(world, tournament)
    assert await desk(world).replace(tournament.id, "bot-1", "new", "olga") == Takeover()
    entrants = await world.store.tournaments.entrants(tournament.id)
    assert [one.name for one in entrants] == ["bot-0", "new", "bot-2", "bot-3"]
    assert [one.former for one in entrants] == [()] * 4
    planned = [[seat.name.replace("bot-1", "new") for seat in match.seats] for match in before]
    assert [[seat.name for seat in match.seats] for match in await matches_of(world, tournament)] == planned
    (act,) = await world.store.acts.of(tournament.id)
    assert (act.act, act.who, act.subject, act.reason) == (Act.REPLACE, "olga", "new", "instead of bot-1")
    await desk(world).enter(tournament.id, "bot-1")


async def test_after_the_start_a_bot_plays_what_has_not_begun(world: World) -> None:
    tournament = await whole(world, 4, rounds=6)
    mine = seated(await matches_of(world, tournament), "bot-1")
    await world.play(mine[0].id)
    in_play = await claim(world.store, mine[1].id, "node-a")
    assert await desk(world).replace(tournament.id, "bot-1", "new", "olga") == Takeover(playing=1, taken=4)
    matches = await matches_of(world, tournament)
    assert [match.id for match in seated(matches, "bot-1")] == [match.id for match in mine[:2]]
    assert [match.id for match in seated(matches, "new")] == [match.id for match in mine[2:]]
    assert await world.store.claims.claim(mine[2].id, "node-a", mine[2].epoch) is None
    assert await world.store.claims.finish(mine[1].id, in_play.match.epoch, played(in_play))
    await play_out(world, tournament)
    message = await world.reader.tournament(tournament.id)
    assert message.state == tournaments_pb2.TOURNAMENT_STATE_FINISHED
    assert {row.entrant: (row.matches, list(row.formerly)) for row in message.standings} == {
        "bot-0": (6, []),
        "new": (6, ["bot-1"]),
        "bot-2": (6, []),
        "bot-3": (6, []),
    }
    (act, _) = (await world.store.acts.of(tournament.id))[-2:]
    assert (act.act, act.who, act.subject, act.reason) == (Act.REPLACE, "olga", "new", "instead of bot-1")


async def test_results_count_for_the_entry_and_ratings_for_the_bot_that_played(world: World) -> None:
    tournament = await whole(world, 2, rounds=3)
    first, *_ = await matches_of(world, tournament)
    await world.play(first.id)
    before = {row.entrant: row for row in (await world.reader.tournament(tournament.id)).standings}
    await desk(world).replace(tournament.id, "bot-0", "new")
    after = {row.entrant: row for row in (await world.reader.tournament(tournament.id)).standings}
    assert (after["new"].points, after["new"].matches) == (before["bot-0"].points, 1)
    assert not after["new"].HasField("rating"), "it has not played itself"
    assert after["bot-1"].rating == before["bot-1"].rating
    await play_out(world, tournament)
    row = next(one for one in (await world.reader.tournament(tournament.id)).standings if one.entrant == "new")
    assert (row.matches, row.rating.matches) == (3, 2)
    assert [seat.name for seat in (await matches_of(world, tournament))[0].seats] == [seat.name for seat in first.seats]


async def test_a_match_in_play_that_has_to_be_played_again_is_the_new_ones(world: World) -> None:
    tournament = await whole(world, 2, rounds=3)
    match = (await matches_of(world, tournament))[0]
    claimed = await claim(world.store, match.id, "node-a")
    await desk(world).replace(tournament.id, "bot-0", "new")
    state = await world.store.claims.void(match.id, claimed.match.epoch, VoidReason.ABANDONED, "it has left")
    assert state is MatchState.QUEUED
    matches = await matches_of(world, tournament)
    assert seated(matches, "bot-0") == []
    assert len(seated(matches, "new")) == 3
    again = await claim(world.store, match.id, "node-b")
    assert {bot.name for bot in again.bots} == {"new", "bot-1"}


async def test_a_result_of_the_former_bot_that_is_void_is_played_again_by_the_new_one(world: World) -> None:
    tournament = await whole(world, 2, rounds=3)
    match = (await matches_of(world, tournament))[0]
    await world.play(match.id)
    await desk(world).replace(tournament.id, "bot-0", "new")
    done = await world.store.voiding.void(tournament.id, [match.id], text="wrong bot", replay=True)
    assert {seat.name for seat in (await world.store.matches.get(done.instead[match.id])).seats} == {"new", "bot-1"}
    row = next(one for one in (await world.reader.tournament(tournament.id)).standings if one.entrant == "new")
    assert (row.matches, list(row.formerly)) == (0, ["bot-0"])


async def test_who_takes_over_in_a_swiss_meets_the_opponents_of_its_score(world: World) -> None:
    tournament = await begun(world, 6, "swiss:rounds=4")
    await world.register("new")
    await play_round(world, tournament)
    scores = {row.entrant: row.score for row in (await world.reader.tournament(tournament.id)).stages[0].standings}
    await desk(world).replace(tournament.id, "bot-2", "new")
    now = {row.entrant: row.score for row in (await world.reader.tournament(tournament.id)).stages[0].standings}
    assert now == {name.replace("bot-2", "new"): score for name, score in scores.items()}
    matches = await play_out(world, tournament)
    met = Counter(
        frozenset(seat.name.replace("bot-2", "new") for seat in match.seats if not seat.filler) for match in matches
    )
    assert set(met.values()) == {1}, "nobody meets an entry twice"
    assert len(seated(matches, "bot-2")) + len(seated(matches, "new")) == 4


async def test_who_takes_over_between_stages_plays_the_knockout_for_the_former(world: World) -> None:
    tournament = await begun(world, 4, "round-robin:rounds=3,qualifiers=2 knockout:matches=2,advance=1")
    await world.register("new")
    for _ in range(3):
        await play_round(world, tournament)
    leader = (await world.reader.tournament(tournament.id)).stages[0].standings[0].entrant
    final = [match for match in await matches_of(world, tournament) if match.stage == 2]
    await world.play(final[0].id)
    await desk(world).replace(tournament.id, leader, "new")
    await play_out(world, tournament)
    message = await world.reader.tournament(tournament.id)
    assert message.state == tournaments_pb2.TOURNAMENT_STATE_FINISHED
    (table,) = message.stages[1].tables
    assert "new" in table.entrants
    assert leader not in table.entrants
    points = sum(result.points for result in table.results if result.entrant == "new")
    own = [match for match in await matches_of(world, tournament) if match.stage == 2]
    made = [
        match.result.points[seat]
        for match in own
        for seat, who in enumerate(match.seats)
        if match.result is not None and who.name in (leader, "new")
    ]
    assert len(made) == 2
    assert points == sum(made)
    assert next(row.place for row in message.standings if row.entrant == "new") in (1, 2)


async def test_a_replacement_that_was_a_mistake_is_taken_back(world: World) -> None:
    tournament = await whole(world, 3, rounds=6)
    await world.register("other")
    await desk(world).replace(tournament.id, "bot-0", "new")
    await desk(world).replace(tournament.id, "new", "bot-0")
    assert seated(await matches_of(world, tournament), "new") == []
    await desk(world).replace(tournament.id, "bot-0", "other")
    rows = (await world.reader.tournament(tournament.id)).standings
    assert [list(row.formerly) for row in rows if row.entrant == "other"] == [["new", "bot-0"]]
    with pytest.raises(FailedPrecondition, match="other has replaced new in tournament 1; new cannot play for another"):
        await desk(world).replace(tournament.id, "bot-1", "new")
    with pytest.raises(FailedPrecondition, match="other has replaced bot-0 in tournament 1"):
        await desk(world).enter(tournament.id, "bot-0")


async def test_what_a_bot_has_added_to_the_secret_stays_its_own(world: World) -> None:
    await world.register(*names(2), "new")
    tournament = await world.plan("planned", names(2), rounds=3, ruleset="two")
    first = await world.store.bots.by_name("bot-0")
    await world.store.nonces.give(tournament.id, first.id, b"eight by")
    await world.store.tournaments.start(tournament.id)
    await desk(world).replace(tournament.id, "bot-0", "new")
    source = await world.store.claims.source(tournament.id)
    assert (source.nonces, source.given) == ((b"eight by",), {first.id: b"eight by"})
    shown = (await world.reader.tournament(tournament.id)).nonces
    assert {one.entrant: one.nonce for one in shown} == {"new": b"", "bot-1": b"", "bot-0": b"eight by"}


async def test_the_sheet_of_an_entry_has_the_matches_of_all_its_bots(world: World) -> None:
    tournament = await whole(world, 2, rounds=3)
    first = (await matches_of(world, tournament))[0]
    await world.play(first.id)
    await desk(world).replace(tournament.id, "bot-0", "new")
    await play_out(world, tournament)
    _, sheets = await result_sheets(world.reader, tournament.id)
    assert {sheet.row.entrant: len(sheet.matches) for sheet in sheets} == {"new": 3, "bot-1": 3}
    assert {match.others for sheet in sheets for match in sheet.matches} == {("new",), ("bot-1",)}


async def test_nobody_waits_for_a_bot_that_was_replaced(world: World) -> None:
    tournament = await whole(world, 2, rounds=3)
    await desk(world).replace(tournament.id, "bot-0", "new")
    assert (await world.store.entrants.gone())[tournament.id] == {(await world.store.bots.by_name("bot-0")).id}


async def test_the_log_follows_the_names_of_both_bots(world: World) -> None:
    tournament = await whole(world, 2, rounds=3)
    await desk(world).replace(tournament.id, "bot-0", "new")
    await world.store.renaming.rename_bot("bot-0", "ant", who="olga")
    await world.store.renaming.rename_bot("new", "bee", who="olga")
    acts = [act for act in await world.store.acts.of(tournament.id) if act.act is Act.REPLACE]
    assert [(act.subject, act.reason) for act in acts] == [("bee", "instead of ant")]
    rows = (await world.reader.tournament(tournament.id)).standings
    assert [list(row.formerly) for row in rows if row.entrant == "bee"] == [["ant"]]


async def test_what_cannot_be_is_refused_with_a_reason_and_changes_nothing(world: World) -> None:
    tournament = await whole(world, 4, "three", rounds=4)
    await world.register("barred", "gone")
    await world.store.moderation.suspend_bot("barred", suspended=True, who="olga", reason="no")
    await world.planner.ensure_house("house-greedy-9")
    await desk(world).withdraw(tournament.id, "bot-3")
    before = await world.store.tournaments.entrants(tournament.id), await matches_of(world, tournament)
    refusals: list[tuple[str, str, type[FarfaliaServerError], str]] = [
        ("bot-0", "bot-1", AlreadyExists, "bot-1 has already entered tournament 1"),
        ("bot-0", "bot-0", AlreadyExists, "bot-0 has already entered tournament 1"),
        ("bot-0", "nobody", NotFound, "nobody"),
        ("nobody", "new", NotFound, "nobody has not entered tournament 1"),
        ("bot-0", "barred", FailedPrecondition, "barred is suspended; it can enter nothing"),
        ("bot-0", "bot-3", FailedPrecondition, "bot-3 has withdrawn from tournament 1 and cannot re-enter"),
        ("bot-3", "new", FailedPrecondition, "bot-3 has already withdrawn from tournament 1"),
        ("bot-0", "house-greedy-9", FailedPrecondition, "is a house bot, and tournament 1 is running; withdraw bot-0"),
    ]
    for former, name, error, words in refusals:
        with pytest.raises(error, match=words):
            await desk(world).replace(tournament.id, former, name)
    assert (await world.store.tournaments.entrants(tournament.id), await matches_of(world, tournament)) == before
    await world.store.tournaments.cancel(tournament.id)
    with pytest.raises(FailedPrecondition, match="is cancelled; expected planned or running"):
        await desk(world).replace(tournament.id, "bot-0", "new")


@dataclass(frozen=True)
class Plan:
    """How often the entries of a schedule meet and sit in each seat, and how often each plays a board at most."""

    meetings: Counter[frozenset[int]]
    seats: Counter[tuple[int, int]]
    most: int


def plan_of(matches: Sequence[Match], numbers: dict[int, int]) -> Plan:
    tables = [[numbers[seat.bot_id] for seat in match.seats] for match in matches]
    meetings = Counter(frozenset(pair) for table in tables for pair in combinations(table, 2))
    seats = Counter((number, seat) for table in tables for seat, number in enumerate(table))
    boards = Counter((number, match.board) for match, table in zip(matches, tables, strict=True) for number in table)
    return Plan(meetings, seats, max(boards.values()))


@fewest
@given(st.integers(3, 7), st.sampled_from(["two", "three"]), st.data())
def test_after_any_replacement_the_plan_stays_and_no_entry_has_a_board_twice(
    bots: int, ruleset: str, data: st.DataObject
) -> None:
    async def replaced(here: World) -> None:
        tournament = await whole(here, bots, ruleset, rounds=5)
        entrants = await here.store.tournaments.entrants(tournament.id)
        planned = await matches_of(here, tournament)
        before = plan_of(planned, numbers_of(entrants))
        assert before.most == 1
        begun = 0
        for turn in range(data.draw(st.integers(1, 3), label="replacements")):
            more = data.draw(st.integers(0, len(planned) - begun), label="matches that begin meanwhile")
            for match in planned[begun : begun + more]:
                await claim(here.store, match.id, "node-a")
            begun += more
            entrants = await here.store.tournaments.entrants(tournament.id)
            former = data.draw(st.sampled_from([one.name for one in entrants]), label="who leaves")
            await here.register(f"new-{turn}")
            own = [match for match in await matches_of(here, tournament) if match.state is MatchState.QUEUED]
            done = await desk(here).replace(tournament.id, former, f"new-{turn}")
            assert done.taken == len(seated(own, former))
        now = numbers_of(await here.store.tournaments.entrants(tournament.id))
        assert plan_of(await matches_of(here, tournament), now) == before

    async def in_a_store_of_its_own() -> None:
        with TemporaryDirectory() as folder:
            async with world(Path(folder)) as here:
                await replaced(here)

    asyncio.run(in_a_store_of_its_own())


async def test_an_owner_replaces_its_own_bot_before_the_start_alone(arena: Arena) -> None:
    ada = (await arena.ask("CreateAccount", arena.admin, name="ada")).token
    bob = (await arena.ask("CreateAccount", arena.admin, name="bob")).token
    for token, name in ((ada, "ada1"), (ada, "ada2"), (bob, "bob1"), (bob, "bob2")):
        await arena.ask("RegisterBot", token, name=name)
    made = await arena.ask("CreateTournament", arena.admin, name="x", bots=["ada1", "bob1"], rounds=2, ruleset="two")
    number = made.tournament.id
    asked = {"id": number, "bot": "ada2", "instead_of": "bob1"}
    assert (await arena.refused("EnterTournament", ada, **asked))[:2] == (
        grpc.StatusCode.PERMISSION_DENIED,
        "NOT_ALLOWED",
    )
    entered = await arena.ask("EnterTournament", ada, id=number, bot="ada2", instead_of="ada1")
    assert [row.entrant for row in entered.tournament.standings] == ["ada2", "bob1"]
    await arena.ask("StartTournament", arena.admin, id=number)
    code, reason, text = await arena.refused("EnterTournament", ada, id=number, bot="ada1", instead_of="ada2")
    assert (code, reason) == (grpc.StatusCode.PERMISSION_DENIED, "NOT_ALLOWED")
    assert "only who runs it may let another bot play for ada2" in text
    done = await arena.ask("EnterTournament", arena.admin, id=number, bot="ada1", instead_of="ada2")
    assert (done.playing, done.taken) == (0, 2)
