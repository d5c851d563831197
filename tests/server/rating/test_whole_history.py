"""Whole-history fits of ladders and the report on collusion, from stored results, on both databases."""

from __future__ import annotations

import asyncio
import pickle
import random
from datetime import UTC, datetime
from pathlib import Path

import grpc
import pytest
import structlog
from tests.server.arena_client import FIVE, Arena
from tests.server.migrated import sqlite_url
from tests.server.store_world import CONTROL, match_ids, play, play_out, seats, started

from farfalia.v1 import ratings_pb2
from farfalia_server.contract.errors import StoreUnavailable
from farfalia_server.rating.rater import Rater
from farfalia_server.rating.whole_history import (
    LadderFitter,
    fit_ladder,
    read_cards,
    report_collusion,
    report_tournament_collusion,
    seconds_until,
)
from farfalia_server.records.results import match_result
from farfalia_server.store import Bot, NewLadderMatch, NewMatch, Store
from farfalia_tournaments import MatchResult, Unit, units


async def played(store: Store, bots: list[Bot], matches: int, seed: int = 1) -> None:
    """Play and rate `matches` matches in which the first bot is much better than the others."""
    chance = random.Random(seed)
    for match_id in await match_ids(store, await started(store, bots, matches)):
        await play(store, match_id, [chance.randrange(60) + 100 * (seat == 0) for seat in range(len(bots))])
    await Rater(store).rate_all()


async def drawn(store: Store, bots: list[Bot], matches: int, chance: random.Random) -> dict[int, list[Bot]]:
    """A tournament whose tables chance has drawn: who sits at which match."""
    tables = [chance.sample(bots, 5) for _ in range(matches)]
    planned = [NewMatch(number, f"board-{number}", seats(table)) for number, table in enumerate(tables, 1)]
    return dict(zip(await match_ids(store, await started(store, bots, planned)), tables, strict=True))


async def bots_of(store: Store, count: int) -> list[Bot]:
    return [(await store.bots.register(f"bot-{number}"))[0] for number in range(count)]


async def test_a_ladder_is_fitted_with_intervals_version_by_version(store: Store) -> None:
    bots = await bots_of(store, 5)
    await played(store, bots, 6)
    await store.bots.renew("bot-0", "2")
    await played(store, bots, 3, seed=2)
    assert await store.fitted_ratings.of("chinkway") == {}
    assert await fit_ladder(store, "chinkway") == 9
    fitted = await store.fitted_ratings.of("chinkway")
    assert {key: one.matches for key, one in fitted.items()} == {
        (1, "1"): 6,
        (1, "2"): 3,
        **{(number, "1"): 9 for number in range(2, 6)},
    }
    assert all(one.low < one.mu < one.high for one in fitted.values())
    assert min(fitted[1, "1"].mu, fitted[1, "2"].mu) > max(fitted[number, "1"].mu for number in range(2, 6))
    strengths = {key: one.strength for key, one in fitted.items() if one.strength is not None}
    assert len(strengths) == 6
    assert abs(sum(strengths.values())) < 1e-9
    assert all((one.strength_low or 0) < strengths[key] < (one.strength_high or 0) for key, one in fitted.items())
    assert min(strengths[1, "1"], strengths[1, "2"]) > max(strengths[number, "1"] for number in range(2, 6))
    bins = (await store.reliability.of("chinkway")).matches
    assert sum(one.pairs for one in bins) == 9 * 10  # of five at a table
    assert all(one.low <= one.said <= one.high and 0 <= one.happened <= 1 for one in bins)
    assert await fit_ladder(store, "chinkway") == 9
    again = await store.fitted_ratings.of("chinkway")
    assert {key: one.mu for key, one in again.items()} == {key: one.mu for key, one in fitted.items()}


async def test_a_tournament_is_held_against_the_next_one_of_the_same_versions(store: Store) -> None:
    async def pairs() -> int:
        await fit_ladder(store, "chinkway")
        return sum(one.pairs for one in (await store.reliability.of("chinkway")).pairs)

    bots = await bots_of(store, 5)
    await played(store, bots, 20)
    assert await pairs() == 0
    await played(store, bots, 3, seed=2)
    assert await pairs() == 10
    *_, last = (await store.reliability.of("chinkway")).pairs
    assert (last.low, last.high, last.happened) == (0.99, 1.0, 1.0)
    assert last.pairs >= 4  # the first bot against the four others
    assert 0.9 < last.said < last.shown
    await started(store, bots, 2)
    assert await pairs() == 10  # it is not over
    await store.bots.renew("bot-0", "2")
    await played(store, bots, 3, seed=3)
    assert await pairs() == 16
    await played(store, bots, 3, seed=4)
    assert await pairs() == 26


