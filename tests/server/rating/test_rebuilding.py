"""Ratings from the records alone, on both databases: the same as those that are kept, or it is said what is not."""

from __future__ import annotations

from contextlib import aclosing
from dataclasses import replace
from pathlib import Path

import grpc
import pytest
from sqlalchemy import update
from tests.server.arena_client import FIVE, Arena
from tests.server.migrated import sqlite_url
from tests.server.store_world import five_bots, match_ids, play_out, run_sql, seats, started

from farfalia.v1 import ratings_pb2, record_pb2
from farfalia_server.arena.rating_messages import PROBLEM_REASONS
from farfalia_server.rating import rebuilding
from farfalia_server.rating.chain_rebuilding import ChainDifference, ChainReason
from farfalia_server.rating.checking import ProblemReason, RecordProblem, problems
from farfalia_server.rating.rater import Rater
from farfalia_server.rating.rebuilding import RatingDifference, RebuildReport
from farfalia_server.records.codec import seal
from farfalia_server.store import Bot, LadderRating, NewMatch, Store
from farfalia_server.store.matches.archive import pack, unpack
from farfalia_server.store.sql import schema
from farfalia_tournaments import read_entry


async def rebuild(store: Store, *, put_right: bool = False) -> RebuildReport:
    """What is said last."""
    found = RebuildReport()
    async with aclosing(rebuilding.rebuild(store, replace=put_right)) as steps:
        async for found in steps:
            assert found.checked <= found.total
    assert found.over
    return found


async def rated(store: Store, matches: int) -> list[Bot]:
    """Five bots that have played `matches` matches, all of them rated."""
    bots = await five_bots(store)
    for match_id in await match_ids(store, await started(store, bots, matches)):
        await play_out(store, match_id)
    await Rater(store).rate_all()
    return bots


def edited(data: bytes, change: str) -> bytes:
    """A record that says something else, with the digest of what it says."""
    record = unpack(1, data)
    if change == "card":
        record.actions[0].action += 1
    elif change == "points":
        record.outcome.points[0] += 1
    elif change == "match":
        record.match += 1
    elif change == "seats":
        first = record_pb2.RecordSeat()
        first.CopyFrom(record.seats[0])
        record.seats[0].CopyFrom(record.seats[1])
        record.seats[1].CopyFrom(first)
    elif change == "cause":
        record.actions[0].cause = 99  # type: ignore[assignment]  # of a version that nobody knows
    elif change == "digest":
        record.digest = b""
        return pack(record)
    return pack(seal(record))


async def test_ratings_that_were_rebuilt_are_the_same(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rebuilding, "_BATCH", 4)

    await rated(store, 9)
    kept = await store.ratings.all()
    assert await rebuild(store, put_right=True) == RebuildReport(9, 9, over=True)
    assert await store.ratings.all() == kept


async def test_results_are_rated_when_no_table_plays_their_board_and_rebuilt_in_that_order(store: Store) -> None:
    bots = await five_bots(store)
    new = [NewMatch(number, f"board-{number}", seats(bots), table=table) for number in (1, 2) for table in (1, 2)]
    first, second, third, fourth = await match_ids(store, await started(store, bots, new))
    rater = Rater(store)
    order = []
    for match in (first, third, fourth, second):
        await play_out(store, match)
        await rater.rate_all()
        order.append([one.id for one in await store.ratings.rated(0, 10)])
    assert order == [[], [], [third, fourth], [third, fourth, first, second]]
    assert [one.rating_seq for one in await store.ratings.rated(0, 10)] == [1, 2, 3, 4]
    assert await rebuild(store) == RebuildReport(4, 4, over=True)


async def test_without_matches_there_is_nothing_to_differ(store: Store) -> None:
    assert await rebuild(store, put_right=True) == RebuildReport(over=True)


