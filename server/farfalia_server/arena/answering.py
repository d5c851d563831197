"""What every call has around it: an error of the server becomes the call's status."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import wraps
from typing import Any, TypeVar

import grpc
import structlog

from farfalia_server.errors import FarfaliaServerError
from farfalia_server.net.statuses import abort

log = structlog.get_logger(__name__)

Context = grpc.aio.ServicerContext[Any, Any]
Q = TypeVar("Q")
A = TypeVar("A")
S = TypeVar("S")


def refusing(call: Callable[[S, Q, Context], Awaitable[A]]) -> Callable[[S, Q, Context], Awaitable[A]]:
    """Turn errors that the server expects into the call's status."""

    @wraps(call)
    async def answered(self: S, request: Q, context: Context) -> A:
        try:
            return await call(self, request, context)
        except FarfaliaServerError as error:
            return await abort(context, error)
        except grpc.aio.AbortError:
            raise
        except Exception:
            log.exception("call_failed", call=call.__name__)
            return await abort(context, FarfaliaServerError("the server failed at this call; its log says why"))

    return answered
