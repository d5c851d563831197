"""Wraps every call: counts it, and turns an error of the server into the call's status."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import wraps
from typing import Any, Protocol, TypeVar

import grpc
import structlog

from farfalia_server.arena.call_limits import CallLimits
from farfalia_server.errors import FarfaliaServerError
from farfalia_server.net.statuses import abort

log = structlog.get_logger(__name__)

Context = grpc.aio.ServicerContext[Any, Any]
Q = TypeVar("Q")
A = TypeVar("A")


class LimitedService(Protocol):
    """A service whose calls are counted."""

    call_limits: CallLimits


S = TypeVar("S", bound=LimitedService)


def refusing(call: Callable[[S, Q, Context], Awaitable[A]]) -> Callable[[S, Q, Context], Awaitable[A]]:
    """Count a call, and turn the server's expected errors into its status."""

    @wraps(call)
    async def answered(self: S, request: Q, context: Context) -> A:
        try:
            self.call_limits.count(context)
            return await call(self, request, context)
        except FarfaliaServerError as error:
            return await abort(context, error)
        except grpc.aio.AbortError:
            raise
        except Exception:
            log.exception("call_failed", call=call.__name__)
            return await abort(context, FarfaliaServerError("the server failed at this call; its log says why"))

    return answered