async def test_ratings_that_do_not_follow_from_the_records_are_found_and_put_right(store: Store) -> None:
    bots = await rated(store, 5)
    right, history = await store.ratings.all(), await store.ratings.history(bots[0].id)
    chain = await store.rating_chain.page("chinkway", 0, 10)
    assert len(chain) == 5
    stranger, _ = await store.bots.register("stranger")
    invented = LadderRating("chinkway", stranger.id, 99.0, 1.0, 7)
    wrong = LadderRating("chinkway", bots[0].id, right[0].mu + 1, right[0].sigma, right[0].matches)
    assert await store.ratings.replace(5, [wrong, *right[1:4], invented])
    differences = (
        RatingDifference(wrong, right[0]),
        RatingDifference(None, right[4]),
        RatingDifference(invented, None),
    )
    missing = ChainDifference("chinkway", 1, ChainReason.MISSING, "chinkway: entry 1 (match 1): it is missing")
    report = RebuildReport(5, 5, differences=differences, chain_differences=(missing,), over=True)
    assert await rebuild(store) == report
    assert await rebuild(store, put_right=True) == replace(report, replaced=True)
    assert await store.ratings.all() == right
    assert await store.rating_chain.page("chinkway", 0, 10) == chain
    assert await store.ratings.history(bots[0].id) == history


@pytest.mark.parametrize(
    ("change", "reason", "named"),
    [
        ("card", ProblemReason.INVALID, "match 1: its record does not hold: action "),
        ("points", ProblemReason.INVALID, "match 1: its record does not hold: the points are"),
        ("match", ProblemReason.DIFFERENT, "match 1: its record has match 2, but the match has 1"),
        ("seats", ProblemReason.DIFFERENT, "match 1: its record has entrants ['bot-1', 'bot-0', "),
        ("cause", ProblemReason.INVALID, "match 1: actions[0]: cause 99 is unknown"),
        ("digest", ProblemReason.INVALID, "match 1: its record has no digest"),
    ],
)
async def test_an_edited_record_is_named(tmp_path: Path, change: str, reason: ProblemReason, named: str) -> None:
    async with await Store.open(sqlite_url(tmp_path / "farfalia.db")) as store:
        bots = await rated(store, 1)
        (kept,) = await store.ratings.kept(0, 10)
        assert kept.record is not None
        names = {bot.id: bot.name for bot in bots}
        assert problems([kept], names) == []
        broken = replace(kept, record=edited(kept.record, change))
        (problem,) = problems([broken], names)
        assert (problem.match, problem.place, problem.reason) == (1, 1, reason)
        assert problem.text.startswith(named)
        (closed,) = problems([replace(broken, record_open=False)], names)
        text = "match 1: its record does not hold; what is wrong with it is said once its board is not played"
        assert closed == RecordProblem(1, 1, reason, text)


async def test_what_is_missing_damaged_or_edited_is_named_and_left_out(store: Store, store_url: str) -> None:
    result = '{"points": [9, 9, 9, 9, 9], "places": [1, 1, 1, 1, 1], "strikes": [0, 0, 0, 0, 0], "forfeits": []}'
    damage = (
        "DELETE FROM record WHERE match_id = 1",
        "UPDATE record SET data = (SELECT secret FROM tournament) WHERE match_id = 2",
        "UPDATE match SET rating_seq = NULL WHERE id = 3",
        f"UPDATE match SET result = '{result.replace(':', chr(92) + ':')}' WHERE id = 4",
        "DELETE FROM rating WHERE bot_id = 1",
    )

    await rated(store, 4)
    await run_sql(store_url, *damage)
    kept = await store.ratings.all()
    found = await rebuild(store, put_right=True)
    *others, edited_one = found.problems
    assert others == [
        RecordProblem(0, 3, ProblemReason.MATCH_MISSING, "the match with place 3 in the order of rating is missing"),
        RecordProblem(1, 1, ProblemReason.MISSING, "match 1: its record is missing"),
        RecordProblem(2, 2, ProblemReason.DAMAGED, "match 2: its record is damaged"),
    ]
    assert (edited_one.match, edited_one.place, edited_one.reason) == (4, 4, ProblemReason.DIFFERENT)
    assert edited_one.text.startswith("match 4: its record gives points [")
    assert edited_one.text.endswith("but the match is kept with [9, 9, 9, 9, 9]")
    assert found.replaced
    assert [one.kept for one in found.differences] == kept
    assert await store.ratings.all() == []  # no record holds


