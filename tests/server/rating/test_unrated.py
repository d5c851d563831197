"""Tournaments that count on no ladder."""

from __future__ import annotations

from pathlib import Path

from tests.server.arena_world import world

from farfalia.v1 import tournaments_pb2
from farfalia_server.organising.deciding import void_matches
from farfalia_server.rating.rater import Rater

BOTS = ("ant", "bee", "cat", "dog", "eel")


async def test_an_unrated_tournament_moves_no_ladder_and_a_rated_one_after_it_does(tmp_path: Path) -> None:
    async with world(tmp_path) as here:
        await here.register(*BOTS)
        trial = await here.plan("trial", BOTS, rounds=2, unrated=True)
        await here.play_all(trial)
        await Rater(here.store).rate_all()
        assert await here.store.ratings.ladders() == []
        shown = await here.reader.tournament(trial.id)
        assert shown.unrated
        assert all(row.HasField("rating") for row in shown.standings), "its own table has ratings in any case"
        counts = await here.plan("counts", BOTS, rounds=1)
        await here.play_all(counts)
        await Rater(here.store).rate_all()
        (match,) = [match for match in await here.store.matches.of_tournament(counts.id) if match.rating_seq]
        assert [one.id for one in await here.store.ratings.rated(0, 10)] == [match.id]
        assert not (await here.reader.match(match.id)).unrated


async def test_a_match_that_is_played_again_is_rated_as_the_void_one_was(tmp_path: Path) -> None:
    async with world(tmp_path) as here:
        await here.register(*BOTS)
        trial = await here.plan("trial", BOTS, rounds=2, unrated=True)
        await here.play_all(trial, leave=1)
        first = (await here.store.matches.of_tournament(trial.id))[0]
        request = tournaments_pb2.VoidMatchesRequest(id=trial.id, matches=[first.id], reason="why", replay=True)
        await void_matches(here.store, request, "otto")
        played = await here.store.matches.of_tournament(trial.id)
        assert len(played) == 3
        assert not any(match.rated for match in played)
