"""The prices of decisions in the database, and which match is analysed next."""

from __future__ import annotations

import math

import pytest
from tests.server.arena_world import FIVE, World
from tests.server.store_world import five_bots, match_ids, play, started

from farfalia.v1 import analysis_pb2
from farfalia_server.contract.errors import ResourceExhausted
from farfalia_server.store import AnalysisState, Match, Store
from farfalia_server.store.prices.analyses import MOST_TRIES
from farfalia_server.store.prices.packing import pack, unpack


def priced(number: int, seat: int, price: float, error: float = 0.5, **more: object) -> analysis_pb2.PricedDecision:
    """A decision that has this price."""
    values: dict[str, object] = {"aspect": "lead", "deal": 1, "trick": 2, "action": 7, "best": 9} | more
    values["values"] = [
        analysis_pb2.ActionValue(action=7, value=-price, error=error),
        analysis_pb2.ActionValue(action=9, value=0.0),
    ]
    return analysis_pb2.PricedDecision(
        number=number,
        seat=seat,
        price=price,
        error=error,
        mistake=price > 2 * error,
        **values,  # type: ignore[arg-type]
    )


async def finished(world: World, bots: tuple[str, ...] = FIVE, rounds: int = 1) -> list[Match]:
    """The matches of a tournament that is over."""
    tournament = await world.plan("cup", bots, rounds)
    await world.play_all(tournament)
    return await world.store.matches.of_tournament(tournament.id)


async def analysed(world: World, match: Match, *decisions: analysis_pb2.PricedDecision, cpu: float = 1.0) -> None:
    """Have a match analysed, with these decisions."""
    assert await world.store.analyses.begin(match.id)
    assert await world.store.prices.keep(match.id, decisions, cpu)


def test_what_is_packed_comes_back() -> None:
    decisions = [
        priced(3, 1, 4.26, 0.71, open_price=2.5),
        priced(9, 1, 0.0, aspect="collect"),
        priced(11, 1, 12.0, 3.0, replaced=True),
    ]
    found = unpack(5, 1, pack(decisions))
    assert [(one.match, one.seat, one.number, one.aspect) for one in found] == [
        (5, 1, 3, "lead"),
        (5, 1, 9, "collect"),
        (5, 1, 11, "lead"),
    ]
    assert [one.HasField("open_price") for one in found] == [True, False, False]
    assert [(one.price, one.error, one.mistake, one.replaced) for one in found] == [
        (4.26, 0.71, True, False),
        (0.0, 0.5, False, False),
        (12.0, 3.0, True, True),
    ]
    assert [[(value.action, value.value) for value in one.values] for one in found] == [
        [(7, -4.3), (9, 0.0)],
        [(7, 0.0), (9, 0.0)],
        [(7, -12.0), (9, 0.0)],
    ]
    assert unpack(5, 1, pack([])) == []


def test_places_are_kept_of_the_decisions_that_have_them() -> None:
    places = analysis_pb2.PlacePrice(best=9, price=0.42, error=0.11)
    last = priced(11, 1, 12.0, 3.0, places=places)
    for value, place, first in zip(last.values, (2.5, 1.25), (0.12, 0.75), strict=True):
        value.place, value.first = place, first
    found = unpack(5, 1, pack([priced(3, 1, 4.0), last, priced(12, 1, 1.0)]))
    assert [one.HasField("places") for one in found] == [False, True, False]
    assert found[1].places == places
    assert [(value.place, value.first) for value in found[1].values] == [(2.5, 0.12), (1.25, 0.75)]
    assert not any(value.HasField("place") for one in (found[0], found[2]) for value in one.values)


async def test_every_kind_of_database_keeps_prices(store: Store) -> None:
    tournament = await started(store, await five_bots(store), 3)
    ids = await match_ids(store, tournament)
    for played in ids:
        await play(store, played)
    await store.analyses.ask(ids[0], "account 1", 2)
    order = []
    while (number := await store.analyses.next(unasked=True)) is not None:
        order.append(number)
        assert await store.analyses.begin(number)
        assert await store.prices.keep(number, [priced(1, 0, 2.0), priced(2, 0, 4.0, open_price=1.0)], 2.5)
    assert order[0] == ids[0]
    assert sorted(order) == sorted(ids)
    bots = {(await store.matches.get(one)).seats[0].bot_id for one in ids}
    sums = [row.own for bot in sorted(bots) for row in await store.prices.of_bot(bot)]
    assert sum(one.decisions for one in sums) == 2 * len(ids)
    assert sum(one.price for one in sums) == 6.0 * len(ids)
    found = [one for bot in bots for one in await store.prices.dearest(bot, "chinkway", limit=20)]
    assert sorted(one.price for one in found) == [2.0] * len(ids) + [4.0] * len(ids)
    spent = await store.analyses.spent_today()
    assert (spent.together, spent.unasked) == (2.5 * len(ids), 2.5 * (len(ids) - 1))
    await store.voiding.void(tournament.id, ids, text="power cut")
    assert [await store.prices.of_bot(bot) for bot in bots] == [[]] * len(bots)


async def test_a_bot_is_priced_by_version_and_beside_the_others(world: World) -> None:
    await world.register(*FIVE)
    (match,) = await finished(world)
    await analysed(world, match, priced(1, 0, 2.0), priced(2, 0, 4.0), priced(3, 1, 1.0), priced(4, 2, 3.0))
    bot = match.seats[0].bot_id
    (row,) = await world.store.prices.of_bot(bot)
    assert (row.ruleset, row.aspect) == ("chinkway", "lead")
    assert (row.own.decisions, row.own.mistakes, row.own.mean) == (2, 2, 3.0)
    assert math.isclose(row.own.error, 1.0)
    assert (row.field.decisions, row.field.mistakes, row.field.mean) == (2, 1, 2.0)
    assert await world.store.prices.of_bot(bot, "four") == []
    assert await world.store.prices.of_bot(bot, "", "another") == []