async def test_ratings_are_rebuilt_from_the_records_that_hold(store: Store, store_url: str) -> None:
    await rated(store, 5)
    await run_sql(store_url, "DELETE FROM record WHERE match_id = 3")
    first = await rebuild(store, put_right=True)
    assert [problem.match for problem in first.problems] == [3]
    assert first.replaced
    assert {rating.matches for rating in await store.ratings.all()} == {4}
    assert [read_entry(kept.line).entry.match for kept in await store.rating_chain.page("chinkway", 0, 10)] == [
        1,
        2,
        4,
        5,
    ]
    again = await rebuild(store)
    assert (again.problems, again.differences, again.chain_differences) == (first.problems, (), ())


async def test_a_record_whose_match_ended_before_it_began_is_rated_like_any_other(store: Store, store_url: str) -> None:
    await rated(store, 2)
    (kept, _) = await store.ratings.kept(0, 10)
    assert kept.record is not None
    record = unpack(1, kept.record)
    record.finished.FromMilliseconds(record.started.ToMilliseconds() - 3_600_000)
    change = update(schema.record).where(schema.record.c.match_id == 1).values(data=pack(seal(record)))
    await run_sql(store_url, change)
    found = await rebuild(store)
    assert (found.problems, found.differences) == ((), ())


@pytest.mark.parametrize("reason", ProblemReason)
def test_every_reason_of_a_problem_has_a_value_of_its_own_in_the_contract(reason: ProblemReason) -> None:
    assert ratings_pb2.RecordProblemReason.Name(PROBLEM_REASONS[reason]) == f"RECORD_PROBLEM_REASON_{reason.name}"


async def test_the_call_names_what_is_wrong_with_a_record_as_a_code_too(arena: Arena, tmp_path: Path) -> None:
    await arena.five()
    tournament = await arena.here.plan("Friday", FIVE, 2)
    await arena.here.play_all(tournament)
    await Rater(arena.here.store).rate_all()
    await run_sql(f"sqlite:///{tmp_path / 'farfalia.db'}", "DELETE FROM record WHERE match_id = 2")
    last = [step async for step in arena.stream("RebuildRatings", arena.admin)][-1]
    (problem,) = last.problems
    assert (problem.match, problem.reason) == (2, ratings_pb2.RECORD_PROBLEM_REASON_MISSING)
    assert problem.text == "match 2: its record is missing"


async def test_the_call_is_the_admins_and_says_how_far_it_is(arena: Arena) -> None:
    (token, *_) = await arena.five()
    tournament = await arena.here.plan("Friday", FIVE, 2)
    await arena.here.play_all(tournament)
    await Rater(arena.here.store).rate_all()
    with pytest.raises(grpc.aio.AioRpcError, match="the token is that of the bot ant; expected the admin token"):
        await steps(arena, token)
    right = await arena.here.store.ratings.all()
    await arena.here.store.ratings.replace(2, right[1:])
    assert (await steps(arena, arena.admin))[-1] == (2, 2, True, 0, 1)
    assert await arena.here.store.ratings.all() == right[1:]
    assert (await steps(arena, arena.admin, replace=True))[-1] == (2, 2, True, 0, 1)
    assert await arena.here.store.ratings.all() == right


async def steps(arena: Arena, token: str, **fields: object) -> list[tuple[int, int, bool, int, int]]:
    found = []
    async for step in arena.stream("RebuildRatings", token, **fields):
        found.append((step.checked, step.total, step.over, step.problem_count, len(step.differences)))
    return found


async def test_bots_that_come_while_ratings_are_rebuilt_are_known_by_name(store: Store) -> None:
    await rated(store, 1)
    async with aclosing(rebuilding.rebuild(store)) as steps:
        assert (await anext(steps)).checked == 1
        new = [(await store.bots.register(f"late-{number}"))[0] for number in range(5)]
        for match_id in await match_ids(store, await started(store, new, 1)):
            await play_out(store, match_id)
        await Rater(store).rate_all()
        found = [step async for step in steps][-1]
    assert (found.checked, found.problems, found.differences, found.chain_differences) == (2, (), (), ())
