"""Whatever a management call asks for: it is answered, or refused with a code and a reason."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from typing import Any

import grpc
import pytest
from google.protobuf.message_factory import GetMessageClass
from hypothesis import given
from hypothesis import strategies as st
from tests.examples import few
from tests.server.any_message import messages
from tests.server.arena_client import FIVE, OPEN, described, serving
from tests.server.same_process import in_this_process

from farfalia.v1 import arena_pb2

METHODS = list(arena_pb2.DESCRIPTOR.services_by_name["ArenaService"].methods)
#: Texts that mean something to some call.
WORDS = st.sampled_from([*FIVE, "house-greedy-1", "greedy", "two", "four", "basic", "chinkway", "1", "board-1-1", ""])
#: Seconds that a call may take; one that streams may be silent for as long as nothing changes.
PATIENCE, SILENT = 120.0, 0.05

Ask = Callable[[str, Any, str], tuple[grpc.StatusCode, str]]


@pytest.fixture(scope="module")
def ask(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ask]:
    """Makes a call as somebody, and returns its code and reason."""
    with in_this_process(), asyncio.Runner() as runner:
        opened = serving(tmp_path_factory.mktemp("calls"), OPEN)
        arena = runner.run(opened.__aenter__())
        tokens = {"nobody": "", "admin": arena.admin, "ant": runner.run(arena.five())[0]}

        async def make(call: str, request: Any, who: str) -> tuple[grpc.StatusCode, str]:
            metadata = (("authorization", f"Bearer {tokens[who]}"),) if tokens[who] else ()
            made = getattr(arena.stub, call)(request, metadata=metadata, timeout=PATIENCE)
            try:
                if isinstance(made, grpc.aio.UnaryStreamCall):
                    await asyncio.wait([reading := asyncio.ensure_future(made.read())], timeout=SILENT)
                    if not reading.done():
                        made.cancel()
                        await asyncio.wait([reading])
                        return grpc.StatusCode.OK, ""
                    await reading
                    made.cancel()
                else:
                    await made
            except grpc.aio.AioRpcError as error:
                code, reason, _ = described(error)
                return code, reason
            return grpc.StatusCode.OK, ""

        yield lambda call, request, who: runner.run(make(call, request, who))
        runner.run(opened.__aexit__(None, None, None))


@few
@given(data=st.data())
@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.name)
def test_a_call_is_answered_or_refused_with_a_reason(ask: Ask, method: Any, data: st.DataObject) -> None:
    request = data.draw(messages(GetMessageClass(method.input_type), WORDS))
    code, reason = ask(method.name, request, data.draw(st.sampled_from(["admin", "admin", "ant", "nobody"])))
    assert code not in (grpc.StatusCode.UNKNOWN, grpc.StatusCode.INTERNAL, grpc.StatusCode.DEADLINE_EXCEEDED), reason
    assert bool(reason) == (code is not grpc.StatusCode.OK)
