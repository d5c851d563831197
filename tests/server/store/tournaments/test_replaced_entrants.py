"""What SQL makes of bots that are replaced, and of bots that count together, on either database."""

from __future__ import annotations

import pytest
from tests.server.store_world import claim, five_bots, match_ids, started

from farfalia_server.contract.errors import FailedPrecondition
from farfalia_server.store import (
    ARENA,
    Entrant,
    Event,
    EventCaps,
    MatchState,
    MemberRole,
    Registrant,
    Role,
    Store,
    Takeover,
    VoidReason,
)


async def test_an_entry_goes_from_bot_to_bot(store: Store) -> None:
    bots = await five_bots(store)
    new, _ = await store.bots.register("new")
    tournament = await started(store, bots, 3)
    first, *others = await match_ids(store, tournament)
    claimed = await claim(store, first, "node-a")
    entry = (await store.tournaments.entrants(tournament.id))[2]
    assert await store.entrants.replace(tournament.id, entry, new) == Takeover(playing=1, taken=2)
    assert (await store.entrants.gone())[tournament.id] == {bots[2].id}
    with pytest.raises(FailedPrecondition, match="have just changed; try again"):
        await store.entrants.replace(tournament.id, entry, new)
    assert await store.claims.void(first, claimed.match.epoch, VoidReason.ABANDONED, "gone") is MatchState.QUEUED
    for match in (first, *others):
        assert (await store.matches.get(match)).seats[2].name == "new"
    now = (await store.tournaments.entrants(tournament.id))[2]
    assert now == Entrant(2, new.id, "new", former=now.former)
    assert await store.entrants.replace(tournament.id, now, bots[2]) == Takeover(playing=0, taken=3)
    back = (await store.tournaments.entrants(tournament.id))[2]
    assert (back.bot_id, [one.bot_id for one in back.former]) == (bots[2].id, [new.id])


async def test_bots_of_a_team_count_together_towards_a_cap(store: Store) -> None:
    event = Event("course", "Course", caps=EventCaps(connections=2))
    ada, bob = [(await store.accounts.create(name, Role.OWNER))[0] for name in ("ada", "bob")]
    await store.events.create(event, ada.id, "ada")
    for account in (ada, bob):
        for number in (1, 2):
            await store.bots.register(f"{account.name}{number}", owner=account.name, registrant=Registrant(account.id))
    own = {name for cap in await store.members.connection_caps(ada.id) for name in cap.bots.values()}
    assert own == {"ada1", "ada2"}
    for account in (ada, bob):
        await store.members.set("course", account.id, MemberRole.ORGANISER, "red", "ada")
    for account in (ada, bob):
        (cap,) = await store.members.connection_caps(account.id)
        assert (cap.event, cap.most, cap.team) == ("course", 2, "red")
        assert sorted(cap.bots.values()) == ["ada1", "ada2", "bob1", "bob2"]
    await store.events.close("course", "ada")
    assert await store.members.connection_caps(ada.id) == []
    assert (await store.events.get(ARENA)).caps.connections == 0