async def test_a_worker_process_is_told_a_few_matches_at_a_time(store: Store, messages: list[bytes]) -> None:
    """To write 20,000 matches into one message stops the event loop for a quarter of a second."""
    await played(store, await bots_of(store, 5), 120)
    assert await fit_ladder(store, "chinkway") == 120
    assert max(message.count(b"/board-") for message in messages) == 50
    assert sum(message.count(b"/board-") for message in messages) == 2 * 120  # for the ladder, and for its tournament
    messages.clear()
    assert not (await report_collusion(store, "chinkway")).effects
    assert [told for message in messages if (told := message.count(b"/board-")) > 1] == [50, 50, 20]
    assert max(map(len, messages)) < 50 * 400  # neither are records, and what is known of whom cards favoured


async def test_every_ladder_is_fitted_and_one_without_matches_is_empty(store: Store) -> None:
    await played(store, await bots_of(store, 5), 1)
    await LadderFitter(store, 3).fit_all()
    assert len(await store.fitted_ratings.of("chinkway")) == 5
    assert set(await store.favours.of([1])) == {1}  # its cards were read, too
    assert await fit_ladder(store, "four") == 0
    assert await store.fitted_ratings.of("four") == {}


def test_the_night_comes_once_a_day() -> None:
    assert seconds_until(3, datetime(2030, 1, 1, 2, 59, 30, tzinfo=UTC)) == 30
    assert seconds_until(3, datetime(2030, 1, 1, 3, 0, 0, tzinfo=UTC)) == 24 * 3600
    assert seconds_until(0, datetime(2030, 12, 31, 23, 0, 0, tzinfo=UTC)) == 3600


async def test_a_bot_that_feeds_another_is_flagged(tmp_path: Path) -> None:
    async with await Store.open(sqlite_url(tmp_path / "farfalia.db")) as store:
        bots, chance = await bots_of(store, 7), random.Random(5)
        for match_id, table in (await drawn(store, bots, 60, chance)).items():
            fed = {bots[0], bots[1]} <= set(table)
            await play(store, match_id, [chance.randrange(30) + 40 * (fed and bot == bots[0]) for bot in table])
        await Rater(store).rate_all()
        found = (await report_collusion(store, "chinkway")).effects
        assert (found[0].bot, found[0].other, found[0].flagged) == ("bot-0", "bot-1", True)
        assert found[0].difference > 20
        assert not (await report_collusion(store, "four")).effects
        assert (await report_tournament_collusion(store, 1)).effects == found
        await played(store, bots[:5], 30, seed=3)
        other = (await report_tournament_collusion(store, 2)).effects
        assert not other  # five who always sit together are never apart
        assert (await report_tournament_collusion(store, 1)).effects == found
        assert (await report_collusion(store, "chinkway")).effects != found


async def test_a_tournament_that_is_not_over_is_told_as_far_as_it_was_played(
    store: Store, messages: list[bytes]
) -> None:
    bots, chance = await bots_of(store, 7), random.Random(5)
    matches = await drawn(store, bots, 90, chance)
    assert not (await report_tournament_collusion(store, 1)).effects
    for match_id in list(matches)[30:]:
        await play(store, match_id, [chance.randrange(30) for _ in range(5)])
    messages.clear()
    assert (await report_tournament_collusion(store, 1)).effects
    assert [told for message in messages if (told := message.count(b"/board-"))] == [20, 40]


async def test_the_report_on_collusion_comes_from_the_worker_as_bytes_of_the_contract(
    store: Store, messages: list[bytes]
) -> None:
    """To unpickle the 22,000 effects of 150 bots stops the event loop for 70 ms."""
    bots, chance = await bots_of(store, 7), random.Random(5)
    for match_id in await drawn(store, bots, 60, chance):
        await play(store, match_id, [chance.randrange(30) for _ in range(5)])
    await Rater(store).rate_all()
    report = await report_collusion(store, "chinkway")
    assert len(report.effects) > 20
    told = pickle.loads(messages[-1])
    assert isinstance(told, bytes)
    assert ratings_pb2.ReportCollusionResponse.FromString(told) == report


async def test_a_feeding_pair_is_found_in_a_small_ladder_whose_boards_have_one_name(
    tmp_path: Path,
) -> None:
    async with await Store.open(sqlite_url(tmp_path / "farfalia.db")) as store:
        bots, chance = await bots_of(store, 6), random.Random(5)
        for number in range(120):
            table = chance.sample(bots, 5)
            new = NewLadderMatch(NewMatch(0, "board-1", seats(table)), number.to_bytes(32), b"")
            (match,) = await store.matches.plan(
                [new], ruleset="chinkway", options={}, time_control=CONTROL, ladder="chinkway"
            )
            fed = {bots[0], bots[1]} <= set(table)
            await play(store, match.id, [chance.randrange(30) + 40 * (fed and bot == bots[0]) for bot in table])
        await Rater(store).rate_all()
        found = (await report_collusion(store, "chinkway")).effects
        assert (found[0].bot, found[0].other, found[0].flagged) == ("bot-0", "bot-1", True)
        assert found[0].together + found[0].apart == sum("bot-0" in names for names in await tables(store))


