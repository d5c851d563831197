"""The calls of a server around the play, typed: tournaments, bots, accounts, ratings, records.

A tournament from its creation to its records:

```python
import asyncio
from farfalia.arena import Arena


async def main() -> None:
    async with Arena("127.0.0.1:7600", token="…") as arena:
        bots = ["house-greedy-1", "house-cautious-1", "house-random-1"]
        made = await arena.create_tournament(name="Friday", ruleset="three", bots=bots, rounds=2)
        number = made.tournament.id
        await arena.start_tournament(id=number)
        async for shown in arena.watch(number):
            print(f"{shown.finished} of {shown.matches} matches")
        for row in shown.standings:
            print(row.place, row.entrant, row.points)
        for match in await arena.finished(number):
            record = await arena.record(match.id)


asyncio.run(main())
```

Each call takes the fields of its request as keywords and returns its answer. What a server declines is an `ArenaError`,
with the stable `reason` of the contract.
"""

import asyncio
from collections.abc import AsyncIterator
from types import TracebackType
from typing import Any, Self

import grpc
from google.protobuf.message import Message
from google.rpc import error_details_pb2
from grpc_status import rpc_status

from farfalia import settings
from farfalia.arena_calls import ArenaCalls
from farfalia.channels import open_channel, proxy_in_use
from farfalia.errors import BadSetting, FarfaliaError
from farfalia.settings import DEFAULT_SERVER
from farfalia.unreachable import is_web, why_unreachable
from farfalia.v1 import matches_pb2, ratings_pb2, record_pb2, tournaments_pb2
from farfalia.v1.arena_pb2_grpc import ArenaServiceStub

#: Seconds for a call that answers once.
TIMEOUT = 30.0

#: Rows in one answer, with a token and without one; the server's own limits.
PAGE, PAGE_WITHOUT_TOKEN = 1000, 100
#: How the names of calls begin that change nothing.
_READING = ("Get", "List")
#: Rows that somebody asks for who knows most of what follows.
_FEW = 20


#: What can be listed where one of them is not there, by the reason of the refusal.
_NOUNS = {
    "ACCOUNT_UNKNOWN": "account",
    "BOT_UNKNOWN": "bot",
    "INVITATION_UNKNOWN": "invitation",
    "TOURNAMENT_UNKNOWN": "tournament",
}
#: Where commands take a token from, and the reasons of refusals that another token helps against.
_TOKENS = "show the right one with --admin-token or FARFALIA_ADMIN_TOKEN"
_OF_TOKENS = frozenset({"TOKEN_MISSING", "TOKEN_UNKNOWN", "NOT_ALLOWED", "REGISTRATION_CLOSED"})


class ArenaError(FarfaliaError):
    """Raised when a server does not answer, or declines; the message is what a user can act on.

    `reason` is the stable one of the contract, empty if the server gave none; `field` is the field of the request that
    is wrong, if one is; `retry` is after how many seconds the server asks to call again, 0 if it does not.
    """

    def __init__(self, sentence: str, reason: str = "", field: str = "", retry: float = 0.0) -> None:
        super().__init__(sentence)
        self.reason = reason
        self.field = field
        self.retry = retry


class BoardInPlay(ArenaError):
    """Raised for a record whose cards are still to be played elsewhere."""


class MatchNotOver(ArenaError):
    """Raised for the record of a match that is still to be played."""


_KINDS = {"BOARD_IN_PLAY": BoardInPlay, "MATCH_NOT_OVER": MatchNotOver}


