"""What a server says of secrets and nonces."""

from __future__ import annotations

from collections.abc import Generator

import grpc
from tests.clients.scripted import End, Messages, greet

from farfalia.v1.play_pb2 import Entered, Finished, Nonce, PlayResponse, Seated

COMMITMENT = bytes(range(32))


def nonce_in(messages: Messages) -> Nonce:
    """The next nonce that the bot gives."""
    return next(nonce for message in messages for nonce in message.nonces)


def entered(tournament: int = 0, match: int = 0) -> PlayResponse:
    return PlayResponse(entered=[Entered(tournament=tournament, match=match, commitment=COMMITMENT)])


def breaking(messages: Messages) -> Generator[PlayResponse]:
    """Enter the bot in tournament 3, take its nonce, and lose the connection."""
    yield from greet(messages)
    yield entered(tournament=3)
    nonce_in(messages)
    raise End(grpc.StatusCode.UNAVAILABLE, "")


def seat(nonces: list[bytes], tournament: int = 3, match: int = 5, commitment: bytes = COMMITMENT) -> PlayResponse:
    return PlayResponse(seated=[Seated(match=match, tournament=tournament, commitment=commitment, nonces=nonces)])


def over(match: int) -> PlayResponse:
    return PlayResponse(finished=[Finished(match=match)])
