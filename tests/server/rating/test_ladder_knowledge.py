"""What a ladder knows of entrants is taken down before a tournament, and holds as long as they stay as they are."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from tests.server.arena_world import FIVE, World, world

from farfalia.v1 import tournaments_pb2
from farfalia_server.arena.standings import RatingPrefix, make_standings
from farfalia_server.organising.entering import Entering
from farfalia_server.organising.entries import families_of
from farfalia_server.organising.starting import Starting
from farfalia_server.rating.ladder_knowledge import LadderKnowing, known_entrants
from farfalia_server.rating.pair_reliability import FinishedTournaments
from farfalia_server.rating.points_scales import PointsScales
from farfalia_server.rating.rater import Rater
from farfalia_server.store import LadderKnowledge, MatchState, Tournament
from farfalia_tournaments import TrueSkill, fit_strengths

GAME = "basic"


@pytest.fixture
async def here(tmp_path: Path) -> AsyncIterator[World]:
    """A ladder that knows five bots by a hundred matches; a sixth has none."""
    async with world(tmp_path) as made:
        await made.register(*FIVE, "fox")
        await made.play_all(await made.plan("before", FIVE, 100, GAME))
        await Rater(made.store).rate_all()
        yield made


async def start(here: World, tournament: Tournament) -> list[LadderKnowledge]:
    async def nobody(number: int) -> None:
        assert number == tournament.id

    await Starting(here.store, nobody, lambda: None, LadderKnowing(here.store).at_start).start(tournament.id)
    return await here.store.ladder_knowledge.of(tournament.id)


async def ratings(here: World) -> dict[int, tuple[float, float, int]]:
    """Mean and deviation in points, and matches, of the ladder's ratings as they are now."""
    scale = await PointsScales(here.store).of(GAME)
    assert scale is not None
    return {
        one.bot_id: (scale.of(one.mu, one.sigma).points, scale.unit * one.sigma, one.matches)
        for one in await here.store.ratings.all()
    }


async def shown(here: World, number: int) -> tournaments_pb2.Tournament:
    return await here.reader.tournament(number)


def names(row: tournaments_pb2.Tournament) -> set[str]:
    return {row.standings[one.row].entrant for one in row.pair_model.known}


async def play(here: World, number: int) -> None:
    for match in await here.store.matches.of_tournament(number):
        if match.state is MatchState.QUEUED:
            await here.play(match.id)


async def test_a_tournament_starts_from_the_ratings_before_its_own_matches(here: World) -> None:
    before = await ratings(here)
    cup = await here.plan("cup", [*FIVE, "fox"], 2, GAME)
    known = await start(here, cup)
    assert {one.bot_id: (one.mean, one.sigma, one.matches) for one in known} == before
    assert {(one.ladder, one.version) for one in known} == {(GAME, "1")}
    await play(here, cup.id)
    await Rater(here.store).rate_all()
    assert await ratings(here) != before
    assert await here.store.ladder_knowledge.of(cup.id) == known
    row = await shown(here, cup.id)
    assert names(row) == set(FIVE)
    told = {row.standings[one.row].entrant: one for one in row.pair_model.known}
    bots = {bot.id: bot.name for bot in (await here.store.bots.by_ids(before)).values()}
    for own in known:
        one = told[bots[own.bot_id]]
        assert (one.mean, one.sigma, one.matches, one.ladder) == (own.mean, own.sigma, own.matches, GAME)
    assert all(len(prior.known) == len(FIVE) for prior in row.pair_model.priors)


async def test_places_are_won_in_the_tournament_alone_and_pairs_start_from_the_ladder(here: World) -> None:
    cup = await here.plan("cup", FIVE, 3, GAME)
    await start(here, cup)
    await play(here, cup.id)
    row, tournament = await shown(here, cup.id), await here.store.tournaments.get(cup.id)
    matches = await here.store.matches.of_tournament(cup.id)
    entrants = await here.store.tournaments.entrants(cup.id)
    bots = await here.store.bots.by_ids(entrant.bot_id for entrant in entrants)
    families = families_of(entrants, bots)
    system, nothing = TrueSkill(), RatingPrefix()
    _, made = make_standings(system, nothing, tournament, matches, entrants, set(), families, (), {}, {})
    alone = made.shown
    assert row.standings == alone.standings
    assert row.strength_model == alone.strength_model
    assert [one.stronger for one in row.pairs] != [one.stronger for one in alone.pairs]
    assert not alone.HasField("pair_model")


