"""The rows of a ladder: each bot's place, its uncertainty, and who cannot be told apart."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from farfalia.v1 import bots_pb2, ratings_pb2
from farfalia_engine import RulesetError, ruleset
from farfalia_server.arena.messages import bot_message, rating_message
from farfalia_server.arena.presence import Presence
from farfalia_server.arena.rated_points import set_points
from farfalia_server.arena.rating_messages import fitted_rating_message, pair_reliability_message, reliability_message
from farfalia_server.rating.points_scales import PointsScales
from farfalia_server.records.house_names import house_of
from farfalia_server.records.messages import timestamp
from farfalia_server.store import DEFAULT_SYSTEM, Bot, LadderRating, Store
from farfalia_tournaments import rating_system

#: Most rated matches in a trend.
TREND = 20
#: Matches of a ladder in which its fillers are looked for: the last to end.
_FILLED = 200
#: Standard deviations on either side of the mean that hold 95 % of a normal distribution.
_INTERVAL = 1.96
_NEVER = datetime.min.replace(tzinfo=UTC)


def interval(mu: float, sigma: float) -> tuple[float, float]:
    """Return the bounds of the 95 % interval of a skill."""
    return mu - _INTERVAL * sigma, mu + _INTERVAL * sigma


@dataclass(slots=True)
class _Row:
    bot: Bot
    rating: LadderRating
    place: int
    group: int = 0
    last_group: int = 0
    ended: datetime | None = None

    @property
    def low(self) -> float:
        return interval(self.rating.mu, self.rating.sigma)[0]

    @property
    def high(self) -> float:
        return interval(self.rating.mu, self.rating.sigma)[1]

    @property
    def settled(self) -> bool:
        return self.rating.settled


async def ladder_table(
    store: Store, presence: Presence, scales: PointsScales, asked: ratings_pb2.ListRatingsRequest
) -> ratings_pb2.ListRatingsResponse:
    """Return the rows that a request asks for; its ladder and limit have been checked. Equal ratings share a place.

    House bots have rows, but no places.
    """
    every = _placed(_one_a_rung(await store.ratings.ladder(asked.ladder, all_versions=asked.all_versions)))
    wanted = asked.search.casefold()
    found = [row for row in every if wanted in row.bot.name.casefold() and asked.owner in ("", row.bot.owner)]
    if asked.order == ratings_pb2.RATING_ORDER_LAST_MATCH:
        await _date(store, found)
    _sort(found, asked.order)
    shown = found[asked.skip : asked.skip + asked.limit]
    if asked.order != ratings_pb2.RATING_ORDER_LAST_MATCH:
        await _date(store, shown)
    trends = await store.rating_history.trends(asked.ladder, {row.bot.id for row in shown}, TREND)
    fitted = await store.fitted_ratings.of(asked.ladder, {row.bot.id for row in shown})
    connected = await presence.connected()
    scaled = [row for row in every if row.settled] or every
    bins = await store.reliability.of(asked.ladder)
    answer = ratings_pb2.ListRatingsResponse(
        total=len(found),
        lowest=min((row.low for row in scaled), default=0),
        highest=max((row.high for row in scaled), default=0),
        reliability=map(reliability_message, bins.matches),
        pairs=map(pair_reliability_message, bins.pairs),
        less_luck=await _less_luck(store, asked.ladder),
    )
    scale = await scales.of(asked.ladder)
    for row in shown:
        message = answer.bots.add(
            place=row.place,
            bot=row.bot.name,
            rating=rating_message(row.rating),
            low=row.low,
            high=row.high,
            settled=row.settled,
            group=row.group,
            last_group=row.last_group,
            trend=trends.get(row.bot.id, ()),
            last_match=timestamp(row.ended),
            info=bot_message(row.bot, [], connected=row.bot.name in connected),
        )
        if fit := fitted.get((row.bot.id, row.rating.version)):
            message.fit.CopyFrom(fitted_rating_message(fit))
        if scale is not None:
            set_points(message.rating, scale)
            message.points, message.points_margin = message.rating.points, message.rating.points_margin
    answer.fixed.extend(await _fixed(store, asked.ladder, {house_of(row.bot.name) for row in every}))
    return answer


async def ladder_places(store: Store, bot: Bot, ladders: Iterable[str]) -> list[bots_pb2.LadderPlace]:
    """Return where a bot stands on those of these ladders on which it has a place."""
    found = []
    for ladder in ladders:
        placed = [row for row in _placed(await store.ratings.ladder(ladder)) if row.place and row.settled]
        own = next((row.place for row in placed if row.bot.id == bot.id), None)
        if own is not None:
            found.append(bots_pb2.LadderPlace(ladder=ladder, place=own, placed=len(placed)))
    return found


async def _less_luck(store: Store, ladder: str) -> bool:
    """Return whether matches of a ladder are rated by points less luck; one without a row is that of a game."""
    kept = await store.ladders.find(ladder)
    try:
        rules = ruleset(ladder) if kept is None else ruleset(kept.ruleset, kept.options)
    except RulesetError:  # of a package that is not installed any more
        return False
    return bool(rules.value_function) and not (kept is not None and kept.as_played)


async def _fixed(store: Store, ladder: str, rated: Collection[str | None]) -> list[ratings_pb2.FixedBot]:
    """Return the house bots that fill tables of tournaments, with what they count as, one of a kind: they are never
    rated as such. Those of which a copy is `rated` are left out.
    """
    every = {house_of(name): name for name in reversed(await store.bots.fillers(ladder, _FILLED))}
    names = sorted(name for house, name in every.items() if house not in rated)
    prior = rating_system(await store.ratings.system() or DEFAULT_SYSTEM).prior
    return [ratings_pb2.FixedBot(bot=name, mu=prior.mu, sigma=prior.sigma) for name in names]


def _one_a_rung(rated: Sequence[tuple[Bot, LadderRating]]) -> list[tuple[Bot, LadderRating]]:
    """Return the rows without copies of a house bot, which all play alike: the one that has played most stays."""
    best: dict[str, tuple[int, str]] = {}
    for bot, rating in rated:
        if house := house_of(bot.name):
            best[house] = min(best.get(house, (0, "")), (-rating.matches, bot.name))
    stay = {name for _, name in best.values()}
    return [(bot, rating) for bot, rating in rated if bot.name in stay or house_of(bot.name) is None]


def _placed(rated: Sequence[tuple[Bot, LadderRating]]) -> list[_Row]:
    """Return rows, given best first, with places and groups; those that are not settled come last."""
    rows: list[_Row] = []
    above: _Row | None = None
    number = 0
    for bot, rating in sorted(rated, key=lambda row: not row[1].settled):
        if bot.house:
            rows.append(_Row(bot, rating, 0))
            continue
        number += 1
        level = above is not None and rating.conservative == above.rating.conservative
        above = _Row(bot, rating, above.place if above is not None and level else number)
        rows.append(above)
    _group([row for row in rows if row.settled])
    return rows


def _group(rows: Sequence[_Row]) -> None:
    """Give rows their groups: the largest sets of rows of which any two overlap. Those of a row follow one another."""
    ends = [(row.high, False, row) for row in rows] + [(row.low, True, row) for row in rows]
    number, grown = 0, False
    for _, leaves, row in sorted(ends, key=lambda end: (-end[0], end[1])):  # an end that two share joins them
        if not leaves:
            row.group, grown = number + 1, True
            continue
        if grown:
            number, grown = number + 1, False
        row.last_group = number


async def _date(store: Store, rows: Sequence[_Row]) -> None:
    """Set when the last rated match of each row ended; a version without a rated match has no date."""
    ends = await store.rating_history.ends(row.rating.seq for row in rows if row.rating.matches)
    for row in rows:
        row.ended = ends.get(row.rating.seq) if row.rating.matches else None


def _sort(rows: list[_Row], order: ratings_pb2.RatingOrder) -> None:
    """Sort rows that are in order of place; equal ones stay in that order."""
    if order == ratings_pb2.RATING_ORDER_SKILL:
        rows.sort(key=lambda row: -row.rating.mu)
    elif order == ratings_pb2.RATING_ORDER_MATCHES:
        rows.sort(key=lambda row: -row.rating.matches)
    elif order == ratings_pb2.RATING_ORDER_NAME:
        rows.sort(key=lambda row: row.bot.name.casefold())
    elif order == ratings_pb2.RATING_ORDER_LAST_MATCH:
        rows.sort(key=lambda row: row.ended or _NEVER, reverse=True)
