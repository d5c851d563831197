"""Drafts as both kinds of database keep them, and which tournaments start with their event."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest
from tests.server.store_world import CONTROL, SECRET, five_bots, seats

from farfalia_engine import commitment
from farfalia_server.contract.errors import FailedPrecondition, NotFound
from farfalia_server.net.wall_clock import now
from farfalia_server.store import ARENA, Entrant, EventTimes, NewMatch, NewTournament, Store

PLAN = {"name": "finals", "event": ARENA, "bots": ["ant"]}


async def spring(store: Store) -> NewTournament:
    """A tournament of one match, to be planned."""
    bots = await five_bots(store)
    return NewTournament(
        name="Spring",
        ruleset="chinkway",
        options={},
        time_control=CONTROL,
        rounds=1,
        secret=SECRET,
        commitment=commitment(SECRET),
        entrants=tuple(Entrant(number, bot.id, bot.name) for number, bot in enumerate(bots)),
        matches=(NewMatch(1, "board-1", seats(bots)),),
    )


async def test_a_draft_is_kept_changed_and_dropped(store: Store) -> None:
    made = await store.drafts.make(ARENA, PLAN, 7, "otto")
    assert await store.drafts.get(made.id) == made
    assert (made.plan, made.entrants_expected, made.revision, made.who) == (PLAN, 7, 1, "otto")
    changed = await store.drafts.change(made.id, 1, ARENA, PLAN | {"rounds": 3}, 8, "tina")
    assert changed is not None
    assert (changed.plan["rounds"], changed.entrants_expected, changed.revision, changed.who) == (3, 8, 2, "tina")
    assert await store.drafts.change(made.id, 1, ARENA, PLAN, 7, "otto") is None, "it is at another revision"
    assert await store.drafts.open([ARENA]) == await store.drafts.open(None) == [changed]
    assert await store.drafts.open(["elsewhere"]) == []
    await store.drafts.drop(made.id, "otto")
    with pytest.raises(NotFound):
        await store.drafts.get(made.id)
    assert (await store.drafts.make(ARENA, PLAN, 0, "otto")).id > made.id, "no number is used twice"


async def test_a_draft_becomes_one_tournament(store: Store) -> None:
    draft = await store.drafts.make(ARENA, PLAN, 0, "otto")
    new = await spring(store)
    made = await store.tournaments.plan(replace(new, draft=(draft.id, 1)))
    assert (await store.drafts.get(draft.id)).tournament_id == made.id
    before = await store.tournaments.all()
    for revision in (1, 2):
        with pytest.raises(FailedPrecondition):
            await store.tournaments.plan(replace(new, draft=(draft.id, revision)))
    assert await store.tournaments.all() == before, "nothing half done"
    with pytest.raises(FailedPrecondition):
        await store.drafts.drop(draft.id, "otto")


async def test_what_starts_with_its_event_is_due_when_that_is(store: Store) -> None:
    new, event = await spring(store), await store.events.get(ARENA)
    own = await store.tournaments.plan(replace(new, starts=now() - timedelta(hours=1)))
    with_event = await store.tournaments.plan(replace(new, starts_with_event=True))
    await store.tournaments.plan(new)
    assert await store.tournaments.due_to_start() == [own.id]
    for hours, due in ((1, [own.id]), (-2, [with_event.id, own.id])):
        times = EventTimes(starts=now() + timedelta(hours=hours))
        event = await store.events.change(replace(event, times=times, revision=0), "otto")
        assert await store.tournaments.due_to_start() == due
    await store.tournaments.forget_start(with_event.id)
    assert await store.tournaments.due_to_start() == [own.id]