async def test_tournaments_added_up_say_what_each_of_them_says(tmp_path: Path) -> None:
    async with await Store.open(sqlite_url(tmp_path / "farfalia.db")) as store:
        bots, chance = await bots_of(store, 10), random.Random(6)
        alone: list[Unit[str]] = []
        together: list[MatchResult[str]] = []
        for _ in range(2):
            rounds = [chance.sample(bots, 10) for _ in range(4)]
            drawn = [
                NewMatch(number, f"board-1-{number}", seats(table))
                for number, order in enumerate(rounds, 1)
                for table in (order[:5], order[5:])
            ]
            tournament = await started(store, bots, drawn)
            for match_id in await match_ids(store, tournament):
                await play(store, match_id, [chance.randrange(60) for _ in range(5)])
            results = [
                match_result(match, [seat.name for seat in match.seats])
                for match in await store.matches.of_tournament(tournament.id)
            ]
            alone += units(results)
            together += results
        assert units(together) == alone


async def test_cards_are_read_once_at_night_or_for_a_report(store: Store, messages: list[bytes]) -> None:
    bots, chance = await bots_of(store, 7), random.Random(5)
    matches = list(await drawn(store, bots, 14, chance))
    for match_id in matches[:4]:
        await play(store, match_id)  # its record does not say how it was played
    for match_id in matches[4:9]:
        await play_out(store, match_id)
    await Rater(store).rate_all()
    assert await store.favours.of(matches) == {}
    assert await read_cards(store, "chinkway") == 9
    kept = await store.favours.of(matches)
    assert {match_id: bool(sum(map(any, rows))) for match_id, rows in kept.items()} == {
        match_id: match_id in matches[4:9] for match_id in matches[:9]
    }
    for match_id in matches[9:]:
        await play_out(store, match_id)
    await Rater(store).rate_all()
    messages.clear()
    report = await report_collusion(store, "chinkway")
    assert (report.read, report.matches) == (14, 14)
    assert sum(b"chinkway" in message for message in messages) == 5  # records: those that were not read
    assert (await report_tournament_collusion(store, 1)) == report
    assert {match_id: rows for match_id, rows in (await store.favours.of(matches)).items() if match_id in kept} == kept


async def test_a_report_reads_cards_for_a_while_and_says_how_far_it_came(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    bots, chance = await bots_of(store, 7), random.Random(5)
    for match_id in await drawn(store, bots, 3, chance):
        await play_out(store, match_id)
    await Rater(store).rate_all()
    monkeypatch.setattr("farfalia_server.rating.whole_history._READING", 0.0)
    report = await report_collusion(store, "chinkway")
    assert (report.read, report.matches) == (0, 3)


async def tables(store: Store) -> list[set[str]]:
    return [{seat.name for seat in match.seats} for match in await store.match_search.newest(limit=1000)]


async def test_both_calls_are_the_admins_and_name_a_ladder(arena: Arena) -> None:
    token, *_ = await arena.five()
    await arena.here.play_all(await arena.here.plan("Friday", FIVE, 2))
    await Rater(arena.here.store).rate_all()
    for call in ("FitLadder", "ReportCollusion"):
        assert (await arena.refused(call, token))[:2] == (grpc.StatusCode.PERMISSION_DENIED, "NOT_ALLOWED")
        code, reason, _ = await arena.refused(call, arena.admin, ladder="bridge")
        assert (code, reason) == (grpc.StatusCode.NOT_FOUND, "LADDER_UNKNOWN")
    assert not any(row.HasField("fit") for row in (await arena.ask("ListRatings")).bots)
    assert (await arena.ask("FitLadder", arena.admin)).matches == 2
    for row in (await arena.ask("ListRatings")).bots:
        assert row.fit.low < row.fit.mu < row.fit.high
        assert row.fit.matches == 2
        assert row.fit.mu == pytest.approx(row.rating.mu, abs=0.5)
    assert list((await arena.ask("ReportCollusion", arena.admin)).effects) == []


async def test_a_night_in_which_ladders_cannot_be_fitted_is_logged_and_the_next_one_comes(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    failures = [StoreUnavailable("the database does not answer"), ValueError("a number is wrong")]
    fitted = asyncio.Event()

    async def fit_all(self: LadderFitter) -> None:
        if failures:
            raise failures.pop(0)
        fitted.set()

    monkeypatch.setattr(LadderFitter, "fit_all", fit_all)
    monkeypatch.setattr("farfalia_server.rating.whole_history.seconds_until", lambda *_: 0.001)
    with structlog.testing.capture_logs() as logged:
        async with LadderFitter(store, 3):
            await fitted.wait()
    assert [line["event"] for line in logged] == ["service_paused", "service_failed"]
