"""A bot beyond its current ratings: their history, and how it does against each opponent."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from farfalia.v1 import bots_pb2
from farfalia_server.arena.ladder_table import interval
from farfalia_server.records.messages import timestamp
from farfalia_server.store import Match, MatchState, Store, WantedMatches

#: Rated matches in a history, and most points that an answer has of it.
_MATCHES, _POINTS = 1000, 200
#: Finished matches that the page of a bot is made from.
LOOKED_AT = 200


async def histories(store: Store, bot_id: int, ladders: Sequence[str]) -> list[bots_pb2.RatingHistory]:
    """Return the histories of a bot's ratings on these ladders, all versions together, each oldest first."""
    found = []
    for ladder in ladders:
        rows = await store.rating_history.newest(bot_id, ladder, _MATCHES)
        step = -(-len(rows) // _POINTS) or 1
        history = bots_pb2.RatingHistory(ladder=ladder)
        for number, row in enumerate(rows):
            last = number + 1 == len(rows) or rows[number + 1].version != row.version
            if not last and number % step:
                continue
            low, high = interval(row.mu, row.sigma)
            history.points.add(
                match=row.match_id,
                finished=timestamp(row.finished),
                version=row.version,
                mu=row.mu,
                low=low,
                high=high,
            )
        if history.points:
            found.append(history)
    return found


async def opponents(store: Store, bot_id: int) -> list[bots_pb2.Opponent]:
    """Return the opponents in a bot's last finished matches, the most frequent first."""
    matches = await store.match_search.newest(WantedMatches((MatchState.FINISHED,), bot_id=bot_id), LOOKED_AT)
    tallies: dict[str, Counter[str]] = {}
    for match in matches:
        for name, tally in met(match, bot_id):
            tallies.setdefault(name, Counter()).update(tally)
    rows = [
        bots_pb2.Opponent(
            bot=name, better=tally["better"], worse=tally["worse"], equal=tally["equal"], margin=tally["margin"] / total
        )
        for name, tally in tallies.items()
        if (total := tally["better"] + tally["worse"] + tally["equal"])
    ]
    return sorted(rows, key=lambda row: (-(row.better + row.worse + row.equal), row.bot))


def met(match: Match, bot_id: int) -> list[tuple[str, dict[str, int]]]:
    """Return a bot's opponents in a match, and how it did against each."""
    if match.result is None or match.bot_ids.count(bot_id) != 1:
        return []
    own = match.bot_ids.index(bot_id)
    places, points = match.result.places, match.result.points
    found = []
    for seat, other in enumerate(match.seats):
        if seat != own and not other.filler:
            word = "better" if places[own] < places[seat] else "worse" if places[own] > places[seat] else "equal"
            found.append((other.name, {word: 1, "margin": points[own] - points[seat]}))
    return found
