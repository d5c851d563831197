"""A bot beyond its current ratings: their history, and how it does against each opponent."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from farfalia.v1 import bots_pb2
from farfalia_server.arena.expecting import Expecting
from farfalia_server.arena.ladder_table import interval
from farfalia_server.arena.rated_points import set_points
from farfalia_server.rating.points_scales import PointsScales
from farfalia_server.records.messages import timestamp
from farfalia_server.store import Bot, Match, Store, WantedMatches
from farfalia_tournaments import stand_out

#: Rated matches in a history, and most points that an answer has of it.
_MATCHES, _POINTS = 1000, 200
#: Finished matches that the page of a bot is made from.
LOOKED_AT = 200
#: Standard deviations on either side of the mean that hold 95 % of a normal distribution.
_NORMAL = 1.96
#: The least share that is expected of anybody: ratings are never so sure that one match could not be otherwise.
_LEAST = 0.02


async def histories(
    store: Store, scales: PointsScales, bot_id: int, ladders: Sequence[str], wanted: WantedMatches
) -> list[bots_pb2.RatingHistory]:
    """Return the histories of a bot's ratings on these ladders, each oldest first, in the matches that are wanted."""
    found = []
    for ladder in ladders:
        rows = await store.rating_history.newest(bot_id, ladder, _MATCHES, wanted)
        scale = await scales.of(ladder) if rows else None
        step = -(-len(rows) // _POINTS) or 1
        history = bots_pb2.RatingHistory(ladder=ladder)
        for number, row in enumerate(rows):
            last = number + 1 == len(rows) or rows[number + 1].version != row.version
            if not last and number % step:
                continue
            low, high = interval(row.mu, row.sigma)
            point = history.points.add(
                match=row.match_id,
                finished=timestamp(row.finished),
                version=row.version,
                mu=row.mu,
                low=low,
                high=high,
                sigma=row.sigma,
            )
            if scale is not None:
                set_points(point, scale)
        if history.points:
            found.append(history)
    return found


async def last_finished(store: Store, wanted: WantedMatches) -> list[Match]:
    """Return the matches that a bot's page is made from, of those that are wanted."""
    return await store.match_search.newest(wanted, LOOKED_AT)


async def opponents(store: Store, matches: Sequence[Match], bot: Bot, version: str) -> list[bots_pb2.Opponent]:
    """Return the opponents of a bot in these matches by game, the most frequent first.

    What is expected follows from the present ratings: of the bot at this version, or its present one if that is empty.
    """
    tallies: dict[tuple[str, str], Counter[str]] = {}
    numbers: dict[str, int] = {}
    for match in matches:
        numbers.update({seat.name: seat.bot_id for seat in match.seats})
        for name, tally in met(match, bot.id):
            tallies.setdefault((match.ruleset, name), Counter()).update(tally)
    expecting = await Expecting.of(store, {numbers[name] for _, name in tallies} | {bot.id})
    rows = []
    for (ruleset, name), tally in tallies.items():
        number = tally["better"] + tally["worse"] + tally["equal"]
        share = (tally["better"] + tally["equal"] / 2) / number
        low, high = _share_interval(share, number)
        rows.append(
            bots_pb2.Opponent(
                bot=name,
                better=tally["better"],
                worse=tally["worse"],
                equal=tally["equal"],
                margin=tally["margin"] / number,
                ruleset=ruleset,
                share=share,
                low=low,
                high=high,
                expected=expecting.share(ruleset, bot.id, version or bot.version, numbers[name]),
            )
        )
    mark_those_that_stand_out(rows)
    return sorted(rows, key=lambda row: (row.ruleset, -(row.better + row.worse + row.equal), row.bot))


def mark_those_that_stand_out(rows: Sequence[bots_pb2.Opponent]) -> None:
    """Mark the opponents of each game against whom a bot is ahead more or less often than chance explains.

    A bot that met twenty is outside of one interval of 95 % by chance alone.
    """
    for ruleset in {row.ruleset for row in rows}:
        judged = [row for row in rows if row.ruleset == ruleset and row.HasField("expected")]
        for row, out in zip(judged, stand_out([_p_value(row) for row in judged]), strict=True):
            row.stands_out = out


def _p_value(row: bots_pb2.Opponent) -> float:
    """Return how likely it is by chance to be ahead at least as much more or less often than expected, by the exact
    binomial test; two equal places are half of one match each way.
    """
    number, ahead = row.better + row.worse + row.equal, row.better + row.equal / 2
    expected = min(1 - _LEAST, max(_LEAST, row.expected))
    chances = [math.comb(number, k) * expected**k * (1 - expected) ** (number - k) for k in range(number + 1)]
    more, less = sum(chances[math.floor(ahead) :]), sum(chances[: math.ceil(ahead) + 1])
    return min(1.0, 2 * min(more, less))


def _share_interval(share: float, number: int) -> tuple[float, float]:
    """Return the bounds of a share's 95 % interval, as Wilson has them."""
    weight = _NORMAL**2 / number
    middle = (share + weight / 2) / (1 + weight)
    half = _NORMAL / (1 + weight) * math.sqrt(share * (1 - share) / number + weight / (4 * number))
    return max(0.0, middle - half), min(1.0, middle + half)


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
