"""What goes wrong with a call to a server, for a person and for a program."""

from __future__ import annotations

import grpc
from google.rpc import error_details_pb2
from grpc_status import rpc_status

from farfalia import settings
from farfalia.channels import proxy_in_use
from farfalia.errors import FarfaliaError
from farfalia.settings import DEFAULT_SERVER
from farfalia.unreachable import is_web, why_unreachable

#: How the names of calls begin that change nothing.
_READING = ("Get", "List", "Watch")
#: What gRPC says if nothing was sent, since there was no connection.
_NOT_SENT = ("failed to connect", "errors resolving", "DNS resolution failed")
#: The reason of a refusal that ends by itself, with a code that says nothing of that.
_TRY_AGAIN = "TRY_AGAIN"
#: What can be listed where one of them is not there, by the reason of the refusal.
_NOUNS = {
    "ACCOUNT_UNKNOWN": "account",
    "BOT_UNKNOWN": "bot",
    "INVITATION_UNKNOWN": "invitation",
    "TOURNAMENT_UNKNOWN": "tournament",
}
#: Where commands take a token from, and the reasons of refusals that another token helps against.
_TOKENS = "show the right one with --admin-token or FARFALIA_ADMIN_TOKEN"
_OF_TOKENS = frozenset({"TOKEN_MISSING", "TOKEN_UNKNOWN", "NOT_ALLOWED", "REGISTRATION_CLOSED"})


class ArenaError(FarfaliaError):
    """Raised when a server does not answer, or declines; the message is what a user can act on.

    Programs compare `reason` and `code`; the sentence may change.
    """

    #: Why the server declined: upper-case and stable, such as TOURNAMENT_UNKNOWN. The contract lists the reasons with
    #: each call. Empty if the server gave none, as when it cannot be reached.
    reason: str
    #: Name of the gRPC status code, such as NOT_FOUND or UNAVAILABLE; empty if no call was made.
    code: str
    #: Field of the request that is wrong; empty if none is.
    field: str
    #: Whether the same call may be made again: it may succeed then, and nothing is done twice. False where nobody
    #: knows if the call was carried out, such as after a lost connection: look first.
    retryable: bool
    #: Seconds after which the server asks to call again; 0 if it does not say.
    retry_after: float

    def __init__(
        self,
        sentence: str,
        *,
        reason: str = "",
        code: str = "",
        field: str = "",
        retryable: bool = False,
        retry_after: float = 0.0,
    ) -> None:
        super().__init__(sentence)
        self.reason = reason
        self.code = code
        self.field = field
        self.retryable = retryable
        self.retry_after = retry_after


class BoardInPlay(ArenaError):
    """Raised for a record whose cards are still to be played elsewhere."""


class MatchNotOver(ArenaError):
    """Raised for the record of a match that is still to be played."""


_KINDS = {"BOARD_IN_PLAY": BoardInPlay, "MATCH_NOT_OVER": MatchNotOver}


def arena_error(error: grpc.RpcError, where: settings.Server, call: str) -> ArenaError:
    """Return what to raise for what came instead of an answer to a call."""
    reason = _reason(error)
    return _KINDS.get(reason, ArenaError)(
        explain(error, where, call),
        reason=reason,
        code=error.code().name,
        field=next((violation.field for violation in _violations(error)), ""),
        retryable=_is_retryable(error, call),
        retry_after=_wait(error),
    )


def _is_retryable(error: grpc.RpcError, call: str) -> bool:
    if _wait(error) or _reason(error) == _TRY_AGAIN:
        return True
    details = error.details() or ""
    match error.code():
        case grpc.StatusCode.UNAVAILABLE:
            nothing_sent = any(words in details for words in _NOT_SENT)
            return not is_web(details) and (nothing_sent or call.startswith(_READING))
        case grpc.StatusCode.DEADLINE_EXCEEDED:
            return call.startswith(_READING)
    return False


def explain(error: grpc.RpcError, where: settings.Server, call: str) -> str:
    """Return one sentence for what came instead of an answer to a call."""
    address = where.target
    details = error.details() or "the server gave no reason"
    match error.code():
        # What the server says itself comes with details; gRPC's own words about a connection have none.
        case grpc.StatusCode.UNAVAILABLE if rpc_status.from_call(error) is not None:
            return f"the server at {address} cannot do that now: {details}"
        case grpc.StatusCode.UNAVAILABLE if is_web(details):
            return (
                f"{address} is the port of web pages; bots and commands connect to another one, "
                f"{_port_of(DEFAULT_SERVER)} by default: name it with --server or FARFALIA_SERVER"
            )
        case grpc.StatusCode.UNAVAILABLE if "refused" in details and not proxy_in_use(address):
            return (
                f"no server answers at {address}; start one with `farfalia serve`, "
                "or name another with --server or FARFALIA_SERVER"
            )
        case grpc.StatusCode.UNAVAILABLE | grpc.StatusCode.UNAUTHENTICATED if rpc_status.from_call(error) is None:
            return f"{address} cannot be reached: {why_unreachable(details, where)}"
        case grpc.StatusCode.DEADLINE_EXCEEDED:
            done = "" if call.startswith(_READING) else "; it may have done it all the same: look before you retry"
            return f"the server at {address} did not answer in time{done}"
        case grpc.StatusCode.UNIMPLEMENTED:
            return f"what answers at {address} is not a Farfalia server, or one of another version"
        case grpc.StatusCode.UNKNOWN | grpc.StatusCode.INTERNAL:
            return f"the server at {address} failed; its log says more: {details}"
        case grpc.StatusCode.UNAUTHENTICATED | grpc.StatusCode.PERMISSION_DENIED:
            # How a token is sent is for authors of clients.
            text = details.partition(" (metadata ")[0].rstrip(".")
            if _reason(error) not in _OF_TOKENS:
                return text
            accounts = (
                ""
                if text.endswith("the admin token")
                else ", an account's with --account-token or FARFALIA_ACCOUNT_TOKEN"
            )
            return f"{text}; {_TOKENS}{accounts}"
        case grpc.StatusCode.NOT_FOUND:
            noun = _NOUNS.get(_reason(error), "")
            return f"{details.rstrip('.')}; `farfalia {noun} list` shows all there are" if noun else details
    return "; ".join(violation.description for violation in _violations(error)) or details


def _port_of(address: str) -> str:
    return address.rpartition(":")[2]


def _reason(error: grpc.RpcError) -> str:
    """Return the stable reason of a refusal, empty if there is none."""
    info = error_details_pb2.ErrorInfo()
    status = rpc_status.from_call(error)
    return next((info.reason for detail in (status.details if status else ()) if detail.Unpack(info)), "")


def _wait(error: grpc.RpcError) -> float:
    """Return the seconds after which the server asks to call again; 0 if it does not."""
    retry = error_details_pb2.RetryInfo()
    status = rpc_status.from_call(error)
    found = any(detail.Unpack(retry) for detail in (status.details if status else ()))
    return retry.retry_delay.ToMilliseconds() / 1000 if found else 0.0


def _violations(error: grpc.RpcError) -> list[error_details_pb2.BadRequest.FieldViolation]:
    """Return what is wrong with the fields of the request."""
    status = rpc_status.from_call(error)
    found: list[error_details_pb2.BadRequest.FieldViolation] = []
    for detail in status.details if status else ():
        request = error_details_pb2.BadRequest()
        if detail.Unpack(request):
            found += request.field_violations
    return found
