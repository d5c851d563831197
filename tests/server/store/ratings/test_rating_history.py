"""The history of ratings."""

from __future__ import annotations

from tests.server.store_world import five_bots, match_ids, started

from farfalia_server.store import Store
from farfalia_server.store.ratings.values import RatingChange


def change(match: int, bot: int, mu: float, ladder: str = "chinkway") -> RatingChange:
    """What a match has made of a bot's rating."""
    return RatingChange(ladder, match, bot, 25.0, 8.0, mu, 7.0, match, "1")


async def test_a_trend_has_the_last_matches_of_each_bot_on_one_ladder_oldest_first(store: Store) -> None:
    ada, ben, eve, *_ = await five_bots(store)
    matches = await match_ids(store, await started(store, [ada, ben, eve, *_], 4))
    changes = [change(match, ada.id, 20.0 + number) for number, match in enumerate(matches)]
    changes += [change(match, ada.id, 1.0, "two") for match in matches]
    changes.append(change(matches[0], ben.id, 30.0))
    assert await store.ratings.replace(0, [], changes)
    wanted = {ada.id, ben.id, eve.id}
    assert await store.rating_history.trends("chinkway", wanted, 3) == {ada.id: [21.0, 22.0, 23.0], ben.id: [30.0]}
    assert await store.rating_history.trends("chinkway", wanted, 4) == {
        ada.id: [20.0, 21.0, 22.0, 23.0],
        ben.id: [30.0],
    }
    assert await store.rating_history.trends("two", {ben.id}, 3) == {}
    assert await store.rating_history.trends("chinkway", set(), 3) == {}
