"""When a tournament pauses itself, when it goes on, and which of its matches are played again for that."""

from __future__ import annotations

import asyncio
from collections.abc import Set
from datetime import datetime

import pytest
import structlog
from tests.server.arena_world import World, played
from tests.server.organising.network_room import finish, room, staged_room
from tests.server.organising.staged import matches_of, names, play_round

from farfalia_server.contract.errors import FailedPrecondition, InvalidArgument, NotFound, RoleLost
from farfalia_server.organising.fillers import fillers
from farfalia_server.organising.network_watch import NetworkWatch
from farfalia_server.store import (
    Act,
    MatchState,
    PauseCause,
    Seat,
    VoidReason,
)
from farfalia_server.store.matches.values import DRAWN_ANEW
from farfalia_server.store.tournaments.pauses import MOST_OUTAGES


@pytest.mark.parametrize(
    ("bots", "percent", "lost", "paused"),
    [
        (4, 50, 2, True),
        (5, 50, 2, False),
        (5, 40, 2, True),
        (6, 50, 2, False),
        (6, 50, 3, True),
        (4, 100, 3, False),
        (4, 100, 4, True),
        (2, 50, 1, False),
        (2, 50, 2, True),
        (3, 1, 1, False),
        (4, 0, 4, False),
    ],
)
async def test_a_tournament_pauses_once_its_share_of_bots_is_lost_and_two_at_least(
    world: World, bots: int, percent: int, lost: int, paused: bool
) -> None:
    here = await room(world, bots, (percent, 30, 10))
    assert await here.after(1, lost=lost) is paused
    assert (await here.acts()).count(Act.PAUSE) == paused


async def test_one_that_never_pauses_needs_no_seconds(world: World) -> None:
    here = await room(world, 4, (0, 0, 0))
    assert await here.after(1, lost=4) is False


async def test_one_that_pauses_needs_seconds(world: World) -> None:
    with pytest.raises(InvalidArgument, match="seconds is 0; expected 1 to 3600"):
        await room(world, 4, (50, 0, 0))


async def test_the_pause_says_how_many_bots_were_lost_and_that_nobody_decided_it(world: World) -> None:
    here = await room(world, 4)
    await here.after(1, lost=3)
    pause = (await world.store.tournaments.get(here.number)).pause
    assert pause is not None
    assert (pause.cause, pause.who) == (PauseCause.NETWORK, "")
    assert pause.reason == "3 of 4 bots were lost within 30 s"


async def test_bots_that_are_lost_one_after_the_other_do_not_count_together(world: World) -> None:
    here = await room(world, 4)
    assert not await here.after(1, lost=1)
    assert not await here.after(31, lost=1)
    assert not await here.after(1, lost=2)
    assert not await here.after(20, lost=2)
    assert await here.after(1, lost=3), "within 30 seconds of the second"


async def test_a_bot_of_many_that_comes_and_goes_pauses_nothing(world: World) -> None:
    here = await room(world, 8)
    for _ in range(50):
        assert not await here.after(0.5, lost=1)
        assert not await here.after(0.5, lost=0)


async def test_house_bots_are_neither_lost_nor_there(world: World) -> None:
    here = await room(world, 2, house=4)
    assert not await here.after(1, lost=1)
    assert await here.after(1, lost=2)


async def test_bots_that_were_gone_before_the_watch_began_count_as_absent(world: World) -> None:
    here = await room(world, 4)
    here.there = set(here.bots[3:])
    here.watch = NetworkWatch(world.store, lambda: here.there, lambda: here.now)
    assert not await here.after(1)
    assert not await here.after(1, lost=4), "only one was lost"


async def test_a_tournament_goes_on_once_few_enough_were_missing_for_long_enough(world: World) -> None:
    here = await room(world, 8)
    assert await here.after(1, lost=8)
    assert await here.after(60, lost=4), "half of them are back"
    assert await here.after(60, lost=2), "a quarter is missing: exactly half of the share"
    assert await here.after(1, lost=1)
    assert await here.after(9, lost=1)
    assert await here.after(0.5, lost=3), "one more goes, and the wait begins anew"
    assert await here.after(9, lost=1)
    assert await here.after(9, lost=1)
    assert not await here.after(1, lost=1)
    assert await here.acts() == [Act.START, Act.PAUSE, Act.RESUME]


async def test_bots_that_are_lost_during_a_pause_are_waited_for_as_well(world: World) -> None:
    here = await room(world, 4)
    assert await here.after(1, lost=2)
    there = here.there
    here.there = set()
    assert await here.after(1)
    here.there = set(here.bots) - there
    assert await here.after(20), "those that were lost first are back, the others are gone"
    here.there = set(here.bots)
    assert await here.after(0)
    assert not await here.after(10)


async def test_what_an_organiser_has_paused_the_watch_does_not_resume(world: World) -> None:
    here = await room(world, 4)
    await world.store.pauses.pause(here.number, PauseCause.ORGANISER, "lunch", who="helga")
    for _ in range(3):
        assert await here.after(60, lost=0)


