"""What a server says of secrets and nonces."""

from __future__ import annotations

from tests.clients.scripted import Messages

from farfalia.v1.play_pb2 import Entered, Finished, Nonce, PlayResponse, Seated

COMMITMENT = bytes(range(32))


def nonce_in(messages: Messages) -> Nonce:
    """The next nonce that the bot gives."""
    return next(nonce for message in messages for nonce in message.nonces)


def entered(tournament: int = 0, match: int = 0) -> PlayResponse:
    return PlayResponse(entered=[Entered(tournament=tournament, match=match, commitment=COMMITMENT)])


def seat(nonces: list[bytes], tournament: int = 3, match: int = 5, commitment: bytes = COMMITMENT) -> PlayResponse:
    return PlayResponse(seated=[Seated(match=match, tournament=tournament, commitment=commitment, nonces=nonces)])


def over(match: int) -> PlayResponse:
    return PlayResponse(finished=[Finished(match=match)])