class Arena(ArenaCalls):
    """The calls of one server; ArenaError for whatever goes wrong with one, and if it takes longer than `timeout` s.

    `server` is `host:port`, or `farfalias://host:port` for TLS; `token` is the admin's, an account's or a bot's, and
    empty for what everybody may ask.
    """

    def __init__(self, server: str = DEFAULT_SERVER, token: str = "", *, timeout: float | None = TIMEOUT) -> None:
        self._timeout = timeout
        try:
            self._where = settings.server(server, token or "none")
        except BadSetting as error:
            raise ArenaError(str(error)) from error
        self._metadata = (("authorization", f"Bearer {token}"),) if token else ()
        self._page = PAGE if token else PAGE_WITHOUT_TOKEN

    async def __aenter__(self) -> Self:
        """Make the channel; nothing is dialled before the first call."""
        self._channel = open_channel(self._where)
        self._stub: Any = ArenaServiceStub(self._channel)  # type: ignore[no-untyped-call]  # generated without types
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End what is under way."""
        await self._channel.close()

    async def ask(self, call: str, request: Message) -> Any:
        """Return the answer of a call that answers once, as soon as the server takes another one."""
        while True:
            try:
                return await getattr(self._stub, call)(request, metadata=self._metadata, timeout=self._timeout)
            except grpc.aio.AioRpcError as error:
                wait = _wait(error) if _reason(error) == "CALLS_TOO_FAST" else 0.0
                if not wait:
                    raise self._error(error, call) from error
            await asyncio.sleep(wait)

    async def ask_all(self, call: str, request: Any) -> Any:
        """Return the answer of a call that lists something page by page, as one; `request` is changed."""
        request.limit = self._page
        whole = page = await self.ask(call, request)
        while len(rows := _rows(page)) == self._page:
            match call:
                case "ListAccounts" | "ListBots":
                    request.after = rows[-1].name
                case "ListRatingChain":
                    request.after = rows[-1].number
                case "ListRatings":
                    request.skip += self._page
                case _:
                    request.before = rows[-1].id
            page = await self.ask(call, request)
            _rows(whole).extend(_rows(page))
        return whole

    async def watch(self, tournament: int) -> AsyncIterator[tournaments_pb2.Tournament]:
        """Yield a tournament now and after every change, until it is over; waits until the server takes the call."""
        request = tournaments_pb2.WatchTournamentRequest(id=tournament)
        while True:
            try:
                async for answer in self._stub.WatchTournament(request, metadata=self._metadata):
                    yield answer.tournament
                return
            except grpc.aio.AioRpcError as error:
                wait = _wait(error) if _reason(error) == "CALLS_TOO_FAST" else 0.0
                if not wait:
                    raise self._error(error, "WatchTournament") from error
            await asyncio.sleep(wait)

    async def rebuild(self, *, replace: bool) -> AsyncIterator[ratings_pb2.RebuildRatingsResponse]:
        """Yield how far the rebuilding of ratings is, and last what it has found."""
        request = ratings_pb2.RebuildRatingsRequest(replace=replace)
        try:
            async for answer in self._stub.RebuildRatings(request, metadata=self._metadata):
                yield answer
        except grpc.aio.AioRpcError as error:
            raise self._error(error, "RebuildRatings") from error

    def _error(self, error: grpc.aio.AioRpcError, call: str) -> ArenaError:
        reason = _reason(error)
        field = next((violation.field for violation in _violations(error)), "")
        return _KINDS.get(reason, ArenaError)(explain(error, self._where, call), reason, field, _wait(error))

    async def matches(
        self, tournament: int, *, bot: str = "", before: int = 0, most: int | None = None
    ) -> AsyncIterator[matches_pb2.Match]:
        """Yield a tournament's matches, newest first: those of `bot`, with a number below `before`, at most `most`."""
        left = most
        while left is None or left > 0:
            limit = self._page if left is None else min(self._page, left)
            request = matches_pb2.ListMatchesRequest(tournament=tournament, bot=bot, limit=limit, before=before)
            page = (await self.ask("ListMatches", request)).matches
            for match in page:
                yield match
            if len(page) < limit:
                return
            before = page[-1].id
            left = None if left is None else left - len(page)

    async def ended(self, tournament: int) -> AsyncIterator[matches_pb2.Match]:
        """Yield a tournament's finished matches, the last to end first, asking for a few at a time."""
        request = matches_pb2.ListMatchesRequest(
            tournament=tournament, state=matches_pb2.MATCH_STATE_FINISHED, limit=_FEW
        )
        while page := (await self.ask("ListMatches", request)).matches:
            for match in page:
                yield match
            request.before = page[-1].id

    async def finished(self, tournament: int) -> list[matches_pb2.Match]:
        """Return a tournament's finished matches, by number."""
        found = [match async for match in self.matches(tournament) if match.state == matches_pb2.MATCH_STATE_FINISHED]
        return found[::-1]

    async def record(self, match: int) -> record_pb2.Record:
        """Return the record of a finished match."""
        record: record_pb2.Record = (await self.ask("GetRecord", matches_pb2.GetRecordRequest(match=match))).record
        return record


