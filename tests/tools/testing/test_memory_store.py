"""The store in memory follows the rules of the real one: the same calls, at random, have the same results on both."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
from tests.server.migrated import sqlite_url
from tests.server.store_world import five_bots, match_ids, record_of, started

from farfalia_server.rating.rater import Rater
from farfalia_server.store import ClaimedMatch, Match, Store, VoidReason
from farfalia_tools.testing import MemoryStore


def shown(result: Any) -> object:
    """What must be the same on both."""
    if isinstance(result, ClaimedMatch):
        return shown(result.match), result.first, [bot.id for bot in result.bots]
    if isinstance(result, Match):
        return result.state, result.epoch, result.attempt, result.board, result.node, result.note
    return result


@pytest.mark.parametrize("seed", [0, 1, *(pytest.param(seed, marks=pytest.mark.prove) for seed in range(2, 20))])
async def test_claims_and_ratings_have_the_same_results_in_memory_as_in_a_database(tmp_path: Path, seed: int) -> None:
    rng, memory = random.Random(seed), MemoryStore()
    async with await Store.open(sqlite_url(tmp_path / "store.db")) as real:
        bots = await five_bots(real)
        ids = await match_ids(real, await started(real, bots, 3))
        for number in ids:
            match = await real.matches.get(number)
            assert match.tournament_id is not None
            memory.add(match, bots, await real.claims.source(match.tournament_id))
        epochs = dict.fromkeys(ids, 0)
        for _ in range(60):
            number = rng.choice(ids)
            epoch = max(0, epochs[number] + rng.choice((0, 0, 0, 0, -1, 1)))
            call, arguments = rng.choice(
                [
                    ("claim", (number, "here", rng.choice((epoch, None)))),
                    ("finish", (number, epoch, record_of(number))),
                    ("void", (number, epoch, VoidReason.UNPLAYABLE, "why")),
                    ("void", (number, epoch, VoidReason.JOURNAL_LOST, "why")),
                ]
            )
            there = await getattr(real.claims, call)(*arguments)
            here = await getattr(memory.client().claims, call)(*arguments)
            assert shown(here) == shown(there), (call, arguments)
            after = await real.matches.get(number)
            assert shown(memory.get(number)) == shown(after), (call, arguments)
            assert (number in memory.records) == (after.result is not None)
            epochs[number] = after.epoch
        assert {one.id: memory.bots(one.id) for one in memory.all() if one.state == "running"} == (
            await real.matches.bots_of_running()
        )
        client = memory.client()
        stale, remembered = await real.ratings.unrated(2), await client.ratings.unrated(2)
        assert [match.id for match in remembered.matches] == [match.id for match in stale.matches]
        await Rater(real).rate_all()
        await Rater(client).rate_all()
        rated = [(match.id, match.rating_seq) for match in await real.ratings.rated(0, 100)]
        assert [(one.match.id, one.seq) for one in memory.ratings.order] == rated
        assert memory.ratings.all() == await real.ratings.all()
        if rated:  # a batch that was read before is refused
            assert not await real.ratings.apply(stale, (), (), "trueskill")
            assert not await client.ratings.apply(remembered, (), (), "trueskill")
