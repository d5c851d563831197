"""House bots for the seats that would stay empty."""

from __future__ import annotations

from collections.abc import Collection

from farfalia_server.arena.registering import HOUSE_PREFIX
from farfalia_server.store import Bot, Store


async def fillers(store: Store, house: str, count: int, taken: Collection[str]) -> list[Bot]:
    """So many copies of a house bot, other ones than those whose names are taken."""
    found: list[Bot] = []
    copy = 0
    while len(found) < count:
        copy += 1
        name = f"{HOUSE_PREFIX}{house}-{copy}"
        if name not in taken:
            found.append(await store.bots.ensure_house(name, house))
    return found
