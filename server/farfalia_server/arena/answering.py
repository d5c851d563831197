"""Wraps every call: counts it, and turns an error of the server into the call's status."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from functools import partial, wraps
from typing import Any, NoReturn, Protocol, TypeVar

import grpc
import structlog
from google.protobuf.message import Message

from farfalia_server.arena.access import Access
from farfalia_server.arena.call_limits import CallLimits
from farfalia_server.contract.errors import FarfaliaServerError
from farfalia_server.contract.states import READING
from farfalia_server.contract.statuses import abort

log = structlog.get_logger(__name__)

Context = grpc.aio.ServicerContext[Any, Any]
Q = TypeVar("Q", bound=Message)
A = TypeVar("A", bound=Message)


class LimitedService(Protocol):
    """A service whose calls are counted."""

    call_limits: CallLimits
    _access: Access


S = TypeVar("S", bound=LimitedService)


class HttpContext:
    """What a call that came to the HTTP port has of gRPC's context: where it comes from, and its token."""

    def __init__(self, host: str, token: str) -> None:
        self._host = host
        self._token = token

    def peer(self) -> str:
        """Return the address as gRPC writes one; empty for a caller without an address."""
        kind = "ipv6" if ":" in self._host else "ipv4"
        return f"{kind}:[{self._host}]:0" if self._host else ""

    def invocation_metadata(self) -> tuple[tuple[str, str], ...]:
        """Return the metadata of the call."""
        return (("authorization", f"Bearer {self._token}"),) if self._token else ()


def errors_as_status(
    call: Callable[[S, Q, Context], Coroutine[Any, Any, A]],
) -> Callable[[S, Q, Context], Coroutine[Any, Any, A]]:
    """Count a call, charge it by what it costs, and turn the server's expected errors into its status.

    A call that changes something is charged only if it comes with a wrong token.
    """
    name = call.__name__

    @wraps(call)
    async def answered(self: S, request: Q, context: Context) -> A:
        try:
            self.call_limits.count(context)
            work = partial(call, self, request, context)
            if not name.startswith(READING):
                return await self.call_limits.changing(context, self._access, work)
            return await self.call_limits.reading(context, self._access, request, work)
        except FarfaliaServerError as error:
            return await _refuse(context, error)
        except grpc.aio.AbortError:
            raise
        except Exception:
            log.exception("call_failed", call=name)
            return await _refuse(context, FarfaliaServerError("the server failed at this call; its log says why"))

    return answered


async def _refuse(context: Context | HttpContext, error: FarfaliaServerError) -> NoReturn:
    """End a call with an error, which the HTTP port words in its own way."""
    if isinstance(context, HttpContext):
        raise error
    await abort(context, error)
