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


async def histories(
    store: Store, bot_id: int, ladders: Sequence[str], version: str = ""
) -> list[bots_pb2.RatingHistory]:
    """Return the histories of a bot's ratings on these ladders, each oldest first: of a version, or of all together."""
    found = []
    for ladder in ladders:
        rows = await store.rating_history.newest(bot_id, ladder, _MATCHES, version)
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


async def last_finished(store: Store, bot_id: int, game: str = "", version: str = "") -> list[Match]:
    """Return the matches that a bot's page is made from: of a game and at a version, or of all."""
    wanted = WantedMatches((MatchState.FINISHED,), ruleset=game, bot_id=bot_id, version=version)
    return await store.match_search.newest(wanted, LOOKED_AT)


def opponents(matches: Sequence[Match], bot_id: int) -> list[bots_pb2.Opponent]:
    """Return the opponents of a bot in these matches by game, the most frequent first."""
    tallies: dict[tuple[str, str], Counter[str]] = {}
    for match in matches:
        for name, tally in met(match, bot_id):
            tallies.setdefault((match.ruleset, name), Counter()).update(tally)
    rows = [
        bots_pb2.Opponent(
            bot=name,
            better=tally["better"],
            worse=tally["worse"],
            equal=tally["equal"],
            margin=tally["margin"] / (tally["better"] + tally["worse"] + tally["equal"]),
            ruleset=ruleset,
        )
        for (ruleset, name), tally in tallies.items()
    ]
    return sorted(rows, key=lambda row: (row.ruleset, -(row.better + row.worse + row.equal), row.bot))


def shows(match: Match, bot_id: int) -> bool:
    """Return whether a match has ended in which a bot sat that did not miss it."""
    missed = () if match.result is None else match.result.missed
    return match.result is not None and any(
        bot == bot_id and seat not in missed for seat, bot in enumerate(match.bot_ids)
    )


def met(match: Match, bot_id: int) -> list[tuple[str, dict[str, int]]]:
    """Return a bot's opponents in a match, each once, and how it did against each; none that missed it.

    A house bot in several seats counts with its best place.
    """
    if match.result is None or not shows(match, bot_id):
        return []
    places, points = match.result.places, match.result.points
    best: dict[int, int] = {}
    for seat, bot in enumerate(match.bot_ids):
        if seat in match.result.missed:
            continue
        if bot not in best or places[seat] < places[best[bot]]:
            best[bot] = seat
    own = best.pop(bot_id)
    found = []
    for seat in sorted(best.values()):
        word = "better" if places[own] < places[seat] else "worse" if places[own] > places[seat] else "equal"
        found.append((match.seats[seat].name, {word: 1, "margin": points[own] - points[seat]}))
    return found
