"""Real servers let no more bots of an owner be connected at a time than their event allows."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import grpc
import pytest
from tests.server.live import LiveServer, live_server, until
from tests.server.live_nodes import live_nodes
from tests.server.rawbot import RawBot

from farfalia.v1 import accounts_pb2, bots_pb2, events_pb2


class Course:
    """An event with a cap of connections, and the bots of two accounts in it, by name, with their tokens."""

    def __init__(self, server: LiveServer, most: int, team: str = "") -> None:
        self._server = server
        self.tokens: dict[str, str] = {}
        self.change(most)
        self._member("otto", role=events_pb2.MEMBER_ROLE_ORGANISER)
        for account in ("ada", "bob"):
            token = self._member(account, team=team)
            for number in (1, 2, 3):
                name = f"{account}{number}"
                made = server.arena.RegisterBot(
                    bots_pb2.RegisterBotRequest(name=name), metadata=(("authorization", f"Bearer {token}"),)
                )
                self.tokens[name] = made.token

    def _member(self, account: str, **given: Any) -> str:
        """The token of a new account in the event."""
        made = self._server.call("CreateAccount", accounts_pb2.CreateAccountRequest(name=account))
        wanted = events_pb2.SetEventMemberRequest(event="course", account=account, **given)
        self._server.call("SetEventMember", wanted)
        token: str = made.token
        return token

    def change(self, most: int) -> None:
        event = events_pb2.Event(name="course", title="Course", caps=events_pb2.EventCaps(connections=most))
        events = [one.name for one in self._server.call("ListEvents", events_pb2.ListEventsRequest()).events]
        if "course" not in events:
            self._server.call("CreateEvent", events_pb2.CreateEventRequest(event=event))
        self._server.call("ChangeEvent", events_pb2.ChangeEventRequest(event=event, publish=True))

    @contextmanager
    def connected(self, name: str, to: LiveServer, **how: Any) -> Iterator[RawBot]:
        """A bot that gets in, perhaps after some attempts."""
        bots: list[RawBot] = []

        def got_in() -> bool:
            bots.append(RawBot(to.grpc_address, self.tokens[name], instance=name.encode(), **how))
            bots[-1].until(lambda: bots[-1].messages or bots[-1].over)
            return bool(bots[-1].messages)

        try:
            until(got_in)
            yield bots[-1]
        finally:
            for bot in bots:
                bot.close()

    def refused(self, name: str, by: LiveServer) -> str:
        """The sentence with which a bot is refused, since there are too many."""
        with RawBot(by.grpc_address, self.tokens[name], instance=name.encode()) as bot:
            code, reason, text = bot.ending()
        assert (code, reason) == (grpc.StatusCode.RESOURCE_EXHAUSTED, "TOO_MANY_BOTS")
        return text


@pytest.fixture
def server(tmp_path: Path) -> Iterator[LiveServer]:
    with live_server(tmp_path) as live:
        yield live
    assert "Traceback" not in live.log()


def test_a_bot_beyond_the_cap_is_refused_until_another_one_ends(server: LiveServer) -> None:
    course = Course(server, most=2)
    with course.connected("ada1", server), course.connected("bob1", server):
        with course.connected("ada2", server) as second:
            assert course.refused("ada3", server) == (
                "the owner of ada3 may have 2 connected at a time in the event course, and has ada1, ada2; "
                "end one of them, and ada3 gets in"
            )
            with course.connected("ada1", server, take_over=True):
                assert not second.over, "one that is connected may come again"
            account = accounts_pb2.GetAccountRequest(name="ada")
            until(lambda: list(server.call("GetAccount", account).connection_caps[0].connected) == ["ada2"])
        with course.connected("ada3", server):
            pass


def test_the_bots_of_a_team_count_together_and_house_bots_do_not(server: LiveServer) -> None:
    course = Course(server, most=2, team="red")
    server.register("house", house="greedy")
    with course.connected("ada1", server), course.connected("bob1", server):
        assert "the team red may have 2 connected at a time" in course.refused("bob2", server)
        course.change(most=3)
        with course.connected("bob2", server):
            course.change(most=1)
            assert "may have 1 connected" in course.refused("bob3", server)
            asked = accounts_pb2.GetAccountRequest(name="ada")
            assert len(server.call("GetAccount", asked).connection_caps[0].connected) == 3, "who is there stays"


@pytest.mark.slow
def test_the_cap_holds_for_all_worker_processes_of_a_server(tmp_path: Path) -> None:
    with live_server(tmp_path, workers=2) as server:
        course = Course(server, most=2)
        with course.connected("ada1", server), course.connected("ada2", server):
            for _ in range(6):  # each time another worker may take the connection
                assert "has ada1, ada2" in course.refused("ada3", server)


@pytest.mark.slow
def test_the_cap_holds_for_two_nodes_together_and_after_one_of_them_is_killed(tmp_path: Path) -> None:
    with live_nodes(tmp_path, "A", "B") as (first, other):
        course = Course(first, most=2)
        with course.connected("ada1", first), course.connected("ada2", other):
            assert "has ada1, ada2" in course.refused("ada3", first)
            assert "has ada1, ada2" in course.refused("ada3", other)
            other.kill()
            with course.connected("ada3", first):  # once the dead node is missed
                assert "has ada1, ada3" in course.refused("ada2", first)


@pytest.mark.slow
def test_of_many_bots_that_come_to_two_nodes_at_once_no_more_get_in(tmp_path: Path) -> None:
    with live_nodes(tmp_path, "A", "B") as nodes:
        course = Course(nodes[0], most=3, team="red")
        with ExitStack() as stack:
            bots = [
                stack.enter_context(RawBot(node.grpc_address, token, instance=name.encode()))
                for (name, token), node in zip(course.tokens.items(), nodes * 3, strict=True)
            ]
            for bot in bots:
                bot.until(lambda bot=bot: bot.messages or bot.over)  # type: ignore[misc]
            assert sum(bool(bot.messages) for bot in bots) == 3
            assert {bot.ending()[1] for bot in bots if not bot.messages} == {"TOO_MANY_BOTS"}
