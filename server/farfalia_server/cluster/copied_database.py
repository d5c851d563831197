"""Tells a copied database from the original that other nodes use.

A copy that was not made with `farfalia backup` has the original's name, and so its keys in Redis. But the running nodes
keep writing their names into the original only, and each publishes in Redis how often it has done so.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping

from farfalia_server.cluster.lease import LOOK_SECONDS, Holder, LeasePlace
from farfalia_server.cluster.node import Node
from farfalia_server.contract.errors import AnotherServer

#: Seconds within which one of the nodes that live must have written its name.
_PATIENCE_SECONDS = 6.0


async def refuse_copied_database(place: LeasePlace, others: Callable[[], Mapping[str, Node]]) -> None:
    """Return once it is seen that other nodes write into this database, at once as a rule, or that none lives.

    `others` says who lives, as it was heard before it is asked. Raises AnotherServer if none of them writes here.
    """
    deadline = asyncio.get_running_loop().time() + _PATIENCE_SECONDS
    while writing := {name: node.figures.beat for name, node in others().items() if node.figures.beat}:
        found = Holder.parse(await place.read())
        if found is not None and found.node in writing and found.beat >= writing[found.node]:
            return
        if asyncio.get_running_loop().time() > deadline:
            raise AnotherServer(
                f"{place.address} is a copy of the one with which {_listed(writing)} "
                f"{'plays' if len(writing) == 1 else 'play'}; a copy needs another Redis database than the original: "
                "name it with --redis-url"
            )
        await asyncio.sleep(LOOK_SECONDS)


def _listed(names: Mapping[str, int]) -> str:
    return f"{'node' if len(names) == 1 else 'nodes'} {', '.join(sorted(names))}"
