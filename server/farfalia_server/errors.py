"""What the server refuses, and why.

FarfaliaServerError
├── SettingsError       a setting that cannot be
├── StoreError          the database is not what it should be
│   ├── StoreUnavailable    it does not answer; try again
│   └── ValueUnfit          it does not take a value, such as a text with a zero byte
├── RedisError          no usable Redis
├── AnotherServer       a database, a Redis or a directory that another server uses
├── PartFailed          a part of the server has ended by itself (supervision)
├── RecordError         a record that cannot be read
└── Refused             a request that is declined: has a stable reason
    ├── Invalid             one field is wrong
    ├── NotFound            there is no such thing
    ├── Taken               there is one already
    ├── NotNow              not in this state
    ├── NotReady            it is being worked out; try again
    ├── NoToken             nobody knows who asks
    ├── Forbidden           who asks may not
    └── TooMuch             more than the server takes

Every message is one sentence that a user can act on, so none of them is ever shown with a traceback.
"""

from collections.abc import Mapping
from typing import Any, ClassVar, NoReturn, cast

import grpc
from google.protobuf.duration_pb2 import Duration
from google.protobuf.message import Message
from google.rpc import error_details_pb2, status_pb2
from grpc_status import rpc_status

from farfalia_server.untrusted import clean

#: `google.rpc.ErrorInfo.domain` of every refusal.
DOMAIN = "farfalia"


class FarfaliaServerError(Exception):
    """Base of all errors that the server expects."""

    #: Stable upper-case name that programs may compare with; sent as `ErrorInfo.reason`.
    reason: str = "INTERNAL"
    #: What a command exits with when this ends it.
    exit_code: int = 1


class SettingsError(FarfaliaServerError):
    """Raised when a setting is unknown or has a value that cannot be."""

    reason = "SETTING_INVALID"


class StoreError(FarfaliaServerError):
    """Raised when the database cannot be used as it is."""

    reason = "STORE_BROKEN"


class StoreUnavailable(StoreError):
    """Raised when the database does not answer; the same call may work a moment later."""

    reason = "STORE_UNAVAILABLE"


class ValueUnfit(StoreError):
    """Raised when the database cannot hold a value that it was given; it works otherwise."""


class RedisError(FarfaliaServerError):
    """Raised when there is no Redis that the server can use."""

    reason = "REDIS_UNAVAILABLE"


class AnotherServer(FarfaliaServerError):
    """Raised when another server uses what this one would need for itself."""

    reason = "ANOTHER_SERVER"
    exit_code = 6


class RecordError(FarfaliaServerError):
    """Raised when a record cannot be read; names the place."""

    reason = "RECORD_UNREADABLE"


class Refused(FarfaliaServerError):
    """A request that is declined; `reason` is stable, the text is for people."""

    default_reason: ClassVar[str] = "REFUSED"

    def __init__(self, text: str, reason: str | None = None) -> None:
        super().__init__(text)
        self.reason = reason or self.default_reason


class Invalid(Refused):
    """Raised when one field of a request is wrong; `field` names it."""

    default_reason = "FIELD_INVALID"

    def __init__(self, field: str, text: str, reason: str | None = None) -> None:
        super().__init__(text, reason)
        self.field = field


class NotFound(Refused):
    """Raised when there is no such bot, tournament, match or record."""

    default_reason = "NOT_FOUND"


class Taken(Refused):
    """Raised when there is one of that name, or one in that place, already."""

    default_reason = "NAME_TAKEN"


class NotNow(Refused):
    """Raised when the request would be fine in another state of the server."""

    default_reason = "NOT_NOW"


class NotReady(Refused):
    """Raised when what was asked for is still being worked out; the same request works a little later."""

    default_reason = "NOT_READY"


class NoToken(Refused):
    """Raised when a request shows no token, or one that nobody has."""

    default_reason = "TOKEN_UNKNOWN"


class Forbidden(Refused):
    """Raised when the one who asks is known and may not."""

    default_reason = "ADMIN_ONLY"


class TooMuch(Refused):
    """Raised when somebody asks for more than the server takes."""

    default_reason = "TOO_MUCH"


#: The canonical code of every class; a class that is not here has that of its base.
CODES: Mapping[type[FarfaliaServerError], grpc.StatusCode] = {
    FarfaliaServerError: grpc.StatusCode.INTERNAL,
    StoreUnavailable: grpc.StatusCode.UNAVAILABLE,
    RedisError: grpc.StatusCode.UNAVAILABLE,
    RecordError: grpc.StatusCode.INVALID_ARGUMENT,
    Refused: grpc.StatusCode.FAILED_PRECONDITION,
    Invalid: grpc.StatusCode.INVALID_ARGUMENT,
    NotFound: grpc.StatusCode.NOT_FOUND,
    Taken: grpc.StatusCode.ALREADY_EXISTS,
    NotReady: grpc.StatusCode.UNAVAILABLE,
    NoToken: grpc.StatusCode.UNAUTHENTICATED,
    Forbidden: grpc.StatusCode.PERMISSION_DENIED,
    TooMuch: grpc.StatusCode.RESOURCE_EXHAUSTED,
}

#: Of the sentence of a status: characters, bytes.
_TEXT, _TEXT_BYTES = 800, 1000

#: How long a client should wait before it comes back, in seconds.
_RETRY_SECONDS = {grpc.StatusCode.UNAVAILABLE: 1.0, grpc.StatusCode.RESOURCE_EXHAUSTED: 5.0}


def bounded(text: str) -> str:
    """A sentence as a status may hold it: gRPC refuses metadata of more than 8 KiB, in which it stands three times."""
    return clean(text, _TEXT).encode()[:_TEXT_BYTES].decode(errors="ignore")


def code_of(error: FarfaliaServerError) -> grpc.StatusCode:
    """The canonical code that tells a client of this error."""
    return next(CODES[kind] for kind in type(error).__mro__ if kind in CODES)


async def abort(context: grpc.aio.ServicerContext[Any, Any], error: FarfaliaServerError) -> NoReturn:
    """Ends a call with an error: its code, its sentence, and `google.rpc` details that programs can read."""
    details: list[Message] = []
    if isinstance(error, Invalid):
        violation = error_details_pb2.BadRequest.FieldViolation(field=error.field, description=bounded(str(error)))
        details.append(error_details_pb2.BadRequest(field_violations=[violation]))
    await end(context, code_of(error), error.reason, str(error), details)


async def end(
    context: grpc.aio.ServicerContext[Any, Any],
    code: grpc.StatusCode,
    reason: str,
    text: str,
    details: list[Message] | None = None,
    *,
    retry: float = 0.0,
) -> NoReturn:
    """Ends a call or stream with a stable reason; says when to come back if coming back may help.

    `retry` is in seconds, where the code alone does not say it.
    """
    text = bounded(text)
    info = error_details_pb2.ErrorInfo(reason=reason, domain=DOMAIN)
    status = status_pb2.Status(code=code.value[0], message=text)
    status.details.add().Pack(info)
    for detail in details or ():
        status.details.add().Pack(detail)
    retry = retry or _RETRY_SECONDS.get(code, 0.0)
    if retry:
        delay = Duration()
        delay.FromMilliseconds(round(retry * 1000))
        status.details.add().Pack(error_details_pb2.RetryInfo(retry_delay=delay))
    # Its types do not know this method in every version.
    await cast(Any, context).abort_with_status(rpc_status.to_status(status))
    raise AssertionError("abort_with_status always raises")
