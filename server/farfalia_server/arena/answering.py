"""Wraps every call: counts it, and turns an error of the server into the call's status."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from functools import partial, wraps
from typing import Any, Protocol, TypeVar

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


def refusing(
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
            return await abort(context, error)
        except grpc.aio.AbortError:
            raise
        except Exception:
            log.exception("call_failed", call=name)
            return await abort(context, FarfaliaServerError("the server failed at this call; its log says why"))

    return answered
