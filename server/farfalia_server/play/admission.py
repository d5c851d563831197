"""What a hello must say, and whose bot may play: why a stream is refused whose token is good."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import grpc

from farfalia.v1 import play_pb2
from farfalia_engine import GAMES
from farfalia_server.contract.untrusted import clean
from farfalia_server.play import limits
from farfalia_server.play.authentication import KnownBot
from farfalia_server.play.stream import StreamStatus

#: Optional features of this server.
FEATURES: Final = ("records", "results")


def objection(bot: KnownBot, hello: play_pb2.Hello) -> StreamStatus | None:
    """Return why a bot is refused that says this; None if it may play."""
    if bot.barred:
        text = f"{bot.name}, or the account that owns it, is suspended; ask an organiser"
        return StreamStatus(grpc.StatusCode.UNAUTHENTICATED, "BOT_SUSPENDED", text)
    if bot.hosted and not bot.by_host:
        text = (
            f"the arena plays for {bot.name} with the program that was handed in; "
            f"to connect by yourself, run farfalia submit --bot {bot.name} --activate 0"
        )
        return StreamStatus(grpc.StatusCode.FAILED_PRECONDITION, "BOT_HOSTED", text)
    if bot.house:
        text = f"{bot.name} is played by the house bot {bot.house}; it cannot connect"
        return StreamStatus(grpc.StatusCode.FAILED_PRECONDITION, "BOT_IS_HOUSE", text)
    if not 1 <= len(hello.instance) <= 64:
        text = f"hello.instance has {len(hello.instance)} bytes; expected 1 to 64, chosen at random by each process"
        return StreamStatus(grpc.StatusCode.INVALID_ARGUMENT, "HELLO_INVALID", text)
    lacking = sorted(set(hello.requires[: limits.NAMES_IN_HELLO]) - set(FEATURES))
    if lacking:
        text = f"this server lacks {_named(lacking)}; it has {', '.join(FEATURES)}"
        return StreamStatus(grpc.StatusCode.FAILED_PRECONDITION, "FEATURE_UNKNOWN", text)
    rulesets = hello.rulesets[: limits.NAMES_IN_HELLO]
    if rulesets and not set(rulesets) & set(GAMES):
        text = f"this server does not play {_named(rulesets)}; it plays {', '.join(sorted(GAMES))}"
        return StreamStatus(grpc.StatusCode.FAILED_PRECONDITION, "RULESET_UNKNOWN", text)
    return None


def _named(names: Iterable[str]) -> str:
    """Return names from a hello, cleaned and shortened for a sentence."""
    return clean(", ".join(names), limits.QUOTED)
