"""The arena's calls of a world, on a port of its own, and a client of them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.protobuf.message_factory import GetMessageClass
from google.rpc import error_details_pb2, status_pb2
from tests.server.arena_world import CONTROL, World, world

from farfalia.v1 import arena_pb2, arena_pb2_grpc, tournaments_pb2
from farfalia_server.arena.call_limits import CallLimits
from farfalia_server.arena.ladders import LadderOpening
from farfalia_server.arena.password_mail import PasswordMail
from farfalia_server.arena.service import ArenaService
from farfalia_server.contract.registration import Registration, RegistrationRules
from farfalia_server.net.addresses import Addresses
from farfalia_server.net.mailer import Mailer
from farfalia_server.organising.starting import Starting
from farfalia_server.rating.ladder_knowledge import LadderKnowing

OPEN = RegistrationRules(Registration.OPEN)
#: Where its pages are said to be.
PUBLIC = Addresses("arena.example:7600", "https://arena.example/")
FIVE = ("ant", "bee", "cat", "dog", "eel")


@dataclass
class Arena:
    """A server on a port of its own, and a client of it."""

    here: World
    stub: Any
    admin: str
    address: str = ""
    changes: list[None] = field(default_factory=list)
    #: The address that a proxy names, if calls come through one.
    come_from: str = ""

    async def ask(self, call: str, token: str = "", **fields: Any) -> Any:
        """Make a call with the request of its name."""
        request = _request(call)(**fields)
        return await getattr(self.stub, call)(request, metadata=self._metadata(token))

    def stream(self, call: str, token: str = "", **fields: Any) -> Any:
        """Make a call that answers more than once."""
        request = _request(call)(**fields)
        return getattr(self.stub, call)(request, metadata=self._metadata(token))

    def _metadata(self, token: str) -> tuple[tuple[str, str], ...]:
        return (("authorization", f"Bearer {token}"),) * bool(token) + (("x-forwarded-for", self.come_from),) * bool(
            self.come_from
        )

    async def refused(self, call: str, token: str = "", **fields: Any) -> tuple[grpc.StatusCode, str, str]:
        """Make a call that is refused: code, stable reason, and the field or else the sentence."""
        with pytest.raises(grpc.aio.AioRpcError) as refusal:
            await self.ask(call, token, **fields)
        return described(refusal.value)

    async def five(self) -> list[str]:
        """Register five bots and return their tokens."""
        return [(await self.ask("RegisterBot", self.admin, name=name)).token for name in FIVE]


def _request(call: str) -> Any:
    method = arena_pb2.DESCRIPTOR.services_by_name["ArenaService"].methods_by_name[call]
    return GetMessageClass(method.input_type)


async def nobody_is_here(tournament: int) -> None:
    """Wait for nobody's nonce."""


async def rest(stream: Any) -> list[tournaments_pb2.Tournament]:
    """What a watcher is still shown, to the end."""
    seen = []
    while isinstance(answer := await stream.read(), tournaments_pb2.WatchTournamentResponse):
        seen.append(answer.tournament)
    return seen


def described(error: grpc.aio.AioRpcError) -> tuple[grpc.StatusCode, str, str]:
    (data,) = [value for key, value in error.trailing_metadata() if key == "grpc-status-details-bin"]
    status = status_pb2.Status.FromString(data)
    info, bad = error_details_pb2.ErrorInfo(), error_details_pb2.BadRequest()
    for detail in status.details:
        detail.Unpack(info)
        detail.Unpack(bad)
    violations = [violation.field for violation in bad.field_violations]
    return error.code(), info.reason, violations[0] if violations else error.details() or ""


@asynccontextmanager
async def serving(
    folder: Path,
    rules: RegistrationRules | None = None,
    call_limits: CallLimits | None = None,
    mailer: Mailer | None = None,
) -> AsyncIterator[Arena]:
    async with world(folder) as here, AsyncExitStack() as stack:
        mail = None
        if mailer is not None:
            mail = await stack.enter_async_context(PasswordMail(here.store, mailer, lambda: PUBLIC, "Arena"))
        admin = await here.store.meta.first_admin_token()
        assert admin is not None
        arena = Arena(here, None, admin)
        service = ArenaService(
            here.store,
            here.reader,
            here.planner,
            here.crowd,
            here.news,
            registration=rules or RegistrationRules(),
            call_limits=call_limits,
            on_change=lambda: arena.changes.append(None),
            starting=Starting(
                here.store, nobody_is_here, lambda: arena.changes.append(None), LadderKnowing(here.store).at_start
            ),
            ladders=LadderOpening(here.store, time_control=CONTROL, changed=lambda: None),
            mail=mail,
        )
        server = grpc.aio.server(options=[("grpc.so_reuseport", 0)])
        arena_pb2_grpc.add_ArenaServiceServicer_to_server(service, server)  # type: ignore[no-untyped-call]
        port = server.add_insecure_port("127.0.0.1:0")
        arena.address = f"127.0.0.1:{port}"
        await server.start()
        try:
            async with grpc.aio.insecure_channel(arena.address) as channel:
                arena.stub = arena_pb2_grpc.ArenaServiceStub(channel)  # type: ignore[no-untyped-call]
                yield arena
        finally:
            await server.stop(None)
