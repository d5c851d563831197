"""House bots for the seats that would stay empty."""

from __future__ import annotations

from collections.abc import Collection

from farfalia_server.records.house_names import filler_name
from farfalia_server.store import Bot, Store


async def fillers(store: Store, house: str, count: int, taken: Collection[str]) -> list[Bot]:
    """Return `count` copies of a house bot whose names are not taken."""
    found: list[Bot] = []
    copy = 0
    while len(found) < count:
        copy += 1
        name = filler_name(house, copy)
        if name not in taken:
            found.append(await store.bots.ensure_house(name, house))
    return found
