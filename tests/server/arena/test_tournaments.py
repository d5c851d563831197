"""Tournaments over a real connection: planned, started, watched, and their tables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction

import grpc
import pytest
from tests.server.arena_client import FIVE, Arena, described
from tests.server.arena_world import World
from tests.server.void_attempts import void

import farfalia_engine as engine
from farfalia.v1 import matches_pb2, stages_pb2, tournaments_pb2
from farfalia_server.arena import Reader, standings_cache
from farfalia_server.arena.standings import StandingsSnapshot
from farfalia_server.arena.standings_cache import StandingsCache
from farfalia_server.net.worker_process import WorkerProcess
from farfalia_server.organising.baseliner import Baseliner
from farfalia_server.organising.house_points import house_points
from farfalia_server.records.results import match_result
from farfalia_server.store import MatchState, PauseCause, Tournament
from farfalia_tournaments import MatchResult, TrueSkill, fit_strengths, rate_all, standings
from farfalia_tournaments.statistics.looks import widening

# Tournaments ---------------------------------------------------------------------------------------------------


async def test_a_tournament_from_its_plan_to_its_end(arena: Arena) -> None:
    await arena.five()
    made = (await arena.ask("CreateTournament", arena.admin, name="spring", bots=FIVE, rounds=2)).tournament
    assert made.state == tournaments_pb2.TOURNAMENT_STATE_PLANNED
    assert (made.matches, made.finished, made.secret) == (2, 0, b"")
    assert made.waiting_reason == tournaments_pb2.TOURNAMENT_WAIT_REASON_NOT_STARTED
    assert made.waiting == "It has not been started. A nonce has come from 0 of 5 bots."
    assert not arena.changes
    started = (await arena.ask("StartTournament", arena.admin, id=made.id)).tournament
    assert started.state == tournaments_pb2.TOURNAMENT_STATE_RUNNING
    assert len(arena.changes) == 1
    for match in await arena.here.store.matches.of_tournament(made.id):
        await arena.here.play(match.id)
    over = (await arena.ask("GetTournament", id=made.id)).tournament
    assert over.state == tournaments_pb2.TOURNAMENT_STATE_FINISHED
    assert len(over.secret) == 32
    assert [row.matches for row in over.standings] == [2] * 5
    assert sum(pair.better for pair in over.pairs) + sum(pair.equal for pair in over.pairs) // 2 == 2 * 10
    (listed,) = (await arena.ask("ListTournaments")).tournaments
    assert (listed.id, listed.finished) == (made.id, 2)
    assert not listed.standings


async def test_a_tournament_starts_once_and_a_cancelled_one_never(arena: Arena) -> None:
    made = await arena.here.spring(rounds=0)
    await arena.ask("StartTournament", arena.admin, id=made.id)
    code, reason, _ = await arena.refused("StartTournament", arena.admin, id=made.id)
    assert (code, reason) == (grpc.StatusCode.FAILED_PRECONDITION, "TOURNAMENT_RUNNING")
    cancelled = (await arena.ask("CancelTournament", arena.admin, id=made.id)).tournament
    assert cancelled.state == tournaments_pb2.TOURNAMENT_STATE_CANCELLED
    assert len(cancelled.secret) == 32
    code, reason, _ = await arena.refused("StartTournament", arena.admin, id=made.id)
    assert (code, reason) == (grpc.StatusCode.FAILED_PRECONDITION, "TOURNAMENT_CANCELLED")
    states = {match.state for match in (await arena.ask("ListMatches", tournament=made.id)).matches}
    assert states == {matches_pb2.MATCH_STATE_VOID}


async def test_there_is_no_such_tournament(arena: Arena) -> None:
    for number in (0, 77, 2**64 - 1):
        with pytest.raises(grpc.aio.AioRpcError) as refusal:
            await arena.stream("WatchTournament", id=number).read()
        assert described(refusal.value)[:2] == (grpc.StatusCode.NOT_FOUND, "TOURNAMENT_UNKNOWN")
        for call in ("StartTournament", "CancelTournament", "GetTournament"):
            code, reason, _ = await arena.refused(call, arena.admin, id=number)
            assert (code, reason) == (grpc.StatusCode.NOT_FOUND, "TOURNAMENT_UNKNOWN"), (call, number)


async def test_a_tournament_that_cannot_be_planned_names_the_field(arena: Arena) -> None:
    await arena.five()
    refused: list[tuple[str, dict[str, object]]] = [
        ("bots", {"bots": ["ghost"]}),
        ("ruleset", {"bots": ["ant"], "ruleset": "whist"}),
        ("options", {"bots": ["ant"], "options": {"stakes": "high"}}),
        ("options", {"bots": ["ant"], "ruleset": "four", "options": {"hands": "4", "target": "20"}}),
    ]
    for where, fields in refused:
        code, reason, field = await arena.refused("CreateTournament", arena.admin, name="x", **fields)
        assert (code, reason, field) == (grpc.StatusCode.INVALID_ARGUMENT, "FIELD_INVALID", where), fields


async def test_it_says_who_is_awaited(arena: Arena) -> None:
    await arena.five()
    made = await arena.here.plan("spring", ("ant", "bee", "cat"), rounds=1)
    await arena.here.store.tournaments.start(made.id)
    arena.here.crowd.names = {"bee"}
    assert (await arena.ask("GetTournament", id=made.id)).tournament.waiting == "Waiting for ant and cat to connect."
    queue = await arena.ask("GetQueue")
    assert (queue.queued, queue.running, list(queue.awaited)) == (1, 0, ["ant", "cat"])
    arena.here.crowd.names = {"ant", "bee", "cat"}
    assert (await arena.ask("GetTournament", id=made.id)).tournament.waiting == ""


async def test_a_pause_for_the_network_says_who_is_missing_and_what_ends_it(arena: Arena) -> None:
    await arena.five()
    made = await arena.here.plan("spring", ("ant", "bee", "cat", "dog"), rounds=3, ruleset="two")
    await arena.here.store.tournaments.start(made.id)
    numbers = {bot.name: bot.id for bot in await arena.here.store.bots.all()}
    gone = [numbers[name] for name in ("ant", "bee", "cat")]
    await arena.here.store.pauses.pause(made.id, PauseCause.NETWORK, "3 of 4 bots were lost within 30 s", gone=gone)
    why = "Paused: 3 of 4 bots were lost within 30 s."
    end = f"To end the wait, withdraw them, or run: farfalia tournament resume {made.id}"

    async def waiting(*there: str, silent: Iterable[str] = ()) -> str:
        arena.here.crowd.names, arena.here.crowd.silent = {*there}, {*silent}
        shown = (await arena.ask("GetTournament", id=made.id)).tournament
        assert shown.waiting_reason == tournaments_pb2.TOURNAMENT_WAIT_REASON_PAUSED
        return str(shown.waiting)

    back = "It goes on by itself when they are back."
    assert await waiting("dog") == f"{why} Missing: ant, bee and cat. {back} {end}"
    watched = await arena.stream("WatchTournament", id=made.id).read()
    assert watched.tournament.waiting == await waiting("dog")
    assert await waiting("ant", "bee", "cat", silent=["bee"]) == f"{why} Missing: bee. {back} {end}", "dog was not lost"
    await arena.ask("WithdrawFromTournament", arena.admin, id=made.id, bot="bee")
    settling = f"{why} They are back, and it goes on by itself in a few seconds."
    assert await waiting("ant", "cat") == settling, "nobody waits for who has withdrawn"
    await arena.here.store.pauses.pause(made.id, PauseCause.ORGANISER, "lunch", who="helga")
    assert await waiting() == "Paused by helga: lunch. Matches in play are played on."


# Watching ------------------------------------------------------------------------------------------------------


async def test_a_table_adds_up(arena: Arena) -> None:
    names = [*FIVE, "fox", "gnu"]
    made = await arena.here.spring(names, rounds=7)
    await arena.here.play_all(made)
    matches = (await arena.ask("ListMatches", tournament=made.id)).matches
    table = (await arena.ask("GetTournament", id=made.id)).tournament.standings
    assert {row.entrant for row in table} == set(names)
    for row in table:
        played = [match for match in matches if row.entrant in match.entrants]
        seats = [list(match.entrants).index(row.entrant) for match in played]
        assert row.matches == sum(row.places) == len(played)
        assert row.points == sum(match.outcome.points[seat] for match, seat in zip(played, seats, strict=True))
        assert row.places[0] == sum(match.outcome.places[seat] == 1 for match, seat in zip(played, seats, strict=True))
        assert row.margin > 0
    assert [row.adjusted for row in table] == sorted((row.adjusted for row in table), reverse=True)


class BetweenReadings:
    """Standings that are read only after a match has ended that was counted as unfinished."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._cache = StandingsCache(world.store, TrueSkill())

    async def of(
        self, tournament: Tournament, counts: Mapping[MatchState, int], wait: float | None = None
    ) -> StandingsSnapshot:
        matches = await self._world.store.matches.of_tournament(tournament.id)
        unfinished = next((match for match in matches if not match.state.over), None)
        if unfinished is not None:
            await self._world.play(unfinished.id)
        return await self._cache.of(tournament, counts, wait)


