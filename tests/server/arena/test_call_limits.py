"""How many calls one address, and one token, may make."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.rpc import error_details_pb2, status_pb2
from tests.server.arena_client import OPEN, Arena, serving
from tests.server.cpu_burning import burn

from farfalia.arena import Arena as Client
from farfalia.v1 import bots_pb2, tournaments_pb2
from farfalia_server.arena import standings_cache
from farfalia_server.arena.call_budget import CallBudget
from farfalia_server.arena.call_limits import CallLimits
from farfalia_server.arena.standings import make_standings
from farfalia_server.contract.said import in_english
from farfalia_server.net.client_address import Proxies

EXHAUSTED, INVALID = grpc.StatusCode.RESOURCE_EXHAUSTED, grpc.StatusCode.INVALID_ARGUMENT


@pytest.fixture
async def few(tmp_path: Path) -> AsyncIterator[Arena]:
    """An arena that takes three calls at once, then one in 1000 s, and two that go on."""
    limits = CallLimits(Proxies("127.0.0.1"), burst=3, rate=0.001, watches=2)
    async with serving(tmp_path, call_limits=limits) as arena:
        yield arena


async def test_an_address_that_calls_too_often_is_told_when_to_call_again(few: Arena) -> None:
    few.come_from = "203.0.113.5"
    for _ in range(3):
        await few.ask("GetQueue")
    with pytest.raises(grpc.aio.AioRpcError) as refusal:
        await few.ask("GetQueue")
    assert refusal.value.code() is EXHAUSTED
    assert 900 < retry(refusal.value) <= 1000
    assert (await few.refused("ListBots"))[1] == "CALLS_TOO_FAST"
    few.come_from = "198.51.100.1"
    await few.ask("GetQueue")
    few.come_from = ""
    for _ in range(5):
        await few.ask("GetQueue")


async def test_a_token_that_calls_too_often_is_counted_wherever_it_comes_from(few: Arena) -> None:
    for number in range(3):
        few.come_from = f"203.0.113.{number}"
        await few.ask("GetQueue", few.admin)
    few.come_from = "198.51.100.1"
    code, reason, text = await few.refused("GetQueue", few.admin)
    assert (code, reason) == (EXHAUSTED, "CALLS_TOO_FAST")
    assert few.admin not in text
    await few.ask("GetQueue")


async def test_a_proxy_that_names_nobody_is_not_counted_as_one_reader(tmp_path: Path) -> None:
    async with serving(tmp_path, call_limits=CallLimits(Proxies("127.0.0.1,10.0.0.2"), burst=1, rate=0.001)) as arena:
        arena.come_from = "10.0.0.2"
        for _ in range(3):
            await arena.ask("GetQueue")
        await arena.ask("GetQueue", arena.admin)
        assert (await arena.refused("GetQueue", arena.admin))[1] == "CALLS_TOO_FAST"


async def test_an_address_has_a_limit_of_open_watches_and_ending_one_makes_room(tmp_path: Path) -> None:
    async with serving(tmp_path, call_limits=CallLimits(Proxies("127.0.0.1"), watches=2)) as arena:
        made = await arena.here.spring()
        arena.come_from = "203.0.113.5"
        open_ones = [arena.stream("WatchTournament", id=made.id) for _ in range(2)]
        for watch in open_ones:
            await watch.read()
        third = arena.stream("WatchTournament", id=made.id)
        with pytest.raises(grpc.aio.AioRpcError) as refusal:
            await third.read()
        assert refusal.value.code() is EXHAUSTED
        open_ones[0].cancel()
        while True:
            again = arena.stream("WatchTournament", id=made.id)
            try:
                if isinstance(await again.read(), tournaments_pb2.WatchTournamentResponse):
                    break
            except grpc.aio.AioRpcError as error:
                if error.code() is not EXHAUSTED:
                    raise
        again.cancel()
        open_ones[1].cancel()


async def test_a_command_calls_again_when_the_server_takes_another_call(tmp_path: Path) -> None:
    counted = CallLimits(burst=1, rate=20)
    counted.host_of = lambda context: "203.0.113.5"  # type: ignore[method-assign]  # a test cannot come from elsewhere
    async with serving(tmp_path, call_limits=counted) as arena, Client(arena.address) as client:
        for _ in range(3):
            await client.ask("ListBots", bots_pb2.ListBotsRequest())


async def test_strangers_share_one_budget_and_organisers_have_none(tmp_path: Path) -> None:
    spent = CallBudget(in_english("callers without a token"), 0.001, 0.0001)
    spent.spend(1.0)
    async with serving(tmp_path, OPEN, CallLimits(Proxies("127.0.0.1"), strangers=spent)) as arena:
        for address, token in (("203.0.113.5", ""), ("198.51.100.1", "no-token-of-this-server"), ("", "")):
            arena.come_from = address
            code, reason, text = await arena.refused("ListMatches", token)
            assert (code, reason) == (EXHAUSTED, "CALLS_TOO_FAST")
            assert "callers without a token have used up" in text
        await arena.ask("ListMatches", arena.admin)
        bot = await arena.ask("RegisterBot", name="ant")
        await arena.ask("ListMatches", bot.token)


async def test_what_a_call_costs_is_taken_from_the_budget_and_the_wait_pays_it(tmp_path: Path) -> None:
    clock = [0.0]
    budget = CallBudget(in_english("callers without a token"), 0.0001, 0.00001, now=lambda: clock[0])
    async with serving(tmp_path, call_limits=CallLimits(strangers=budget)) as arena:
        await arena.ask("ListBots")
        with pytest.raises(grpc.aio.AioRpcError) as refusal:
            await arena.ask("ListBots")
        wait = retry(refusal.value)
        assert wait > 30  # gRPC alone took half a millisecond of a tenth
        clock[0] += wait + 1
        await arena.ask("ListBots", after="a")


async def test_bots_and_their_owners_share_a_budget_of_their_own(tmp_path: Path) -> None:
    spent = CallBudget(in_english("bots and their owners"), 0.001, 0.0001)
    spent.spend(1.0)
    async with serving(tmp_path, call_limits=CallLimits(entrants=spent)) as arena:
        token, *_ = await arena.five()
        code, reason, text = await arena.refused("GetBot", token, name="ant")
        assert (code, reason) == (EXHAUSTED, "CALLS_TOO_FAST")
        assert "bots and their owners have used up" in text
        await arena.ask("GetBot", name="ant")
        await arena.ask("GetBot", arena.admin, name="ant")


async def test_without_a_token_an_answer_has_at_most_100_rows(tmp_path: Path) -> None:
    async with serving(tmp_path) as arena:
        for what in ("Bots", "Matches", "Ratings", "RatingChain", "Tournaments", "VoidAttempts"):
            call = f"List{what}"
            await arena.ask(call, limit=100)
            for token in ("", "no-token-of-this-server"):
                assert await arena.refused(call, token, limit=101) == (INVALID, "FIELD_INVALID", "limit")
            await arena.ask(call, arena.admin, limit=1000)


async def test_without_a_token_a_command_lists_everything_page_by_page(tmp_path: Path) -> None:
    async with serving(tmp_path) as arena, Client(arena.address) as client:
        names = [f"bot-{number:03}" for number in range(203)]
        await arena.here.register(*names)
        assert [bot.name async for bot in client.all_bots()] == names
        assert [bot.name async for bot in client.all_bots(after=names[0], limit=150)] == names[1:151]


def retry(error: grpc.aio.AioRpcError) -> float:
    """The seconds after which the server asks to call again."""
    (data,) = [value for key, value in error.trailing_metadata() if key == "grpc-status-details-bin"]
    info = error_details_pb2.RetryInfo()
    assert any(detail.Unpack(info) for detail in status_pb2.Status.FromString(data).details)
    return float(info.retry_delay.ToSeconds())


async def test_standings_are_paid_by_those_who_ask_for_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def slow_standings(*arguments: Any) -> Any:
        burn(0.5)
        return make_standings(*arguments)

    monkeypatch.setattr(standings_cache, "make_standings", slow_standings)
    budget = CallBudget(in_english("callers without a token"), 0.4, 0.00001)
    async with serving(tmp_path, call_limits=CallLimits(strangers=budget)) as arena:
        made = await arena.here.spring()
        await arena.ask("GetTournament", id=made.id)
        assert (await arena.refused("GetTournament", id=made.id))[:2] == (EXHAUSTED, "CALLS_TOO_FAST")


async def test_a_watch_is_paid_by_those_who_begin_it(tmp_path: Path) -> None:
    budget = CallBudget(in_english("callers without a token"), 0.9, 0.00001)
    async with serving(tmp_path, call_limits=CallLimits(strangers=budget)) as arena:
        made = await arena.here.spring()
        first = arena.stream("WatchTournament", id=made.id)
        assert (await first.read()).tournament.id == made.id
        budget.spend(1.0)
        second = arena.stream("WatchTournament", id=made.id)
        with pytest.raises(grpc.aio.AioRpcError) as refusal:
            await second.read()
        assert refusal.value.code() is EXHAUSTED
        admins = arena.stream("WatchTournament", arena.admin, id=made.id)
        assert (await admins.read()).tournament.id == made.id
        first.cancel()
        admins.cancel()


async def test_wrong_tokens_cost_the_database_nothing_while_the_budget_is_spent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spent, lookups = CallBudget(in_english("callers without a token"), 0.001, 0.0001), []
    spent.spend(1.0)
    async with serving(tmp_path, OPEN, CallLimits(strangers=spent)) as arena:
        await arena.ask("CreateAccount", arena.admin, name="anna")
        [token, *_] = await arena.five()
        by_token = arena.here.store.bots.by_token

        async def counted(token: str) -> Any:
            lookups.append(token)
            return await by_token(token)

        monkeypatch.setattr(arena.here.store.bots, "by_token", counted)
        wrong = [arena.refused(call, f"no-token-{n}") for call in ("ListMatches", "RotateToken") for n in range(5)]
        assert {told[1] for told in await asyncio.gather(*wrong)} == {"CALLS_TOO_FAST"}
        assert lookups == []
        await arena.ask("ListMatches", token)
        assert token in lookups
