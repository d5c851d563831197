"""Errors as statuses: the canonical code with which calls and streams of gRPC end, and the HTTP status that follows.

What only HTTP knows, such as a body that is too long, has its status in `web`.
"""

from collections.abc import Mapping
from math import ceil
from typing import Any, NoReturn, cast

import grpc
from google.protobuf.duration_pb2 import Duration
from google.protobuf.message import Message
from google.rpc import error_details_pb2, status_pb2
from grpc_status import rpc_status

from farfalia_server.contract.errors import (
    AlreadyExists,
    FarfaliaServerError,
    InvalidArgument,
    NotFound,
    NotReady,
    PermissionDenied,
    ProviderUnavailable,
    RecordError,
    RedisUnavailable,
    RequestRefused,
    ResourceExhausted,
    StoreUnavailable,
    Unauthenticated,
)
from farfalia_server.contract.untrusted import clean

#: `google.rpc.ErrorInfo.domain` of every refusal.
DOMAIN = "farfalia"

#: The canonical code of each class; other classes have that of their base class.
CODES: Mapping[type[FarfaliaServerError], grpc.StatusCode] = {
    FarfaliaServerError: grpc.StatusCode.INTERNAL,
    StoreUnavailable: grpc.StatusCode.UNAVAILABLE,
    RedisUnavailable: grpc.StatusCode.UNAVAILABLE,
    RecordError: grpc.StatusCode.INVALID_ARGUMENT,
    RequestRefused: grpc.StatusCode.FAILED_PRECONDITION,
    InvalidArgument: grpc.StatusCode.INVALID_ARGUMENT,
    NotFound: grpc.StatusCode.NOT_FOUND,
    AlreadyExists: grpc.StatusCode.ALREADY_EXISTS,
    NotReady: grpc.StatusCode.UNAVAILABLE,
    ProviderUnavailable: grpc.StatusCode.UNAVAILABLE,
    Unauthenticated: grpc.StatusCode.UNAUTHENTICATED,
    PermissionDenied: grpc.StatusCode.PERMISSION_DENIED,
    ResourceExhausted: grpc.StatusCode.RESOURCE_EXHAUSTED,
}

#: The HTTP status of each canonical code that an error can have.
HTTP_STATUSES: Mapping[grpc.StatusCode, int] = {
    grpc.StatusCode.INTERNAL: 500,
    grpc.StatusCode.UNAVAILABLE: 503,
    grpc.StatusCode.INVALID_ARGUMENT: 400,
    grpc.StatusCode.FAILED_PRECONDITION: 409,
    grpc.StatusCode.NOT_FOUND: 404,
    grpc.StatusCode.ALREADY_EXISTS: 409,
    grpc.StatusCode.UNAUTHENTICATED: 401,
    grpc.StatusCode.PERMISSION_DENIED: 403,
    grpc.StatusCode.RESOURCE_EXHAUSTED: 429,
}
#: Seconds after which it is worth asking the HTTP port again, where the error does not say.
_HTTP_RETRY_SECONDS = 2

#: Most characters, and bytes, of a status message.
_TEXT, _TEXT_BYTES = 800, 1000

#: How long a client should wait before another attempt, in seconds.
_RETRY_SECONDS = {grpc.StatusCode.UNAVAILABLE: 1.0, grpc.StatusCode.RESOURCE_EXHAUSTED: 5.0}


def bounded(text: str) -> str:
    """Return a sentence cut to fit a status: gRPC refuses metadata over 8 KiB, which contains it three times."""
    return clean(text, _TEXT).encode()[:_TEXT_BYTES].decode(errors="ignore")


def code_of(error: FarfaliaServerError) -> grpc.StatusCode:
    """Return the canonical code of an error."""
    return next(CODES[kind] for kind in type(error).__mro__ if kind in CODES)


def http_status_of(error: FarfaliaServerError) -> int:
    """Return the HTTP status of an error: 503, not 429, where all have to wait and not only who asked."""
    if isinstance(error, ResourceExhausted) and error.retry is None:
        return HTTP_STATUSES[grpc.StatusCode.UNAVAILABLE]
    return HTTP_STATUSES[code_of(error)]


def http_retry_after(error: FarfaliaServerError) -> str | None:
    """Return the `retry-after` of an error, in seconds; None if another attempt does not help."""
    if isinstance(error, ResourceExhausted) and error.retry is not None:
        return str(ceil(error.retry))
    return str(_HTTP_RETRY_SECONDS) if http_status_of(error) == 503 else None


async def abort(context: grpc.aio.ServicerContext[Any, Any], error: FarfaliaServerError) -> NoReturn:
    """End a call with an error: its code, its sentence, and `google.rpc` details for programs."""
    details: list[Message] = []
    if isinstance(error, InvalidArgument):
        violation = error_details_pb2.BadRequest.FieldViolation(field=error.field, description=bounded(str(error)))
        details.append(error_details_pb2.BadRequest(field_violations=[violation]))
    retry = error.retry if isinstance(error, ResourceExhausted) else None
    await end(context, code_of(error), error.reason, str(error), details, retry=retry)


async def end(
    context: grpc.aio.ServicerContext[Any, Any],
    code: grpc.StatusCode,
    reason: str,
    text: str,
    details: list[Message] | None = None,
    *,
    retry: float | None = None,
) -> NoReturn:
    """End a call or stream with a stable reason, and with the time to wait if another attempt may help.

    `retry` is that time in seconds, if the code does not already imply it; 0 if waiting does not help.
    """
    text = bounded(text)
    info = error_details_pb2.ErrorInfo(reason=reason, domain=DOMAIN)
    status = status_pb2.Status(code=code.value[0], message=text)
    status.details.add().Pack(info)
    for detail in details or ():
        status.details.add().Pack(detail)
    if retry is None:
        retry = _RETRY_SECONDS.get(code, 0.0)
    if retry:
        delay = Duration()
        delay.FromMilliseconds(round(retry * 1000))
        status.details.add().Pack(error_details_pb2.RetryInfo(retry_delay=delay))
    # Its types do not know this method in every version.
    await cast(Any, context).abort_with_status(rpc_status.to_status(status))
    raise AssertionError("abort_with_status always raises")