async def test_an_organisers_pause_takes_the_place_of_the_one_for_the_network(world: World) -> None:
    here = await room(world, 4)
    assert await here.after(1, lost=4)
    assert await world.store.pauses.pause(here.number, PauseCause.ORGANISER, "go home", who="helga")
    assert not await world.store.pauses.pause(here.number, PauseCause.NETWORK, "again", gone=here.bots)
    for _ in range(3):
        assert await here.after(60, lost=0)
    assert not await world.store.pauses.resume(here.number, network=True)
    assert await world.store.pauses.resume(here.number, who="helga")


async def test_who_is_gone_when_an_organiser_resumes_does_not_pause_it_again(world: World) -> None:
    here = await room(world, 4)
    assert await here.after(1, lost=2)
    await world.store.pauses.resume(here.number, who="helga")
    for _ in range(5):
        assert not await here.after(1)
    assert not await here.after(1, lost=3), "one more is one only"


async def test_bots_that_withdraw_are_not_waited_for(world: World) -> None:
    here = await room(world, 4)
    assert await here.after(1, lost=2)
    assert await here.after(600)
    for bot, house in zip(here.bots[:2], await fillers(world.store, "greedy", 2, set()), strict=True):
        await world.store.entrants.withdraw(here.number, bot, [Seat(house.id, house.name, filler=True)])
    assert await here.after(1)
    assert not await here.after(10)


async def test_two_looks_at_once_pause_a_tournament_once(world: World) -> None:
    here = await room(world, 4)
    other = NetworkWatch(world.store, lambda: here.there, lambda: here.now)
    await other.look()
    await here.after(1, lost=4)
    await other.look()
    assert (await here.acts()).count(Act.PAUSE) == 1


async def test_a_tournament_that_does_not_run_can_be_neither_paused_nor_resumed(world: World) -> None:
    await world.register(*names(2))
    planned = await world.plan("planned", names(2), rounds=1, ruleset="two")
    for act in (
        world.store.pauses.resume(planned.id),
        world.store.pauses.pause(planned.id, PauseCause.ORGANISER, ""),
    ):
        with pytest.raises(FailedPrecondition, match="is planned; expected running"):
            await act
    with pytest.raises(NotFound, match="there is no tournament 9"):
        await world.store.pauses.resume(9)


# What is played again ------------------------------------------------------------------------------------------------


async def test_a_match_with_a_strike_in_an_outage_is_void_and_queued_again(world: World) -> None:
    here = await room(world, 4)
    first, second, third, *_ = await world.store.matches.of_tournament(here.number)
    claims = [await world.store.claims.claim(match.id, "node-a") for match in (first, second)]
    assert await here.after(1, lost=4)
    for at, claimed in enumerate(claims):
        assert claimed is not None
        counts = await world.store.claims.finish(claimed.match.id, claimed.match.epoch, played(claimed, at or None))
        assert counts is not bool(at), "only a strike spoils it"
    again = await world.store.matches.get(second.id)
    assert (again.state, again.attempt) == (MatchState.QUEUED, 2)
    (attempt,) = await world.store.void_attempts.newest(tournament_id=here.number)
    assert attempt.reason is VoidReason.NETWORK
    await here.after(1, lost=0)
    assert not await here.after(10)
    assert await finish(world, third.id, slow=0), "it began after the outage: the strike is the bot's"


async def test_a_match_that_ended_just_before_the_pause_with_a_strike_is_played_again(world: World) -> None:
    here = await room(world, 4)
    struck, clean, *_ = await world.store.matches.of_tournament(here.number)
    assert await finish(world, struck.id, slow=0)
    assert await finish(world, clean.id)
    assert await here.after(1, lost=4)
    matches = {match.id: match for match in await world.store.matches.of_tournament(here.number)}
    assert matches[clean.id].state is MatchState.FINISHED
    assert matches[struck.id].state is MatchState.VOID
    instead = matches[matches[struck.id].replaced_by or 0]
    assert (instead.state, instead.seats, instead.round) == (MatchState.QUEUED, struck.seats, struck.round)
    assert instead.board != struck.board
    assert [act for act in await here.acts() if act in (Act.VOID, Act.REPLAY)] == [Act.VOID, Act.REPLAY]


async def test_what_a_bot_lost_that_was_gone_long_before_the_outage_counts(world: World) -> None:
    here = await room(world, 5)
    first, *_ = await world.store.matches.of_tournament(here.number)
    here.there.discard(first.bot_ids[0])
    assert not await here.after(60)
    assert await finish(world, first.id, slow=0)
    assert await here.after(1, lost=5)
    assert (await world.store.matches.get(first.id)).state is MatchState.FINISHED


