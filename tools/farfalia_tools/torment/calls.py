"""Reading calls of callers without a token, as many and as costly as each address may make."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable
from itertools import count

import grpc
from google.protobuf.message import Message

from farfalia.settings import Server
from farfalia.v1 import bots_pb2, matches_pb2, nodes_pb2, ratings_pb2, tournaments_pb2
from farfalia.v1.arena_pb2_grpc import ArenaServiceStub
from farfalia_server.play import limits
from farfalia_tools.torment.catalogue import torment
from farfalia_tools.torment.harness import Harness
from farfalia_tools.torment.pace import honest_play, is_kept
from farfalia_tools.torment.stream import DidNotHold

#: How many addresses there are at the most; their callers name them as a proxy does, which a server believes that has
#: this machine among its --proxies. Other servers see one address, or their own machine.
_ADDRESSES = 4
#: Calls of one address that are open at a time.
_OPEN = 16
#: Seconds for a call.
_LIMIT = 30.0

#: Requests differ from each other, so that no answer serves two of them.
_DISTANT = 10**9


def _requests(bot: str, tournament: int, rows: int) -> list[tuple[str, Callable[[int], Message]]]:
    """Return each reading call with its largest request, which differs by a number where one can be given."""
    return [
        ("ListMatches", lambda n: matches_pb2.ListMatchesRequest(limit=rows, before=_DISTANT + n)),
        ("GetBot", lambda n: bots_pb2.GetBotRequest(name=bot, match=n)),
        ("ListBots", lambda n: bots_pb2.ListBotsRequest(limit=rows, after=f"A{n}")),
        (
            "ListRatings",
            lambda n: ratings_pb2.ListRatingsRequest(ladder="four", limit=rows, all_versions=True, search=f"t{n % 10}"),
        ),
        ("ListRatingChain", lambda n: ratings_pb2.ListRatingChainRequest(ladder="four", limit=rows, after=n)),
        ("GetTournament", lambda n: tournaments_pb2.GetTournamentRequest(id=tournament)),
        ("ListTournaments", lambda n: tournaments_pb2.ListTournamentsRequest(limit=rows, before=_DISTANT + n)),
        ("ListVoidAttempts", lambda n: matches_pb2.ListVoidAttemptsRequest(limit=rows, before=_DISTANT + n)),
        ("GetRecord", lambda n: matches_pb2.GetRecordRequest(match=1 + n % 50)),
        ("GetQueue", lambda n: nodes_pb2.GetQueueRequest()),
        ("ListNodes", lambda n: nodes_pb2.ListNodesRequest()),
    ]


@torment
async def anonymous_calls(harness: Harness) -> str:
    """Make every reading call without a token, for the most rows, as often as one address may, then as four may.

    Honest bots keep at least half of their pace without a strike, and none of their matches is void.
    """
    async with honest_play(harness, harness.address) as play:
        requests = _requests(play.bots[0].name, play.number, limits.STRANGERS_ROWS)
        paces, answers = [await play.pace()], []
        for addresses in (1, _ADDRESSES):
            told: Counter[str] = Counter()
            callers = [asyncio.create_task(_call(harness.server, at, requests, told)) for at in range(addresses)]
            try:
                paces.append(await play.pace())
            finally:
                for caller in callers:
                    caller.cancel()
                await asyncio.gather(*callers, return_exceptions=True)
            answers.append(told)
        paces.append(await play.pace())
        await play.check()
    return _judged(harness, paces, answers)


def _judged(harness: Harness, paces: list[float], answers: list[Counter[str]]) -> str:
    before, one, several, after = paces
    seen = (
        f"the honest bots made {before:.0f} decisions a second before, {one:.0f} with the calls of one address "
        f"({_shown(answers[0])}), {several:.0f} with those of {_ADDRESSES} ({_shown(answers[1])}), {after:.0f} after"
    )
    if not is_kept(harness, before, min(one, several), after):
        raise DidNotHold(seen)
    return seen


def _shown(told: Counter[str]) -> str:
    return ", ".join(f"{number} {code}" for code, number in told.most_common()) or "none was answered"


async def _call(
    server: Server, address: int, requests: list[tuple[str, Callable[[int], Message]]], told: Counter[str]
) -> None:
    """Make calls in turn, as many a second as an address may, and count their ends."""
    options = [("grpc.use_local_subchannel_pool", 1)]
    credentials = grpc.ssl_channel_credentials(*server.trust) if server.tls else None
    channel = (
        grpc.aio.secure_channel(server.target, credentials, options)
        if credentials
        else grpc.aio.insecure_channel(server.target, options)
    )
    from_there = (("x-forwarded-for", f"203.0.113.{address + 1}"),)

    async def one(stub: ArenaServiceStub, number: int) -> None:
        name, request = requests[number % len(requests)]
        try:
            await getattr(stub, name)(request(number), metadata=from_there, timeout=_LIMIT)
            told["OK"] += 1
        except grpc.aio.AioRpcError as error:
            told[error.code().name] += 1

    async with channel, asyncio.TaskGroup() as calls:
        stub = ArenaServiceStub(channel)  # type: ignore[no-untyped-call]
        room, began = asyncio.Semaphore(_OPEN), time.monotonic()
        for number in count():
            await room.acquire()
            calls.create_task(one(stub, number * _ADDRESSES + address)).add_done_callback(lambda _: room.release())
            await asyncio.sleep(max(0.0, began + number / limits.CALLS_RATE - time.monotonic()))
