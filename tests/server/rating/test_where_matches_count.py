"""On which ladder a match counts: that of its game, another one of the game, or none."""

from __future__ import annotations

from contextlib import aclosing
from pathlib import Path

import pytest
from tests.server.arena_world import World, world

from farfalia.v1 import bots_pb2, ladders_pb2, matches_pb2, tournaments_pb2
from farfalia_engine import TimeControl
from farfalia_server.arena.ladders import LadderOpening
from farfalia_server.contract.errors import FailedPrecondition, InvalidArgument, NotFound
from farfalia_server.organising.deciding import void_matches
from farfalia_server.rating.rater import Rater
from farfalia_server.rating.rebuilding import rebuild

BOTS = ("ant", "bee", "cat", "dog", "eel")


async def test_an_unrated_tournament_moves_no_ladder_and_a_rated_one_after_it_does(tmp_path: Path) -> None:
    async with world(tmp_path) as here:
        await here.register(*BOTS)
        trial = await here.plan("trial", BOTS, rounds=2, unrated=True)
        await here.play_all(trial)
        await Rater(here.store).rate_all()
        assert await here.store.ratings.ladders() == []
        shown = await here.reader.tournament(trial.id)
        assert shown.ladder == ""
        assert all(row.HasField("rating") for row in shown.standings), "its own table has ratings in any case"
        counts = await here.plan("counts", BOTS, rounds=1)
        await here.play_all(counts)
        await Rater(here.store).rate_all()
        (match,) = [match for match in await here.store.matches.of_tournament(counts.id) if match.rating_seq]
        assert [one.id for one in await here.store.ratings.rated(0, 10)] == [match.id]
        assert (await here.reader.match(match.id)).ladder == "chinkway"


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
        assert not any(match.ladder for match in played)


def opening(here: World) -> LadderOpening:
    return LadderOpening(here.store, time_control=TimeControl(100, 0, 1), changed=lambda: None)


async def test_each_ladder_of_a_game_has_its_own_ratings_matches_and_chain(tmp_path: Path) -> None:
    async with world(tmp_path) as here:
        await here.register(*BOTS)
        await opening(here).open(ladders_pb2.Ladder(name="spring-course", ruleset="chinkway"))
        for name, ladder, rounds in (("course", "spring-course", 2), ("public", "", 1)):
            await here.play_all(await here.plan(name, BOTS, rounds=rounds, ladder=ladder))
        await Rater(here.store).rate_all()
        assert await here.store.ratings.ladders() == ["chinkway", "spring-course"]
        for ladder, rounds in (("spring-course", 2), ("chinkway", 1)):
            assert [row.rating.matches for row in (await here.reader.ratings(ladder)).bots] == [rounds] * len(BOTS)
            assert len((await here.reader.rating_chain(ladder)).entries) == rounds
            found = await here.reader.matches(matches_pb2.ListMatchesRequest(ladder=ladder))
            assert [match.ladder for match in found.matches] == [ladder] * rounds
        assert len((await here.reader.matches(matches_pb2.ListMatchesRequest(game="chinkway"))).matches) == 3
        shown = await here.reader.bots.with_versions(bots_pb2.GetBotRequest(name="ant", game="chinkway"))
        assert [history.ladder for history in shown.histories] == ["chinkway", "spring-course"]
        async with aclosing(rebuild(here.store)) as steps:
            rebuilt = [step async for step in steps][-1]
        assert not rebuilt.problems
        assert not rebuilt.differences
        assert not rebuilt.chain_differences


async def test_a_closed_ladder_opens_again_under_its_name_for_its_game_alone(tmp_path: Path) -> None:
    async with world(tmp_path) as here:
        ladders = opening(here)
        await ladders.open(ladders_pb2.Ladder(name="blitz", ruleset="four", options={"target": "50"}))
        with pytest.raises(FailedPrecondition, match="blitz is open"):
            await ladders.open(ladders_pb2.Ladder(name="blitz", ruleset="four"))
        await ladders.close("blitz")
        with pytest.raises(FailedPrecondition, match="blitz is not open"):
            await ladders.close("blitz")
        with pytest.raises(FailedPrecondition, match="is of four; expected another name for one of three"):
            await ladders.open(ladders_pb2.Ladder(name="blitz", ruleset="three"))
        again = await ladders.open(ladders_pb2.Ladder(name="blitz", ruleset="four", tables=2))
        assert (dict(again.options).get("target"), again.tables) != ("50", 4)
        assert [ladder.name for ladder in (await here.reader.ladder_list()).ladders] == ["blitz"]


@pytest.mark.parametrize("name", ["Blitz", "-blitz", "blitz-", "a/b", "..", "two words", "x" * 41, "\0"])
async def test_a_name_that_no_address_can_have_is_refused(tmp_path: Path, name: str) -> None:
    async with world(tmp_path) as here:
        with pytest.raises(InvalidArgument, match="expected up to 40 small letters"):
            await opening(here).open(ladders_pb2.Ladder(name=name, ruleset="four"))


async def test_a_wrong_ladder_is_refused_with_those_that_are_right(tmp_path: Path) -> None:
    async with world(tmp_path) as here:
        await here.register(*BOTS)
        await opening(here).open(ladders_pb2.Ladder(name="blitz", ruleset="four"))
        with pytest.raises(InvalidArgument, match="which is that of a game"):
            await opening(here).open(ladders_pb2.Ladder(name="two", ruleset="four"))
        with pytest.raises(InvalidArgument, match="'blitz', which is of four; expected a ladder of chinkway"):
            await here.plan("course", BOTS, ladder="blitz")
        with pytest.raises(InvalidArgument, match="'spring', which there is not"):
            await here.plan("course", BOTS, ladder="spring")
        with pytest.raises(NotFound, match=r"there is no ladder 'blits' \(did you mean blitz\?\)"):
            await here.reader.ratings("blits")
