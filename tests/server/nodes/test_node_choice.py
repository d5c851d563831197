"""Which node plays a match: one with room, where its bots are, unless it is busy."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from farfalia_server.cluster.node import Node, NodeFigures
from farfalia_server.nodes.node_choice import NodeChoice
from farfalia_server.play.bot_gateway import BotGateway, GatewayDirectory


def choice(**load: float) -> NodeChoice:
    """Nodes with these loads; bots 1 and 2 are at node a, bot 3 is at node b."""
    nodes = {
        name: Node(name, f"{name}1", load=cpu, figures=NodeFigures(room=0 if name == "leaving" else 8))
        for name, cpu in load.items()
    }
    registry: Any = SimpleNamespace(own=nodes["a"], live=lambda: nodes)
    directory = GatewayDirectory("a", lambda node, instance: instance == f"{node}1")
    for bot, node in ((1, "a"), (2, "a"), (3, "b")):
        directory.put(BotGateway(bot, 1, node, f"{node}1", connected=True))
    return NodeChoice(registry, directory)


@pytest.mark.parametrize(
    ("load", "free", "best"),
    [
        ({"a": 0.1, "b": 0.1}, {"a": 1, "b": 8}, "a"),
        ({"a": 0.1, "b": 0.1}, {"a": 0, "b": 8}, "b"),
        ({"a": 0.9, "b": 0.1}, {"a": 8, "b": 1}, "b"),
        ({"a": 0.9, "b": 0.9}, {"a": 1, "b": 8}, "a"),
        ({"a": 0.1, "b": 0.1}, {"a": 0, "b": -1}, None),
        ({"a": 0.9, "b": 0.1, "c": 0.1}, {"a": 8, "b": 8, "c": 9}, "b"),
        ({"a": 0.1, "b": 0.1}, {"gone": 8}, None),
    ],
)
def test_a_match_goes_where_its_bots_are_unless_that_node_is_full_or_busy(
    load: dict[str, float], free: dict[str, int], best: str | None
) -> None:
    assert choice(**load).best((1, 2, 3), (), free) == best


def test_among_nodes_without_its_bots_a_match_goes_where_most_room_is() -> None:
    assert choice(a=0.1, b=0.1).best((7,), (), {"a": 2, "b": 3}) == "b"


def test_a_match_goes_to_a_node_that_can_play_its_house_bots() -> None:
    nodes = {
        "a": Node("a", "a1", figures=NodeFigures(room=8, house_bots=("greedy",))),
        "b": Node("b", "b1", load=0.9, figures=NodeFigures(room=8, house_bots=("greedy", "learned"))),
    }
    registry: Any = SimpleNamespace(own=nodes["a"], live=lambda: nodes)
    chosen = NodeChoice(registry, GatewayDirectory("a", lambda node, instance: True))
    assert chosen.best((), ("greedy",), {"a": 8, "b": 8}) == "a"
    assert chosen.best((), ("greedy", "learned"), {"a": 8, "b": 8}) == "b"
    assert chosen.best((), ("learned",), {"a": 8, "b": 0}) is None


def test_a_node_that_takes_no_matches_has_no_room() -> None:
    assert choice(a=0.1, leaving=0.1).room() == {"a": 8}


def test_an_earlier_instance_of_a_node_does_not_live() -> None:
    nodes = choice(a=0.1, b=0.1)
    assert [nodes.live(name) for name in ("a@a1", "b@b1", "b@b0", "c@c1", "a")] == [True, True, False, False, False]
