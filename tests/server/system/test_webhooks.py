"""Webhooks of real servers, whose receiver is a process, too: what arrives, when a server is killed, with two nodes."""

from __future__ import annotations

import json
import re
from collections import Counter
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import grpc
import pytest
from tests.server.live import LiveServer, live_server, until
from tests.server.live_nodes import live_nodes
from tests.server.rawbot import RawBot
from tests.server.system.webhook_receiver import Receiver, receiver

from farfalia.v1 import webhooks_pb2

pytestmark = pytest.mark.slow

DOCUMENT = Path(__file__).parents[3] / "docs" / "webhooks.md"
COURIER = "farfalia_server.arena.courier"
#: Retries come soon, and what a dead server had under way is another's after a second.
SOON = {f"{COURIER}._FIRST_WAIT": 0.2, f"{COURIER}._LEASE_SECONDS": 1.0, f"{COURIER}._EVERY": 0.2}

#: A bot that never answers soon loses its seat.
QUICK: dict[str, Any] = {"limit_ms": 50, "bank_ms": 0, "grace": 1}


def set_webhook(server: LiveServer, bot: str, url: str) -> str:
    """Give a bot a webhook, and return its secret."""
    secret: str = server.call("SetWebhook", webhooks_pb2.SetWebhookRequest(bot=bot, url=url)).secret
    return secret


def deliveries(server: LiveServer, bot: str) -> list[webhooks_pb2.Delivery]:
    """What the webhook of a bot was told, newest first."""
    return list(server.call("GetWebhook", webhooks_pb2.GetWebhookRequest(bot=bot)).deliveries)


def is_signed(secret: str, request: dict[str, Any]) -> bool:
    """What the lines of the document say of a request."""
    [lines] = re.findall(r"```python\n(.*?)```", DOCUMENT.read_text(), re.DOTALL)
    names: dict[str, Any] = {}
    exec(lines, names)
    return bool(names["is_from_the_arena"](secret, request["headers"], request["body"].encode()))


def play(server: LiveServer, token: str) -> int:
    """Play a tournament of one match, in which ant is late or away, and return the match's number."""
    with RawBot(server.grpc_address, token) as bot:
        bot.until(lambda: bot.messages)
        number = server.tournament(["ant", "house-greedy-1"], ruleset="four", options={"target": "1"}, rounds=1)
        [match] = server.wait_for_matches(number)
    return match.id


def test_a_match_and_its_incidents_and_its_tournament_are_told_and_signed(tmp_path: Path) -> None:
    with receiver(tmp_path / "r") as there, live_server(tmp_path, webhooks="any", **QUICK) as server:
        token = server.register("ant")
        secret = set_webhook(server, "ant", there.url)
        match = play(server, token)
        until(lambda: len(there.requests) == 3, lambda: there.requests)
        assert all(is_signed(secret, one) for one in there.requests)
        assert not is_signed(secret, there.requests[0] | {"body": there.requests[0]["body"] + " "})
        assert not any(is_signed(f"whsec_{'A' * 44}", one) for one in there.requests)
        assert {one["path"] for one in there.requests} == {"/hook?of=ant"}
        [over] = there.told("match.finished")
        assert (over["bot"], over["match"], over["version"]) == ("ant", match, 1)
        assert over["page"].endswith(f"/matches/{match}")
        [result] = over["results"]
        assert 1 <= result["place"] <= 4
        [went_wrong] = there.told("incident")
        assert {one["cause"] for one in went_wrong["incidents"]} == {"CAUSE_TIMEOUT"}
        [cup] = there.told("tournament.finished")
        assert cup["tournament"] == over["tournament"]
        until(lambda: all(one.answer == "204" for one in deliveries(server, "ant")))
        told = {json.loads(one["body"])["id"] for one in there.requests}
        assert told == {one.id for one in deliveries(server, "ant")}
        assert "Traceback" not in server.log()


