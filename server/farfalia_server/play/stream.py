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
    #: Seconds after which another attempt may succeed, where the code alone does not say that.
    retry: float = 0.0


TOKEN_REPLACED = StreamStatus(
    grpc.StatusCode.UNAUTHENTICATED, "TOKEN_REPLACED", "the token of this bot was replaced or revoked; use the new one"
)
SESSION_REPLACED = StreamStatus(grpc.StatusCode.ABORTED, "SESSION_REPLACED", "another stream of this bot took over")


class Stream(Protocol):
    """The stream that serves a bot's connection."""

    #: Of the process at its other end, chosen by that process.
    instance: bytes
    #: Least recent round trip, seconds.
    round_trip: float
    #: What the client understands.
    features: frozenset[str]

    def send(self, message: bytes) -> None:
        """Queue a message, a `PlayResponse`; never blocks."""

    def close(self) -> None:
        """End the stream gracefully, after the messages that are queued."""

    def end(self, status: StreamStatus) -> None:
        """End the stream now; the first status given is the one that counts."""
