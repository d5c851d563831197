"""Whether a database is that of the nodes that live, or a copy of it."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.server.migrated import sqlite_url

from farfalia_server.cluster import copied_database
from farfalia_server.cluster.copied_database import refuse_copied_database
from farfalia_server.cluster.lease import Holder, ServerLease
from farfalia_server.cluster.node import Node, NodeFigures
from farfalia_server.contract.errors import AnotherServer
from farfalia_server.store import Store
from farfalia_server.store.lease import StoreLeasePlace


def node(name: str, beat: int) -> Node:
    return Node(name, name, figures=NodeFigures(beat=beat))


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(copied_database, "_PATIENCE_SECONDS", 0.5)
    monkeypatch.setattr(copied_database, "LOOK_SECONDS", 0.01)


async def test_nodes_that_were_killed_together_keep_nobody_from_starting(tmp_path: Path) -> None:
    async with await Store.open(sqlite_url(tmp_path / "store.db")) as store:
        place = StoreLeasePlace(store)
        async with ServerLease(place, Holder.own("one")):
            heard = [{"two": node("two", 7)}] * 3  # which is dead, too, and soon known to be
            await refuse_copied_database(place, lambda: heard.pop() if heard else {})
            assert not heard


async def test_a_node_that_has_written_no_more_than_it_said_is_in_another_database(tmp_path: Path) -> None:
    async with await Store.open(sqlite_url(tmp_path / "store.db")) as store:
        place = StoreLeasePlace(store)
        async with ServerLease(place, Holder.own("one")) as lease:
            await refuse_copied_database(place, lambda: {"one": node("one", lease.beat)})
            await refuse_copied_database(place, lambda: {"one": node("one", 0), "two": node("two", 0)})
            with pytest.raises(
                AnotherServer, match="is a copy of the one with which nodes one, two play; a copy needs"
            ):
                await refuse_copied_database(
                    place, lambda: {"one": node("one", lease.beat + 100), "two": node("two", 3)}
                )
