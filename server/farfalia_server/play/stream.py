"""What a bot's connection needs of a stream, and how a stream ends."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import grpc


@dataclass(frozen=True, slots=True)
class StreamStatus:
    """Why a stream ends; without `code` it closes gracefully."""

    code: grpc.StatusCode | None = None
    reason: str = ""
    text: str = ""
    #: Seconds after which another attempt may succeed, if the code does not imply it.
    retry: float = 0.0


TOKEN_REPLACED = StreamStatus(
    grpc.StatusCode.UNAUTHENTICATED,
    "TOKEN_REPLACED",
    "the token of this bot was replaced or revoked, or the bot is suspended; use the new one, or ask an organiser",
)
STREAM_REPLACED = StreamStatus(grpc.StatusCode.ABORTED, "STREAM_REPLACED", "another stream of this bot took over")
#: Not final: a node that was frozen or cut off may serve a stream that its bot has given up, and so end a newer one.
STREAM_MOVED = StreamStatus(
    grpc.StatusCode.UNAVAILABLE, "STREAM_MOVED", "a stream to another node took over; if it is not yours, come back"
)
NODE_LOST = StreamStatus(
    grpc.StatusCode.UNAVAILABLE, "NODE_LOST", "this node lost touch with the others; come back, to any of them"
)


class Stream(Protocol):
    """A stream that serves a bot's connection."""

    #: The instance of the process at the other end, which chose it.
    instance: bytes
    #: The shortest recent round trip, in seconds.
    round_trip: float
    #: The client's features.
    features: frozenset[str]

    def send(self, message: bytes) -> None:
        """Queue a message, a `PlayResponse`; never blocks."""

    def heard_since(self, moment: float) -> bool:
        """Return whether anything has come from the bot since this moment of the loop's clock."""

    def probe(self) -> None:
        """Find out soon whether the bot can be heard of at all."""

    def close(self) -> None:
        """End the stream gracefully after the queued messages."""

    def end(self, status: StreamStatus) -> None:
        """End the stream now; the first status counts."""