def _rows(page: Any) -> Any:
    """Return what a page lists: its first field."""
    return getattr(page, page.DESCRIPTOR.fields[0].name)


def explain(error: grpc.aio.AioRpcError, where: settings.Server, call: str) -> str:
    """Return one sentence for what came instead of an answer to a call."""
    address = where.target
    details = error.details() or "the server gave no reason"
    match error.code():
        # What the server says itself comes with details; gRPC's own words about a connection have none.
        case grpc.StatusCode.UNAVAILABLE if rpc_status.from_call(error) is not None:
            return f"the server at {address} cannot do that now: {details}"
        case grpc.StatusCode.UNAVAILABLE if is_web(details):
            return (
                f"{address} is the port of web pages; bots and commands connect to another one, "
                f"{_port_of(DEFAULT_SERVER)} by default: name it with --server or FARFALIA_SERVER"
            )
        case grpc.StatusCode.UNAVAILABLE if "refused" in details and not proxy_in_use(address):
            return (
                f"no server answers at {address}; start one with `farfalia serve`, "
                "or name another with --server or FARFALIA_SERVER"
            )
        case grpc.StatusCode.UNAVAILABLE | grpc.StatusCode.UNAUTHENTICATED if rpc_status.from_call(error) is None:
            return f"{address} cannot be reached: {why_unreachable(details, where)}"
        case grpc.StatusCode.DEADLINE_EXCEEDED:
            done = "" if call.startswith(_READING) else "; it may have done it all the same: look before you retry"
            return f"the server at {address} did not answer in time{done}"
        case grpc.StatusCode.UNIMPLEMENTED:
            return f"what answers at {address} is not a Farfalia server, or one of another version"
        case grpc.StatusCode.UNKNOWN | grpc.StatusCode.INTERNAL:
            return f"the server at {address} failed; its log says more: {details}"
        case grpc.StatusCode.UNAUTHENTICATED | grpc.StatusCode.PERMISSION_DENIED:
            # How a token is sent is for authors of clients.
            text = details.partition(" (metadata ")[0].rstrip(".")
            if _reason(error) not in _OF_TOKENS:
                return text
            accounts = (
                ""
                if text.endswith("the admin token")
                else ", an account's with --account-token or FARFALIA_ACCOUNT_TOKEN"
            )
            return f"{text}; {_TOKENS}{accounts}"
        case grpc.StatusCode.NOT_FOUND:
            noun = _NOUNS.get(_reason(error), "")
            return f"{details.rstrip('.')}; `farfalia {noun} list` shows all there are" if noun else details
    return "; ".join(violation.description for violation in _violations(error)) or details


def _port_of(address: str) -> str:
    return address.rpartition(":")[2]


def _reason(error: grpc.aio.AioRpcError) -> str:
    """Return the stable reason of a refusal, empty if there is none."""
    info = error_details_pb2.ErrorInfo()
    status = rpc_status.from_call(error)
    return next((info.reason for detail in (status.details if status else ()) if detail.Unpack(info)), "")


def _wait(error: grpc.aio.AioRpcError) -> float:
    """Return the seconds after which the server asks to call again; 0 if it does not."""
    retry = error_details_pb2.RetryInfo()
    status = rpc_status.from_call(error)
    found = any(detail.Unpack(retry) for detail in (status.details if status else ()))
    return retry.retry_delay.ToMilliseconds() / 1000 if found else 0.0


def _violations(error: grpc.aio.AioRpcError) -> list[error_details_pb2.BadRequest.FieldViolation]:
    """Return what is wrong with the fields of the request."""
    status = rpc_status.from_call(error)
    found: list[error_details_pb2.BadRequest.FieldViolation] = []
    for detail in status.details if status else ():
        request = error_details_pb2.BadRequest()
        if detail.Unpack(request):
            found += request.field_violations
    return found