async def test_what_a_house_bot_did_in_its_place_costs_a_bot_nothing(world: World) -> None:
    await world.register(*FIVE)
    (match,) = await finished(world)
    await analysed(world, match, priced(1, 0, 9.0, replaced=True), priced(2, 0, 2.0))
    bot = match.seats[0].bot_id
    ((row,), dearest) = (
        await world.store.prices.of_bot(bot),
        await world.store.prices.dearest(bot, "chinkway", limit=5),
    )
    assert row.own.decisions == 1
    assert [one.number for one in dearest] == [2]
    assert [one.number for one in await world.store.prices.of_match(match.id)] == [1, 2]


async def test_the_dearest_mistakes_of_all_matches_come_first(world: World) -> None:
    await world.register(*FIVE)
    matches = await finished(world, rounds=3)
    bot = matches[0].seats[0].bot_id
    seats = [[seat.bot_id for seat in match.seats].index(bot) for match in matches]
    for match, seat, prices in zip(matches, seats, ((2.0, 7.0), (6.0, 1.5), (9.0, 8.0)), strict=True):
        await analysed(world, match, *(priced(number, seat, price) for number, price in enumerate(prices)))
    found = await world.store.prices.dearest(bot, "chinkway", limit=4)
    assert [one.price for one in found] == [9.0, 8.0, 7.0, 6.0]
    assert not any(one.values for one in found)


async def test_a_match_that_is_void_leaves_the_sums(world: World) -> None:
    await world.register(*FIVE)
    first, second = await finished(world, rounds=2)
    bot = first.seats[0].bot_id
    at = [seat.bot_id for seat in second.seats].index(bot)
    await analysed(world, first, priced(1, 0, 2.0))
    await analysed(world, second, priced(1, at, 5.0))
    tournament = first.tournament_id
    assert tournament is not None
    await world.store.voiding.void(tournament, [first.id], text="power cut")
    (row,) = await world.store.prices.of_bot(bot)
    assert (row.own.decisions, row.own.mean) == (1, 5.0)
    assert await world.store.prices.of_match(first.id) == []
    assert await world.store.analyses.state(first.id) is None


async def test_what_was_under_way_when_its_match_became_void_is_not_kept(world: World) -> None:
    await world.register(*FIVE)
    (match,) = await finished(world)
    assert match.tournament_id is not None
    assert await world.store.analyses.begin(match.id)
    await world.store.voiding.void(match.tournament_id, [match.id], text="power cut")
    assert not await world.store.prices.keep(match.id, [priced(1, 0, 2.0)], 1.0)
    assert await world.store.prices.of_match(match.id) == []


async def test_matches_that_somebody_asks_for_come_first_then_the_newest(world: World) -> None:
    await world.register(*FIVE)
    matches = await finished(world, rounds=4)
    analyses = world.store.analyses
    assert await analyses.next(unasked=False) is None
    assert await analyses.next(unasked=True) == matches[3].id
    for match in (matches[1], matches[0]):
        assert await analyses.ask(match.id, "account 1", 5) is AnalysisState.WAITING
    order = []
    while (number := await analyses.next(unasked=True)) is not None:
        order.append(number)
        assert await analyses.begin(number)
        assert await analyses.next(unasked=True) == number  # a server that was killed meanwhile begins again
        await world.store.prices.keep(number, [], 1.0)
    assert order == [matches[index].id for index in (1, 0, 3, 2)]


async def test_a_match_whose_board_is_in_play_waits(world: World) -> None:
    tournament = await world.two_tables()
    first, second = await world.store.matches.of_tournament(tournament.id)
    await world.play(first.id)
    assert await world.store.analyses.next(unasked=True) is None
    await world.play(second.id)
    assert await world.store.analyses.next(unasked=True) == second.id


async def test_an_analysis_that_ends_its_process_each_time_is_given_up(world: World) -> None:
    await world.register(*FIVE)
    (match,) = await finished(world)
    assert [await world.store.analyses.begin(match.id) for _ in range(MOST_TRIES + 1)] == [True] * MOST_TRIES + [False]
    assert await world.store.analyses.state(match.id) is AnalysisState.FAILED
    assert await world.store.analyses.next(unasked=True) is None


async def test_somebody_may_ask_for_so_many_and_for_the_same_match_again(world: World) -> None:
    await world.register(*FIVE)
    matches = await finished(world, rounds=3)
    for match in (matches[0], matches[1], matches[1]):
        await world.store.analyses.ask(match.id, "account 1", 2)
    with pytest.raises(ResourceExhausted, match="you have asked for 2 analyses within a day"):
        await world.store.analyses.ask(matches[2].id, "account 1", 2)
    assert await world.store.analyses.ask(matches[2].id, "account 2", 2) is AnalysisState.WAITING


async def test_what_is_spent_is_known_by_whether_somebody_asked(world: World) -> None:
    await world.register(*FIVE)
    matches = await finished(world, rounds=3)
    await world.store.analyses.ask(matches[0].id, "account 1", 5)
    await analysed(world, matches[0], cpu=5.0)
    await analysed(world, matches[1], cpu=2.0)
    assert await world.store.analyses.begin(matches[2].id)
    await world.store.analyses.fail(matches[2].id, 1.0)
    spent = await world.store.analyses.spent_today()
    assert (spent.together, spent.unasked) == (8.0, 3.0)
