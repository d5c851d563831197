"""Why a stream ended, and whether it is worth opening another one."""

from __future__ import annotations

from dataclasses import dataclass

import grpc
import grpc.aio
from google.protobuf import empty_pb2
from google.protobuf.unknown_fields import UnknownFieldSet

from farfalia.channels import proxy_in_use
from farfalia.errors import Refused
from farfalia.settings import Server
from farfalia.unreachable import is_web, why_unreachable

#: Trying again would end the same way; everything else is tried again forever. With what a Python author can do
#: about it, where the server's own sentence does not say that.
_FINAL = {
    grpc.StatusCode.UNAUTHENTICATED: "",
    grpc.StatusCode.PERMISSION_DENIED: "",
    grpc.StatusCode.INVALID_ARGUMENT: " This client and the server do not agree on the contract; is one much older?",
    grpc.StatusCode.FAILED_PRECONDITION: "",
    grpc.StatusCode.ALREADY_EXISTS: "",
    grpc.StatusCode.UNIMPLEMENTED: " Is this the address of a Farfalia server?",
}
_REPLACED, _TOO_MANY = "STREAM_REPLACED", "TOO_MANY_BOTS"
#: What gRPC says of a port at which nothing listens.
_REFUSED = "Connection refused"


@dataclass(frozen=True, slots=True)
class StreamEnd:
    """The status of a stream that is over; `reason` is the stable word of its ErrorInfo, or the status code's name."""

    code: grpc.StatusCode
    reason: str
    text: str
    #: Seconds after which the server thinks that another attempt may help; 0 if it does not say.
    retry: float = 0.0
    #: Whether what answered was a web server.
    web: bool = False

    @property
    def final(self) -> bool:
        """Whether another attempt is useless."""
        return self.code in _FINAL or self.reason == _REPLACED

    @property
    def kept_out(self) -> str:
        """Which other instance of the bot is in the way, and what to do about it; empty if that is not why it ended."""
        if self.code is not grpc.StatusCode.ALREADY_EXISTS:
            return ""
        # What the server advises is in the contract's words; here is what a Python author writes.
        other = self.text.partition(";")[0]
        return f"{other}: stop it, or start this one with farfalia.run(bot, take_over=True)"

    @property
    def full(self) -> bool:
        """Whether as many bots of its owner or team are connected as an event allows."""
        return self.reason == _TOO_MANY

    def hint(self, server: Server) -> str:
        """Return what the author of a bot that has never been connected may look at; empty if that is not clear."""
        if self.web:
            return (
                f"{server.target} answers as a web server does; is that the port of the pages? "
                "Bots connect to the gRPC port, usually 7600."
            )
        if proxy := proxy_in_use(server.target):
            return f"{server.target} was dialled {proxy}."
        if _REFUSED in self.text:
            return (
                f"Nothing listens at {server.target}: is the server up, and is that its address? "
                "It comes from FARFALIA_SERVER, or from run(bot, server=…)."
            )
        return ""

    def refusal(self) -> Refused:
        """Say it to the bot's author, with what can be done about it."""
        if self.reason == _REPLACED:
            return Refused("Another instance of this bot has taken over, so this one stops.", self.reason)
        if self.kept_out:
            return Refused(f"The server refused: {self.kept_out} ({self.reason}).", self.reason)
        return Refused(f"The server refused: {self.text} ({self.reason}).{_FINAL[self.code]}", self.reason)

    def __str__(self) -> str:
        return f"{self.text or 'no reason given'} ({self.reason})"


def stream_end(error: grpc.aio.AioRpcError, server: Server) -> StreamEnd:
    """Read what the server said with the status that ended the stream, or why it could not be reached."""
    code = error.code()
    text = " ".join((error.details() or "").split())
    for key, value in error.trailing_metadata() or ():
        if key == "grpc-status-details-bin" and isinstance(value, bytes):
            return StreamEnd(code, _reason(value) or code.name, text, _retry(value))
    return StreamEnd(code, code.name, why_unreachable(text, server), web=is_web(text))


def _reason(status: bytes) -> str:
    reason = _detail(status, b"ErrorInfo").get(1, b"")
    return reason.decode() if isinstance(reason, bytes) else ""


def _retry(status: bytes) -> float:
    delay = _detail(status, b"RetryInfo").get(1, b"")
    duration = dict(_fields(delay)) if isinstance(delay, bytes) else {}
    seconds, nanos = duration.get(1, 0), duration.get(2, 0)
    return seconds + nanos / 1e9 if isinstance(seconds, int) and isinstance(nanos, int) else 0.0


def _detail(status: bytes, name: bytes) -> dict[int, object]:
    """Find the fields of a detail of a serialised google.rpc.Status.

    The classes for both would need a package that a bot does not need otherwise.
    """
    for number, detail in _fields(status):
        if number != 3 or not isinstance(detail, bytes):
            continue
        packed = dict(_fields(detail))
        kind, value = packed.get(1), packed.get(2)
        if isinstance(kind, bytes) and kind.endswith(b"/google.rpc." + name) and isinstance(value, bytes):
            return dict(_fields(value))
    return {}


def _fields(message: bytes) -> list[tuple[int, object]]:
    unknown = UnknownFieldSet(empty_pb2.Empty.FromString(message))
    return [(unknown[place].field_number, unknown[place].data) for place in range(len(unknown))]
