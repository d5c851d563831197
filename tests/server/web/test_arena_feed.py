"""The news of the whole arena: matches, incidents and suspensions since the first look, each told once."""

from __future__ import annotations

import json
from typing import Any

from tests.server.arena_world import World

from farfalia_server.web.arena_feed import ArenaFeed
from farfalia_server.web.match_feed import FeedEvent


def values(event: FeedEvent) -> dict[str, Any]:
    """What an event says."""
    said: dict[str, Any] = json.loads(event.body)
    return said


async def test_what_was_there_at_the_first_look_is_no_news_and_everything_after_it_is_told_once(world: World) -> None:
    names = [f"bot-{number}" for number in range(10)]
    made = await world.spring(names, rounds=1)
    await world.store.tournaments.start(made.id)
    first, second = (match.id for match in await world.store.matches.of_tournament(made.id))
    await world.store.moderation.suspend_bot("bot-9", suspended=True, who="helga")
    await world.play(first)
    feed = ArenaFeed(world.reader)
    assert await feed.news() == []
    await world.play(second)  # both tables have played the board: the result of the first one is shown now, too
    await world.store.moderation.suspend_bot("bot-9", suspended=False, who="helga")
    results = [event for event in await feed.news() if values(event)["type"] == "result"]
    assert [values(event)["match"] for event in results] == [first, second]
    told = values(results[1])
    assert (told["title"], told["page"]) == (f"Match {second} is over", f"/matches/{second}")
    for entrant, points in zip(told["entrants"], told["points"], strict=True):
        assert f"{entrant}: {points} point" in told["text"]
    assert results[1].about == {
        f"match:{second}",
        f"tournament:{made.id}",
        *(f"bot:{entrant}" for entrant in told["entrants"]),
    }
    assert await feed.news() == []
    await world.store.moderation.suspend_bot("bot-3", suspended=True, who="helga")
    (gone,) = await feed.news()
    assert (set(gone.about), values(gone)["title"]) == ({"bot:bot-3"}, "bot-3 is suspended")
