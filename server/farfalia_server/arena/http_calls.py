"""The calls of the contract as the HTTP port makes them: the same functions, the same limits, the same refusals."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from google.protobuf.descriptor import MethodDescriptor
from google.protobuf.message_factory import GetMessageClass

from farfalia.v1 import arena_pb2
from farfalia_server.arena.answering import HttpContext
from farfalia_server.arena.repeated_calls import RepeatedCalls
from farfalia_server.arena.service import ArenaService

_SERVICE: Any = arena_pb2.DESCRIPTOR.services_by_name["ArenaService"]
#: The calls with one request and one answer, by name: what they return as streams is streamed at other addresses.
CALLS: Final[Mapping[str, MethodDescriptor]] = {
    call.name: call for call in _SERVICE.methods if not (call.client_streaming or call.server_streaming)
}
#: Calls whose answers nobody keeps: sessions.
_NOT_KEPT: Final = frozenset({"SignIn", "SignOut"})


class HttpCalls:
    """Makes calls for the process that answers at the HTTP port."""

    def __init__(self, arena: ArenaService, repeated: RepeatedCalls) -> None:
        self._arena = arena
        self._repeated = repeated

    async def call(self, name: str, request: bytes, host: str, token: str, key: str = "") -> bytes:
        """Return what a call answers to an encoded request, encoded; FarfaliaServerError if it refuses.

        `host` is the address that the request comes from, `token` is empty if it has none. With a `key` the call is
        made once, and answered the same when it is made again.
        """
        message = GetMessageClass(CALLS[name].input_type).FromString(request)

        async def make() -> bytes:
            answer = await getattr(self._arena, name)(message, HttpContext(host, token))
            encoded: bytes = answer.SerializeToString()
            return encoded

        if not key or name in _NOT_KEPT:
            return await make()
        return await self._repeated.answer(key, token, name, request, make)
