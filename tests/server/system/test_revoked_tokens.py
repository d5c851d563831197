"""A token that is revoked or replaced ends its streams, on whichever node they are."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path

import grpc
import pytest
from tests.server.live import LiveServer, live_server
from tests.server.live_nodes import live_nodes
from tests.server.rawbot import RawBot

from farfalia.v1 import accounts_pb2, bots_pb2


@pytest.fixture(params=["one node", "two nodes"])
def nodes(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[LiveServer, LiveServer]]:
    """The node that is asked, and the one that bots connect to."""
    if request.param == "one node":
        with live_server(tmp_path) as server:
            yield server, server
        return
    with live_nodes(tmp_path, "one", "two") as (one, two):
        yield one, two


def ended(bot: RawBot) -> str:
    """The reason with which the stream of a bot ends."""
    code, reason, _ = bot.ending()
    assert code is grpc.StatusCode.UNAUTHENTICATED
    return reason


@pytest.mark.slow
def test_what_a_token_opened_ends_with_it_and_the_streams_of_others_go_on(
    nodes: tuple[LiveServer, LiveServer],
) -> None:
    asked, played = nodes
    account = asked.call("CreateAccount", accounts_pb2.CreateAccountRequest(name="ada")).token
    owned = [
        asked.call("RegisterBot", bots_pb2.RegisterBotRequest(name=f"owned-{number}", owner="ada")).token
        for number in range(2)
    ]
    tokens = {name: asked.register(name) for name in ("rotated", "revoked", "other")}
    with ExitStack() as streams:
        connected = {
            name: streams.enter_context(RawBot(played.grpc_address, token))
            for name, token in {**tokens, "owned-0": owned[0], "owned-1": owned[1]}.items()
        }
        for bot in connected.values():
            bot.until(partial(bool, bot.messages))
        new = asked.call("RotateToken", bots_pb2.RotateTokenRequest(name="rotated")).token
        assert ended(connected["rotated"]) == "TOKEN_REPLACED"
        asked.call("RevokeToken", bots_pb2.RevokeTokenRequest(name="revoked"))
        assert ended(connected["revoked"]) == "TOKEN_REPLACED"
        asked.call("RevokeAccount", accounts_pb2.RevokeAccountRequest(name="ada"))
        for name in ("owned-0", "owned-1"):
            assert ended(connected[name]) == "TOKEN_REPLACED"
        assert not connected["other"].over
        for token in (tokens["rotated"], tokens["revoked"], owned[0], account):
            with RawBot(played.grpc_address, token) as again:
                assert ended(again) == "TOKEN_UNKNOWN"
        with RawBot(played.grpc_address, new) as again:
            again.until(lambda: again.messages)
    for node in nodes:
        assert "Traceback" not in node.log()
