"""The calls of a server around the play, typed: tournaments, bots, accounts, ratings, records.

A script that plays a tournament and reads its records; docs/scripts.md has more:

```python
from farfalia.arena import SyncArena

with SyncArena("127.0.0.1:7600", token="…") as arena:
    made = arena.create_tournament(name="Friday", ruleset="three", bots=["ada", "ben", "cleo"], rounds=2)
    arena.start_tournament(id=made.tournament.id)
    for shown in arena.watch_tournament(id=made.tournament.id):
        print(f"{shown.tournament.finished} of {shown.tournament.matches} matches")
    for match in arena.all_matches(tournament=made.tournament.id):
        record = arena.get_record(match=match.id).record
```

`Arena` has the same methods for `async with`, `await` and `async for`. Each call takes the fields of its request as
keywords and returns its answer; `all_…` yields what a call lists page by page. What a server declines is an
`ArenaError`, with the stable `reason` of the contract.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Iterator
from types import TracebackType
from typing import Any, Self

import grpc
from google.protobuf.message import Message

from farfalia import settings
from farfalia.arena_calls import ArenaCalls
from farfalia.arena_errors import ArenaError, BoardInPlay, MatchNotOver, arena_error
from farfalia.arena_sync_calls import SyncArenaCalls
from farfalia.channels import open_channel, open_sync_channel
from farfalia.errors import BadSetting
from farfalia.settings import DEFAULT_SERVER
from farfalia.v1.arena_pb2_grpc import ArenaServiceStub

__all__ = ["TIMEOUT", "Arena", "ArenaError", "BoardInPlay", "MatchNotOver", "SyncArena"]

#: Seconds for a call that answers once.
TIMEOUT = 30.0

#: Rows in one answer, with a token and without one; the server's own limits.
_PAGE, _PAGE_WITHOUT_TOKEN = 1000, 100
#: The reason of a refusal after which both clients call again by themselves, when the server says.
_TOO_FAST = "CALLS_TOO_FAST"


class _Client:
    """What both clients know of a server and how they call it."""

    def __init__(self, server: str = DEFAULT_SERVER, token: str = "", *, timeout: float | None = TIMEOUT) -> None:
        self._timeout = timeout
        try:
            self._where = settings.server(server, token or "none")
        except BadSetting as error:
            raise ArenaError(str(error)) from error
        self._metadata = (("authorization", f"Bearer {token}"),) if token else ()
        self.page = _PAGE if token else _PAGE_WITHOUT_TOKEN

    def _wait(self, error: grpc.RpcError, call: str) -> float:
        """Return the seconds until a call is to be made again; ArenaError unless it only came too early."""
        refusal = arena_error(error, self._where, call)
        if refusal.reason != _TOO_FAST or not refusal.retry_after:
            raise refusal from error
        return refusal.retry_after


class Arena(_Client, ArenaCalls):
    """The calls of one server, to be awaited; ArenaError for whatever goes wrong with one.

    `server` is `host:port`, or `farfalias://host:port` for TLS; `token` is the admin's, an account's or a bot's, and
    empty for what everybody may ask. A call that answers once has `timeout` seconds.
    """

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
            except grpc.RpcError as error:
                wait = self._wait(error, call)
            await asyncio.sleep(wait)

    async def stream(self, call: str, request: Message) -> AsyncIterator[Any]:
        """Yield the answers of a call that answers more than once, as soon as the server takes another one."""
        while True:
            answers = getattr(self._stub, call)(request, metadata=self._metadata)
            try:
                async for answer in answers:
                    yield answer
                return
            except grpc.RpcError as error:
                wait = self._wait(error, call)
            finally:
                answers.cancel()
            await asyncio.sleep(wait)


class SyncArena(_Client, SyncArenaCalls):
    """The calls of one server without `await`; ArenaError for whatever goes wrong with one.

    For scripts and notebooks, also where an event loop runs. Like all that waits, a call holds such a loop up: where
    bots or a server run in the same loop, use `Arena`. Threads may share one. The arguments are those of `Arena`.
    """

    def __enter__(self) -> Self:
        """Make the channel; nothing is dialled before the first call."""
        self._channel = open_sync_channel(self._where)
        self._stub: Any = ArenaServiceStub(self._channel)  # type: ignore[no-untyped-call]  # generated without types
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End what is under way."""
        self._channel.close()

    def ask(self, call: str, request: Message) -> Any:
        """Return the answer of a call that answers once, as soon as the server takes another one."""
        while True:
            try:
                return getattr(self._stub, call)(request, metadata=self._metadata, timeout=self._timeout)
            except grpc.RpcError as error:
                wait = self._wait(error, call)
            time.sleep(wait)

    def stream(self, call: str, request: Message) -> Iterator[Any]:
        """Yield the answers of a call that answers more than once, as soon as the server takes another one."""
        while True:
            answers = getattr(self._stub, call)(request, metadata=self._metadata)
            try:
                yield from answers
                return
            except grpc.RpcError as error:
                wait = self._wait(error, call)
            finally:
                answers.cancel()
            time.sleep(wait)
