"""What can be read of bots, as the contract's messages."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection

from farfalia.v1 import (
    bots_pb2,
)
from farfalia_engine import GAMES
from farfalia_server.arena.bot_answer import bot_answer
from farfalia_server.arena.bot_history import LOOKED_AT, histories, last_finished, opponents
from farfalia_server.arena.bot_pair import bot_pair
from farfalia_server.arena.incident_places import IncidentPlaces
from farfalia_server.arena.messages import (
    bot_message,
    incident_message,
    log_message,
    rating_message,
)
from farfalia_server.arena.presence import Presence
from farfalia_server.arena.price_reading import PriceReader
from farfalia_server.arena.rated_points import add_points
from farfalia_server.arena.rating_messages import present_ratings
from farfalia_server.arena.request_checks import (
    bot_named,
    checked_name,
    ladder_games,
    ladder_named,
    may_be_in_a_name,
    row_limit,
)
from farfalia_server.arena.wanted_matches import wanted_of_bot
from farfalia_server.rating.points_scales import PointsScales
from farfalia_server.store import Bot, LadderRating, Store, WantedMatches

#: Incidents of a bot, or of all: the newest.
NEWEST_INCIDENTS = 100


class BotReader:
    """Answers questions about bots: who they are, how they are rated, and what they did; it changes nothing.

    Raises NotFound for what does not exist and InvalidArgument for an invalid request.
    """

    def __init__(self, store: Store, presence: Presence, scales: PointsScales, prices: PriceReader) -> None:
        self._store = store
        self._presence = presence
        self._scales = scales
        self._prices = prices
        self._places = IncidentPlaces(store)

    async def page(
        self, limit: int = 0, after: str = "", search: str = "", owner: str = ""
    ) -> bots_pb2.ListBotsResponse:
        """Return bots by name, starting after a name: all, those whose names contain a text, those of an owner."""
        limit, after = row_limit(limit), checked_name(after)
        if not may_be_in_a_name(search) or "\0" in owner:
            return bots_pb2.ListBotsResponse()
        bots = await self._store.bots.page(limit, after, search, owner)
        ratings: defaultdict[int, list[LadderRating]] = defaultdict(list)
        for rating in await self._store.ratings.of_bots(bot.id for bot in bots):
            ratings[rating.bot_id].append(rating)
        connected = await self._presence.connected()
        messages = [
            bot_message(bot, present_ratings(bot, ratings[bot.id]), connected=bot.name in connected) for bot in bots
        ]
        await add_points(self._scales, (rating for message in messages for rating in message.ratings))
        return bots_pb2.ListBotsResponse(bots=messages)

    async def unrated(self, ladder: str, limit: int) -> list[bots_pb2.BotInfo]:
        """Return bots by name that are not rated on a ladder, without house bots."""
        bots = await self._store.bots.unrated(await ladder_named(self._store, ladder), limit)
        connected = await self._presence.connected()
        return [bot_message(bot, [], connected=bot.name in connected) for bot in bots]

    async def one(self, name: str) -> bots_pb2.BotInfo:
        """Return one bot."""
        bot = await bot_named(self._store, name)
        return await self._info(bot, await self._store.bots.ratings(bot.id))

    async def with_versions(self, asked: bots_pb2.GetBotRequest) -> bots_pb2.GetBotResponse:
        """Return one bot with all its versions, without what is private; what it did, as far as it is asked for."""
        bot = await bot_named(self._store, asked.name)
        wanted = await wanted_of_bot(self._store, bot, asked)
        ratings = await self._store.bots.ratings(bot.id)
        ladders = await self._ladders_of(wanted.ruleset, {rating.ladder for rating in ratings})
        answer = await bot_answer(self._store, self._scales, bot, wanted, ratings, ladders)
        answer.bot.CopyFrom(await self._info(bot, ratings))
        answer.incidents.extend(await self._incidents(wanted, bot))
        if not (wanted.event or wanted.since):
            await self._prices.add_to(answer, bot, wanted.ruleset, wanted.version)
        return answer

    async def games(self, name: str) -> list[str]:
        """Return the games of a bot's last finished matches, the last first, then others that it is rated at."""
        bot = await bot_named(self._store, name)
        games, ratings = await ladder_games(self._store), await self._store.bots.ratings(bot.id)
        rated = {games[rating.ladder] for rating in ratings}
        return list(dict.fromkeys([*await self._store.seat_results.rulesets(bot.id, LOOKED_AT), *sorted(rated)]))

    async def versions(self, name: str) -> list[str]:
        """Return the versions of a bot, newest first."""
        bot = await bot_named(self._store, name)
        return [version.version for version in await self._store.bots.versions(bot.id)]

    async def incidents(self, asked: bots_pb2.GetBotRequest) -> bots_pb2.GetBotResponse:
        """Return one bot with its incidents alone, as far as they are asked for."""
        bot = await bot_named(self._store, asked.name)
        return bots_pb2.GetBotResponse(
            bot=await self._info(bot, await self._store.bots.ratings(bot.id)),
            incidents=await self._incidents(await wanted_of_bot(self._store, bot, asked), bot),
        )

    async def newest_incidents(self) -> list[bots_pb2.BotIncident]:
        """Return the newest incidents of all bots, newest first, without where they happened."""
        return list(map(incident_message, await self._store.logs.incidents(None, NEWEST_INCIDENTS)))

    async def opponents(self, asked: bots_pb2.GetBotRequest) -> bots_pb2.GetBotResponse:
        """Return one bot with its opponents alone, in the matches that are asked for."""
        bot = await bot_named(self._store, asked.name)
        wanted = await wanted_of_bot(self._store, bot, asked)
        matches = await last_finished(self._store, wanted)
        return bots_pb2.GetBotResponse(
            bot=await self._info(bot, await self._store.bots.ratings(bot.id)),
            opponents=await opponents(self._store, matches, bot, wanted.version),
        )

    async def pair(self, name: str, against: str) -> bots_pb2.BotPair:
        """Return how two bots did against each other."""
        return await bot_pair(self._store, self._scales, name, against)

    async def ratings(self, name: str) -> bots_pb2.BotRatings:
        """Return the ratings of all versions of a bot, the newest version first."""
        bot = await bot_named(self._store, name)
        order = {version.version: at for at, version in enumerate(await self._store.bots.versions(bot.id))}
        rows = sorted(await self._store.bots.ratings(bot.id), key=lambda row: (order[row.version], row.ladder))
        answer = bots_pb2.BotRatings(ratings=map(rating_message, rows))
        await add_points(self._scales, answer.ratings)
        return answer

    async def history(self, asked: bots_pb2.GetBotRequest, ladder: str) -> bots_pb2.RatingHistory:
        """Return how a bot's rating on a ladder came about, in the matches that are asked for."""
        bot = await bot_named(self._store, asked.name)
        wanted = await wanted_of_bot(self._store, bot, asked)
        ladder = await ladder_named(self._store, ladder)
        found = await histories(self._store, self._scales, bot.id, [ladder], wanted)
        return found[0] if found else bots_pb2.RatingHistory(ladder=ladder)

    async def logs(self, name: str, match: int = 0) -> list[bots_pb2.BotLog]:
        """Return the newest log lines of a bot, or all lines about one match, oldest first; for its owner only."""
        bot, logs = await bot_named(self._store, name), self._store.logs
        return [log_message(entry) for entry in await (logs.of_match(bot.id, match) if match else logs.newest(bot.id))]

    async def _ladders_of(self, game: str, ladders: Collection[str]) -> list[str]:
        """Return those of these ladders that are of a game, or all; that with the name of the game comes first."""
        games = await ladder_games(self._store)
        return sorted((one for one in ladders if game in ("", games[one])), key=lambda one: (one not in GAMES, one))

    async def _incidents(self, wanted: WantedMatches, bot: Bot) -> list[bots_pb2.BotIncident]:
        """Return the newest incidents of a bot in these matches, with where they happened."""
        found = list(map(incident_message, await self._store.logs.incidents(bot.id, NEWEST_INCIDENTS, wanted)))
        await self._places.add_to(found)
        return found

    async def _info(self, bot: Bot, ratings: list[LadderRating]) -> bots_pb2.BotInfo:
        """Return a bot, given all ratings of all its versions."""
        connected = bot.name in await self._presence.connected()
        message = bot_message(bot, present_ratings(bot, ratings), connected=connected)
        await add_points(self._scales, message.ratings)
        message.waiting.extend(await self._presence.waiting(bot.id))
        return message
