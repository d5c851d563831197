"""The luck of the cards: taken out of scores and told to everybody, but not before the cards may be seen."""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Sequence
from dataclasses import replace

import pytest
from tests.server.arena_client import FIVE, Arena
from tests.server.web_site import Site

import farfalia_engine as engine
from farfalia.v1 import matches_pb2, record_pb2, tournaments_pb2
from farfalia_server.records.codec import from_message
from farfalia_server.records.results import match_result
from farfalia_tournaments import MatchResult, standings


async def shown(arena: Arena, match: int) -> matches_pb2.Match:
    listed: list[matches_pb2.Match] = (await arena.ask("ListMatches")).matches
    return next(one for one in listed if one.id == match)


async def table_of(arena: Arena, tournament: int) -> dict[str, float]:
    """Return the adjusted scores that are shown, by entrant."""
    rows = (await arena.ask("GetTournament", id=tournament)).tournament.standings
    return {row.entrant: row.adjusted for row in rows if row.matches}


def adjusted_in(results: Sequence[MatchResult[str]]) -> dict[str, float]:
    return {row.entrant: row.adjusted for row in standings(results)}


async def test_the_luck_of_a_match_is_told_when_no_table_plays_its_board_any_more(arena: Arena) -> None:
    made = await arena.here.two_tables()
    await arena.here.play(1)
    assert not (await shown(arena, 1)).luck
    assert await table_of(arena, made.id) == {}
    await arena.here.play(2)
    for match in (1, 2):
        record = await arena.here.store.records.get(match)
        expected = engine.luck(from_message(record))
        assert expected is not None
        assert list((await shown(arena, match)).luck) == pytest.approx(list(map(float, expected)), abs=0.001)
    matches = await arena.here.store.matches.of_tournament(made.id)
    results = [match_result(match, [seat.name for seat in match.seats]) for match in matches]
    with_luck = [replace(result, luck=(0,) * 5) for result in results]
    found = await table_of(arena, made.id)
    assert found == pytest.approx(adjusted_in(results))
    assert found != pytest.approx(adjusted_in(with_luck))


async def test_scores_of_a_tournament_are_those_of_its_results_without_luck(arena: Arena) -> None:
    made = await arena.here.spring(rounds=2)
    await arena.here.play_all(made)
    matches = await arena.here.store.matches.of_tournament(made.id)
    results = [match_result(match, [seat.name for seat in match.seats]) for match in matches]
    assert all(any(result.luck) for result in results)
    assert await table_of(arena, made.id) == pytest.approx(adjusted_in(results))


async def test_the_value_function_is_published_before_the_match_and_stands_in_the_record(arena: Arena) -> None:
    made = await arena.here.spring()
    published: tournaments_pb2.Tournament = (await arena.ask("GetTournament", id=made.id)).tournament
    assert len(published.value_function) == len(published.commitment) == 32
    await arena.here.play_all(made)
    record: record_pb2.Record = (await arena.ask("GetRecord", match=1)).record
    assert record.source.value_function == published.value_function
    (farrago,) = [await arena.here.plan("farrago", FIVE[:4], rounds=1, ruleset="farrago")]
    assert not (await arena.ask("GetTournament", id=farrago.id)).tournament.value_function


async def test_a_server_with_another_value_function_takes_no_luck_out_and_says_so(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    spring = await site.here.spring(rounds=2)
    await site.here.store.tournaments.start(spring.id)
    await site.here.play(1)
    committed = spring.value_function
    assert committed.hex() in await site.text(f"/tournaments/{spring.id}")
    monkeypatch.setattr("farfalia_engine.farfalia.game.VALUE_FUNCTION", bytes(32))  # as after an upgrade
    await site.here.play(2)
    assert [(await site.here.store.records.get(match)).source.value_function for match in (1, 2)] == [committed, b""]
    found = {match.id: match.result for match in await site.here.store.matches.of_tournament(spring.id)}
    assert [bool(result and result.luck) for result in found.values()] == [True, False]
    shown = await site.json(f"/api/tournaments/{spring.id}")
    assert b64decode(shown["valueFunction"]) == committed
    assert shown["valueFunctionMissing"] is True
    text = await site.text(f"/tournaments/{spring.id}")
    assert "This server does not have the value function of luck that the tournament has committed to" in text
    assert committed.hex() in text
    summer = await site.here.plan("summer", FIVE, rounds=1)
    assert summer.value_function == bytes(32)
    assert not (await site.json(f"/api/tournaments/{summer.id}"))["valueFunctionMissing"]


async def test_the_page_of_a_match_has_a_column_of_luck_when_its_cards_may_be_seen(site: Site) -> None:
    await site.here.two_tables()
    await site.here.play(1)
    assert "Luck" not in await site.text("/matches/1")
    assert (await site.json("/api/matches/1"))["luck"] == []
    await site.here.play(2)
    lucky = (await site.json("/api/matches/1"))["luck"]
    page = await site.text("/matches/1")
    assert "Luck: how many more points the cards were worth" in page
    assert all(f"{points:+.1f}".replace("-", "−") in page for points in lucky)