def assert_adds_up(shown: tournaments_pb2.Tournament, seats: int = 5) -> None:
    """The headline is of the moment of the rows and of the rounds."""
    assert shown.finished + shown.running <= shown.matches
    assert sum(row.matches for row in shown.standings) == seats * (shown.finished - shown.results_withheld)
    assert sum(part.over for part in shown.schedule) == shown.finished


async def test_headline_and_rows_agree_while_matches_end_between_the_readings(arena: Arena) -> None:
    world = arena.here
    made = await world.spring(rounds=4)
    await world.play_all(made, leave=3)
    reader = Reader(world.store, world.crowd, standings=BetweenReadings(world))
    seen = []
    for _ in range(4):
        shown = await reader.tournament(made.id)
        assert_adds_up(shown)
        seen.append(shown.finished)
    assert seen == sorted(seen)
    assert (seen[0], seen[-1]) == (2, 4)


async def test_headline_and_rows_agree_while_older_standings_are_shown(
    arena: Arena, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(standings_cache, "LONG", 0.0)
    monkeypatch.setattr(standings_cache, "PATIENCE", 1e9)
    world = arena.here
    made = await world.spring(rounds=4)
    await world.play_all(made, leave=3)
    reader = Reader(world.store, world.crowd)
    for match in (await world.store.matches.of_tournament(made.id))[1:3]:
        assert_adds_up(await reader.tournament(made.id))
        await world.play(match.id)
    shown = await reader.tournament(made.id)
    assert shown.finished == 1
    assert_adds_up(shown)


async def test_standings_count_a_board_once_no_table_plays_it_and_count_what_is_withheld(
    arena: Arena,
) -> None:
    world = arena.here
    names = [f"bot-{number}" for number in range(10)]
    made = await world.spring(names, rounds=2)
    await world.store.tournaments.start(made.id)
    first, second, third, fourth = (match.id for match in await world.store.matches.of_tournament(made.id))
    reader, seen = Reader(world.store, world.crowd), []

    async def look() -> tuple[int, int, int]:
        shown = await reader.tournament(made.id)
        assert_adds_up(shown)
        matches = (await reader.matches(matches_pb2.ListMatchesRequest())).matches
        assert [match.HasField("outcome") for match in matches] == [match.record_open for match in matches]
        assert sum(match.record_open for match in matches) == shown.finished - shown.results_withheld
        return shown.finished, shown.results_withheld, sum(row.matches for row in shown.standings)

    for match in (first, third):
        await world.play(match)
        seen.append(await look())
    await world.play(second)
    seen.append(await look())
    await void(world.store, fourth)
    seen.append(await look())
    await world.play(fourth)
    seen.append(await look())
    assert seen == [(1, 1, 0), (2, 2, 0), (3, 1, 10), (3, 0, 15), (4, 0, 20)]


async def test_everything_said_of_strengths_is_wider_while_one_may_still_stop(arena: Arena) -> None:
    made = await arena.here.spring(rounds=12, boards=stages_pb2.BOARDS_FRESH)
    await arena.here.play_all(made, leave=1)

    async def widths() -> dict[str, float]:
        table = (await arena.ask("GetTournament", id=made.id)).tournament.standings
        matches = await arena.here.store.matches.of_tournament(made.id)
        results = [match_result(match, [seat.name for seat in match.seats]) for match in matches if match.result]
        fixed = {row.entrant: row.interval[1] - row.interval[0] for row in standings(results) if row.interval}
        return {row.entrant: 2 * row.margin / fixed[row.entrant] for row in table}

    async def said(factor: float) -> bool:
        """Return whether ranks, letters and pairs follow from the fit, widened by this factor."""
        shown = (await arena.ask("GetTournament", id=made.id)).tournament
        matches = await arena.here.store.matches.of_tournament(made.id)
        results = [match_result(match, [seat.name for seat in match.seats]) for match in matches if match.result]
        fit = fit_strengths(results).widened(factor)
        names = [row.entrant for row in shown.standings]
        return (
            [(row.best_rank, row.worst_rank) for row in shown.standings] == [fit.rank_interval(name) for name in names]
            and [row.brackets for row in shown.standings] == [fit.letters()[name] for name in names]
            and [pair.stronger for pair in shown.pairs]
            == pytest.approx([fit.probability(names[pair.row], names[pair.column]) for pair in shown.pairs])
        )

    assert await widths() == pytest.approx(dict.fromkeys(FIVE, widening(11, 12)))
    assert await said(widening(11, 12))
    assert not await said(1)
    last = (await arena.here.store.matches.of_tournament(made.id))[-1]
    await arena.here.play(last.id)
    assert await widths() == pytest.approx(dict.fromkeys(FIVE, 1.0))
    assert await said(1)


async def test_the_matches_of_a_table_with_one_board_are_one_unit_and_one_result(arena: Arena) -> None:
    made = await arena.here.spring(rounds=2, boards=stages_pb2.BOARDS_ROTATIONS)
    await arena.here.play_all(made)
    shown = (await arena.ask("GetTournament", id=made.id)).tournament
    assert shown.boards == stages_pb2.BOARDS_ROTATIONS
    assert {(row.matches, row.units) for row in shown.standings} == {(10, 2)}
    alone = await arena.here.plan("autumn", FIVE, rounds=2, boards=stages_pb2.BOARDS_FRESH)
    await arena.here.play_all(alone)
    other = (await arena.ask("GetTournament", id=alone.id)).tournament
    assert {(row.matches, row.units) for row in other.standings} == {(2, 2)}
    assert max(row.rating.sigma for row in shown.standings) < min(row.rating.sigma for row in other.standings)
    for pair in shown.pairs:
        assert 0 < pair.stronger < 1


async def test_of_a_board_with_one_table_house_bots_say_what_its_hands_were_worth(arena: Arena) -> None:
    made = await arena.here.spring(rounds=4)
    await arena.here.play_all(made)
    async with WorkerProcess() as worker:
        await Baseliner(arena.here.store, worker, lambda: False).work_off()
    matches = await arena.here.store.matches.of_tournament(made.id)
    source = await arena.here.store.claims.source(made.id)
    results, worth = [], {}
    for match in matches:
        assert match.result is not None
        names = tuple(seat.name for seat in match.seats)
        luck = tuple(Fraction(points, 1000) for points in match.result.luck)
        results.append(MatchResult(names, match.result.points, match.result.places, board=match.board, luck=luck))
        key = engine.board_key(source.secret, source.nonces, match.board)
        called = house_points(engine.ruleset("chinkway"), key)
        worth[match.board] = [round(points - own) for points, own in zip(called, luck, strict=True)]
    shown = (await arena.ask("GetTournament", id=made.id)).tournament.standings
    expected = {row.entrant: row.adjusted for row in standings(results, {}, worth)}
    assert {row.entrant: row.adjusted for row in shown} == pytest.approx(expected)
    assert any(abs(row.adjusted - row.relative) > 0.1 for row in shown)


async def test_ratings_of_a_tournament_follow_its_schedule_and_not_the_order_of_play(arena: Arena) -> None:
    made = await arena.here.spring(rounds=4)
    await arena.here.store.tournaments.start(made.id)
    matches = await arena.here.store.matches.of_tournament(made.id)
    for match in (matches[0], matches[3], matches[2], matches[1]):
        await arena.here.play(match.id)
        shown = (await arena.ask("GetTournament", id=made.id)).tournament
    in_order = await Reader(arena.here.store, arena.here.crowd).tournament(made.id)
    assert shown == in_order
    finished = await arena.here.store.matches.of_tournament(made.id)
    expected = rate_all([match_result(match, [seat.name for seat in match.seats]) for match in finished], TrueSkill())
    assert {row.entrant: row.rating.mu for row in shown.standings} == {
        name: rating.mu for name, rating in expected.items()
    }


async def test_a_house_bot_that_fills_a_table_is_not_rated(arena: Arena) -> None:
    await arena.here.register("ant", "bee", "cat")
    made = await arena.here.plan("spring", ("ant", "bee", "cat", "house-random-1"), rounds=1)
    planned = (await arena.ask("GetTournament", id=made.id)).tournament
    assert [(row.entrant, row.house) for row in planned.standings] == [
        ("ant", False),
        ("bee", False),
        ("cat", False),
        ("house-random-1", True),
        ("house-greedy-1", True),
    ]
    await arena.here.play_all(made)
    table = (await arena.ask("GetTournament", id=made.id)).tournament.standings
    rated = {row.entrant: row.HasField("rating") for row in table}
    assert rated == {"ant": True, "bee": True, "cat": True, "house-random-1": True, "house-greedy-1": False}