async def test_a_tournament_may_stand_alone(here: World) -> None:
    alone, other = [
        await here.planner.plan(tournaments_pb2.CreateTournamentRequest(name=name, bots=FIVE, ruleset=GAME, alone=own))
        for name, own in (("alone", True), ("other", False))
    ]
    assert (alone.alone, other.alone) == (True, False)
    assert await start(here, alone) == []
    assert len(await start(here, other)) == len(FIVE)
    await play(here, alone.id)
    row = await shown(here, alone.id)
    assert row.alone
    assert not row.HasField("pair_model")


@pytest.mark.parametrize(
    ("game", "options", "knows"), [(GAME, {}, len(FIVE)), (GAME, {"double_you": "on"}, 0), ("chinkway", {}, 0)]
)
async def test_a_ladder_tells_of_its_own_game_alone(
    here: World, game: str, options: dict[str, str], knows: int
) -> None:
    cup = await here.plan("cup", FIVE, 2, game, options)
    assert len(await start(here, cup)) == knows


async def test_a_new_version_and_a_replaced_entrant_are_not_known(here: World) -> None:
    await here.store.bots.renew("ant", "2")
    cup = await here.plan("cup", FIVE, 4, GAME)
    known = await start(here, cup)
    assert len(known) == 4, "nothing is known of the second version of ant"
    first, *rest = await here.store.matches.of_tournament(cup.id)
    await here.play(first.id)
    assert names(await shown(here, cup.id)) == {"bee", "cat", "dog", "eel"}
    await here.store.bots.renew("bee", "2")
    await here.play(rest[0].id)
    assert names(await shown(here, cup.id)) == {"cat", "dog", "eel"}
    entering = Entering(here.store, here.planner, LadderKnowing(here.store).of_late)
    await entering.replace(cup.id, "cat", "fox")
    assert names(await shown(here, cup.id)) == {"dog", "eel"}


async def test_of_a_late_entrant_is_known_what_the_same_ladder_knows_then(here: World) -> None:
    cup = await here.plan("cup", FIVE[:3], 2, GAME)
    assert len(await start(here, cup)) == 3
    entering = Entering(here.store, here.planner, LadderKnowing(here.store).of_late)
    await entering.enter(cup.id, "dog")
    await entering.enter(cup.id, "fox")
    known = await here.store.ladder_knowledge.of(cup.id)
    bots = await here.store.bots.by_ids(one.bot_id for one in known)
    assert sorted(bot.name for bot in bots.values()) == ["ant", "bee", "cat", "dog"]


async def test_crosstables_are_held_to_account_by_what_they_knew(here: World) -> None:
    cup = await here.plan("cup", FIVE, 3, GAME)
    known = await start(here, cup)
    await play(here, cup.id)
    parts = FinishedTournaments(here.store, GAME)
    told = []
    while (part := await parts.part()) is not None:
        told.append(part)
    last = told[-1]
    assert sorted((own.mean, own.deviation) for own in last.known.values()) == sorted(
        (own.mean, own.sigma) for own in known
    )
    results = list(told[-2].results)
    fit = fit_strengths(results, told[-2].baselines, last.families, last.known).watched(last.looks)
    row = await shown(here, cup.id)
    entrants = [one.entrant for one in row.standings]
    numbers = {bot.name: bot.id for bot in (await here.store.bots.by_ids(one.bot_id for one in known)).values()}
    for pair in row.pairs:
        lasting = [f'[{numbers[entrants[one]]}, "1", "{{}}"]' for one in (pair.row, pair.column)]
        assert fit.probability(*lasting) == pytest.approx(pair.stronger)


async def test_knowledge_follows_entries_not_names(here: World) -> None:
    cup = await here.plan("cup", FIVE, 2, GAME)
    await start(here, cup)
    entrants = await here.store.tournaments.entrants(cup.id)
    one, other = [LadderKnowledge(entrants[n].bot_id, "1", GAME, n, 1.0, 5) for n in range(2)]
    assert known_entrants(entrants, [one, other], []) == {entrants[0].name: one, entrants[1].name: other}