def test_a_test_is_sent_and_a_redirect_is_no_way(tmp_path: Path) -> None:
    with receiver(tmp_path / "r") as there, live_server(tmp_path, webhooks="any", constants=SOON) as server:
        server.register("ant")
        set_webhook(server, "ant", there.url)
        there.answers(307)
        server.call("TestWebhook", webhooks_pb2.TestWebhookRequest(bot="ant"))
        until(lambda: there.told("test", 307))
        until(lambda: deliveries(server, "ant")[0].answer == "307; expected 200 to 299")
        there.answers(200)
        until(lambda: deliveries(server, "ant")[0].state == webhooks_pb2.DELIVERY_STATE_DELIVERED)
        assert {one["path"] for one in there.requests} == {"/hook?of=ant"}
        assert len({one["headers"]["webhook-id"] for one in there.requests}) == 1


def test_a_server_that_is_killed_after_the_match_tells_of_it_later_and_once(tmp_path: Path) -> None:
    with receiver(tmp_path / "r") as there, live_server(tmp_path, webhooks="any", constants=SOON, **QUICK) as server:
        token = server.register("ant")
        set_webhook(server, "ant", there.url)
        there.answers(503)
        match = play(server, token)
        until(lambda: there.told("match.finished", 503))
        server.kill()
        there.answers(204)
        assert not there.told("match.finished")
        server.start()
        until(lambda: len(there.told("tournament.finished")) == 1)
        until(lambda: all(one.state == webhooks_pb2.DELIVERY_STATE_DELIVERED for one in deliveries(server, "ant")))
        [over] = there.told("match.finished")
        assert over["match"] == match


def test_two_nodes_tell_of_each_match_once_and_one_that_is_left_goes_on(tmp_path: Path) -> None:
    with (
        receiver(tmp_path / "r") as there,
        live_nodes(tmp_path, "A", "B", webhooks="any", constants=SOON, **QUICK) as (first, other),
        ExitStack() as bots,
    ):
        for name in ("ant", "bee"):
            bots.enter_context(RawBot(first.grpc_address, first.register(name)))
            set_webhook(first, name, there.url)

        def played(rounds: int) -> set[int]:
            entrants = ["ant", "bee", "house-greedy-1"]
            number = first.tournament(entrants, ruleset="three", rounds=rounds)
            return {match.id for match in first.wait_for_matches(number)}

        matches = played(6)
        until(lambda: len(there.told("tournament.finished")) == 2)
        other.kill()
        matches |= played(3)
        until(lambda: len(there.told("tournament.finished")) == 4)
        until(lambda: len(there.told("match.finished")) >= 2 * len(matches))
        assert Counter(one["match"] for one in there.told("match.finished")) == dict.fromkeys(matches, 2)


def refused(server: LiveServer, url: str) -> str:
    """What the server says of a URL."""
    with pytest.raises(grpc.RpcError) as error:
        set_webhook(server, "ant", url)
    assert error.value.code() is grpc.StatusCode.INVALID_ARGUMENT
    return str(error.value.details())


def test_nothing_is_sent_to_the_servers_own_network(tmp_path: Path) -> None:
    with receiver(tmp_path / "r") as there, live_server(tmp_path, constants=SOON) as server:
        server.register("ant")
        assert "expected https://HOST/PATH" in refused(server, there.url)
        for host in ("127.0.0.1", "10.0.0.7", "169.254.169.254", "[::1]", "[::ffff:10.0.0.7]", "[fd00:ec2::254]"):
            assert "is no public address" in refused(server, f"https://{host}:{there.port}/")
        set_webhook(server, "ant", f"https://localhost:{there.port}/")
        server.call("TestWebhook", webhooks_pb2.TestWebhookRequest(bot="ant"))
        until(lambda: "is no public address" in deliveries(server, "ant")[0].answer)
        assert not there.requests


def test_a_server_without_webhooks_says_so(tmp_path: Path) -> None:
    with live_server(tmp_path, webhooks="off") as server:
        server.register("ant")
        with pytest.raises(grpc.RpcError, match="this server has no webhooks"):
            set_webhook(server, "ant", "https://ci.example/")


def test_a_receiver_needs_no_name(tmp_path: Path) -> None:
    with receiver(tmp_path / "r") as there, live_server(tmp_path, webhooks="any") as server:
        server.register("ant")
        set_webhook(server, "ant", _by_address(there))
        server.call("TestWebhook", webhooks_pb2.TestWebhookRequest(bot="ant"))
        until(lambda: there.told("test"))


def _by_address(there: Receiver) -> str:
    return there.url.replace("localhost", "127.0.0.1")