async def test_a_round_that_was_drawn_from_results_of_the_outage_is_drawn_anew(world: World) -> None:
    tournament, here = await staged_room(world, "swiss:rounds=2")
    await here.watch.look()
    first = (await matches_of(world, tournament))[0]
    assert await finish(world, first.id, slow=0)
    await play_round(world, tournament)
    drawn = [one for one in await matches_of(world, tournament) if one.round == 2]
    assert drawn
    assert await here.after(1, lost=4)
    void = {one.id: one.replaced_by for one in await matches_of(world, tournament) if one.state is MatchState.VOID}
    assert void.keys() == {first.id, *(one.id for one in drawn)}
    assert {void[one.id] for one in drawn} == {DRAWN_ANEW}


async def test_bots_of_a_round_that_is_drawn_anew_are_waited_for_until_it_is(world: World) -> None:
    tournament, here = await staged_room(world, "swiss:rounds=2")
    await here.watch.look()
    first, *_ = await matches_of(world, tournament)
    assert await finish(world, first.id, slow=0)
    await play_round(world, tournament)
    assert await here.after(1, lost=4)
    here.there = set(first.bot_ids)
    assert await here.after(1)
    assert await here.after(60), "the match that is played again has its bots, and the round after it has not"
    here.there = set(here.bots)
    assert await here.after(1)
    assert not await here.after(10)
    assert await world.store.pauses.awaited(here.number) == set(here.bots)
    await play_round(world, tournament)
    third, *_ = [one for one in await matches_of(world, tournament) if one.state is MatchState.QUEUED]
    await world.play(third.id)
    assert await world.store.pauses.awaited(here.number) == set(here.bots) - set(third.bot_ids)


async def test_results_count_if_the_tournament_is_cancelled_meanwhile_and_the_log_says_so(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = await room(world, 4)
    first, *_ = await world.store.matches.of_tournament(here.number)
    assert await finish(world, first.id, slow=0)
    spoiled = world.store.pauses.spoiled_since

    async def and_cancel(number: int, moment: datetime, bots: Set[int]) -> list[int]:
        found = await spoiled(number, moment, bots)
        await world.store.tournaments.cancel(number)
        return found

    monkeypatch.setattr(world.store.pauses, "spoiled_since", and_cancel)
    with structlog.testing.capture_logs() as logged:
        await here.after(1, lost=4)
    assert [line["matches"] for line in logged if line["event"] == "spoiled_matches_count"] == [[first.id]]
    assert (await world.store.matches.get(first.id)).state is MatchState.FINISHED


async def test_bots_that_are_struck_in_every_outage_do_not_have_a_match_replayed_for_ever(world: World) -> None:
    here = await room(world, 2)
    number = (await world.store.matches.of_tournament(here.number))[0].id
    for outage in range(MOST_OUTAGES):
        if outage:  # in turns before it is noticed, and after that
            claimed = await world.store.claims.claim(number, "node-a")
            assert await here.after(1, lost=2)
            assert claimed is not None
            assert not await world.store.claims.finish(number, claimed.match.epoch, played(claimed, 1))
        else:
            assert await finish(world, number, slow=1)
            assert await here.after(1, lost=2)
            number = (await world.store.matches.get(number)).replaced_by or 0
        await here.after(1, lost=0)
        assert not await here.after(10)
    claimed = await world.store.claims.claim(number, "node-a")
    assert await here.after(1, lost=2)
    assert claimed is not None
    assert await world.store.claims.finish(number, claimed.match.epoch, played(claimed, 1))


async def test_a_director_that_was_replaced_writes_nothing(world: World) -> None:
    here = await room(world, 4)
    planned = await world.plan("staged", names(4), stages="swiss:rounds=2", ruleset="two")
    await world.store.tournaments.start(planned.id)
    (match, *_) = await world.store.matches.of_tournament(here.number)
    await world.store.fencing.raise_to("director", 1)
    before = await world.store.tournaments.get(here.number)
    await world.store.fencing.raise_to("director", 2)

    async def as_the_old_one() -> None:
        world.store.fencing.act("director", 1)
        entrants = await world.store.tournaments.entrants(planned.id)
        for write in (
            lambda: here.after(1, lost=4),
            lambda: world.store.pauses.more_gone(here.number, here.bots),
            lambda: world.store.pauses.resume(here.number, network=True),
            lambda: world.store.voiding.void(here.number, [match.id], reason=VoidReason.NETWORK, text="", replay=True),
            lambda: world.store.rounds.draw(planned.id, [], entrants=entrants, after=0, void=0),
            lambda: world.store.rounds.end(planned.id, after=0, void=0),
        ):
            with pytest.raises(RoleLost, match="another node acts as the director by now"):
                await write()

    await asyncio.create_task(as_the_old_one())
    assert await world.store.tournaments.get(here.number) == before
    assert {one.state for one in await world.store.matches.of_tournament(here.number)} == {MatchState.QUEUED}
    assert await here.acts() == [Act.START]
    assert await here.after(0.5, lost=4), "the new one is not held up"
